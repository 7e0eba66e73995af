//! Commands that change nothing: check, next, why, log, and unknown words.

use crate::scene::{PLAN, PLANNED};
use crate::twin::twin;

#[test]
fn check_says_what_holds_and_what_is_wrong_with_its_place() {
    twin(|play| {
        play.repository("guard:\n  gates:\n    - run: npm test\n");
        play.workflow(
            ".sprag",
            "dev",
            &[("plan", ""), ("build", "gates: [{run: make test}, {human: look}]\n")],
        );
        play.write(".gsd/plans/phase-1/plan.md", PLAN);
        play.types(&["check"]).exits(0);
        play.types(&["check", "--json"]).exits(0);
        play.types(&["check", ".sprag/config.yaml"]).exits(0);
        play.types(&["check", "--schema", "config"]).exits(0);
        play.write(".sprag/workflows/dev/build.md", "---\nid: build\nname: 3\n---\nx\n");
        play.types(&["check"]).exits(6);
        play.types(&["check", "--json"]).exits(6);
        play.types(&["run", "dev", "it"]);
        play.types(&["start", "dev", "it"]);
        play.write(".sprag/config.yaml", "gard: {}\nguard:\n  gates: [{run: 3}]\n");
        play.types(&["check"]).exits(6);
        play.types(&["status"]);
    });
}

#[test]
fn next_of_everything_changes_nothing() {
    twin(|play| {
        play.plan(PLANNED);
        play.write(".gsd/config.md", "");
        play.types(&["next", "plan"]).exits(3);
        play.types(&["next", "plan", "2"]);
        play.types(&["next", "gsd"]);
        play.types(&["next", "inbox"]);
        play.types(&["next", "pr"]);
        play.types(&["next"]);
        play.types(&["next", "--json"]);
        play.types(&["status"]);
    });
}

#[test]
fn without_a_project_and_with_unknown_words() {
    twin(|play| {
        for words in [
            &["status"][..],
            &["why"],
            &["why", "K0007"],
            &["log"],
            &["report"],
            &["next"],
            &["doctor", "--plain"],
            &["check"],
            &["approve"],
            &["resume"],
            &["cancel", "r-none"],
            &["pause"],
            &["step", "next"],
            &["agent", "ls"],
            &["pr", "status"],
            &["nonsense"],
            &["--version"],
        ] {
            play.types(words);
        }
    });
}

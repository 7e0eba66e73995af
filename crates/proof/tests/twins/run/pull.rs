//! The review loop of a pull request, with a scripted forge.

use super::KILLS;
use crate::scene::{LOOP, REVIEWED};
use crate::twin::twin;

const PASSES: &str = "echo 'VERDICT: pass' > .thoughts/pr/review.md; echo reviewed";

#[test]
fn is_reviewed_answered_and_approved() {
    twin(|play| {
        play.pull(REVIEWED);
        play.types(&["next", "pr"]).exits(0);
        play.types(&["next", "pr", "--json"]).exits(0);
        play.types(&["pr", "status"]);
        play.drives(&["pr"]).exits(0);
        play.looks();
        play.types(&["pr", "status", "--json"]);
    });
}

#[test]
fn a_forge_that_is_not_reached_holds_until_it_is() {
    twin(|play| {
        let gh = play.pull(PASSES);
        gh.fail("pr-list", 1, "HTTP 401: Bad credentials");
        play.drives(&["pr"]).exits(3);
        play.types(&["status"]).exits(0);
        gh.mend("pr-list");
        gh.fail("pr-review", 1, "HTTP 401: Bad credentials");
        play.resumes().exits(3);
        play.types(&["status"]).exits(0);
        gh.mend("pr-review");
        play.resumes().exits(0);
        play.looks();
    });
}

#[test]
fn what_is_not_pushed_is_refused_and_held() {
    twin(|play| {
        play.pull(&REVIEWED.replace("; git push -q origin topic", ""));
        play.drives(&["pr"]).exits(3);
        play.looks();
        play.git(&["push", "-q", "origin", "topic"]);
        play.resumes().exits(0);
        play.looks();
    });
}

#[test]
fn used_up_rounds_are_held() {
    twin(|play| {
        let finds = "printf \"VERDICT: issues\\n- [important] a:$turn: bad $turn\\n\" > .thoughts/pr/review.md";
        play.pull(&REVIEWED.replace("echo 'VERDICT: pass' > .thoughts/pr/review.md", finds));
        play.drives(&["pr"]).exits(5);
        play.looks();
        play.types(&["pr", "status"]);
        play.resumes();
        play.types(&["pr", "complete"]);
        play.looks();
    });
}

#[test]
fn checks_that_fail_are_held_until_they_pass_and_a_host_that_is_not_here() {
    twin(|play| {
        play.pull(PASSES);
        play.write("../red", "checks fail");
        play.drives(&["pr"]).exits(3);
        play.looks();
        play.write("../red", "");
        play.write(".thoughts/pr/metadata.yaml", &LOOP.replace(": rev\n", ": copilot\n"));
        play.resumes();
        play.types(&["status"]).exits(0);
        play.types(&["pr", "resume", "--reviewer", "rev"]);
        play.drives(&["pr"]);
        play.looks();
    });
}

#[test]
fn a_reviewer_who_changes_the_files_has_reviewed_nothing() {
    twin(|play| {
        play.pull(&format!(
            "echo evil >> code.txt; git commit -qam evil; git push -q origin topic; {PASSES}"
        ));
        play.drives(&["pr"]).exits(3);
        play.looks();
    });
}

#[test]
fn a_lost_agent_is_waited_for() {
    twin(|play| {
        play.pull(&format!("[ $turn = 1 ] && exit 3\n{REVIEWED}"));
        play.loses(&["pr"]);
        play.resumes().exits(0);
        play.looks();
    });
}

#[test]
fn a_killed_driver_is_gone_on_with() {
    twin(|play| {
        play.pull(&format!("case \"$prompt\" in Review*) ;; *) {KILLS};; esac\n{REVIEWED}"));
        play.drives(&["pr"]).was_killed();
        play.types(&["status"]).exits(0);
        play.resumes().exits(0);
        play.looks();
    });
}

//! `sprag pr …`: the loop as used by a person and by gitx's scripts.

use crate::scene::{LOOP, REVIEWED};
use crate::twin::twin;

#[test]
fn single_fields_are_read_and_set() {
    twin(|play| {
        play.pull(REVIEWED);
        for words in [
            &["read", "turn"][..],
            &["read", ".", "reviewLoop.maxRounds"],
            &["update", "a.b", "1"],
            &["remove-field", "a"],
            &["set-approved", "x"],
            &["set-approved", "false"],
            &["set-resolve-level", "all"],
            &["set-turn", "AUTHOR"],
            &["post-push"],
            &["clear-ci-status"],
            &["ensure"],
        ] {
            play.types(&[&["pr", "meta"][..], words].concat());
        }
        play.agent_types("a", &["pr", "meta", "set-approved", "true"]).exits(3);
        play.agent_types("a", &["pr", "complete"]).exits(3);
        play.types(&["check"]);
    });
}

#[test]
fn a_loop_is_begun_refreshed_paused_resumed_and_ended() {
    twin(|play| {
        let gh = play.pull(REVIEWED);
        play.env.remove(".thoughts/pr/metadata.yaml");
        play.types(&["pr", "init"]).exits(1);
        play.types(&[
            "pr",
            "init",
            "--reviewer",
            "rev",
            "--developer",
            "dev",
            "--level",
            "critical",
        ])
        .exits(0);
        play.types(&["pr", "status"]);
        play.types(&["pr", "pause", "--dry-run"]);
        play.types(&["pr", "pause"]).exits(0);
        play.types(&["next", "pr"]);
        play.types(&["pr", "resume"]).exits(0);
        play.write("../red", "checks fail");
        play.types(&["pr", "refresh"]).exits(0);
        play.types(&["next", "pr", "--json"]);
        gh.fail("pr-list", 1, "HTTP 503");
        play.types(&["pr", "refresh"]).exits(1);
        play.types(&["pr", "complete"]).exits(0);
        play.types(&["pr", "resume"]).exits(1);
        play.write(".thoughts/pr/metadata.yaml", &LOOP.replace("turn: REVIEW", "turn: SIDEWAYS"));
        play.types(&["check"]).exits(6);
    });
}

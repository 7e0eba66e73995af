//! A guard: a session's stop is refused with the evidence until the project's test passes.

use serde_json::json;

use crate::player::Player;
use crate::scene::GUARD;
use crate::session::{At, Host, Session};
use crate::twin::twin;

/// A session from start to end: no gate runs before a person agrees, a failure is sent back with
/// its evidence, lack of progress is held, a prompt resumes the session, and a pass allows the
/// stop.
fn from_begin_to_end(play: &mut Player, host: Host) {
    play.repository(GUARD);
    let mut session = Session::new(play, host, "s-1");
    session.begins(play);
    session.hears(play, "work on it");
    session.edits(play, "code.txt", "bad\n");
    session.stops(play);
    play.types(&["status"]).exits(0).says("not yet allowed to run here");
    play.types(&["approve"]).exits(0);
    let refused = session.stops(play).to_string();
    assert!(refused.contains("expected good"), "{refused}");
    play.types(&["why"]).exits(0);
    session.stops(play);
    session.stops(play);
    play.types(&["status"]).exits(0).says("NEEDS YOU");
    session.hears(play, "go on");
    session.stops(play);
    session.edits(play, "code.txt", "good\n");
    session.stops(play);
    session.stops(play);
    play.types(&["status", "--json"]).exits(0);
    session.ends(play, "other");
    play.types(&["log", "-n", "100", "--json"]).exits(0);
    play.types(&["report"]).exits(0);
}

#[test]
fn claude_from_begin_to_end() {
    twin(|play| from_begin_to_end(play, Host::Claude));
}

#[test]
fn codex_from_begin_to_end() {
    twin(|play| from_begin_to_end(play, Host::Codex));
}

#[test]
fn gemini_from_begin_to_end() {
    twin(|play| from_begin_to_end(play, Host::Gemini));
}

#[test]
fn copilot_from_begin_to_end() {
    twin(|play| from_begin_to_end(play, Host::Copilot));
}

#[test]
fn opencode_from_begin_to_end() {
    twin(|play| from_begin_to_end(play, Host::Opencode));
}

#[test]
fn pi_from_begin_to_end() {
    twin(|play| from_begin_to_end(play, Host::Pi));
}

/// A guard with several kinds of gates, one of which protects its test.
const MANY: &str = "guard:\n  gates:\n    - {name: unit, run: sh test.sh, protect: [test.sh]}\n    \
    - {file: README.md}\n    - {any: [{content: {path: NOTES, has: done}}, {file: DONE}]}\n    - {human: is it nice?}\n  retry: {max: 2}\n";

#[test]
fn several_gates_a_protected_test_and_used_up_retries() {
    twin(|play| {
        play.repository(MANY);
        let mut session = Session::new(play, Host::Claude, "s-1");
        session.begins(play);
        session.edits(play, "code.txt", "bad\n");
        session.stops(play);
        play.types(&["approve"]).exits(0);
        for at in 1..=4 {
            session.edits(play, "code.txt", &format!("bad {at}\n"));
            session.stops(play);
        }
        play.types(&["status"]).exits(0);
        play.types(&["resume", "1"]);
        session.hears(play, "go on");
        session.edits(play, "NOTES", "not yet\n");
        session.edits(play, "code.txt", "good\n");
        session.stops(play);
        session.edits(play, "README.md", "read me\n");
        session.edits(play, "NOTES", "done\n");
        session.stops(play);
        play.types(&["status"]).exits(0).says("is it nice?");
        play.types(&["approve", "1"]).exits(0);
        session.stops(play);
        // The tool call is denied, but a script is not.
        session.edits(play, "test.sh", "exit 0\n");
        play.write("test.sh", "exit 0\n");
        session.stops(play);
        session.stops(play);
        play.types(&["status"]).exits(0);
        play.types(&["why", "--json"]).exits(0);
        play.types(&["approve", "1", "--yes"]).exits(0);
        session.stops(play);
        session.ends(play, "other");
        play.types(&["log", "-n", "100"]).exits(0);
    });
}

#[test]
fn clear_compact_resume_and_another_process() {
    twin(|play| {
        play.repository(GUARD);
        let mut one = Session::new(play, Host::Claude, "a");
        one.begins(play);
        one.edits(play, "code.txt", "bad\n");
        one.stops(play);
        play.types(&["approve"]).exits(0);
        one.stops(play);
        one.says(play, At::Begin, json!({ "source": "compact" }));
        one.stops(play);
        one.ends(play, "clear");
        let mut two = Session::new(play, Host::Claude, "b");
        two.says(play, At::Begin, json!({ "source": "clear" }));
        two.stops(play);
        let mut stranger = Session::new(play, Host::Claude, "c").in_process(4_999_999);
        stranger.says(play, At::Begin, json!({ "source": "resume" }));
        stranger.stops(play);
        two.ends(play, "other");
        stranger.ends(play, "other");
        play.types(&["status"]).exits(0);
    });
}

#[test]
fn what_is_no_stop_and_who_is_no_person() {
    twin(|play| {
        play.repository(GUARD);
        let mut claude = Session::new(play, Host::Claude, "a");
        claude.begins(play);
        claude.edits(play, "code.txt", "bad\n");
        claude.stops(play);
        play.types(&["approve"]).exits(0);
        claude.event(play, "SubagentStop", json!({ "agent_id": "x", "agent_type": "Explore" }));
        claude.stops_with(play, json!({ "permission_mode": "plan" }));
        let task =
            json!({ "id": "t", "type": "subagent", "status": "running", "description": "d" });
        claude.stops_with(play, json!({ "background_tasks": [task] }));
        claude.event(play, "PreCompact", json!({ "trigger": "auto" }));
        claude.event(play, "Notification", json!({ "message": "waiting" }));
        claude.stops(play);
        claude.says(play, At::Prompt, json!({ "prompt": "go on", "source": "system" }));
        claude.stops(play);
        claude.stops(play);
        let mut pi = Session::new(play, Host::Pi, "b");
        pi.begins(play);
        pi.edits(play, "code.txt", "worse\n");
        pi.stops_with(play, json!({ "outcome": "aborted" }));
        pi.stops(play);
        pi.ends(play, "quit");
        claude.ends(play, "other");
        play.types(&["log", "-n", "50"]).exits(0);
    });
}

#[test]
fn a_failure_from_before_a_flaky_test_and_a_configuration_that_is_broken() {
    twin(|play| {
        play.repository(GUARD);
        let mut first = Session::new(play, Host::Codex, "a");
        first.begins(play);
        first.edits(play, "code.txt", "bad\n");
        first.stops(play);
        play.types(&["approve"]).exits(0);
        first.stops(play);
        first.ends(play, "other");
        let mut second = Session::new(play, Host::Codex, "b");
        second.begins(play);
        second.stops(play);
        second.edits(play, "other.txt", "x\n");
        second.stops(play);
        // It fails, and then passes on the very same files.
        play.write("test.sh", "[ -e ../once ] && exit 0; touch ../once; exit 1\n");
        second.stops(play);
        second.hears(play, "again");
        second.stops(play);
        play.types(&["status"]).exits(0);
        play.write(".sprag/config.yaml", "off: 3\n");
        second.stops(play);
        play.types(&["status"]);
        play.types(&["doctor", "--plain"]);
        play.write(".sprag/config.yaml", "off: true\n");
        second.stops(play);
        play.types(&["status"]).exits(0);
        second.ends(play, "other");
    });
}

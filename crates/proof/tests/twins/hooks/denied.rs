//! Forbidden tool calls: changes to the files that judge the agent, and commands that only a person
//! may use.

use serde_json::json;

use crate::player::Player;
use crate::scene::GUARD;
use crate::session::{Host, Session};
use crate::twin::twin;

/// Tries calls that no agent may make, and calls that every agent may make.
fn tries(play: &mut Player, host: Host) {
    play.repository(GUARD);
    let mut session = Session::new(play, host, "s-1");
    session.begins(play);
    for path in [".sprag/config.yaml", ".claude/settings.json", "code.txt", "../outside.txt"] {
        session.edits(play, path, "x\n");
    }
    for command in [
        "sprag approve",
        "sprag cancel && echo done",
        "echo 'off: true' > .sprag/config.yaml",
        "rm -rf .sprag",
        "sprag status",
        "cargo test",
    ] {
        session.wants_to_run(play, command);
    }
    let later = json!({ "delaySeconds": 60, "prompt": "/sprag:pause" });
    session.uses(play, "ScheduleWakeup", &later);
    session.ends(play, "other");
    play.types(&["log", "-n", "50"]).exits(0);
}

#[test]
fn claude_tries() {
    twin(|play| tries(play, Host::Claude));
}

#[test]
fn codex_tries() {
    twin(|play| tries(play, Host::Codex));
}

#[test]
fn gemini_tries() {
    twin(|play| tries(play, Host::Gemini));
}

#[test]
fn copilot_tries() {
    twin(|play| tries(play, Host::Copilot));
}

#[test]
fn opencode_and_pi_try() {
    twin(|play| {
        tries(play, Host::Opencode);
        let mut pi = Session::new(play, Host::Pi, "s-2");
        pi.begins(play);
        pi.edits(play, ".sprag/config.yaml", "x\n");
        pi.wants_to_run(play, "sprag approve");
        pi.ends(play, "quit");
    });
}

#[test]
fn what_a_person_may_type_an_agent_may_not() {
    twin(|play| {
        play.repository(GUARD);
        let mut session = Session::new(play, Host::Claude, "a");
        session.begins(play);
        session.edits(play, "code.txt", "bad\n");
        session.stops(play);
        for words in [
            &["approve"][..],
            &["cancel"],
            &["pause"],
            &["resume"],
            &["init", "--yes"],
            &["doctor", "--fix", "--yes"],
            &["run", "x", "--until", "true"],
        ] {
            play.agent_types("a", words).exits(3);
        }
        play.agent_types("a", &["status"]).exits(0);
        play.agent_types("a", &["why"]).exits(0);
        session.ends(play, "other");
    });
}

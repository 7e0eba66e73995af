//! Commands that a person types into a session: until, why, pause.

use crate::player::Player;
use crate::scene::GUARD;
use crate::session::{Host, Session};
use crate::twin::twin;

/// Holds a session that no guard holds, and releases it.
fn until(play: &mut Player, host: Host) {
    play.repository("");
    let mut session = Session::new(play, host, "a");
    session.begins(play);
    session.stops(play);
    session.types(play, "/sprag:until sh test.sh");
    session.stops(play);
    session.types(play, "/sprag:why");
    session.edits(play, "code.txt", "good\n");
    session.stops(play);
    session.edits(play, "code.txt", "bad again\n");
    session.stops(play);
    session.types(play, "/sprag:pause --for 1h a call");
    session.stops(play);
    session.types(play, "/sprag:pause off");
    session.stops(play);
    play.types(&["status"]).exits(0);
    session.types(play, "/sprag:until off");
    session.stops(play);
    session.ends(play, "other");
}

#[test]
fn claude_and_codex_until() {
    twin(|play| until(play, Host::Claude));
}

#[test]
fn gemini_until() {
    twin(|play| until(play, Host::Gemini));
}

#[test]
fn copilot_until() {
    twin(|play| until(play, Host::Copilot));
}

#[test]
fn opencode_until() {
    twin(|play| until(play, Host::Opencode));
}

#[test]
fn pi_until() {
    twin(|play| until(play, Host::Pi));
}

#[test]
fn a_waiver_a_pause_and_what_goes_wrong() {
    twin(|play| {
        play.repository(GUARD);
        let mut session = Session::new(play, Host::Claude, "a");
        session.begins(play);
        for typed in ["/sprag:until", "/sprag:until a && b", "/sprag:pause --for ever", "/sprag:no"]
        {
            session.types(play, typed);
        }
        session.edits(play, "code.txt", "bad\n");
        session.stops(play);
        play.types(&["approve"]).exits(0);
        session.stops(play);
        play.types(&["approve", "no such gate", "--waive", "why"]).exits(4);
        play.types(&["approve", "sh test.sh", "--waive", "known to be broken"]).exits(0);
        session.stops(play);
        play.types(&["report"]).exits(0);
        session.edits(play, "code.txt", "worse\n");
        session.stops(play);
        let name = session.file();
        play.types(&["pause", &name]).exits(0);
        session.stops(play);
        play.types(&["status"]).exits(0);
        play.types(&["resume", &name]);
        session.stops(play);
        let run = play.run();
        play.types(&["pause", &run]);
        play.types(&["resume", &run]);
        play.types(&["cancel", &run]);
        session.stops(play);
        play.gives(&["hook", "claude", "statusLine"], "{\"session_id\":\"a\"}").exits(0);
        session.ends(play, "other");
        play.looks();
    });
}

//! A session of an agent with an inbox: it begins and receives the agent's work, which holds its
//! stops.

use crate::scene::GUARD;
use crate::session::{Host, Session};
use crate::twin::twin;

const SET: [&str; 8] =
    ["agent", "set", "polecat-alpha", "gt-1", "--title", "Add README", "--as", "mayor"];

#[test]
fn pending_work_is_begun_told_held_and_done() {
    twin(|play| {
        play.repository(GUARD);
        play.types(&SET).exits(0);
        play.set("SPRAG_AGENT", "polecat-alpha");
        let mut session = Session::new(play, Host::Claude, "one");
        session.begins(play);
        session.stops(play);
        session.edits(play, "code.txt", "bad\n");
        session.stops(play);
        play.unset("SPRAG_AGENT");
        play.types(&["approve"]);
        play.types(&["status"]).exits(0);
        play.set("SPRAG_AGENT", "polecat-alpha");
        session.stops(play);
        play.agent_types("one", &["agent", "complete"]).exits(0);
        session.stops(play);
        session.edits(play, "code.txt", "good\n");
        session.stops(play);
        session.ends(play, "other");
        play.unset("SPRAG_AGENT");
        play.types(&["agent", "clear", "polecat-alpha", "--as", "mayor"]).exits(0);
        play.types(&["status", "--json"]).exits(0);
    });
}

#[test]
fn an_abort_is_told_until_it_is_answered_and_a_second_session_takes_over() {
    twin(|play| {
        play.repository("");
        play.types(&SET).exits(0);
        play.set("SPRAG_AGENT", "polecat-alpha");
        let mut one = Session::new(play, Host::Claude, "one").in_process(4_999_999);
        one.begins(play);
        one.stops(play);
        play.unset("SPRAG_AGENT");
        let abort = ["agent", "nudge", "send", "polecat-alpha", "--type", "abort", "wrong unit"];
        play.types(&abort).exits(0);
        play.types(&["agent", "poll", "polecat-alpha"]).exits(0);
        play.set("SPRAG_AGENT", "polecat-alpha");
        one.hears(play, "go on");
        one.stops(play);
        let mut two = Session::new(play, Host::Codex, "two");
        two.begins(play);
        one.stops(play);
        play.agent_types("two", &["agent", "fail", "--why", "no compiler"]);
        two.stops(play);
        one.ends(play, "other");
        two.ends(play, "other");
        play.unset("SPRAG_AGENT");
        play.types(&["agent", "show", "polecat-alpha"]).exits(0);
        play.types(&["status"]).exits(0);
        play.types(&["log", "-n", "50"]).exits(0);
    });
}

#[test]
fn a_session_that_gets_nowhere_is_let_go_and_a_person_sets_it_going_again() {
    twin(|play| {
        play.repository("");
        play.types(&SET).exits(0);
        play.set("SPRAG_AGENT", "polecat-alpha");
        let mut pi = Session::new(play, Host::Pi, "one");
        pi.begins(play);
        for _ in 0..3 {
            pi.stops(play);
        }
        play.unset("SPRAG_AGENT");
        play.types(&["status"]).exits(0);
        play.types(&["resume", "polecat-alpha"]).exits(0);
        pi.stops(play);
        play.types(&["agent", "release", "polecat-alpha", "--as", "mayor"]).exits(0);
        pi.stops(play);
        pi.ends(play, "quit");
        play.types(&["next", "inbox"]);
    });
}

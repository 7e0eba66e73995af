//! Upgrades: the base leaves a hold on disk, and the binary under test continues.
//!
//! The base stored holds as sentences. A binary that reads one must do and print what the base
//! would have.

use crate::player::{Player, Started};
use crate::run::plan::asks_and_gets_its_answer;
use crate::scene::{GUARD, LOOP, PLANNED};
use crate::session::{Host, Session};
use crate::twin::twin;

const TASK: [&str; 3] = ["Make it good", "--until", "sh test.sh"];

/// Creates a repository with this agent; the base plays first.
fn task(play: &mut Player, agent: &str) {
    play.begins_with_the_base();
    play.repository("");
    play.agent("agent.sh", agent);
}

/// Returns an agent that hangs in its first turns after writing a mark, and later runs `then`. It
/// waits without a child process: one that starts while the agent is killed could survive.
fn waits(turns: usize, then: &str) -> String {
    let waits = "mkfifo ../bin/wait$turn; : > ../works$turn; read word < ../bin/wait$turn";
    format!("[ $turn -gt {turns} ] || {{ {waits}; }}\n{then}")
}

/// Interrupts a driver whose agent works in this turn.
fn interrupts(play: &mut Player, driver: Started, turn: usize) {
    let mark = format!("../works{turn}");
    play.env.wait_until("the agent works", || play.env.read(&mark).is_some());
    play.signals(&driver, "INT");
    play.ends(driver).exits(3);
}

/// Drives a run, and interrupts it in its first turn.
fn interrupted(play: &mut Player, words: &[&str]) {
    let driver = play.starts_driving(words);
    interrupts(play, driver, 1);
}

/// Pauses the newest run for a time, then for a reason, and resumes it.
fn pauses_twice_and_resumes(play: &mut Player) {
    let run = play.run();
    play.types(&["pause", &run, "--for", "1h"]).exits(0);
    play.looks();
    play.types(&["pause", &run, "--why", "lunch"]).exits(0);
    play.looks();
    play.resumes().exits(0);
    play.looks();
}

#[test]
fn an_interrupted_task_is_resumed() {
    twin(|play| {
        task(play, &waits(1, "echo good > code.txt"));
        interrupted(play, &TASK);
        play.upgrades();
        play.looks();
        play.resumes().exits(0);
        play.looks();
    });
}

#[test]
fn an_interrupted_task_is_interrupted_again() {
    twin(|play| {
        task(play, &waits(2, "echo good > code.txt"));
        interrupted(play, &TASK);
        play.upgrades();
        let run = play.run();
        let driver = play.starts(&["resume", &run]);
        interrupts(play, driver, 2);
        play.looks();
        play.resumes().exits(0);
        play.looks();
    });
}

#[test]
fn an_interrupted_task_is_paused_for_a_time_and_by_a_person() {
    twin(|play| {
        task(play, &waits(1, "echo good > code.txt"));
        interrupted(play, &TASK);
        play.upgrades();
        pauses_twice_and_resumes(play);
    });
}

#[test]
fn a_spent_budget_is_paused_and_raised() {
    twin(|play| {
        task(play, "[ $turn -lt 3 ] && echo bad $turn > code.txt || echo good > code.txt");
        play.drives(&[&TASK[..], &["--budget", "1ms"]].concat()).exits(5);
        play.upgrades();
        play.looks();
        let run = play.run();
        play.types(&["pause", &run, "--why", "the money is gone"]).exits(0);
        play.looks();
        play.types(&["resume", &run, "--budget", "a lot"]).exits(2);
        play.types(&["resume", &run, "--budget", "1h"]).exits(0);
        play.looks();
    });
}

#[test]
fn a_host_that_is_gone_is_asked_for_again_and_another_is_named() {
    twin(|play| {
        task(play, "echo bad > code.txt; rm $0");
        play.drives(&TASK).exits(3);
        play.upgrades();
        play.looks();
        play.resumes().exits(3);
        play.looks();
        let other = play.agent("other.sh", "echo good > code.txt");
        let run = play.run();
        play.types(&["run", &run, "--host", &other]).exits(0);
        play.looks();
    });
}

#[test]
fn a_task_without_progress_is_resumed_waived_and_ends() {
    twin(|play| {
        task(play, "echo 'Done! All tests pass.'");
        play.drives(&TASK).exits(5);
        play.upgrades();
        play.looks();
        play.resumes().exits(5);
        play.looks();
        play.types(&["approve", "--waive", "not today"]).exits(0);
        play.resumes().exits(0).says("waived");
        play.looks();
    });
}

#[test]
fn a_task_without_progress_is_cancelled() {
    twin(|play| {
        task(play, "echo 'Done! All tests pass.'");
        play.drives(&TASK).exits(5);
        play.upgrades();
        let run = play.run();
        play.types(&["cancel", &run]).exits(0);
        play.looks();
    });
}

/// Plays a session that is refused, changes nothing and is held.
fn held_session(play: &mut Player) -> Session {
    play.begins_with_the_base();
    play.repository(GUARD);
    let mut session = Session::new(play, Host::Claude, "s-1");
    session.begins(play);
    session.hears(play, "work on it");
    session.edits(play, "code.txt", "bad\n");
    session.stops(play);
    play.types(&["approve"]).exits(0);
    for _ in 0..3 {
        session.stops(play);
    }
    play.types(&["status"]).exits(0).says("NEEDS YOU");
    session
}

#[test]
fn a_held_session_goes_on_with_a_persons_word() {
    twin(|play| {
        let mut session = held_session(play);
        play.upgrades();
        play.looks();
        session.hears(play, "go on");
        session.stops(play);
        session.stops(play);
        play.looks();
        session.hears(play, "go on");
        session.edits(play, "code.txt", "good\n");
        session.stops(play);
        play.looks();
        session.ends(play, "other");
        play.types(&["log", "-n", "100", "--json"]).exits(0);
    });
}

#[test]
fn a_held_session_stops_again_and_goes_on_when_a_person_resumes_it() {
    twin(|play| {
        let mut session = held_session(play);
        play.upgrades();
        session.stops(play);
        play.types(&["resume", "1"]);
        session.stops(play);
        session.edits(play, "code.txt", "good\n");
        session.stops(play);
        session.ends(play, "other");
        play.looks();
    });
}

/// Plays a session whose pass does not count, since it changed a protected test.
fn doubted_session(play: &mut Player) -> Session {
    play.begins_with_the_base();
    play.repository(
        "guard:\n  gates:\n    - {name: unit, run: sh test.sh, protect: [test.sh, other.sh]}\n",
    );
    let mut session = Session::new(play, Host::Claude, "s-1");
    session.begins(play);
    session.edits(play, "code.txt", "bad\n");
    session.stops(play);
    play.types(&["approve"]).exits(0);
    session.stops(play);
    // A script of the agent: an edit by a tool would be denied.
    play.write("test.sh", "exit 0\n");
    session.stops(play);
    session.stops(play);
    play.types(&["why"]).exits(0).says("the agent changed `test.sh`");
    session
}

#[test]
fn a_protected_test_that_was_changed_is_approved() {
    twin(|play| {
        let mut session = doubted_session(play);
        play.upgrades();
        play.looks();
        session.stops(play);
        play.types(&["approve", "1", "--yes"]).exits(0);
        session.stops(play);
        session.ends(play, "other");
        play.looks();
    });
}

#[test]
fn a_second_protected_file_is_changed_after_the_first() {
    twin(|play| {
        let mut session = doubted_session(play);
        play.upgrades();
        session.edits(play, "other.sh", "exit 0\n");
        session.stops(play);
        play.looks();
        session.edits(play, "test.sh", "exit 1\n");
        session.stops(play);
        play.looks();
        session.ends(play, "other");
    });
}

#[test]
fn an_interrupted_plan_is_resumed() {
    twin(|play| {
        play.begins_with_the_base();
        play.plan(&waits(1, PLANNED));
        interrupted(play, &["plan"]);
        play.upgrades();
        play.looks();
        play.resumes().exits(0);
        play.looks();
    });
}

#[test]
fn an_interrupted_plan_is_paused_by_a_person() {
    twin(|play| {
        play.begins_with_the_base();
        play.plan(&waits(1, PLANNED));
        interrupted(play, &["plan"]);
        play.upgrades();
        pauses_twice_and_resumes(play);
    });
}

#[test]
fn a_plan_whose_agent_asks_gets_its_answer() {
    twin(|play| {
        play.begins_with_the_base();
        asks_and_gets_its_answer(play, Player::upgrades);
    });
}

#[test]
fn a_reviewer_who_is_not_here_is_replaced() {
    twin(|play| {
        play.begins_with_the_base();
        play.pull("echo 'VERDICT: pass' > .thoughts/pr/review.md; echo reviewed");
        play.write(".thoughts/pr/metadata.yaml", &LOOP.replace(": rev\n", ": copilot\n"));
        play.drives(&["pr"]).exits(3);
        play.upgrades();
        play.looks();
        play.resumes().exits(3);
        play.types(&["pr", "resume", "--reviewer", "rev"]).exits(0);
        play.drives(&["pr"]).exits(0);
        play.looks();
    });
}

#[test]
fn an_interrupted_inbox_is_shown() {
    twin(|play| {
        task(play, &waits(1, "echo done > done.txt"));
        play.types(&["agent", "work", "add", "Write it", "--id", "u1", "--as", "mayor"]).exits(0);
        interrupted(play, &["inbox"]);
        play.upgrades();
        play.looks();
        play.types(&["report", "inbox"]).exits(0);
        // The story ends here: if it were driven again, the driver and its worker would commit in
        // either order.
    });
}

#[test]
fn an_inbox_whose_budget_is_spent_gets_a_higher_one() {
    twin(|play| {
        task(play, "echo done > done$turn.txt");
        for unit in ["u1", "u2"] {
            let add = ["agent", "work", "add", "Write it", "--id", unit, "--as", "mayor"];
            play.types(&add).exits(0);
        }
        play.drives(&["inbox", "--budget", "1ms"]).exits(5);
        play.upgrades();
        play.looks();
        play.types(&["report", "inbox"]).exits(0);
        play.drives(&["inbox", "--budget", "1h"]).exits(0);
        play.looks();
    });
}

#[test]
fn an_agent_that_gets_nowhere_is_set_going_again() {
    twin(|play| {
        play.begins_with_the_base();
        play.repository("");
        let set = ["agent", "set", "ann", "gt-1", "--title", "Add README", "--as", "mayor"];
        play.types(&set).exits(0);
        play.set("SPRAG_AGENT", "ann");
        let mut session = Session::new(play, Host::Claude, "one");
        session.begins(play);
        for _ in 0..3 {
            session.stops(play);
        }
        play.upgrades();
        session.stops(play);
        play.unset("SPRAG_AGENT");
        play.looks();
        play.types(&["resume", "ann"]).exits(0);
        play.set("SPRAG_AGENT", "ann");
        for _ in 0..3 {
            session.stops(play);
        }
        play.agent_types("one", &["agent", "complete"]).exits(0);
        session.ends(play, "other");
        play.unset("SPRAG_AGENT");
        play.looks();
    });
}

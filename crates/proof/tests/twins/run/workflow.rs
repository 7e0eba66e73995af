//! A workflow driven with agents.

use super::KILLS;
use crate::player::Player;
use crate::twin::twin;

/// A phase with a gate, and one that asks a person.
fn two_phases(play: &mut Player, agent: &str) {
    play.repository("");
    let phases = [
        ("build", "gates: [{run: sh test.sh}]\n"),
        ("ship", "gates: [{file: code.txt}, {human: may it ship?}]\n"),
    ];
    play.workflow(".sprag", "dev", &phases);
    play.commits("workflow");
    play.agent("agent.sh", agent);
}

/// Succeeds in the second turn.
const SECOND: &str = "[ $turn -lt 2 ] && echo bad > code.txt || echo good > code.txt; echo built";

#[test]
fn passes_asks_a_person_and_ends() {
    twin(|play| {
        two_phases(play, SECOND);
        play.drives(&["dev", "csv export"]).exits(3);
        play.looks();
        play.resumes().exits(3);
        play.types(&["approve"]).exits(0);
        play.resumes().exits(0);
        play.looks();
    });
}

#[test]
fn the_same_failure_too_often_is_held_waived_and_ends() {
    twin(|play| {
        two_phases(play, "echo $turn >> other.txt");
        play.drives(&["dev", "csv export", "--json"]).exits(5);
        play.looks();
        play.resumes().exits(5);
        play.types(&["approve", "--waive", "not today"]).exits(0);
        play.resumes();
        play.looks();
    });
}

#[test]
fn what_nobody_let_run_holds_before_the_first_agent() {
    twin(|play| {
        two_phases(play, SECOND);
        let host = play.env.top().join("agent.sh").display().to_string();
        play.types(&["run", "dev", "csv export", "--host", &host]).exits(3);
        play.types(&["status"]).exits(0);
        play.resumes().exits(3);
        play.types(&["approve"]).exits(0);
        play.resumes().exits(3);
        play.types(&["status"]).exits(0);
    });
}

#[test]
fn a_lost_agent_is_waited_for() {
    twin(|play| {
        two_phases(play, "[ $turn = 1 ] && exit 3; echo good > code.txt");
        play.loses(&["dev", "csv export"]);
        play.resumes().exits(3);
        play.looks();
    });
}

#[test]
fn three_losses_are_held() {
    twin(|play| {
        two_phases(play, "case $turn in 2|3|4) exit 3;; esac; echo good > code.txt");
        play.loses_for_good(&["dev", "csv export"]);
        play.resumes().exits(3);
    });
}

#[test]
fn a_killed_driver_is_gone_on_with() {
    twin(|play| {
        two_phases(play, &format!("{KILLS}\necho good > code.txt"));
        play.drives(&["dev", "csv export"]).was_killed();
        play.types(&["status"]).exits(0);
        play.resumes().exits(3);
        play.types(&["cancel"]).exits(0);
        play.looks();
    });
}

/// A phase that another agent reviews, and one after it.
fn reviewed(play: &mut Player, reviews: &str) -> [String; 2] {
    play.repository("");
    let review = "gates: [{run: sh test.sh}]\nreview: {reviewer: reviewer, max_rounds: 2, level: important}\n";
    play.workflow(".sprag", "dev", &[("build", review), ("ship", "gates: [{file: code.txt}]\n")]);
    play.commits("workflow");
    let worker = play.agent("agent.sh", "echo good >> code.txt; echo worked");
    let seen = "n=$(echo x >> ../reviews; wc -l < ../reviews | tr -d ' ')";
    [worker, play.agent("reviewer", &format!("{seen}\n{reviews}"))]
}

/// Drives the workflow with both agents.
fn drive(play: &mut Player, [worker, reviewer]: &[String; 2], code: i32) {
    play.types(&["run", "dev", "csv", "--yes", "--host", worker, "--or", reviewer]).exits(code);
}

const ISSUE: &str =
    "echo 'VERDICT: issues'; echo \"- [important] code.txt:1: too good $n. Fix: less\"";

#[test]
fn a_phase_is_reviewed_fixed_and_reviewed_again() {
    twin(|play| {
        let both =
            reviewed(play, &format!("if [ $n = 1 ]; then {ISSUE}; else echo 'VERDICT: pass'; fi"));
        drive(play, &both, 0);
        play.looks();
    });
}

#[test]
fn a_finding_is_refused_by_the_agent_and_told() {
    twin(|play| {
        let both =
            reviewed(play, &format!("if [ $n = 1 ]; then {ISSUE}; else echo 'VERDICT: pass'; fi"));
        play.agent("agent.sh", "echo good >> code.txt; echo 'REFUSE 1: the reviewer is wrong'");
        drive(play, &both, 0);
        play.looks();
    });
}

#[test]
fn used_up_rounds_are_held_and_a_person_accepts() {
    twin(|play| {
        let both = reviewed(play, ISSUE);
        drive(play, &both, 5);
        play.looks();
        let run = play.run();
        play.types(&["approve", &run]).exits(0);
        play.resumes().exits(0);
        play.looks();
    });
}

#[test]
fn a_review_that_does_not_count_is_held_and_one_that_is_not_here_too() {
    twin(|play| {
        let both = reviewed(
            play,
            "case $n in 1) echo fine;; 2) echo x > new.txt; echo 'VERDICT: pass';; *) echo 'VERDICT: pass';; esac",
        );
        drive(play, &both, 3);
        play.types(&["status"]).exits(0);
        play.resumes().exits(0);
        play.types(&["run", "dev", "csv", "--yes", "--host", &both[0]]).exits(3);
        play.looks();
    });
}

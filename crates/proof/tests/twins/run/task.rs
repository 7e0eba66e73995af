//! A task with a command that must pass.

use crate::player::Player;
use crate::twin::twin;

const TASK: [&str; 3] = ["Make it good", "--until", "sh test.sh"];

/// Needs three turns.
const THREE: &str = "echo \"try $turn\" > code.txt; [ $turn -lt 3 ] || echo good > code.txt\n\
                     echo 'All done!'";

#[test]
fn passes_at_the_third_try_with_the_evidence_of_the_second() {
    twin(|play| {
        play.repository("");
        play.agent("agent.sh", THREE);
        play.drives(&TASK).exits(0);
        play.looks();
        let run = play.run();
        play.types(&["report", &run, "--verify"]).exits(0);
        play.types(&["report", "--html", "-"]).exits(0);
        play.resumes().exits(0);
        play.types(&["cancel", &run]).exits(1);
    });
}

#[test]
fn passes_beside_a_guard_as_one_object_and_tells_a_person() {
    twin(|play| {
        let config = "v: 1\nguard:\n  gates:\n    - {name: clean, run: [sh, -c, '! test -e other.txt']}\n\
                      notify: {command: [sh, -c, 'cat >> ../told; echo \"$0\" >> ../told']}\n";
        play.repository(config);
        let does = "[ $turn -gt 1 ] || echo x > other.txt; [ $turn -eq 1 ] || rm -f other.txt\n\
                    echo good > code.txt";
        play.agent("agent.sh", does);
        play.drives(&["Make it good", "--until", "sh test.sh", "--json"]).exits(0);
        play.looks();
    });
}

#[test]
fn used_up_tries_are_held_resumed_and_waived() {
    twin(|play| {
        play.repository("");
        play.agent("agent.sh", "echo \"try $turn: $turn$turn\" > code.txt");
        play.drives(&["Make it good", "--until", "sh test.sh", "--max", "1"]).exits(5);
        play.looks();
        play.resumes().exits(5);
        play.types(&["approve", "--waive", "not today"]).exits(0);
        play.resumes().exits(0).says("waived");
        let run = play.run();
        play.types(&["report", &run, "--verify"]).exits(0);
        play.looks();
    });
}

#[test]
fn no_progress_is_held_and_cancelled() {
    twin(|play| {
        play.repository("notify: {command: [sh, -c, 'echo \"$0\" >> ../told']}\n");
        play.agent("agent.sh", "echo 'Done! All tests pass.'");
        play.drives(&["Make it good", "--until", "sh test.sh", "--json"]).exits(5);
        play.looks();
        play.resumes().exits(5);
        let run = play.run();
        play.types(&["cancel", &run]).exits(0);
        play.resumes();
        play.looks();
    });
}

#[test]
fn a_spent_budget_holds_until_a_person_raises_it() {
    twin(|play| {
        play.repository("");
        play.agent("agent.sh", "[ $turn = 1 ] && echo bad > code.txt || echo good > code.txt");
        play.drives(&["Make it good", "--until", "sh test.sh", "--budget", "1ms"]).exits(5);
        play.types(&["status"]).exits(0);
        let run = play.run();
        play.types(&["resume", &run, "--budget", "a lot"]).exits(2);
        play.types(&["resume", &run, "--budget", "1h"]).exits(0);
        play.types(&["report", "--json"]).exits(0);
    });
}

#[test]
fn one_loss_is_waited_for_and_three_are_held() {
    twin(|play| {
        play.repository("");
        play.agent("agent.sh", "[ $turn = 1 ] && exit 3; [ $turn = 2 ] && echo good > code.txt");
        play.by_the_real_clock();
        play.drives(&TASK).exits(0).says("after a loss");
        play.agent("agent.sh", "exit 3");
        play.write("code.txt", "start\n");
        play.loses_for_good(&TASK);
        play.types(&["approve", "sh test.sh", "--waive", "not today"]).exits(0);
        play.types(&["status"]).exits(0);
    });
}

#[test]
fn a_killed_driver_is_gone_on_with() {
    twin(|play| {
        play.repository("");
        play.agent("agent.sh", &format!("{}\necho good > code.txt", super::KILLS));
        play.drives(&TASK).was_killed();
        play.looks();
        play.resumes().exits(0);
        play.looks();
    });
}

#[test]
fn a_driver_killed_between_the_end_of_its_agent_and_the_verdict_is_gone_on_with() {
    twin(|play| {
        play.repository("");
        // The gate kills its driver: the agent has ended, and there is no verdict yet.
        play.write(
            "test.sh",
            "[ -e ../killed ] || { touch ../killed; kill -9 $PPID; }\ngrep -q good code.txt\n",
        );
        play.commits("a test that kills");
        play.agent("agent.sh", "echo good > code.txt; echo done");
        play.drives(&TASK).was_killed();
        play.types(&["status"]).exits(0);
        play.resumes().exits(0);
        play.looks();
    });
}

#[test]
fn a_signal_pauses_and_a_person_lets_it_go_on() {
    twin(|play| {
        play.repository("");
        play.agent("agent.sh", "[ $turn -gt 1 ] || sleep 600; echo good > code.txt");
        let driver = play.starts_driving(&TASK);
        play.env.wait_until("the agent works", || play.turns() == 1);
        play.types(&["status"]).exits(0);
        play.drives(&[&play.run()]).exits(8);
        play.signals(&driver, "INT");
        play.ends(driver).exits(3);
        play.types(&["status"]).exits(0);
        play.resumes().exits(0);
        play.looks();
    });
}

#[test]
fn a_waiver_and_a_cancel_while_the_agent_works() {
    twin(|play| {
        play.repository("");
        play.agent(
            "agent.sh",
            "echo $turn > work.txt; until [ -e ../go$turn ]; do sleep 0.01; done",
        );
        let has_written = |play: &Player, turn: &str| {
            play.env.read("work.txt").is_some_and(|text| text.trim() == turn)
        };
        let driver = play.starts_driving(&TASK);
        play.env.wait_until("the agent works", || has_written(play, "1"));
        let run = play.run();
        play.types(&["status"]).exits(0);
        play.write("../go1", "");
        play.env.wait_until("the agent works again", || has_written(play, "2"));
        play.types(&["approve", "sh test.sh", "--waive", "not today"]).exits(0);
        play.write("../go2", "");
        play.ends(driver).exits(0);
        play.looks();
        let driver = play.starts_driving(&["Something else", "--until", "false"]);
        play.env.wait_until("another agent works", || has_written(play, "3"));
        let second = play.runs().into_iter().find(|other| *other != run).unwrap();
        play.types(&["cancel", &second]).exits(0);
        play.ends(driver).exits(1);
        play.looks();
    });
}

#[test]
fn in_a_worktree_its_work_is_merged_and_what_is_not_proven_is_not() {
    twin(|play| {
        play.repository("");
        play.agent("agent.sh", THREE);
        play.drives(&["Make it good", "--until", "sh test.sh", "--agents", "2"]).exits(0);
        play.looks();
        let run = play.run();
        play.types(&["report", &run, "--verify"]).exits(0);
        play.git(&["merge", "-q", "--no-edit", &format!("sprag/{run}")]);
        play.types(&["report", &run]).exits(0);
        play.types(&["doctor", "--plain"]);
    });
}

#[test]
fn in_a_worktree_a_failure_is_held_waived_and_then_merged() {
    twin(|play| {
        play.repository("");
        play.agent("agent.sh", "echo done > work.txt");
        play.drives(&["Make it good", "--until", "sh test.sh", "--agents", "2"]).exits(5);
        play.types(&["status"]).exits(0);
        play.types(&["approve", "--waive", "not today"]).exits(0);
        play.resumes().exits(0);
        play.looks();
    });
}

#[test]
fn a_host_that_is_gone_holds_and_another_is_named() {
    twin(|play| {
        play.repository("");
        play.types(&["run", "Make it good", "--until", "sh test.sh", "--host", "cluade --x"])
            .exits(4);
        play.agent("agent.sh", "echo bad > code.txt; rm $0");
        play.drives(&TASK).exits(3);
        play.types(&["status"]).exits(0);
        play.types(&["why"]).exits(0);
        play.resumes().exits(3);
        let other = play.agent("other.sh", "echo good > code.txt");
        let run = play.run();
        play.types(&["run", &run, "--host", &other]).exits(0);
        play.looks();
    });
}

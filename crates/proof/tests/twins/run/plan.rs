//! A plan of opti-gsd.

use super::KILLS;
use crate::player::Player;
use crate::scene::{PLAN, PLANNED};
use crate::twin::twin;

#[test]
fn passes_and_its_goal_stays_a_claim() {
    twin(|play| {
        play.plan(PLANNED);
        play.types(&["next", "plan"]).exits(0);
        play.types(&["next", "plan", "--json"]).exits(0);
        play.types(&["check"]).exits(0);
        play.drives(&["plan"]).exits(0);
        play.looks();
        let run = play.run();
        play.types(&["report", &run, "--verify"]);
    });
}

#[test]
fn passes_in_worktrees() {
    twin(|play| {
        play.plan(PLANNED);
        play.drives(&["plan", "--agents", "2"]).exits(0);
        play.looks();
    });
}

#[test]
fn a_task_that_fails_is_tried_again_with_its_evidence_and_held() {
    twin(|play| {
        play.plan(&format!("case \"$prompt\" in *'Do b.'*) echo $turn > c.txt; echo 'TASK COMPLETE'; exit;; esac\n{PLANNED}"));
        play.drives(&["plan"]).exits(5);
        play.looks();
        let run = play.run();
        play.types(&["approve", &run, "b.txt exists", "--waive", "not today"]).exits(1);
        play.agent("agent.sh", PLANNED);
        play.resumes().exits(0);
        play.looks();
    });
}

/// Plays a plan whose agent asks a question and gets its answer, with `between` in the meantime.
pub(crate) fn asks_and_gets_its_answer(play: &mut Player, between: fn(&Player)) {
    play.plan(&format!(
        "[ $turn = 1 ] && {{ echo 'CHECKPOINT: tea or coffee'; exit; }}\n{PLANNED}"
    ));
    play.drives(&["plan"]).exits(3);
    between(play);
    play.looks();
    play.resumes().exits(3);
    let run = play.run();
    play.types(&["approve", &run]).exits(0);
    play.resumes().exits(0);
    play.looks();
}

#[test]
fn an_agent_asks_and_gets_its_answer() {
    twin(|play| asks_and_gets_its_answer(play, |_| ()));
}

#[test]
fn a_plan_that_asks_waits_before_each_wave() {
    twin(|play| {
        play.plan(PLANNED);
        play.drives(&["plan", "--mode", "interactive"]).exits(3);
        play.types(&["status"]).exits(0);
        for _ in 0..2 {
            let run = play.run();
            play.types(&["approve", &run]).exits(0);
            play.resumes();
        }
        play.looks();
    });
}

#[test]
fn a_failing_task_says_so_and_gaps_are_worked_on() {
    twin(|play| {
        let gaps = "case \"$prompt\" in *VERIFICATION.md*) [ -e ../gaps ] || { touch ../gaps\n\
            printf -- '---\\nphase: 1\\nstatus: gaps_found\\n---\\n\\n# Verification\\n\\n## Gaps\\n\\n- b.txt is empty\\n' \
            > .gsd/plans/phase-1/VERIFICATION.md; exit; };; esac";
        play.plan(&format!(
            "[ $turn = 1 ] && {{ echo 'TASK FAILED: no a here'; exit; }}\n{gaps}\n{PLANNED}"
        ));
        play.drives(&["plan"]);
        play.looks();
        play.resumes();
        play.looks();
    });
}

#[test]
fn a_lost_agent_is_waited_for() {
    twin(|play| {
        play.plan(&format!("[ $turn = 1 ] && exit 3\n{PLANNED}"));
        play.loses(&["plan"]);
        play.resumes().exits(0);
        play.looks();
    });
}

#[test]
fn three_losses_are_held() {
    twin(|play| {
        play.plan(&format!("case $turn in 2|3|4) exit 3;; esac\n{PLANNED}"));
        play.loses_for_good(&["plan"]);
        play.resumes().exits(0);
    });
}

#[test]
fn a_killed_driver_is_gone_on_with() {
    twin(|play| {
        play.plan(&format!("case \"$prompt\" in *'Do b.'*) {KILLS};; esac\n{PLANNED}"));
        play.drives(&["plan"]).was_killed();
        play.types(&["status"]).exits(0);
        play.resumes().exits(0);
        play.looks();
    });
}

#[test]
fn a_plan_that_changed_is_held_and_a_task_that_was_taken_out_is_not_waited_for() {
    twin(|play| {
        play.plan(&format!(
            "[ $turn = 1 ] && {{ echo 'CHECKPOINT: tea or coffee'; exit; }}\n{PLANNED}"
        ));
        play.drives(&["plan"]).exits(3);
        let (from, to) =
            (PLAN.find("<task id=\"01\"").unwrap(), PLAN.find("<task id=\"02\"").unwrap());
        let without = format!("{}{}", &PLAN[..from], &PLAN[to..]).replace(" depends=\"01\"", "");
        play.write(".gsd/plans/phase-1/plan.md", &without);
        play.types(&["status"]).exits(0);
        let run = play.run();
        play.types(&["approve", &run]);
        play.resumes();
        play.resumes();
        play.looks();
    });
}

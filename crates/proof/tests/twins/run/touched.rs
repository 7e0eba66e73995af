//! Agents that change the files that judge them, or the state of their own run.

use crate::scene::PLANNED;
use crate::twin::twin;

const TASK: [&str; 3] = ["Be good", "--until", "sh test.sh"];

#[test]
fn a_changed_state_is_held_and_a_person_takes_it_as_theirs() {
    twin(|play| {
        play.repository("");
        for (change, resumed) in [
            ("echo '# mine' >> .sprag/runs/$SPRAG_RUN/run.yaml", 0),
            ("echo 'checks: {run: allow}' > .sprag/config.yaml", 3),
        ] {
            play.write("code.txt", "start\n");
            play.agent("agent.sh", &format!("{change}; echo good > code.txt"));
            play.drives(&TASK).exits(3);
            play.types(&["status"]).exits(0);
            let run = play.runs().into_iter().find(|run| {
                let text = play.env.read(format!(".sprag/runs/{run}/run.yaml")).unwrap();
                !text.contains("\nended:")
            });
            play.types(&["resume", &run.unwrap()]).exits(resumed);
        }
        play.types(&["approve", "1", "--yes"]).exits(0);
        play.looks();
    });
}

#[test]
fn a_ruined_state_ends_it_with_what_to_do() {
    twin(|play| {
        play.repository("");
        play.agent(
            "agent.sh",
            "echo '{{{' > .sprag/runs/$SPRAG_RUN/agents.json; echo good > code.txt",
        );
        play.drives(&TASK).exits(9);
        play.types(&["status"]);
        play.types(&["doctor", "--plain"]);
    });
}

#[test]
fn a_changed_test_and_what_is_gone_stand_under_unproven() {
    twin(|play| {
        play.repository("");
        play.write("mine.txt", "start\n");
        play.commits("mine");
        play.write("mine.txt", "mine\n");
        play.write("wip.txt", "mine\n");
        play.agent(
            "agent.sh",
            "echo '# more' >> test.sh; rm wip.txt; git checkout -q mine.txt; echo good > code.txt",
        );
        play.drives(&TASK).exits(3);
        play.looks();
    });
}

#[test]
fn who_changes_what_its_own_plan_is_judged_by_is_held() {
    twin(|play| {
        play.plan(&format!("[ $turn -gt 1 ] || sed -i 's/a.txt exists/all is well/' .gsd/plans/phase-1/plan.md\n{PLANNED}"));
        play.drives(&["plan"]).exits(3);
        play.looks();
        play.git(&["checkout", "-q", ".gsd/plans"]);
        play.resumes();
        play.looks();
    });
}

#[test]
fn an_agent_that_calls_sprag_itself() {
    twin(|play| {
        play.repository("");
        play.agent(
            "agent.sh",
            "sprag status > ../status.$turn; sprag approve 2>> ../refused; sprag why >> ../why; echo good > code.txt",
        );
        play.drives(&TASK).exits(0);
        play.looks();
    });
}

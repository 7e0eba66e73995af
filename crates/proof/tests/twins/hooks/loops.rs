//! Sessions beside other systems' documents: a loop of opti-gsd, a tree of milestones.

use crate::scene::GROWN;
use crate::session::{Host, Session};
use crate::twin::twin;

const STATE: &str = "---\nphase: 2\nloop:\n  active: true\n  type: execute\n  iteration: 2\n  \
                     max_iterations: 4\n---\n";

#[test]
fn a_loop_of_opti_gsd_holds_every_host_in_its_own_words() {
    twin(|play| {
        play.repository("");
        play.write(".gsd/STATE.md", STATE);
        play.commits("state");
        for host in [Host::Claude, Host::Codex, Host::Gemini, Host::Copilot, Host::Opencode] {
            let mut session = Session::new(play, host, "s");
            session.begins(play);
            session.stops(play);
            session.ends(play, "other");
        }
        let mut session = Session::new(play, Host::Claude, "t");
        session.begins(play);
        for _ in 0..4 {
            session.stops(play);
        }
        play.write(".gsd/STATE.md", "---\nloop:\n  active: true\n  iteration: a[$(x)]\n---\n");
        session.stops(play);
        play.types(&["status"]);
        session.ends(play, "other");
    });
}

#[test]
fn a_tree_of_milestones_is_begun_and_told_in_a_session() {
    twin(|play| {
        play.tree("", GROWN);
        play.types(&["next", "gsd"]).exits(0);
        play.types(&["next", "gsd", "--json"]).exits(0);
        let mut session = Session::new(play, Host::Claude, "a");
        session.begins(play);
        play.agent_types("a", &["start", "gsd"]).exits(0);
        session.hears(play, "go");
        session.stops(play);
        play.agent_types("a", &["step", "status"]);
        let task = format!("{}/tasks/T01-SUMMARY.md", crate::scene::SLICE);
        session.edits(play, &task, "---\nid: T01\n---\n# Done\n");
        session.stops(play);
        let plan = format!("{}/S01-PLAN.md", crate::scene::SLICE);
        let text = play.env.read(&plan).unwrap().replace("[ ] **T01", "[x] **T01");
        session.edits(play, &plan, &text);
        session.stops(play);
        play.agent_types("a", &["step", "next"]);
        session.stops(play);
        session.ends(play, "other");
        play.looks();
    });
}

//! Documents of the first release: they can still be read, and are not changed by that.
//!
//! The documents come from stories that release played (the twins of `upgrade`), as it wrote them.

use sprag_core::pr::TurnRole;
use sprag_core::{Doubt, Driven, Hold, Name, Overspent, RunId, Seq, Stuck, Unstarted};
use sprag_engine::engine::EngineError;
use sprag_engine::kinds::KINDS;
use sprag_engine::run_file::{self, RunFile};
use sprag_store::{Doc, Store};

use crate::world::World;

macro_rules! document {
    ($name:literal) => {
        include_str!(concat!("../data/first-release/", $name))
    };
}

const INTERRUPTED: &str = document!("interrupted.yaml");

/// A project with the documents of a run, of which the first is its `run.yaml`.
struct Left {
    world: World,
    run: RunId,
    text: &'static str,
}

impl Left {
    fn new(text: &'static str) -> Self {
        let name = text.lines().find_map(|line| line.strip_prefix("id: ")).unwrap();
        let (world, run) = (World::new(""), RunId::parse(name).unwrap());
        world.env.write(format!(".sprag/runs/{run}/run.yaml"), text);
        Self { world, run, text }
    }

    fn with(self, path: &str, text: &str) -> Self {
        self.world.env.write(path, text);
        self
    }

    /// Asserts the run's hold, and that loading it without a change writes nothing.
    #[track_caller]
    fn is_held(&self, hold: &Hold) {
        let waits = self.world.engine().waits().unwrap();
        // Its time limit may have passed too: the test's clock differs from the story's.
        let is_of_time = |hold: &Hold| matches!(hold, Hold::Exhausted { .. });
        let holds = waits.iter().filter(|wait| !is_of_time(&wait.hold));
        let holds: Vec<_> = holds.map(|wait| (&wait.run, &wait.hold)).collect();
        assert_eq!(holds, [(&self.run, hold)]);
        let store = Store::open(&self.world.place, Seq(1)).unwrap();
        let (edit, text) = store
            .read(|view| {
                let edit = RunFile::open(KINDS, view, &self.run, None)?.edit()?;
                Ok::<_, EngineError>((edit, view.read(&run_file::path(self.run.as_str())?)))
            })
            .unwrap();
        assert!(edit.is_none(), "{edit:?}");
        assert_eq!(text, Doc::Text(self.text.to_owned()));
    }

    /// Asserts that other holds replace it in the file, even one of the same kind.
    #[track_caller]
    fn is_held_again(&self) {
        for hold in
            [spent("9 s", self.driven()), Hold::DriverGone { by: self.driven(), over: false }]
        {
            self.world.env.write(format!(".sprag/runs/{}/run.yaml", self.run), self.text);
            self.world.engine().pause_driven(&self.run, &hold, "run").unwrap();
            let waits = self.world.engine().waits().unwrap();
            assert_eq!(waits.into_iter().map(|wait| wait.hold).collect::<Vec<_>>(), [hold]);
        }
    }

    fn driven(&self) -> Driven {
        Driven::of(&self.run)
    }
}

fn spent(used: &str, by: Driven) -> Hold {
    let [used, most, raise] = [used, "0 s", "1s"].map(str::to_owned);
    Hold::Budget(Overspent { used, most, raise, by })
}

/// A repetition without progress was stored as a text, and stays one.
fn stuck(what: &str) -> Hold {
    Hold::NoProgress { what: Stuck::Said { what: what.to_owned() } }
}

#[test]
fn an_interrupted_run() {
    let left = Left::new(INTERRUPTED);
    left.is_held(&Hold::Interrupted);
    left.is_held_again();
}

#[test]
fn a_spent_budget() {
    let left = Left::new(document!("spent-budget.yaml"));
    left.is_held(&spent("0 s", left.driven()));
    left.is_held_again();
}

#[test]
fn a_host_that_is_gone() {
    let left = Left::new(document!("host-gone.yaml"));
    let why = "the program `/tmp/sprag-twin-4NpFAY/world/agent.sh` was not found".to_owned();
    left.is_held(&Hold::NoHost(Unstarted { host: "agent.sh".to_owned(), why, by: left.driven() }));
    left.is_held_again();
}

#[test]
fn a_session_that_heeded_nothing() {
    let left = Left::new(document!("unheeded.yaml"));
    left.is_held(&stuck("nothing changed after the stop was refused 2 times"));
}

#[test]
fn an_agent_that_changed_nothing() {
    let left = Left::new(document!("unchanged.yaml"));
    left.is_held(&stuck("`task`: sh test.sh: code.txt: expected good"));
}

#[test]
fn a_protected_test_that_was_changed() {
    let left = Left::new(document!("protected-test.yaml"));
    let why = Doubt::Protected { first: "test.sh".to_owned(), more: 0 };
    left.is_held(&Hold::Doubtful { gate: Name::parse("unit").unwrap(), why });
}

#[test]
fn a_reviewer_who_is_not_here() {
    let left = Left::new(document!("no-reviewer/run.yaml"))
        .with(".thoughts/pr/metadata.yaml", document!("no-reviewer/metadata.yaml"));
    left.is_held(&Hold::NoPart { part: TurnRole::Reviewer, host: "copilot".to_owned() });
    left.is_held_again();
}

#[test]
fn a_paused_plan() {
    let left = Left::new(document!("plan/run.yaml"))
        .with(".gsd/STATE.md", document!("plan/STATE.md"))
        .with(".gsd/plans/phase-1/plan.md", document!("plan/plan.md"))
        .with(".gsd/config.md", "---\nmode: yolo\n---\n");
    left.is_held(&Hold::Interrupted);
    left.is_held_again();
}

#[test]
fn an_agent_with_an_assignment() {
    let world = World::new("");
    for (path, text) in [
        (".sprag/agents/ann.json", document!("agent/ann.json")),
        (".chipset/state/agents/ann.json", document!("agent/chipset-agent.json")),
        (".chipset/state/hooks/ann.json", document!("agent/chipset-hook.json")),
        (".chipset/state/work/gt-1.json", document!("agent/chipset-work.json")),
    ] {
        world.env.write(path, text);
    }
    let waits = world.engine().waits().unwrap();
    let holds: Vec<_> = waits.into_iter().map(|wait| (wait.run.to_string(), wait.hold)).collect();
    let why = stuck("nothing changed after the stop was refused 2 times");
    assert_eq!(holds, [("ann".to_owned(), why)]);
}

#[test]
fn an_inbox_whose_budget_is_spent() {
    let world = World::new("");
    world.env.write(".sprag/agents/drive/inbox.json", document!("inbox/inbox.json"));
    world.env.write(".chipset/state/work/u2.json", document!("inbox/chipset-work.json"));
    let waits = world.engine().waits().unwrap();
    let holds: Vec<_> = waits.into_iter().map(|wait| wait.hold).collect();
    assert_eq!(holds, [spent("0 s", Driven::Inbox)]);
}

#[test]
fn a_journal() {
    let left = Left::new(INTERRUPTED)
        .with(".sprag/runs/r-00z9/agents.json", document!("journal/agents.json"))
        .with(".sprag/journal/head", document!("journal/head"))
        .with(
            ".sprag/journal/00000000000000000001.jsonl",
            document!("journal/00000000000000000001.jsonl"),
        );
    left.is_held(&Hold::Interrupted);
    assert_eq!(Store::open(&left.world.place, Seq(1)).unwrap().last().unwrap(), Seq(5));
    let report = left.world.engine().report(&left.run).unwrap();
    assert_eq!(report.timeline.waits.len(), 1, "{report:?}");
}

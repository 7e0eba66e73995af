//! A kind of run that no other code knows is started, driven, paused, held, resumed, reported and
//! cancelled. This file is all that it needs.
#![expect(clippy::unwrap_used, reason = "helpers of tests are tests, though clippy cannot tell")]

use serde_json::json;
use sprag_core::event::RunStarted;
use sprag_core::{
    Closes, Counts, Denied, Facts, GateSpec, Hold, KernelDecision, Machine, Move, Name, Next,
    Prompt, Rank, Run, RunId, RunStatus, Unit, UnitId, Word, stored,
};
use sprag_engine::drive::{BegunUnit, Coming, Count, NewRun, UnitEnd};
use sprag_engine::engine::Engine;
use sprag_engine::kind::{AnyRun, Entry, Info, Kind, Kinds, OnMachine, Reading, check_kernel};
use sprag_engine::run_file::{Header, Source, Unusable};
use sprag_store::Place;
use sprag_testkit::TestEnv;

/// Errands that are run one after the other.
#[derive(Debug)]
struct Errands;

#[derive(Clone, Debug, PartialEq)]
struct Position {
    done: u32,
}

stored!(struct Position { done });

const RETRY: Name = Name::literal("retry");

impl Machine for Errands {
    type Definition = Vec<UnitId>;
    type Position = Position;
    const RANK: Rank = Rank::Loop;

    fn limits(_: &Vec<UnitId>) -> Vec<(Name, u32)> {
        vec![(RETRY, 2)]
    }

    fn next(errands: &Vec<UnitId>, run: &Run<Position>, _: &Facts) -> Next {
        let Some(errand) = errands.get(run.position().done as usize) else { return Next::Done };
        let mut unit = Unit::new(errand.clone(), Name::literal("errand"), RETRY);
        unit.closes = Closes::Exit;
        Next::Units(vec![unit])
    }

    fn prompt(_: &Vec<UnitId>, _: &Run<Position>, unit: &Unit, _: &Facts) -> Prompt {
        Prompt::of(format!("Fetch the {}.", unit.id))
    }

    fn step(
        _: &Vec<UnitId>,
        run: &Run<Position>,
        heard: &KernelDecision<'_>,
        _: &Facts,
    ) -> Result<Move<Position>, Denied> {
        let mut to = Move::to(run.position().clone());
        if let KernelDecision::Passed { .. } = heard {
            to.position.done += 1;
            to.counts = Counts::Renew;
        }
        Ok(to)
    }
}

const INFO: Info = Info { called: "the errands", is_listed: true, ..Info::new("errands") };

static ENTRY: Entry = Entry { info: &INFO, open, check: check_kernel::<Position> };

const KINDS: Kinds = &[&ENTRY];

fn open(file: &Reading<'_>) -> Result<AnyRun, Unusable> {
    Ok(Box::new(ErrandsRun { errands: errands(), run: file.kernel()? }))
}

fn errands() -> Vec<UnitId> {
    ["milk", "bread", "stamps"].map(|name| UnitId::parse(name).unwrap()).into()
}

#[derive(Clone, Debug, PartialEq)]
struct ErrandsRun {
    errands: Vec<UnitId>,
    run: Run<Position>,
}

impl OnMachine for ErrandsRun {
    type M = Errands;

    fn definition(&self) -> &Vec<UnitId> {
        &self.errands
    }

    fn run(&self) -> &Run<Position> {
        &self.run
    }

    fn take_run(&mut self, run: Run<Position>) {
        self.run = run;
    }
}

impl Kind for ErrandsRun {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn line(&self) -> String {
        format!("{} of {} errands", self.run.position().done, self.errands.len())
    }

    fn specs(&self) -> &[GateSpec] {
        &[]
    }

    fn claim(&self, _: &UnitId, _: Option<sprag_core::workflow::ReviewStep>, said: &str) -> Word {
        if said == "done" { Word::Done } else { Word::Failed { why: said.to_owned() } }
    }

    fn count(&self, _: usize) -> Count {
        let done = self.run.position().done as usize;
        Count { done, total: Some(self.errands.len()), of: "errands" }
    }
}

fn start(engine: &Engine<'_>) -> RunId {
    let run = engine.start_driven(&json!({}), &|_, now, id| {
        let (errands, position) = (errands(), Position { done: 0 });
        let run = Run::new::<Errands>(id, &errands, position);
        Ok(NewRun {
            header: Header::begun(Source::of(&ENTRY), now.at()),
            started: RunStarted::of("errands"),
            live: Box::new(ErrandsRun { errands, run }),
        })
    });
    let run = run.unwrap();
    assert_eq!(engine.drive_claim(&run).unwrap(), []);
    run
}

fn begin(engine: &Engine<'_>, run: &RunId) -> BegunUnit {
    let coming = engine.drive_begin(run, "sh", 1).unwrap();
    let Coming::Begun(work) = coming else { panic!("{coming:?}") };
    *work
}

fn shown(engine: &Engine<'_>, run: &RunId) -> (RunStatus, String, Vec<Hold>) {
    let (runs, trouble) = engine.shown().unwrap();
    assert_eq!(trouble, Vec::<String>::new());
    let shown = runs.into_iter().find(|shown| shown.id == *run).unwrap();
    (shown.life, shown.at, shown.waits.into_iter().map(|wait| wait.hold).collect())
}

#[test]
fn a_new_kind_is_started_driven_held_and_ended_without_a_change_of_the_engine() {
    let env = TestEnv::new();
    let place = Place::of(env.project());
    let engine = Engine::knowing(KINDS, &place, &place, &[]).unwrap();
    let run = start(&engine);
    let file = env.read(format!(".sprag/runs/{run}/run.yaml")).unwrap();
    assert!(file.contains("source: errands\n") && file.contains("done: 0\n"), "{file}");

    let work = begin(&engine, &run);
    assert_eq!((work.unit.id.as_str(), work.prompt.as_str()), ("milk", "Fetch the milk."));
    let judged = engine.drive_end(&run, work.fence, "the shop is closed").unwrap();
    assert!(matches!(judged.end, UnitEnd::Failed { .. }), "{judged:?}");
    let work = begin(&engine, &run);
    assert!(work.retry.is_some() && work.prompt.contains("the shop is closed"), "{work:?}");
    let judged = engine.drive_end(&run, work.fence, "done").unwrap();
    assert!(matches!(judged.end, UnitEnd::Passed(_)), "{judged:?}");
    assert_eq!(engine.drive_far(&run).unwrap().count.done, 1);

    engine.pause(&run, "lunch", None, "person").unwrap();
    let coming = engine.drive_begin(&run, "sh", 1).unwrap();
    assert!(matches!(coming, Coming::Held(Hold::Person { .. })), "{coming:?}");
    engine.resume(&run, "person").unwrap();

    let work = begin(&engine, &run);
    let why = "no money".to_owned();
    engine.drive_stall(&run, work.fence, Hold::Blocked { why }).unwrap();
    let (life, at, holds) = shown(&engine, &run);
    assert_eq!((life, at.as_str(), holds.len()), (RunStatus::Held, "1 of 3 errands", 1));
    engine.resume(&run, "person").unwrap();
    engine.drive_end(&run, work.fence, "done").unwrap();

    let report = engine.report(&run).unwrap();
    assert_eq!((report.source.as_str(), report.run == run), ("errands", true));
    engine.cancel(&run, "person").unwrap();
    assert_eq!(engine.drive_begin(&run, "sh", 1).unwrap(), Coming::Cancelled);
    assert_eq!(shown(&engine, &run).0, RunStatus::Cancelled);

    let run = start(&engine);
    for _ in errands() {
        let work = begin(&engine, &run);
        engine.drive_end(&run, work.fence, "done").unwrap();
    }
    assert_eq!(engine.drive_begin(&run, "sh", 1).unwrap(), Coming::Done);
    assert_eq!(shown(&engine, &run).0, RunStatus::Done);
}

#[test]
fn an_engine_that_does_not_know_the_kind_lists_the_kinds_that_it_knows() {
    let env = TestEnv::new();
    let place = Place::of(env.project());
    let run = start(&Engine::knowing(KINDS, &place, &place, &[]).unwrap());
    let (runs, trouble) = Engine::open(&place, &[]).unwrap().shown().unwrap();
    let (_, known) = trouble[0].split_once("expected ").unwrap();
    for kind in ["guard", "until", "task", "assignment", "loop", "gsd", "pr", "workflow:KEY"] {
        assert!(runs.is_empty() && known.contains(kind), "{run}: {kind}: {trouble:?}");
    }
}

//! Measures assignments: their rate against a bare loop over the same documents, the cost of one
//! poll among many agents, and the cost of watching a thousand agents.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::time::Instant;

use rustix::fs::FlockOperation;
use sprag_core::inbox::{Patience, Who};
use sprag_core::{Agent, UnitId};
use sprag_engine::engine::{Engine, EngineError};
use sprag_engine::inbox::AssignRequest;
use sprag_formats::chipset::{AgentFile, DispatchStage};
use sprag_store::{Place, StoreError};

use crate::rounds::Pair;
use crate::{Failure, Figure};

/// The documents of one assignment, with their approximate sizes.
const DOCUMENTS: [(&str, usize); 6] = [
    ("work", 170),
    ("hooks", 230),
    ("dispatch", 400),
    ("mail", 280),
    ("agents", 130),
    ("ours", 150),
];

/// Both measurements alternate, so that a busy disk affects them equally.
const TURNS: usize = 10;

/// How many times a busy lock is tried, for five seconds each.
const BUSY: u32 = 20;

/// Measures concurrent assignments by `writers` against a bare loop of lock, write, sync and
/// rename.
pub(crate) fn assignments(
    scratch: &Path,
    writers: usize,
    each: usize,
    what: &'static str,
) -> Result<Figure, Failure> {
    let (ours, bare) =
        (scratch.join(format!("set-{writers}")), scratch.join(format!("bare-{writers}")));
    std::fs::create_dir_all(&ours)?;
    for (kind, _) in DOCUMENTS {
        std::fs::create_dir_all(bare.join(kind))?;
    }
    let part = each.div_ceil(TURNS);
    let (mut first, mut second) = (0.0, 0.0);
    for turn in 0..TURNS {
        let name = |writer: usize, number: usize| format!("{writer}-{turn}-{number}");
        first += together(writers, |writer| {
            (0..part).try_for_each(|number| assign(&ours, &name(writer, number)))
        })?;
        second += together(writers, |writer| {
            (0..part).try_for_each(|number| rename_all(&bare, &name(writer, number)))
        })?;
    }
    let many = f64::from(u32::try_from(writers * part * TURNS)?);
    let detail = format!("{:.0}/s against {:.0}/s", many / first, many / second);
    Ok(Figure { what, measured: first / second, goal: Some(2.0), unit: "×", detail })
}

/// Starts all writers at once; returns the seconds until the last one is done.
fn together(
    writers: usize,
    work: impl Fn(usize) -> Result<(), String> + Sync,
) -> Result<f64, Failure> {
    let start = Instant::now();
    let done: Vec<Result<(), String>> = std::thread::scope(|scope| {
        let work = &work;
        let all: Vec<_> = (0..writers).map(|writer| scope.spawn(move || work(writer))).collect();
        let panicked = |_| Err("a writer panicked".to_owned());
        all.into_iter().map(|one| one.join().unwrap_or_else(panicked)).collect()
    });
    done.into_iter().collect::<Result<(), String>>()?;
    Ok(start.elapsed().as_secs_f64())
}

fn assign(root: &Path, name: &str) -> Result<(), String> {
    let place = Place::of(root);
    let give = || -> Result<(), Failure> {
        let engine = Engine::open(&place, &[])?;
        let agent = Agent::parse(&format!("polecat-{name}"))?;
        let unit = UnitId::parse(&format!("gt-{name}"))?;
        let (rig, stage) = (AgentFile::RIG, DispatchStage::Confirmed);
        let (title, key) = (Some("A title"), None);
        let given = AssignRequest { agent: &agent, unit: &unit, title, rig, stage, key };
        // A writer whose wait timed out tries again, as a dispatcher does.
        for _ in 0..BUSY {
            match engine.agent_set(given, &Who::Mayor) {
                Err(EngineError::Store(StoreError::Busy { .. })) => {}
                done => return Ok(done.map(drop)?),
            }
        }
        Err("the lock was never free".into())
    };
    give().map_err(|error| error.to_string())
}

/// Does the minimum work of an assignment: writes each document atomically and durably under a
/// lock.
fn rename_all(root: &Path, name: &str) -> Result<(), String> {
    let write = || -> Result<(), Failure> {
        let lock = File::create(root.join("lock"))?;
        rustix::fs::flock(&lock, FlockOperation::LockExclusive)?;
        for (kind, bytes) in DOCUMENTS {
            let path = root.join(kind).join(name);
            let between = path.with_extension("tmp");
            let mut file = File::create(&between)?;
            file.write_all(&vec![b'x'; bytes])?;
            file.sync_data()?;
            std::fs::rename(&between, &path)?;
        }
        Ok(())
    };
    write().map_err(|error| error.to_string())
}

/// Creates agents as the original's own tools leave them.
fn populate(root: &Path, agents: usize, status: &str) -> Result<(), Failure> {
    let state = root.join(".chipset/state");
    for kind in ["hooks", "work"] {
        std::fs::create_dir_all(state.join(kind))?;
    }
    for number in 0..agents {
        let hook = format!(
            "{{\n  \"agent_id\": \"polecat-{number}\",\n  \"status\": \"{status}\",\n  \
             \"work_item\": {{\n    \"bead_id\": \"gt-{number}\",\n    \"title\": \"T\"\n  }}\n}}\n"
        );
        std::fs::write(state.join(format!("hooks/polecat-{number}.json")), hook)?;
        let work = format!("{{\n  \"beadId\": \"gt-{number}\",\n  \"title\": \"T\"\n}}\n");
        std::fs::write(state.join(format!("work/gt-{number}.json")), work)?;
    }
    Ok(())
}

/// Measures a poll of one agent among ten thousand against one among ten.
pub(crate) fn poll(scratch: &Path, runs: usize) -> Result<Figure, Failure> {
    let (many, few) = (scratch.join("agents-10000"), scratch.join("agents-10"));
    populate(&many, 10_000, "pending")?;
    populate(&few, 10, "pending")?;
    let (many, few) = (Place::of(many), Place::of(few));
    let agent = Agent::parse("polecat-7")?;
    let look = |place: &Place| -> Result<(), Failure> {
        Engine::open(place, &[])?.agent_poll(&agent)?;
        Ok(())
    };
    let pair = Pair::measure(runs, || look(&many), || look(&few))?;
    Ok(pair.ratio("poll of one agent, among 10,000 / among 10", Some(1.5)))
}

/// Returns the processor seconds that this program has used.
#[expect(clippy::cast_precision_loss, reason = "seconds of a bench are far below 2^52")]
fn spent() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// Measures the share of a core that an idle watch of a thousand agents takes at one round per
/// minute.
pub(crate) fn watch(scratch: &Path) -> Result<Figure, Failure> {
    let root = scratch.join("watched");
    populate(&root, 1000, "active")?;
    let place = Place::of(root);
    let environment: Vec<_> = std::env::vars_os().collect();
    let engine = Engine::open(&place, &environment)?;
    // The first round records each agent's progress.
    engine.patrol(&Patience::USUAL)?;
    let start = spent();
    let (done, _) = engine.patrol(&Patience::USUAL)?;
    let seconds = spent() - start;
    if !done.is_empty() {
        return Err(format!("the watch was not idle: {done:?}").into());
    }
    let detail = format!("{:.0} ms of a processor a round, one a minute", seconds * 1000.0);
    let what = "idle watch of 1,000 agents, of a core";
    Ok(Figure { what, measured: seconds / 60.0 * 100.0, goal: Some(1.0), unit: " %", detail })
}

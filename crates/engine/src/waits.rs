//! Lists everything that waits for a person, in one numbering.

use std::collections::BTreeSet;
use std::time::Duration;

use sprag_core::reporting::Limited;
use sprag_core::{Driven, Facts, Hold, RunId, RunStatus, SessionId, Time, Way};
use sprag_store::View;

use crate::drive::limits;
use crate::engine::{Engine, EngineError};
use crate::inbox::{self, board};
use crate::integrity::{runs_in_doubt, waits_for_yes};
use crate::now::Now;
use crate::open_run::OpenRun;
use crate::run_file::runs;
use crate::run_file::{Source, Unusable};
pub use crate::wait::{Still, Wait, command};

/// A run in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedRun {
    pub id: RunId,
    pub source: Source,
    pub task: Option<String>,
    /// The state in one word.
    pub life: RunStatus,
    /// The position in one line.
    pub at: String,
    /// The session that drives it.
    pub owner: Option<SessionId>,
    pub started: Time,
    pub ended: Option<Time>,
    /// The names of its current gates.
    pub gates: Vec<String>,
    /// Gates whose last receipt is about other files than those the run is judged by.
    pub stale: Vec<String>,
    /// Its holds for a person.
    pub waits: Vec<Wait>,
    /// The limited hosts that it waits for.
    pub limits: Vec<Limited>,
}

impl Engine<'_> {
    /// Returns all usable runs, newest first, and the errors of the others.
    pub fn shown(&self) -> Result<(Vec<ListedRun>, Vec<String>), EngineError> {
        self.shown_with(Gates::Weighed)
    }

    fn shown_with(&self, gates: Gates) -> Result<(Vec<ListedRun>, Vec<String>), EngineError> {
        let now = Now::new(self);
        self.look(|view| {
            let (mut shown, mut trouble) = (Vec::new(), Vec::new());
            let in_doubt = runs_in_doubt(view).unwrap_or_else(|error| {
                trouble.push(error.to_string());
                BTreeSet::new()
            });
            for id in runs(view)? {
                match OpenRun::open(self.kinds, view, &id) {
                    Ok(case) => {
                        let mut run = show(self, view, &case, id, &now, gates)?;
                        if run.waits.is_empty() && in_doubt.contains(&run.id) {
                            match waits_for_yes(self, view, &case.run, &now) {
                                Ok(hold) => run
                                    .waits
                                    .extend(hold.map(|hold| Wait::of_run(&run.id, None, hold))),
                                Err(error) => trouble.push(error.to_string()),
                            }
                        }
                        shown.push(run);
                    }
                    // An empty folder; status reports other entries.
                    Err(EngineError::Run(Unusable::Absent(_))) => {}
                    Err(error) => trouble.push(error.to_string()),
                }
            }
            // In a long list, the newest runs matter most.
            shown.sort_by_key(|run| std::cmp::Reverse(run.started));
            // One document may affect several runs.
            trouble.sort();
            trouble.dedup();
            Ok((shown, trouble))
        })
    }

    /// Returns everything that waits for a person, in numbered order.
    pub fn waits(&self) -> Result<Vec<Wait>, EngineError> {
        let runs = self.shown_with(Gates::LeftOut)?.0.into_iter().flat_map(|run| run.waits);
        let mut work = if board::is_there(self.place) { self.board()?.waits } else { Vec::new() };
        self.leave_to_driver(&mut work)?;
        Ok(runs.chain(work).collect())
    }

    /// Removes the entries that an active inbox driver will handle on its own.
    pub fn leave_to_driver(&self, waits: &mut Vec<Wait>) -> Result<(), EngineError> {
        let inbox = inbox::run()?;
        let drive = Way::Drive(Driven::Inbox);
        let is_left = |wait: &Wait| *wait.hold.ways().first() == drive;
        if waits.iter().any(is_left) && self.driven_by(&inbox, Duration::ZERO)?.is_some() {
            waits.retain(|wait| !is_left(wait));
        }
        Ok(())
    }
}

/// Builds a run's entry in a list.
fn show(
    engine: &Engine<'_>,
    view: &View<'_>,
    case: &OpenRun,
    id: RunId,
    now: &Now<'_>,
    gates: Gates,
) -> Result<ListedRun, EngineError> {
    let run = &case.run;
    // A run that is over needs no scan of the files.
    let tree = match run.header.ended {
        Some(_) => sprag_core::Hash::of(""),
        None => engine.judged_by(view, &id, now)?,
    };
    let mut facts = Facts::new(now.at, view.seq(), tree);
    engine.foresee(case, &mut facts);
    let waits = match run.header.ended {
        Some(_) => Vec::new(),
        None => run.live.waiting(&facts),
    };
    let wait = |waiting: sprag_core::Waiting| Wait::of_run(&id, waiting.unit, waiting.hold);
    let mut waits: Vec<Wait> = waits.into_iter().map(wait).collect();
    let open = waits.is_empty() && run.header.ended.is_none();
    let left = open.then(|| engine.left_by_driver(run)).flatten();
    let life = if left.is_some() { RunStatus::Held } else { run.live.life(&facts) };
    if let Some(by) = left {
        waits.push(Wait::of_run(&id, None, Hold::DriverGone { by, over: false }));
    }
    let driver = engine.sitting_driver(run);
    let info = run.live.info();
    let is_evaluated_again = info.judges_anew || (info.rechecks && driver.is_some());
    let is_left_out = run.header.ended.is_some() || is_evaluated_again || gates == Gates::LeftOut;
    let stale =
        if is_left_out { vec![] } else { engine.gate_evidence(view, case, &id, now)?.stale() };
    Ok(ListedRun {
        source: run.header.source.clone(),
        task: run.asked(),
        life,
        at: run.at(),
        owner: run.live.owner().cloned().or(driver),
        started: run.header.started,
        ended: run.header.ended,
        gates: run.live.specs().iter().map(|spec| spec.gate.name.to_string()).collect(),
        stale,
        waits,
        limits: limits(view, case, now.at)?,
        id,
    })
}

/// Whether the runs' gates are checked, which reads all their receipts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gates {
    Weighed,
    LeftOut,
}

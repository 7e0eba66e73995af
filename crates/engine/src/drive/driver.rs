//! The driver of a run: one process at a time, recorded in the lock that it holds.

use std::fmt;
use std::time::Duration;

use sprag_core::{Facts, RunId, Time};
use sprag_store::{CacheDir, CacheLock, Lasting, PathError, StoreError};
use sprag_world::clock;

use super::is_inbox;
use crate::agents_file::AgentsFile;
use crate::engine::{Engine, EngineError};
use crate::inbox;
use crate::now::Now;
use crate::open_run::OpenRun;
use crate::run_file::runs;
use crate::run_file::{RunFile, Unusable};

/// The folder of a driver's lock.
const SEATED: &str = "drive";
/// The file in that folder that records the driver.
const WHO: &str = "who";

/// The driver of a run. Empty in the moment between taking the lock and recording it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Driver(Option<(u32, Time)>);

impl Driver {
    /// Records this process as the driver.
    pub fn note(turn: &CacheLock<'_>) {
        let text = format!("{} {}", std::process::id(), clock::now());
        // Without it, a second driver only learns that there is another.
        let _ = turn.write(WHO, text.as_bytes(), 0o644, Lasting::Cached);
    }

    /// Reads the recorded driver.
    pub fn of(seat: &CacheDir) -> Self {
        let text = seat.read(WHO, 256).ok().flatten().unwrap_or_default();
        let text = String::from_utf8(text).unwrap_or_default();
        let read = |(process, since): (&str, &str)| {
            Some((process.parse().ok()?, Time::parse(since.trim_end())?))
        };
        Self(text.split_once(' ').and_then(read))
    }

    pub fn process(&self) -> Option<u32> {
        self.0.map(|(process, _)| process)
    }
}

impl fmt::Display for Driver {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((process, since)) = self.0 else { return out.write_str("another process") };
        let since: String = since.to_string().chars().take(19).collect();
        write!(out, "process {process}, since {} UTC", since.replace('T', " "))
    }
}

/// Why a run still needs its branches and worktrees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needed {
    /// It has an active driver.
    Driven(Driver),
    /// It is not over.
    Open,
    /// It cannot be read, so it may not be over.
    Unreadable,
}

impl Engine<'_> {
    /// Returns the runs that still need their branches and worktrees, and why. The inbox is one of
    /// them, because assignments use its worktrees.
    pub fn needed(&self) -> Result<Vec<(RunId, Needed)>, EngineError> {
        let (mut all, is_at_work) = self.look(|view| {
            let (mut all, mut is_at_work) = (Vec::new(), false);
            for id in runs(view)? {
                let needed = match OpenRun::open(self.kinds, view, &id) {
                    Ok(case) if case.run.header.ended.is_some() => None,
                    Ok(case) => {
                        is_at_work |= case.run.live.info().is_assigned;
                        Some(Needed::Open)
                    }
                    // An empty folder.
                    Err(EngineError::Run(Unusable::Absent(_))) => None,
                    Err(_) => Some(Needed::Unreadable),
                };
                all.push((id, needed));
            }
            Ok((all, is_at_work))
        })?;
        all.push((inbox::run()?, is_at_work.then_some(Needed::Open)));
        // A run that is over still has a driver until its worktrees are cleaned up.
        let driven = |(id, needed): (RunId, Option<Needed>)| {
            let driver = self.driven_by(&id, Duration::ZERO)?;
            Ok(driver.map(Needed::Driven).or(needed).map(|needed| (id, needed)))
        };
        all.into_iter().filter_map(|one| driven(one).transpose()).collect()
    }

    /// Returns whether a run is over for good. A missing run may still begin, as the inbox may, and
    /// an unreadable one may be repaired.
    pub fn is_over(&self, run: &RunId) -> Result<bool, EngineError> {
        self.look(|view| {
            let file = RunFile::open(self.kinds, view, run, None).ok();
            Ok(file.is_some_and(|file| file.is_over(clock::now())))
        })
    }

    /// Returns the other runs whose agents work in the project's own files now, with their drivers.
    pub fn driven_here(&self, but: &RunId) -> Result<Vec<(RunId, Driver)>, EngineError> {
        let others = self.look(|view| {
            let is_here = |id: &RunId| {
                id != but && AgentsFile::read(view, id).is_ok_and(|known| known.branch.is_none())
            };
            Ok(runs(view)?.into_iter().filter(is_here).collect::<Vec<_>>())
        })?;
        let driven =
            |id: RunId| Ok(self.driven_by(&id, Duration::ZERO)?.map(|driver| (id, driver)));
        others.into_iter().filter_map(|id| driven(id).transpose()).collect()
    }

    /// Opens the driver's lock of a run. The operating system releases it when its holder dies.
    pub fn driver_seat(&self, run: &RunId) -> Result<CacheDir, EngineError> {
        let (state, folder) = (&self.place.state, seats(run));
        // Do not recreate the folder of a removed run.
        let is_there = CacheDir::open_below(state, &folder).map_err(StoreError::from)?.is_some();
        if !is_there && !is_inbox(run) {
            return Err(EngineError::NotFound { what: format!("{run} is gone") });
        }
        let seat = CacheDir::make_below(state, &format!("{folder}/{SEATED}"));
        Ok(seat.map_err(StoreError::from)?)
    }

    /// Opens the driver's lock of a run, or `None` if it never had a driver.
    pub(super) fn seat_of(&self, run: &RunId) -> Result<Option<CacheDir>, PathError> {
        CacheDir::open_below(&self.place.state, &format!("{}/{SEATED}", seats(run)))
    }

    /// Returns the driver of a run, unless there is none or it ends within `patience`.
    pub fn driven_by(
        &self,
        run: &RunId,
        patience: Duration,
    ) -> Result<Option<Driver>, EngineError> {
        let Some(seat) = self.seat_of(run).map_err(StoreError::from)? else { return Ok(None) };
        let taken = seat.turn(patience).map(drop);
        match taken {
            Err(StoreError::Busy { .. }) => Ok(Some(Driver::of(&seat))),
            // Taking the lock reports such an error.
            Ok(()) | Err(_) => Ok(None),
        }
    }

    /// Returns whether a run, or a unit of it, waits for a person.
    pub fn stands_still(&self, run: &RunId) -> Result<bool, EngineError> {
        let now = Now::new(self);
        self.look(|view| {
            let live = OpenRun::open(self.kinds, view, run)?.run.live;
            let facts = Facts::new(now.at, view.seq(), self.judged_by(view, run, &now)?);
            Ok(live.standing_hold(now.at).is_some() || !live.waiting(&facts).is_empty())
        })
    }
}

/// Returns the folder of a run's lock. It is not in the cache, which may be deleted under a driver.
fn seats(run: &RunId) -> String {
    if is_inbox(run) { ".sprag/agents".to_owned() } else { format!(".sprag/runs/{run}") }
}

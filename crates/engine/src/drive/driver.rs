//! Who drives a run: one process at a time, which leaves its number in the seat it takes.

use std::fmt;
use std::time::Duration;

use sprag_core::{Facts, RunId, Time};
use sprag_store::{Lasting, PathError, Shelf, StoreError, Turn};

use super::is_inbox;
use super::ledger::Ledger;
use crate::case::{Case, runs};
use crate::engine::{Engine, EngineError};
use crate::run_file::{RunFile, Source, Unusable};
use crate::sitting::Now;
use crate::{clock, inbox};

/// The folder in which the driver of something sits.
const SEATED: &str = "drive";
/// The file in a seat that says who has it.
const WHO: &str = "who";

/// Who drives a run, as far as it is known: somebody has the seat a moment before that is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Driver(Option<(u32, Time)>);

impl Driver {
    /// Writes into a seat that this process has it now.
    pub fn note(turn: &Turn<'_>) {
        let text = format!("{} {}", std::process::id(), clock::now());
        // Whoever comes second is then only told that there is somebody.
        let _ = turn.write(WHO, text.as_bytes(), 0o644, Lasting::Cached);
    }

    /// Reads who has a seat.
    pub fn of(seat: &Shelf) -> Self {
        let text = seat.read(WHO, 256).ok().flatten().unwrap_or_default();
        let text = String::from_utf8(text).unwrap_or_default();
        let read = |(process, since): (&str, &str)| {
            Some((process.parse().ok()?, Time::parse(since.trim_end())?))
        };
        Self(text.split_once(' ').and_then(read))
    }

    /// Returns the number of its process.
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
    /// Somebody drives it.
    Driven(Driver),
    /// It is not over.
    Open,
    /// It cannot be read, so nobody knows whether it is over.
    Unreadable,
}

impl Engine<'_> {
    /// Returns what still needs its branches and worktrees, and why: runs, and the inbox, in whose
    /// worktrees assignments are worked on.
    pub fn needed(&self) -> Result<Vec<(RunId, Needed)>, EngineError> {
        let (mut all, is_at_work) = self.look(|view| {
            let (mut all, mut is_at_work) = (Vec::new(), false);
            for id in runs(view)? {
                let needed = match Case::open(view, &id) {
                    Ok(case) if case.run.header.ended.is_some() => None,
                    Ok(case) => {
                        is_at_work |= case.run.header.source == Source::Assignment;
                        Some(Needed::Open)
                    }
                    // A folder that was made for nothing.
                    Err(EngineError::Run(Unusable::Absent(_))) => None,
                    Err(_) => Some(Needed::Unreadable),
                };
                all.push((id, needed));
            }
            Ok((all, is_at_work))
        })?;
        all.push((inbox::run()?, is_at_work.then_some(Needed::Open)));
        // One that is over is driven until its driver has put its work away.
        let driven = |(id, needed): (RunId, Option<Needed>)| {
            let driver = self.driven_by(&id, Duration::ZERO)?;
            Ok(driver.map(Needed::Driven).or(needed).map(|needed| (id, needed)))
        };
        all.into_iter().filter_map(|one| driven(one).transpose()).collect()
    }

    /// Returns whether a run is over, so that nothing comes of it any more. One that is not there may
    /// begin, as the inbox may, and one that cannot be read may be mended.
    pub fn is_over(&self, run: &RunId) -> Result<bool, EngineError> {
        self.look(|view| {
            let file = RunFile::open(view, run, None).ok();
            Ok(file.is_some_and(|file| file.is_over(clock::now())))
        })
    }

    /// Returns the runs beside this one whose agents work in the project itself now, and who drives them.
    pub fn driven_here(&self, but: &RunId) -> Result<Vec<(RunId, Driver)>, EngineError> {
        let others = self.look(|view| {
            let is_here = |id: &RunId| {
                id != but && Ledger::read(view, id).is_ok_and(|known| known.branch.is_none())
            };
            Ok(runs(view)?.into_iter().filter(is_here).collect::<Vec<_>>())
        })?;
        let driven =
            |id: RunId| Ok(self.driven_by(&id, Duration::ZERO)?.map(|driver| (id, driver)));
        others.into_iter().filter_map(|id| driven(id).transpose()).collect()
    }

    /// Opens the place in which one driver of a run is at a time; the lock dies with its holder.
    pub fn driver_seat(&self, run: &RunId) -> Result<Shelf, EngineError> {
        let (state, folder) = (&self.place.state, seats(run));
        // A run that is gone does not come back by this.
        let is_there = Shelf::open_below(state, &folder).map_err(StoreError::from)?.is_some();
        if !is_there && !is_inbox(run) {
            return Err(EngineError::NotFound { what: format!("{run} is gone") });
        }
        let seat = Shelf::make_below(state, &format!("{folder}/{SEATED}"));
        Ok(seat.map_err(StoreError::from)?)
    }

    /// Opens the seat of the driver of a run; nothing where it never had one.
    pub(super) fn seat_of(&self, run: &RunId) -> Result<Option<Shelf>, PathError> {
        Shelf::open_below(&self.place.state, &format!("{}/{SEATED}", seats(run)))
    }

    /// Returns who drives a run, if anybody does who does not end within `patience`.
    pub fn driven_by(
        &self,
        run: &RunId,
        patience: Duration,
    ) -> Result<Option<Driver>, EngineError> {
        let Some(seat) = self.seat_of(run).map_err(StoreError::from)? else { return Ok(None) };
        let taken = seat.turn(patience).map(drop);
        match taken {
            Err(StoreError::Busy { .. }) => Ok(Some(Driver::of(&seat))),
            // What cannot be looked at is said by whoever takes the seat.
            Ok(()) | Err(_) => Ok(None),
        }
    }

    /// Returns whether a run, or something in it, stands still until a person lets it go on.
    pub fn stands_still(&self, run: &RunId) -> Result<bool, EngineError> {
        let now = Now::new(self);
        self.look(|view| {
            let live = Case::open(view, run)?.run.live;
            let facts = Facts::new(now.at, view.seq(), self.judged_by(view, run, &now)?);
            Ok(live.standing_hold(now.at).is_some() || !live.waiting(&facts).is_empty())
        })
    }
}

/// Returns the folder of what is driven: a seat in a cache would go with it, under its driver.
fn seats(run: &RunId) -> String {
    if is_inbox(run) { ".sprag/agents".to_owned() } else { format!(".sprag/runs/{run}") }
}

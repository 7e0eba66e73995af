//! Chooses the agent for the next unit.

use sprag_core::pr::TurnRole;
use sprag_core::{Hold, Time};
use sprag_engine::drive::Coming;
use sprag_engine::persons::OURSELVES;
use sprag_hosts::Host;

use super::{DriveLoop, LoopStep};
use crate::options::Seat;
use crate::{RunEnd, RunError};

impl<'e> DriveLoop<'_, 'e> {
    /// Returns the seat for the next unit: the one the pull request loop names, else the first
    /// whose host accepts work.
    pub(super) fn seat(&self, now: Time) -> Result<Result<&'e Seat, LoopStep>, RunError> {
        let named = match self.forge {
            Some(_) => self.engine.review_named(self.run)?,
            None => None,
        };
        if let Some((part, name)) = named {
            let is_host = Host::from_name(&name).is_some();
            match self.runner.options.called(&name) {
                Some(seat) => {
                    let until = self.busy(seat, now);
                    return Ok(until.map_or(Ok(seat), |until| Err(LoopStep::Wait(Some(until)))));
                }
                None if is_host && self.at_work.is_empty() => {
                    return self.miss_part(part, &name).map(Err);
                }
                // A name of the original's own means the seat that the user chose.
                None => {}
            }
        }
        Ok(self.free_seat(now)?.ok_or_else(|| LoopStep::Wait(self.next_seat(now))))
    }

    /// Returns what comes next without beginning it.
    pub(super) fn coming(&self) -> Result<Coming, RunError> {
        Ok(self.engine.drive_begin(self.run, "", 0)?)
    }

    /// Checks a run while no host accepts work. A person may hold or end it meanwhile, and the
    /// host's clock may be days away.
    pub(super) fn without_seat(&mut self, until: Option<Time>) -> Result<LoopStep, RunError> {
        Ok(match self.coming()? {
            // Parked attempts, and attempts that could begin, must wait for a host.
            Coming::Held(hold) => LoopStep::Over(RunEnd::Held(hold)),
            Coming::Done => LoopStep::Over(RunEnd::Done),
            Coming::Cancelled => LoopStep::Over(self.cancelled()),
            Coming::Wait { .. } | Coming::Begun(_) => LoopStep::Wait(until),
        })
    }

    /// Holds a loop that names a missing host: no other host takes over its part unasked.
    fn miss_part(&self, part: TurnRole, name: &str) -> Result<LoopStep, RunError> {
        let hold = Hold::NoPart { part, host: name.to_owned() };
        self.engine.pause_driven(self.run, &hold, OURSELVES)?;
        Ok(LoopStep::Over(RunEnd::Held(hold)))
    }

    /// Returns the first seat whose host accepts work. The reviewer of a phase does not build it
    /// while another seat exists, even if that one must be waited for.
    pub(super) fn free_seat(&self, now: Time) -> Result<Option<&'e Seat>, RunError> {
        let seats = &self.runner.options.seats;
        let judge = if seats.len() > 1 { self.engine.drive_judge(self.run)? } else { None };
        let judge = judge.filter(|judge| seats.iter().any(|seat| seat.name != *judge));
        let mut may = seats.iter().filter(|seat| judge.as_ref() != Some(&seat.name));
        Ok(may.find(|seat| self.busy(seat, now).is_none()))
    }

    /// Returns when the first host accepts work again.
    fn next_seat(&self, now: Time) -> Option<Time> {
        let seats = self.runner.options.seats.iter();
        seats.filter_map(|seat| self.busy(seat, now)).min()
    }

    /// Returns when a host accepts work again; `None` if it does now.
    pub(super) fn busy(&self, seat: &Seat, now: Time) -> Option<Time> {
        self.shared.clocks().until(&seat.name, now).max(self.losses.until(&seat.name, now))
    }
}

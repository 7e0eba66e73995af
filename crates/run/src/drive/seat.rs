//! Who works on what comes next.

use sprag_core::pr::Part;
use sprag_core::{Hold, Time};
use sprag_engine::drive::Coming;
use sprag_engine::persons::OURSELVES;
use sprag_hosts::Host;

use super::{Loop, Step};
use crate::options::Seat;
use crate::{RunEnd, RunError};

impl<'e> Loop<'_, 'e> {
    /// Returns the seat for what comes next: that of whom the loop of a pull request names, else the
    /// first whose host takes work.
    pub(super) fn seat(&self, now: Time) -> Result<Result<&'e Seat, Step>, RunError> {
        let named = match self.forge {
            Some(_) => self.engine.review_named(self.run)?,
            None => None,
        };
        if let Some((part, name)) = named {
            let is_host = Host::ALL.iter().any(|host| host.name() == name);
            match self.runner.options.called(&name) {
                Some(seat) => {
                    let until = self.busy(seat, now);
                    return Ok(until.map_or(Ok(seat), |until| Err(Step::Wait(Some(until)))));
                }
                None if is_host && self.at_work.is_empty() => {
                    return self.miss_part(part, &name).map(Err);
                }
                // Who is called by a name of the original's own is whoever was chosen.
                None => {}
            }
        }
        Ok(self.free_seat(now)?.ok_or_else(|| Step::Wait(self.next_seat(now))))
    }

    /// Returns what comes next without beginning it: there is room for nobody.
    pub(super) fn coming(&self) -> Result<Coming, RunError> {
        Ok(self.engine.drive_begin(self.run, "", 0)?)
    }

    /// Looks at a run while no host takes work: a person may hold or end it meanwhile, and nobody
    /// hears of that at the end of a clock that may be days away.
    pub(super) fn without_seat(&mut self, until: Option<Time>) -> Result<Step, RunError> {
        Ok(match self.coming()? {
            // Where somebody were parked, or could begin, it would wait.
            Coming::Held(hold) => Step::Over(RunEnd::Held(hold)),
            Coming::Done => Step::Over(RunEnd::Done),
            Coming::Cancelled => Step::Over(self.cancelled()),
            Coming::Wait { .. } | Coming::Begun(_) => Step::Wait(until),
        })
    }

    /// Holds a loop that names a host which is not here: nobody else does its part unasked.
    fn miss_part(&self, part: Part, name: &str) -> Result<Step, RunError> {
        let hold = Hold::NoPart { part, host: name.to_owned() };
        self.engine.pause_driven(self.run, &hold, OURSELVES)?;
        Ok(Step::Over(RunEnd::Held(hold)))
    }

    /// Returns the first seat whose host takes work. Who reviews a phase does not build it while
    /// somebody else can: one may wait for the other.
    pub(super) fn free_seat(&self, now: Time) -> Result<Option<&'e Seat>, RunError> {
        let seats = &self.runner.options.seats;
        let judge = if seats.len() > 1 { self.engine.drive_judge(self.run)? } else { None };
        let judge = judge.filter(|judge| seats.iter().any(|seat| seat.name != *judge));
        let mut may = seats.iter().filter(|seat| judge.as_ref() != Some(&seat.name));
        Ok(may.find(|seat| self.busy(seat, now).is_none()))
    }

    /// Returns when the first of the hosts takes work again.
    fn next_seat(&self, now: Time) -> Option<Time> {
        let seats = self.runner.options.seats.iter();
        seats.filter_map(|seat| self.busy(seat, now)).min()
    }

    /// Returns when a host takes work again; nothing when it does.
    pub(super) fn busy(&self, seat: &Seat, now: Time) -> Option<Time> {
        self.shared.clocks().until(&seat.name, now).max(self.losses.until(&seat.name, now))
    }
}

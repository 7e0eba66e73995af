//! Goes on with what was begun and nobody works on.

use sprag_core::{Fence, Hold, Ran};
use sprag_engine::clock;
use sprag_engine::drive::{Left, Limit, Limits};
use sprag_engine::process::Family;

use super::{Before, Loop, Parked};
use crate::options::Seat;
use crate::run_end::not_ruined;
use crate::{RunError, Seen};

impl<'e> Loop<'_, 'e> {
    /// Takes over what a driver before this one had begun: its processes are ended, and what their
    /// agents had said is judged; what was under way is done again, uncharged.
    pub(super) fn take_over(&mut self, left: Vec<Left>, limits: &Limits) -> Result<(), RunError> {
        for one in left {
            Family::of(&one.effect).end();
            if let Some(hold) = self.touched(&one)? {
                self.engine.drive_changed(self.run, &hold)?;
                continue;
            }
            self.runner.watch.see(&Seen::Resumed { fence: one.fence });
            let now = clock::now();
            let due = one.until.unwrap_or(now);
            let limit = limits.get(&one.host).filter(|_| one.said.is_none());
            match (limit, self.free_seat(now)?) {
                (Some(limit), None) if due <= now => {
                    let back = self.shared.clocks().back(&one.host, now).unwrap_or(due);
                    self.park(one.fence, back, limit.why.clone())?;
                }
                // Somebody else takes it, so nobody waits for its host.
                (Some(limit), Some(_)) if due > now => {
                    self.park(one.fence, now, limit.why.clone())?;
                }
                _ => self.parked.push(Parked { due, fence: one.fence, said: one.said }),
            }
        }
        Ok(())
    }

    /// Goes by the clocks of hosts that others who drive, here or before, know of.
    pub(super) fn know(&self, limits: &Limits) {
        let now = clock::now();
        for (host, Limit { until, why }) in limits {
            if self.runner.options.called(host).is_some() {
                self.shared.clocks().know(host, *until, now);
                self.runner.watch.see(&Seen::Limited { host, until: *until, why });
            }
        }
    }

    /// Returns what holds the run because the state of the run was changed while its agent was at
    /// work and its driver was gone.
    fn touched(&self, one: &Left) -> Result<Option<Hold>, RunError> {
        let Some(mark) = self.engine.drive_marked(self.run, one)? else { return Ok(None) };
        let touched = self.engine.drive_touched(self.run, &mark)?;
        not_ruined(touched, &one.host, &one.unit)
    }

    /// Takes up what a person let go on while this driver was at work, and returns whether something
    /// came of it: it was held when its agent ended, so nobody here knows of it.
    pub(super) fn take_up(&mut self, seat: &'e Seat) -> Result<bool, RunError> {
        for one in self.engine.drive_left(self.run)? {
            let is_parked = self.parked.iter().any(|parked| parked.fence == one.fence);
            if is_parked || self.at_work.contains(&one.fence) {
                continue;
            }
            if let Some(due) = one.until {
                self.parked.push(Parked { due, fence: one.fence, said: one.said });
            } else if let Some(work) = self.engine.drive_again(self.run, one.fence, &seat.name)? {
                self.give(seat, work, Before::Parked(one.said))?;
                return Ok(true);
            } else {
                return self.untaken(one.fence).map(|()| true);
            }
        }
        Ok(false)
    }

    /// Loses an attempt that nobody can go on with, such as one of a task that the plan no longer has:
    /// it would be waited for and never end. It is looked at once more before, because a person may
    /// have held the run just then.
    fn untaken(&mut self, fence: Fence) -> Result<(), RunError> {
        if self.untaken.replace(fence) == Some(fence) {
            self.engine.drive_lost(self.run, fence, Ran::No, "nobody could go on with it")?;
        }
        Ok(())
    }
}

//! Resumes attempts that have no agent.

use sprag_core::{Fence, Hold, Ran};
use sprag_engine::drive::{LeftAttempt, Limit, Limits};
use sprag_world::clock;
use sprag_world::process::Family;

use super::{Before, DriveLoop, Parked};
use crate::options::Seat;
use crate::run_end::not_ruined;
use crate::{RunError, RunEvent};

impl<'e> DriveLoop<'_, 'e> {
    /// Takes over the attempts of an earlier driver. It ends their processes, parks their agents'
    /// last messages for judgment, and repeats unfinished work without charging a retry.
    pub(super) fn take_over(
        &mut self,
        left: Vec<LeftAttempt>,
        limits: &Limits,
    ) -> Result<(), RunError> {
        for one in left {
            Family::of(&one.effect).end();
            if let Some(hold) = self.touched(&one)? {
                self.engine.drive_changed(self.run, &hold)?;
                continue;
            }
            self.runner.watch.see(&RunEvent::Resumed { fence: one.fence });
            let now = clock::now();
            let due = one.until.unwrap_or(now);
            let limit = limits.get(&one.host).filter(|_| one.said.is_none());
            match (limit, self.free_seat(now)?) {
                (Some(limit), None) if due <= now => {
                    let back = self.shared.clocks().back(&one.host, now).unwrap_or(due);
                    self.park(one.fence, back, limit.why.clone())?;
                }
                // Another host takes the work, so there is no need to wait for this one.
                (Some(limit), Some(_)) if due > now => {
                    self.park(one.fence, now, limit.why.clone())?;
                }
                _ => self.parked.push(Parked { due, fence: one.fence, said: one.said }),
            }
        }
        Ok(())
    }

    /// Adopts the host limits that other drivers, earlier or concurrent, have recorded.
    pub(super) fn know(&self, limits: &Limits) {
        let now = clock::now();
        for (host, Limit { until, why }) in limits {
            if self.runner.options.called(host).is_some() {
                self.shared.clocks().know(host, *until, now);
                self.runner.watch.see(&RunEvent::Limited { host, until: *until, why });
            }
        }
    }

    /// Returns the hold for a run whose state was changed while its agent worked without a driver.
    fn touched(&self, one: &LeftAttempt) -> Result<Option<Hold>, RunError> {
        let Some(mark) = self.engine.drive_marked(self.run, one)? else { return Ok(None) };
        let touched = self.engine.drive_touched(self.run, &mark)?;
        not_ruined(touched, &one.host, &one.unit)
    }

    /// Takes up an attempt that a person resumed while this driver runs, and returns whether there
    /// was one. It was held when its agent ended, so this driver does not know it yet.
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

    /// Loses an attempt that cannot be resumed, such as that of a task no longer in the plan:
    /// waiting for it would never end. It is checked twice, because a person may have just held the
    /// run.
    fn untaken(&mut self, fence: Fence) -> Result<(), RunError> {
        if self.untaken.replace(fence) == Some(fence) {
            self.engine.drive_lost(self.run, fence, Ran::No, "no agent could continue it")?;
        }
        Ok(())
    }
}

//! Goes on with what was begun and nobody works on.

use sprag_core::{Fence, Hold, Ran};
use sprag_engine::clock;
use sprag_engine::drive::Left;
use sprag_engine::process::Family;

use super::{Before, Loop, Parked};
use crate::ground::root_of;
use crate::options::Seat;
use crate::outcome::not_ruined;
use crate::{RunError, Seen};

impl<'e> Loop<'_, 'e> {
    /// Takes over what a driver before this one had begun: its processes are ended, and what their
    /// agents had said is judged; what was under way is done again, uncharged.
    pub(super) fn take_over(&mut self, left: Vec<Left>) -> Result<(), RunError> {
        for one in left {
            Family::of(&one.effect).end();
            if let Some(hold) = self.touched(&one)? {
                self.engine.drive_changed(self.run, &hold)?;
                continue;
            }
            self.runner.watch.see(&Seen::Resumed { fence: one.fence });
            let due = one.until.unwrap_or_else(clock::now);
            self.parked.push(Parked { due, fence: one.fence, said: one.said });
        }
        Ok(())
    }

    /// Returns what holds the run because the state of the run was changed while its agent was at
    /// work and its driver was gone.
    fn touched(&self, one: &Left) -> Result<Option<Hold>, RunError> {
        let Some(mark) = self.engine.drive_marked(self.run, one)? else { return Ok(None) };
        let worktree = self.yard.map(|yard| root_of(yard, &one.unit)).transpose()?;
        let touched = self.engine.drive_touched(self.run, &mark, worktree.as_deref())?;
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

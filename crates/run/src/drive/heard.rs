//! Handles the end of an agent's turn.

use sprag_core::Driven;
use sprag_engine::drive::{Coming, Limit, Limited, UnitEnd};
use sprag_world::clock;

use super::{BusyAgent, DriveLoop, Parked};
use crate::budget::used_up;
use crate::{RunError, RunEvent};

impl DriveLoop<'_, '_> {
    pub(super) fn heard(
        &mut self,
        who: &BusyAgent,
        end: Result<UnitEnd, RunError>,
    ) -> Result<(), RunError> {
        match end.and_then(|end| self.act_on(who, end)) {
            // A person ended the attempt meanwhile with a waiver, so its turn no longer counts.
            Err(error) if error.is_of_an_ended_attempt() => Ok(()),
            heard => heard,
        }
    }

    fn act_on(&mut self, who: &BusyAgent, end: UnitEnd) -> Result<(), RunError> {
        let (fence, host) = (who.fence, &who.host);
        match end {
            UnitEnd::Passed(_)
            | UnitEnd::Open { .. }
            | UnitEnd::Failed { .. }
            | UnitEnd::SentBack { .. }
            | UnitEnd::Unchanged { .. }
            | UnitEnd::Reviewed(_)
            | UnitEnd::Held { .. } => self.shared.clocks().works(host),
            // The kernel counts a loss; a stopped attempt resumes with the next driver.
            UnitEnd::Lost { in_a_row: None, .. } | UnitEnd::Stopped => {}
            UnitEnd::Lost { in_a_row: Some(nth), .. } => self.after_loss(host, nth)?,
            UnitEnd::NotStarted { why } if who.alone => self.miss(fence, host, &why)?,
            UnitEnd::NotStarted { why } => {
                return Err(RunError::NotStarted { host: host.clone(), why });
            }
            UnitEnd::Limited(Limited { until, why }) => {
                let now = clock::now();
                let until = self.shared.clocks().limit(host, until, now);
                let limit = Limit { until, why: why.clone() };
                self.engine.drive_limited(self.run, host, &limit)?;
                self.runner.watch.see(&RunEvent::Limited { host, until, why: &why });
                if who.alone || self.free_seat(now)?.is_none() {
                    self.park(fence, until, why)?;
                } else {
                    self.parked.push(Parked { due: now, fence, said: None });
                }
            }
        }
        Ok(())
    }

    /// Delays a host's next agent after a loss, if there will be one.
    fn after_loss(&mut self, host: &str, nth: u32) -> Result<(), RunError> {
        let goes_on = match self.coming()? {
            Coming::Begun(_) | Coming::Wait { .. } => {
                let spent = self.engine.drive_spent(self.run)?;
                used_up(&self.shared.budget, &spent, &Driven::of(self.run)).is_none()
            }
            Coming::Held(_) | Coming::Done | Coming::Cancelled => false,
        };
        let until = goes_on.then(|| self.losses.lost(host, nth, clock::now())).flatten();
        if until.is_some() {
            let on = format!("`{host}`, after a loss");
            self.runner.watch.see(&RunEvent::Waiting { on: &on, until });
        }
        Ok(())
    }
}

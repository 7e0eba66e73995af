//! What is done when an agent's turn has ended.

use sprag_engine::clock;
use sprag_engine::drive::{Coming, Limit};

use super::{Loop, Parked, Who};
use crate::budget::used_up;
use crate::turn::Came;
use crate::{RunError, Seen};

impl Loop<'_, '_> {
    /// Does what the end of a turn asks for.
    pub(super) fn heard(
        &mut self,
        who: &Who,
        came: Result<Came, RunError>,
    ) -> Result<(), RunError> {
        match came.and_then(|came| self.act_on(who, came)) {
            // A person ended the attempt meanwhile, by a waiver: its turn counts no more.
            Err(error) if error.is_of_an_ended_attempt() => Ok(()),
            heard => heard,
        }
    }

    fn act_on(&mut self, who: &Who, came: Came) -> Result<(), RunError> {
        let (fence, host) = (who.fence, &who.host);
        match came {
            Came::Judged => self.shared.clocks().works(host),
            // The kernel counts the one; the other goes on when somebody drives again.
            Came::Lost { by_itself: None } | Came::Stopped => {}
            Came::Lost { by_itself: Some(nth) } => self.after_loss(host, nth)?,
            Came::NotStarted(why) if who.alone => self.miss(fence, host, &why)?,
            Came::NotStarted(why) => {
                return Err(RunError::NotStarted { host: host.clone(), why });
            }
            Came::Limited { until, why } => {
                let now = clock::now();
                let until = self.shared.clocks().limit(host, until, now);
                let limit = Limit { until, why: why.clone() };
                self.engine.drive_limited(self.run, host, &limit)?;
                self.runner.watch.see(&Seen::Limited { host, until, why: &why });
                if who.alone || self.free_seat(now)?.is_none() {
                    self.park(fence, until, why)?;
                } else {
                    self.parked.push(Parked { due: now, fence, said: None });
                }
            }
        }
        Ok(())
    }

    /// Lets the next agent of a host wait after a loss, where there will be one.
    fn after_loss(&mut self, host: &str, nth: u32) -> Result<(), RunError> {
        let goes_on = match self.coming()? {
            Coming::Begun(_) | Coming::Wait { .. } => {
                let spent = self.engine.drive_spent(self.run)?;
                used_up(&self.shared.budget, &spent).is_none()
            }
            Coming::Held(_) | Coming::Done | Coming::Cancelled => false,
        };
        let until = goes_on.then(|| self.losses.lost(host, nth, clock::now())).flatten();
        if until.is_some() {
            let on = format!("`{host}`, after a loss");
            self.runner.watch.see(&Seen::Waiting { on: &on, until });
        }
        Ok(())
    }
}

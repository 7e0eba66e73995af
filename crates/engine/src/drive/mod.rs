//! Drives a run of any kind from outside: begins the next unit, has an agent work on it, and ends
//! it by its gates. Each step is one commit.
//!
//! A driver may be killed at any point and restarted: the run holds the open attempts with their
//! agents' last messages, and the new driver continues them under the same fences.

mod agent_end;
mod agents_file;
mod begin;
mod brought;
mod claim;
mod compare;
mod driver;
mod end;
mod ended;
mod inbox;
mod limited;
mod notify;
mod progress;
mod prompt;
mod tamper;
mod trusted;
mod work;

pub use crate::agents_file::{Limit, Limits, Tally, effect, is_inbox, mode};
pub use crate::driver_sign::SIGN;
pub use crate::engine::kind::{Count, ReviewResult};
pub use crate::spent::Spent;
pub use agent_end::{AgentEnd, Limited};
pub(crate) use begin::ahead;
pub use begin::{BegunUnit, Coming};
pub use claim::{LeftAttempt, Make, NewRun, SEAT};
pub(crate) use claim::{begin_driven, session_of};
pub use compare::Compare;
pub use driver::{Driver, Needed};
pub use ended::{EvaluatedOn, GateShown, Judged, UnitEnd};
pub use inbox::again;
pub(crate) use inbox::driven;
pub(crate) use limited::limits;
pub use notify::{NEEDS_YOU, News, NoticeResult, first_line, in_a_line, needs_you};
pub(crate) use notify::{answered, knows};
pub use progress::Far;
pub use tamper::{RunCheckpoint, Tampering};
pub use trusted::{UnapprovedItem, host_asks, set_up_asks, together};
pub(crate) use trusted::{allows_commands, other_than_shown};
pub(crate) use work::{is_apart, is_at_work, looked_at, looked_at_apart};

use sprag_core::RunId;
use sprag_store::View;

use crate::engine::EngineError;
use crate::now::Now;
use crate::open_run::OpenRun;

/// The name of a driver in the journal.
pub(crate) const ACTOR: &str = "run";

/// Opens a run, and decides the meaning of its checks.
fn open(view: &View<'_>, run: &RunId, now: &Now<'_>) -> Result<OpenRun, EngineError> {
    let mut case = OpenRun::open(now.engine.kinds, view, run)?;
    let checks = case.law.config.checks;
    case.run.live.decide_checks(checks, now)?;
    Ok(case)
}

impl crate::engine::Engine<'_> {
    /// Returns the current configuration.
    pub fn drive_config(&self) -> Result<sprag_formats::Config, EngineError> {
        self.look(|view| Ok(*crate::snapshot::ConfigSnapshot::of(view, None)?.0.config))
    }
}

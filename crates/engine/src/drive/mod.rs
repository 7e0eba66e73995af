//! Drives a run of any kind from outside: what comes next is begun, an agent works on it, and it is
//! ended by what the gates say. One commit each.
//!
//! Whoever drives may be killed at any point and begin again: what was begun and has not ended is
//! found in the run, with what its agent said last, and is gone on with under the same fence.

mod agent_end;
pub(crate) mod assignment;
mod begin;
mod brought;
mod claim;
mod compare;
mod driver;
mod end;
mod ended;
mod far;
mod inbox;
mod ledger;
mod limited;
mod notify;
mod prompt;
mod review;
mod sign;
mod spent;
pub(crate) mod task;
mod touched;
mod trusted;
mod work;

pub use agent_end::{AgentEnd, Limited};
pub(crate) use begin::ahead;
pub use begin::{Coming, Work};
pub use claim::{Left, SEAT};
pub(crate) use claim::{is_driven, session_of};
pub use compare::Compare;
pub use driver::{Driver, Needed};
pub(crate) use end::{Concluded, host_of, work_branch};
pub use ended::{EvaluatedOn, Judged, Shown, UnitEnd};
pub use far::{Count, Far};
pub(crate) use inbox::{InboxEnd, driven, driver, ended as inbox_ended};
pub use inbox::{again, is_inbox};
pub(crate) use ledger::known_found;
pub use ledger::{Tally, mode};
pub(crate) use limited::limits;
pub use limited::{Limit, Limits};
pub use notify::{NEEDS_YOU, News, Told, first_line, in_a_line, needs_you};
pub(crate) use notify::{answered, knows};
pub use review::Reviewed;
pub use sign::SIGN;
pub use spent::Spent;
pub use touched::{Mark, Touched};
pub use trusted::{Asked, host_asks, set_up_asks, together};
pub(crate) use trusted::{allows_commands, other_than_shown};
pub(crate) use work::{has_merged_work, is_apart, is_at_work, looked_at, looked_at_apart, waived};

use sprag_core::{BadId, EffectId, Fence, RunId};
use sprag_store::View;

use crate::case::Case;
use crate::engine::EngineError;
use crate::live::Live;
use crate::sitting::Now;

/// How the journal calls whoever drives.
const ACTOR: &str = "run";

/// Opens a run, with what its checks mean here decided.
fn open(view: &View<'_>, run: &RunId, now: &Now<'_>) -> Result<Case, EngineError> {
    let mut case = Case::open(view, run)?;
    let checks = case.law.config.checks;
    if let Live::Plan(held) = &mut case.run.live {
        crate::plan::decide(held, checks, now)?;
    }
    Ok(case)
}

/// Returns what the process of an attempt is known by.
pub fn effect(run: &RunId, fence: Fence) -> Result<EffectId, BadId> {
    EffectId::parse(&format!("e-{run}-{}", fence.0.0))
}

impl crate::engine::Engine<'_> {
    /// Returns the configuration as it is now.
    pub fn drive_config(&self) -> Result<sprag_formats::Config, EngineError> {
        self.look(|view| Ok(*crate::sitting::Law::of(view, None)?.0.config))
    }
}

//! Plans of opti-gsd: their documents in `.gsd/`, the loop that a session drives itself, and the
//! calls with which a runner drives a plan.
//!
//! Values with a place in `STATE.md` are stored only there; `run.yaml` has the rest. Both change in
//! one commit, so a successor continues from the same place after a kill at any moment.

mod adopt;
mod docs;
mod drive;
mod ended;
pub mod in_session;
mod kind;
mod lens;
mod next;
mod report;
mod session_lens;
mod start;
#[cfg(test)]
mod tests;
mod turn;

pub(crate) use adopt::hear;
pub(crate) use docs::{CONFIG, plan_files};
pub use docs::{PlanDocs, is_under_way};
pub use drive::Working;
pub(crate) use drive::{asks, decide, left_open, told, word};
pub(crate) use ended::{edits, loop_edits, lower, put_back};
pub use kind::{ENTRY, INFO, PlanRun};
pub(crate) use lens::{lift, open};
pub use next::{PlanView, Prompted, Stands};
pub(crate) use report::{report_file, write as write_report};
pub(crate) use session_lens::{lift_loop, lower_loop, open_loop};
pub use turn::LoopTurn;

//! Plans of opti-gsd: their documents in `.gsd/`, the loop a session drives itself, and the calls
//! by which a runner drives a plan.
//!
//! What has a place in `STATE.md` lives there and only there; `run.yaml` has the rest. Both change
//! in one commit, so whoever comes next, after a kill at any moment, goes on from the same place.

mod adopt;
mod docs;
mod drive;
mod ended;
mod lens;
mod next;
mod report;
mod session_lens;
mod start;
#[cfg(test)]
mod tests;
mod turn;

pub(crate) use adopt::{hear, stopped};
pub(crate) use docs::CONFIG;
pub use docs::{PlanDocs, is_under_way};
pub use drive::Working;
pub(crate) use drive::{asks, decide, left_open, told, word};
pub(crate) use ended::{edits, loop_edits, lower, put_back};
pub(crate) use lens::{lift, open};
pub use next::{PlanView, Prompted, Stands};
pub(crate) use report::write as write_report;
pub(crate) use session_lens::{lift_loop, lower_loop, open_loop};
pub use turn::LoopTurn;

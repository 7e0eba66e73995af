//! The plan machine: tasks in waves, retried with their error, and a verification that finds gaps
//! until none is left.
//!
//! A [`Plan`] and its [`Settings`] are what persons wrote; [`LoopState`] is what `STATE.md` says of
//! the loop; a [`Verification`] and a [`Report`] are what agents claim. Grammar, numbers and texts
//! are those of opti-gsd 0.6 to 0.8; where we differ on purpose, docs/differences.md says so.

mod definition;
mod loop_state;
mod read_report;
mod report;
mod settings;
mod verification;

pub use definition::{Decision, FileAction, KeyLink, MustHave, Plan, PlanCheck, PlanFile, Task};
pub use loop_state::{Awaiting, LoopKind, LoopState, Round};
pub use report::{Issue, Report, ReportResult};
pub use settings::{ChecksRun, CiStage, Mode, Settings, Unowned};
pub use verification::{Effective, Gap, LoopAction, Status, Verification};

//! The plan machine: tasks in waves, retried with their error, and a verification that finds gaps
//! until none is left.
//!
//! Persons write the [`Plan`] and its [`Settings`]; [`LoopState`] is the loop section of
//! `STATE.md`; a [`Verification`] and a [`Report`] are claims of agents. Grammar, numbers and texts
//! are those of opti-gsd 0.6 to 0.8; docs/differences.md lists the deliberate differences.

mod claims;
mod definition;
mod execute;
mod fields;
mod gates;
mod in_session;
mod literal;
mod loop_state;
mod machine;
mod position;
mod prompt;
mod question;
mod read_report;
mod report;
mod schedule;
mod settings;
mod shown;
mod stored;
mod verification;
mod verify;

#[cfg(test)]
mod tests;

pub use claims::claims;
pub use definition::{
    CheckDecision, FileAction, KeyLink, MustHave, Plan, PlanCheck, PlanFile, Task,
};
pub use fields::{Beside, LoopBaseline, TurnOrigin, Weighed, put_back, weigh};
pub use gates::stage_of;
pub use in_session::{
    ASKED, CHECKPOINT, Holding, InSession, LIMITED, Stand, refusal, shown_in_session, stands,
};
pub use literal::literal_question;
pub use loop_state::{Awaiting, LoopKind, LoopState, Round};
pub use machine::{Definition, PlanMachine};
pub use position::{Closed, Fix, Position, Stage, TaskState};
pub use prompt::whole;
pub use question::Choice;
pub use report::{Issue, Report, ReportResult};
pub use schedule::{Batch, schedule};
pub use settings::{ChecksRun, CiStage, Mode, Settings, Unowned};
pub use shown::shown;
pub use verification::{Effective, Gap, LoopAction, Verification, VerificationStatus};
pub use verify::{VERIFY, VerificationAnswer};

//! The review loop of a pull request: its turn, the agent for it, and its end.
//!
//! [`Pull`] holds the forge's data about a pull request, under the keys of `metadata.yaml`;
//! [`compute`] alone derives the turn from it. [`Metadata`] adds the file's own data, and
//! [`decide`] is the table over both that every interface of the loop uses. [`Pr`] drives the loop
//! as a machine of the kernel: findings and verdict are those of [`crate::review`].

mod addressed;
mod answer;
mod approval;
mod capped;
mod check;
mod compute;
mod decide;
mod fields;
mod log;
mod machine;
mod merge;
mod metadata;
mod part;
mod patience;
mod pending;
mod position;
mod pull;
mod requested;
mod round;
mod settle;
mod step;
#[cfg(test)]
mod tests;
mod turn;
mod words;

pub use addressed::addressed;
pub use answer::{answer, not_resumed};
pub use approval::{Approval, Severities};
pub use check::{CiCheck, Light, Lights};
pub use compute::{Computed, compute};
pub use decide::{End, Trouble, Trust, TurnAction, TurnDecision, decide};
pub use fields::Own;
pub use log::CheckLog;
pub use machine::{Definition, Pr};
pub use merge::{ci_ended, merge, recompute};
pub use metadata::{LoopSection, LoopState, Metadata, PullRecord};
pub use part::{Prompts, TurnRole};
pub use patience::Patience;
pub use pending::Pending;
pub use position::{LoopExit, Position};
pub use pull::{Comment, Pull, Thread};
pub use round::{RESPONSE_FILE, REVIEW_FILE};
pub use settle::{Settled, settle};
pub use turn::ReviewTurn;
pub use words::Marker;

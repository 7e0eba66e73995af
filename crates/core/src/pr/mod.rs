//! The review loop of a pull request: whose turn it is, who runs in it, and how it ends.
//!
//! [`Pull`] is what a forge says of a pull request, in the keys of `metadata.yaml`; [`compute`]
//! makes the turn of it, and nothing else does. [`Metadata`] adds what the file itself keeps, and
//! [`decide`] is the table over both that every face of the loop answers with. [`Pr`] drives the
//! loop as a machine of the kernel: findings and verdict are those of [`crate::review`].

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
pub use decide::{Action, Decision, End, Trouble, Trust, decide};
pub use fields::Own;
pub use log::Log;
pub use machine::{Definition, Pr};
pub use merge::{ci_ended, merge, recompute};
pub use metadata::{Known, Loop, LoopState, Metadata};
pub use part::{Part, Prompts};
pub use patience::Patience;
pub use pending::Pending;
pub use position::{Exit, Position};
pub use pull::{Pull, Said, Thread};
pub use round::{RESPONSE_FILE, REVIEW_FILE};
pub use settle::{Settled, settle};
pub use turn::Turn;
pub use words::Marker;

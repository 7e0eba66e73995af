//! Rules: steps around the dispatch of a unit, which may change, replace, skip, rework or hold it.
//!
//! This is the public interface of a rule, shipped or not. A rule is asked a [`Question`] before a
//! unit is dispatched or after it ended, and gives one [`RuleDecision`]. It counts nothing, dispatches
//! nothing and writes nothing: a [`Chain`] asks the rules in order and decides, the kernel charges
//! the cycles, and a rule's state is stored in its own namespace under `extensions`, in the front
//! matter of the task, slice or milestone.
//!
//! A rule is shipped ([`crate::review_loop`]), defined in data by GSD's preferences
//! ([`PreDispatch`], [`PostUnit`]), or a command. The answer of a command is a fact: the chain
//! requests it, the engine runs the command and asks again.

mod answer;
mod chain;
mod following;
mod kinds;
mod post_unit;
mod pre_dispatch;
mod question;
mod rule;
#[cfg(test)]
mod tests;
mod wording;

pub use answer::{Do, RequestedUnit, RuleDecision, heard, refused};
pub use chain::{Around, Chain, Decided, End, RuleReply};
pub use following::{Due, Following};
pub use kinds::TABLE;
pub use post_unit::PostUnit;
pub use pre_dispatch::{Action, PreDispatch};
pub use question::{EndedUnit, How, Question, RulePoint, UnitInfo};
pub use rule::{Body, Kinds, Rule, SHIPPED};
pub use wording::Wording;

/// Sanitizes and shortens foreign text for an agent.
pub use crate::prompt::short;
pub use crate::{Fields, Hold, Name, Plain, Stored, UnitId, Unreadable, stored};

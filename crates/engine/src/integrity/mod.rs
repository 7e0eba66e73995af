//! Collects from disk what a verdict depends on.
//!
//! `sprag_core::basis` decides the worth of a pass; this module gathers its facts. A [`Baseline`]
//! holds the tests, the definitions of the gates' commands and the protected files as they were
//! when a unit first began. [`Collector`] compares it with the current files and attributes each
//! change. [`Turns`] lists the agents that are working or worked without a judgement, so that no
//! later unit begins from a text that one of them weakened.

mod baseline;
mod collect;
pub(crate) mod definitions;
pub(crate) mod doubts;
pub(crate) mod files;
pub(crate) mod in_force;
pub(crate) mod law;
pub(crate) mod left_turns;
mod look;
mod refs;
mod signs;
pub(crate) mod texts;
mod tool_calls;
mod turns;
mod uncommitted;
mod watched;
mod weighing;

pub(crate) use baseline::{Baseline, unfollowed};
pub(crate) use collect::Collector;
pub(crate) use doubts::{DoubtsDoc, doubts_of, runs_in_doubt, waits_for_yes};
pub(crate) use left_turns::Opens;
pub(crate) use look::{LookAnswer, LookAnswers, WantedLook};
pub(crate) use signs::TurnFacts;
pub(crate) use turns::{Holder, OpenTurn, TurnState, TurnUnit, Turns, session_key, unit_key};
pub(crate) use weighing::{UnitUnderJudgement, Weighed, Weighing};

use sprag_core::basis::{Consent, MayChange};

/// Parses the consents that a run or a session stores; they were validated when a person gave them.
pub(crate) fn parsed(globs: &[String]) -> impl Iterator<Item = Consent> {
    let read = globs.iter().filter_map(|glob| MayChange::parse(glob).ok());
    read.map(|one| Consent::from(&one))
}

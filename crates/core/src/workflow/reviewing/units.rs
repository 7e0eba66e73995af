//! The units of a review: one for the reviewer, one for the fixer.

use super::{ReviewStep, Reviewing};
use crate::workflow::Position;
use crate::workflow::machine::{self, PhaseKey};
use crate::{Closes, Hash, Hold, Role, Run, Unit, UnitId};

/// Returns the next unit of a review; `None` if the phase's own gates must pass again because files
/// have changed since.
pub(in crate::workflow) fn due(
    at: &PhaseKey<'_>,
    reviewing: &Reviewing,
    run: &Run<Position>,
    tree: Hash,
) -> Result<Option<Unit>, Hold> {
    if let Some(hold) = &reviewing.held {
        return Err(hold.clone());
    }
    let unit = match reviewing.stage {
        ReviewStep::Review => review_unit(at, reviewing),
        ReviewStep::Fix => fix_unit(at, reviewing),
    };
    let is_begun = run.attempt_of(&unit.id).is_some();
    let is_stale = reviewing.stage == ReviewStep::Review
        && !at.phase.gates.is_empty()
        && reviewing.proven != tree;
    Ok((is_begun || !is_stale).then_some(unit))
}

fn review_unit(at: &PhaseKey<'_>, reviewing: &Reviewing) -> Unit {
    let mut unit = named(at, reviewing);
    unit.role = Some(Role::literal("reviewer"));
    // Only the reviewer's message ends it.
    unit.closes = Closes::Claim;
    unit
}

fn fix_unit(at: &PhaseKey<'_>, reviewing: &Reviewing) -> Unit {
    let mut unit = named(at, reviewing);
    unit.gates = machine::gates(at.phase);
    unit.closes = machine::closes(at.phase);
    unit
}

fn named(at: &PhaseKey<'_>, reviewing: &Reviewing) -> Unit {
    let stage = reviewing.stage.as_str();
    let id = machine::text(&format!("{}/{} {stage} {}", at.key, at.phase.id, reviewing.round()));
    let id = UnitId::parse(&id).unwrap_or(UnitId::literal("review"));
    let kind = match reviewing.stage {
        ReviewStep::Review => machine::REVIEW,
        ReviewStep::Fix => machine::FIX,
    };
    let wall = machine::wall(at.key, at.phase);
    Unit { wall, ..Unit::new(id, kind, machine::retry(at.key, at.phase)) }
}

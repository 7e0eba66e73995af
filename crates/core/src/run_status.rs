//! Read models of a run for status: its life in one word, and the holds that need a person.

use crate::next::whole_hold;
use crate::unit_states::{Survey, UnitState, survey};
use crate::{Facts, Fence, Hold, Machine, Next, Run, UnitId, next};

/// The life of a run in one word; derived, never stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunStatus {
    /// Work can begin now, or once something changes.
    Ready,
    /// An attempt is under way.
    Working,
    /// The run waits for a person or an event.
    Held,
    Done,
    /// A person ended it.
    Cancelled,
}

impl RunStatus {
    /// Returns the word that status shows.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::Working => "working",
            Self::Held => "held",
            Self::Done => "done",
            Self::Cancelled => "cancelled",
        }
    }
}

pub fn life<M: Machine>(
    definition: &M::Definition,
    run: &Run<M::Position>,
    facts: &Facts,
) -> RunStatus {
    match next::<M>(definition, run, facts) {
        Next::Cancelled => RunStatus::Cancelled,
        Next::Done => RunStatus::Done,
        Next::Held(_) => RunStatus::Held,
        Next::Units(_) | Next::Wait { .. } | Next::Ask(_) if run.attempts.is_empty() => {
            RunStatus::Ready
        }
        Next::Units(_) | Next::Wait { .. } | Next::Ask(_) => RunStatus::Working,
    }
}

/// A hold that only a person can release.
#[derive(Clone, Debug, PartialEq)]
pub struct Waiting {
    /// The held unit; `None` if the whole run is held.
    pub unit: Option<UnitId>,
    /// The held attempt, if there is one.
    pub fence: Option<Fence>,
    pub hold: Hold,
}

/// Returns the holds in `run` that need a person: of the run itself, of its attempts, then of
/// units.
pub fn waiting<M: Machine>(
    definition: &M::Definition,
    run: &Run<M::Position>,
    facts: &Facts,
) -> Vec<Waiting> {
    if run.is_cancelled() {
        return Vec::new();
    }
    let whole = whole_hold::<M>(definition, run, facts).map(|hold| (None, None, hold));
    let begun = run.attempts.iter().filter_map(|attempt| {
        let hold = run.hold_of(attempt, facts.now)?;
        Some((Some(attempt.unit.clone()), Some(attempt.fence), hold))
    });
    let units: Vec<_> = match survey::<M>(definition, run, facts) {
        Survey::Units(units) => units
            .into_iter()
            .filter_map(|(unit, state)| match state {
                UnitState::Held(hold) => Some((Some(unit.id), None, hold)),
                UnitState::Ready | UnitState::Begun | UnitState::Locked { .. } => None,
            })
            .collect(),
        Survey::Other(Next::Held(hold)) => vec![(None, None, hold)],
        Survey::Other(
            Next::Units(_) | Next::Wait { .. } | Next::Done | Next::Cancelled | Next::Ask(_),
        ) => Vec::new(),
    };
    whole
        .into_iter()
        .chain(begun)
        .chain(units)
        .filter(|(_, _, hold)| hold.ends().is_none())
        .map(|(unit, fence, hold)| Waiting { unit, fence, hold })
        .collect()
}

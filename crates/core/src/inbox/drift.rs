//! Detects changes that other programs made to an assignment since the last look.
//!
//! The original's own tools write the same files and ignore fences. A single step of the lifecycle
//! by them is adopted. Any other change, even two steps at once, could hide a lost assignment, so
//! it is reported as strange and a person looks at it.

use super::{AssignmentStatus, Slot};

/// The difference between the last known slot and the slot in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Drift {
    /// No change.
    None,
    /// Another program took one step of the lifecycle, or the slot is new to sprag.
    Legal,
    /// The slot was emptied while its unit was being worked on: only a person can end that.
    Emptied,
    /// No step of the lifecycle leads from one to the other.
    Strange {
        /// The known and the found slot.
        why: String,
    },
}

/// Compares the known slot, if any, with the slot in the file.
pub fn drift(known: Option<&Slot>, found: &Slot) -> Drift {
    let Some(known) = known else { return Drift::Legal };
    if known == found {
        return Drift::None;
    }
    let same = known.unit() == found.unit();
    let legal = match (known.status(), found.status()) {
        (AssignmentStatus::Pending, AssignmentStatus::Active)
        | (AssignmentStatus::Active, AssignmentStatus::Completed) => same,
        // The mayor assigns a unit, or clears the slot after verifying it or to reassign it.
        (AssignmentStatus::Empty, AssignmentStatus::Pending)
        | (AssignmentStatus::Completed | AssignmentStatus::Pending, AssignmentStatus::Empty) => {
            true
        }
        // Only a person can say what became of work that was begun.
        (AssignmentStatus::Active, AssignmentStatus::Empty) => return Drift::Emptied,
        (
            AssignmentStatus::Empty,
            AssignmentStatus::Empty | AssignmentStatus::Active | AssignmentStatus::Completed,
        )
        | (AssignmentStatus::Pending, AssignmentStatus::Pending | AssignmentStatus::Completed)
        | (AssignmentStatus::Active, AssignmentStatus::Pending | AssignmentStatus::Active)
        | (
            AssignmentStatus::Completed,
            AssignmentStatus::Pending | AssignmentStatus::Active | AssignmentStatus::Completed,
        ) => false,
    };
    if legal {
        return Drift::Legal;
    }
    Drift::Strange {
        why: format!("another process changed `{known}` to `{found}`, which is no step"),
    }
}

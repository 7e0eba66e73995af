//! What others did to an assignment since we last looked.
//!
//! The original's own tools write the same files and know nothing of fences. One step of the
//! lifecycle that we did not take is theirs, and is taken over. Anything else, two steps at once
//! included, could hide a lost assignment, so it is Unknown and a person looks at it.

use super::{Slot, Status};

/// The difference between what we last knew and what stands there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Drift {
    /// It stands as we left it.
    None,
    /// Somebody else took one step of the lifecycle, or we see it for the first time.
    Legal,
    /// Somebody took off what was being worked on: only a person's word ends that.
    Emptied,
    /// No step leads from the one to the other.
    Strange {
        /// What was there and what is there now.
        why: String,
    },
}

/// Compares what was known of a slot, if anything, with what is found.
pub fn drift(known: Option<&Slot>, found: &Slot) -> Drift {
    let Some(known) = known else { return Drift::Legal };
    if known == found {
        return Drift::None;
    }
    let same = known.unit() == found.unit();
    let legal = match (known.status(), found.status()) {
        (Status::Pending, Status::Active) | (Status::Active, Status::Completed) => same,
        // The mayor sets it, or clears it: verified, or to give the unit to somebody else.
        (Status::Empty, Status::Pending) | (Status::Completed | Status::Pending, Status::Empty) => {
            true
        }
        // Nobody says what became of work that was begun: a person does.
        (Status::Active, Status::Empty) => return Drift::Emptied,
        (Status::Empty, Status::Empty | Status::Active | Status::Completed)
        | (Status::Pending, Status::Pending | Status::Completed)
        | (Status::Active, Status::Pending | Status::Active)
        | (Status::Completed, Status::Pending | Status::Active | Status::Completed) => false,
    };
    if legal {
        return Drift::Legal;
    }
    Drift::Strange { why: format!("somebody else made `{found}` of `{known}`, which is no step") }
}

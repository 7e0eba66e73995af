//! Decides whether and how a run ended: an open run has no outcome.

use super::{GateLine, Material, Standing};
use crate::{Life, Outcome};

/// Returns the outcome of a run before its evidence is weighed: until then, a finished run counts
/// as not proven. A guard has no end of its own: it is done while its gates hold.
pub(super) fn reached(material: &Material, gates: &[GateLine]) -> Option<Outcome> {
    let holds = |gate: &GateLine| match gate.standing {
        Standing::Holds | Standing::Agreed | Standing::Waived => true,
        Standing::Fails
        | Standing::Unknown
        | Standing::Uncounted
        | Standing::Missing
        | Standing::Stale => false,
    };
    let held = material.held.as_ref().map_or(Outcome::Held, Outcome::from);
    match material.life {
        Life::Cancelled => Some(Outcome::Cancelled),
        Life::Done => Some(Outcome::NotProven),
        Life::Held => Some(held),
        Life::Ready | Life::Working if material.ended.is_some() => Some(Outcome::NotProven),
        Life::Ready | Life::Working if !material.waits.is_empty() => Some(held),
        Life::Ready if !gates.is_empty() && gates.iter().all(holds) => Some(Outcome::NotProven),
        Life::Ready | Life::Working => None,
    }
}

//! Decides whether and how a run ended: an open run has no outcome.

use super::{GateLine, Material, ReceiptWorth};
use crate::{Outcome, RunStatus};

/// Returns the outcome of a run before its evidence is weighed: until then, a finished run counts
/// as not proven. A guard has no end of its own: it is done while its gates hold.
pub(super) fn reached(material: &Material, gates: &[GateLine]) -> Option<Outcome> {
    let holds = |gate: &GateLine| match gate.standing {
        ReceiptWorth::Holds | ReceiptWorth::Agreed | ReceiptWorth::Waived => true,
        ReceiptWorth::Fails
        | ReceiptWorth::Unknown
        | ReceiptWorth::Uncounted
        | ReceiptWorth::Missing
        | ReceiptWorth::Stale => false,
    };
    let held = material.held.as_ref().map_or(Outcome::Held, Outcome::from);
    match material.life {
        RunStatus::Cancelled => Some(Outcome::Cancelled),
        RunStatus::Done => Some(Outcome::NotProven),
        RunStatus::Held => Some(held),
        RunStatus::Ready | RunStatus::Working if material.ended.is_some() => {
            Some(Outcome::NotProven)
        }
        RunStatus::Ready | RunStatus::Working if !material.waits.is_empty() => Some(held),
        RunStatus::Ready if !gates.is_empty() && gates.iter().all(holds) => {
            Some(Outcome::NotProven)
        }
        RunStatus::Ready | RunStatus::Working => None,
    }
}

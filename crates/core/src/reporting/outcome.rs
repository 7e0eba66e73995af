use super::{GateLine, Material, Standing};
use crate::Life;

/// How a run stands, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing is left to do.
    Done,
    /// Something is left to do.
    NotDone,
    /// Nothing moves before a person does something.
    Held,
    /// A person ended it.
    Cancelled,
}

impl Outcome {
    /// Returns the words for people.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::NotDone => "not done",
            Self::Held => "held",
            Self::Cancelled => "cancelled",
        }
    }

    /// Says how a run stands. A guard has no end of its own: it is done while its gates hold.
    pub(super) fn of(material: &Material, gates: &[GateLine]) -> Self {
        let holds = |gate: &GateLine| match gate.standing {
            Standing::Holds | Standing::Agreed | Standing::Waived => true,
            Standing::Fails | Standing::Unknown | Standing::Missing | Standing::Stale => false,
        };
        match material.life {
            Life::Cancelled => Self::Cancelled,
            Life::Done => Self::Done,
            Life::Held => Self::Held,
            Life::Ready | Life::Working if material.ended.is_some() => Self::Done,
            Life::Ready | Life::Working if !material.waits.is_empty() => Self::Held,
            Life::Ready if !gates.is_empty() && gates.iter().all(holds) => Self::Done,
            Life::Ready | Life::Working => Self::NotDone,
        }
    }
}

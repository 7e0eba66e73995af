//! Attempts from begin to end, and the effects that a run performs for them.

use serde_json::{Value, json};

use super::payload::{Field, payloads, words};
use crate::basis::ReportedChange;
use crate::{Effect, Fence};

payloads! {
    pub struct AttemptBegan {
        /// The new attempt.
        pub fence: Fence,
        pub unit: String,
        /// The agent that the unit is assigned to.
        pub agent: Option<String> = filled,
        pub session: Option<String> = filled,
    }

    /// A session took up an attempt.
    pub struct AttemptBound {
        /// The attempt.
        pub fence: Fence,
        pub session: String,
    }

    /// A session reported its attempt done.
    pub struct AttemptClaimed {
        /// The attempt.
        pub fence: Fence,
        pub session: String,
    }

    /// An attempt ended; waived, known or merely claimed results never look proven.
    pub struct AttemptEnded {
        /// The attempt.
        pub fence: Fence,
        pub unit: String,
        pub how: EndedBy,
        pub gate: Option<String> = filled,
        /// Gates that a person waived.
        pub waived: Vec<String> = filled,
        /// Gates that failed in the same way before.
        pub known: Vec<String> = filled,
        /// Results that no gate judged and only the agent claims.
        pub claims: Vec<String> = filled,
        /// Inputs of its passes that the agent changed.
        pub doubted: Vec<String> = filled,
    }

    /// Inputs of a pass changed since its unit first began.
    pub struct InputsChanged {
        /// The unit that passed.
        pub unit: String,
        /// Every change, whatever its author and consequence.
        pub changed: Vec<ReportedChange>,
    }

    pub struct AttemptLost {
        /// The attempt.
        pub fence: Fence,
        pub ran: bool,
        /// How it was lost.
        pub why: Option<String> = filled,
    }

    pub struct AttemptStalled {
        /// The attempt.
        pub fence: Fence,
        pub why: String,
    }

    pub struct EffectPerformed {
        pub effect: Option<Performed> = filled,
    }
}

words! {
    /// What ended an attempt. An unknown word counts as a claim at most.
    pub enum EndedBy {
        /// Gates that passed.
        Passed = "passed",
        /// A person's waiver.
        Waived = "waived",
        Claimed = "claimed",
        /// A failed gate.
        Failed = "failed",
        /// The agent changed inputs that it is judged by, and was asked to undo that.
        SentBack = "sent_back",
        /// The unit no longer exists.
        Gone = "gone",
    } else Claimed
}

/// A performed effect, with just enough data to identify it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Performed {
    /// An attempt's process was ended.
    Kill(Fence),
    /// A comment was posted under this marker.
    Post(String),
    /// A person was notified with this text.
    Notify(String),
}

impl From<&Effect> for Performed {
    fn from(effect: &Effect) -> Self {
        match effect {
            Effect::Kill { fence } => Self::Kill(*fence),
            Effect::Post { marker, .. } => Self::Post(marker.clone()),
            Effect::Notify { text } => Self::Notify(text.clone()),
        }
    }
}

impl Field for Performed {
    fn write(self) -> Value {
        match self {
            Self::Kill(fence) => json!({ "kill": fence.write() }),
            Self::Post(marker) => json!({ "post": marker }),
            Self::Notify(text) => json!({ "notify": text }),
        }
    }

    fn read(value: &Value) -> Option<Self> {
        let (key, value) = value.as_object()?.iter().next()?;
        match key.as_str() {
            "kill" => Fence::read(value).map(Self::Kill),
            "post" => String::read(value).map(Self::Post),
            "notify" => String::read(value).map(Self::Notify),
            _ => None,
        }
    }

    #[cfg(test)]
    fn sample(dice: &mut super::tests::Dice) -> Self {
        match dice.below(3) {
            0 => Self::Kill(Fence::sample(dice)),
            1 => Self::Post(dice.text()),
            _ => Self::Notify(dice.text()),
        }
    }
}

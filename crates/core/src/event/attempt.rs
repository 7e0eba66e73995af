//! Attempts from begin to end, and what a run carries out for them.

use serde_json::{Value, json};

use super::payload::{Field, payloads, words};
use crate::basis::ReportedChange;
use crate::{Effect, Fence};

payloads! {
    /// A unit was begun.
    pub struct AttemptBegan {
        /// The new attempt.
        pub fence: Fence,
        /// Its unit.
        pub unit: String,
        /// The agent that it is given to.
        pub agent: Option<String> = filled,
        /// The session that works on it.
        pub session: Option<String> = filled,
    }

    /// A session took up an attempt.
    pub struct AttemptBound {
        /// The attempt.
        pub fence: Fence,
        /// The session.
        pub session: String,
    }

    /// A session says that its attempt is done.
    pub struct AttemptClaimed {
        /// The attempt.
        pub fence: Fence,
        /// The session.
        pub session: String,
    }

    /// An attempt ended; nothing that was waived, known to fail or only said looks proven.
    pub struct AttemptEnded {
        /// The attempt.
        pub fence: Fence,
        /// Its unit.
        pub unit: String,
        /// What ended it.
        pub how: EndedBy,
        /// The gate that failed.
        pub gate: Option<String> = filled,
        /// Gates that a person let through.
        pub waived: Vec<String> = filled,
        /// Gates that failed in the same way before.
        pub known: Vec<String> = filled,
        /// What no gate judged, and only its agent says.
        pub claims: Vec<String> = filled,
        /// What the agent changed of that on which the passes rest.
        pub doubted: Vec<String> = filled,
    }

    /// What a pass rests on is not as it was when its unit first began.
    pub struct InputsChanged {
        /// The unit that passed.
        pub unit: String,
        /// Every change, by whomever and with whatever consequence.
        pub changed: Vec<ReportedChange>,
    }

    /// An attempt was lost.
    pub struct AttemptLost {
        /// The attempt.
        pub fence: Fence,
        /// Whether its agent had worked.
        pub ran: bool,
        /// How it was lost.
        pub why: Option<String> = filled,
    }

    /// An attempt was held.
    pub struct AttemptStalled {
        /// The attempt.
        pub fence: Fence,
        /// Why.
        pub why: String,
    }

    /// An effect was carried out.
    pub struct EffectPerformed {
        /// Which one.
        pub effect: Option<Performed> = filled,
    }
}

words! {
    /// What ended an attempt. A word that this version does not know is at most a claim.
    pub enum EndedBy {
        /// Gates that passed.
        Passed = "passed",
        /// A person's waiver.
        Waived = "waived",
        /// A claim.
        Claimed = "claimed",
        /// A gate that failed.
        Failed = "failed",
        /// Its agent changed what it is judged by, and was asked to undo that.
        SentBack = "sent_back",
        /// Its unit is no longer there.
        Gone = "gone",
    } else Claimed
}

/// An effect that was carried out, with as much as tells it from others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Performed {
    /// An attempt's process was ended.
    Kill(Fence),
    /// Something was posted, under this marker.
    Post(String),
    /// A person was told this.
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

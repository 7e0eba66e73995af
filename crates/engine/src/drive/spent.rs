//! What the agents of a run cost.

use serde::{Deserialize, Serialize};

/// What agents cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spent {
    /// Money, in millionths of a dollar.
    pub micro_usd: u64,
    /// Tokens, in and out.
    pub tokens: u64,
    /// How long they worked, in milliseconds.
    #[serde(default)]
    pub millis: u64,
    /// How many agents did not say what they cost.
    pub unknown: u32,
    /// How many agents did not say how many tokens they took.
    #[serde(default)]
    pub uncounted: u32,
}

impl Spent {
    /// Returns what both cost.
    #[must_use]
    pub const fn and(&self, other: &Self) -> Self {
        Self {
            micro_usd: self.micro_usd.saturating_add(other.micro_usd),
            tokens: self.tokens.saturating_add(other.tokens),
            millis: self.millis.saturating_add(other.millis),
            unknown: self.unknown.saturating_add(other.unknown),
            uncounted: self.uncounted.saturating_add(other.uncounted),
        }
    }

    /// Returns the money, as far as anybody told; nothing where nobody did.
    pub fn known_money(&self) -> Option<u64> {
        (self.unknown == 0 || self.micro_usd > 0).then_some(self.micro_usd)
    }

    /// Returns the tokens, as far as anybody told; nothing where nobody did.
    pub fn known_tokens(&self) -> Option<u64> {
        (self.uncounted == 0 || self.tokens > 0).then_some(self.tokens)
    }
}

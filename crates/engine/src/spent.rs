use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spent {
    /// Money, in millionths of a dollar.
    pub micro_usd: u64,
    /// Tokens, input and output.
    pub tokens: u64,
    /// Working time in milliseconds.
    #[serde(default)]
    pub millis: u64,
    /// The number of agents that reported no cost.
    pub unknown: u32,
    /// The number of agents that reported no token count.
    #[serde(default)]
    pub uncounted: u32,
}

impl Spent {
    /// Returns the sum of both.
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

    /// Returns the reported money, or `None` if no agent reported any.
    pub fn known_money(&self) -> Option<u64> {
        (self.unknown == 0 || self.micro_usd > 0).then_some(self.micro_usd)
    }

    /// Returns the reported tokens, or `None` if no agent reported any.
    pub fn known_tokens(&self) -> Option<u64> {
        (self.uncounted == 0 || self.tokens > 0).then_some(self.tokens)
    }
}

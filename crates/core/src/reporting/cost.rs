use super::{Fact, read};
use crate::Kind;

/// What the agents of a run cost, as far as their hosts say so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// How many agents were started for it and ended.
    pub agents: usize,
    /// How many of them told no price.
    pub unpriced: usize,
    /// What the others cost together, in millionths of a dollar.
    pub micro_usd: u64,
    /// How many of them told no number of tokens.
    pub uncounted: usize,
    /// How many tokens the others took together.
    pub tokens: u64,
}

impl Cost {
    /// Adds up what the agents of a run told.
    pub(super) fn of(facts: &[Fact]) -> Self {
        let mut cost = Self::default();
        for fact in facts.iter().filter(|fact| fact.event.kind == Kind::AgentEnded) {
            cost.agents += 1;
            match read::number(&fact.event.data, "micro_usd") {
                Some(price) => cost.micro_usd = cost.micro_usd.saturating_add(price),
                None => cost.unpriced += 1,
            }
            match read::number(&fact.event.data, "tokens") {
                Some(tokens) => cost.tokens = cost.tokens.saturating_add(tokens),
                None => cost.uncounted += 1,
            }
        }
        cost
    }

    /// Says what it cost: `$11.84`, `at least $11.84`, `unknown`.
    pub fn money(&self) -> String {
        let said = money(self.micro_usd, self.unpriced > 0).filter(|_| self.agents > 0);
        said.unwrap_or_else(|| "unknown".to_owned())
    }

    /// Says how many tokens it took, where anybody told.
    pub fn tokens(&self) -> Option<String> {
        let known = match self.tokens {
            0..1_000 => format!("{} tokens", self.tokens),
            1_000..1_000_000 => format!("{}k tokens", self.tokens / 1_000),
            _ => format!("{}.{}M tokens", self.tokens / 1_000_000, self.tokens / 100_000 % 10),
        };
        match (self.uncounted, self.tokens) {
            (0, _) => Some(known).filter(|_| self.agents > 0),
            (_, 0) => None,
            (_, _) => Some(format!("at least {known}")),
        }
    }
}

/// Says what agents cost, of which some told no price; nothing where nobody told of any.
pub fn money(micro_usd: u64, is_some_untold: bool) -> Option<String> {
    let cents = micro_usd.saturating_add(5_000) / 10_000;
    let known = format!("${}.{:02}", cents / 100, cents % 100);
    match (is_some_untold, micro_usd) {
        (false, _) => Some(known),
        (true, 0) => None,
        (true, _) => Some(format!("at least {known}")),
    }
}

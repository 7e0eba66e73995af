use super::Fact;
use crate::Event;

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
        for fact in facts {
            let Event::AgentEnded(ended) = &fact.event else { continue };
            cost.agents += 1;
            match ended.micro_usd {
                Some(price) => cost.micro_usd = cost.micro_usd.saturating_add(price),
                None => cost.unpriced += 1,
            }
            match ended.tokens {
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
        let known = self.known_tokens()?;
        Some(if self.uncounted > 0 { format!("at least {known}") } else { known })
    }

    /// Says the same after the price: that there may be more is said once.
    pub fn tokens_after_price(&self) -> Option<String> {
        let is_said = self.agents > 0 && self.unpriced > 0 && self.micro_usd > 0;
        if is_said { self.known_tokens() } else { self.tokens() }
    }

    fn known_tokens(&self) -> Option<String> {
        let is_known = self.tokens > 0 || (self.uncounted == 0 && self.agents > 0);
        is_known.then(|| match self.tokens {
            0..1_000 => format!("{} tokens", self.tokens),
            1_000..1_000_000 => format!("{}k tokens", self.tokens / 1_000),
            _ => format!("{}.{}M tokens", self.tokens / 1_000_000, self.tokens / 100_000 % 10),
        })
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

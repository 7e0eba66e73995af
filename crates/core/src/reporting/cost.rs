use super::Fact;
use crate::Event;

/// The cost of a run's agents, as far as their hosts report it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// The number of agents that ended.
    pub agents: usize,
    /// The number of agents without a reported price.
    pub unpriced: usize,
    /// The total price of the others, in millionths of a dollar.
    pub micro_usd: u64,
    /// The number of agents without a reported token count.
    pub uncounted: usize,
    /// The total number of tokens of the others.
    pub tokens: u64,
}

impl Cost {
    /// Adds up the reports of a run's agents.
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

    /// Formats the price: `$11.84`, `at least $11.84`, `unknown`.
    pub fn money(&self) -> String {
        let said = money(self.micro_usd, self.unpriced > 0).filter(|_| self.agents > 0);
        said.unwrap_or_else(|| "unknown".to_owned())
    }

    /// Formats the number of tokens, if any was reported.
    pub fn tokens(&self) -> Option<String> {
        let known = self.known_tokens()?;
        Some(if self.uncounted > 0 { format!("at least {known}") } else { known })
    }

    /// Formats the number of tokens for use after the price, without repeating "at least".
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

/// Formats a price to which some agents may have added unreported cost; `None` if no price was
/// reported.
pub fn money(micro_usd: u64, is_some_untold: bool) -> Option<String> {
    let cents = micro_usd.saturating_add(5_000) / 10_000;
    let known = format!("${}.{:02}", cents / 100, cents % 100);
    match (is_some_untold, micro_usd) {
        (false, _) => Some(known),
        (true, 0) => None,
        (true, _) => Some(format!("at least {known}")),
    }
}

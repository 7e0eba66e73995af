use sprag_engine::drive::Spent;

/// How much the agents of a run may spend; time is the run's own limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Money, in millionths of a dollar.
    pub micro_usd: Option<u64>,
    /// Tokens.
    pub tokens: Option<u64>,
}

impl Budget {
    /// Says what is spent, if it is; nothing while there is something left.
    pub fn spent(&self, spent: &Spent) -> Option<String> {
        let money = self.micro_usd.filter(|most| spent.micro_usd >= *most);
        let tokens = self.tokens.filter(|most| spent.tokens >= *most);
        match (money, tokens) {
            (Some(most), _) => Some(format!(
                "the budget is spent: {} of {}",
                dollars(spent.micro_usd),
                dollars(most)
            )),
            (None, Some(most)) => {
                Some(format!("the budget is spent: {} of {most} tokens", spent.tokens))
            }
            (None, None) => None,
        }
    }
}

/// Returns an amount as people write it: `$11.84`.
pub fn dollars(micro_usd: u64) -> String {
    let cents = micro_usd.saturating_add(5_000) / 10_000;
    format!("${}.{:02}", cents / 100, cents % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_and_tokens_end_it_and_what_is_unlimited_does_not() {
        let spent = Spent { micro_usd: 15_020_000, tokens: 900, unknown: 0 };
        let money = Budget { micro_usd: Some(15_000_000), tokens: None };
        assert_eq!(money.spent(&spent).unwrap(), "the budget is spent: $15.02 of $15.00");
        let tokens = Budget { micro_usd: None, tokens: Some(900) };
        assert_eq!(tokens.spent(&spent).unwrap(), "the budget is spent: 900 of 900 tokens");
        let ample = Budget { micro_usd: Some(15_020_001), tokens: Some(901) };
        assert_eq!(ample.spent(&spent), None);
        assert_eq!(Budget::default().spent(&spent), None);
    }
}

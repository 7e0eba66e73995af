//! Whether the budget of a run is spent.

use std::time::Duration;

use sprag_engine::drive::Spent;
use sprag_formats::Budget;

/// Says what is spent, if it is; nothing while there is something left. Time is what agents worked:
/// waiting for a person or a host spends nothing.
pub(crate) fn used_up(budget: &Budget, spent: &Spent) -> Option<String> {
    let of = |used: String, most: String| Some(format!("the budget is spent: {used} of {most}"));
    let worked = Duration::from_millis(spent.millis);
    if let Some(most) = budget.micro_usd.filter(|most| spent.micro_usd >= *most) {
        return of(dollars(spent.micro_usd), dollars(most));
    }
    if let Some(most) = budget.tokens.filter(|most| spent.tokens >= *most) {
        return of(spent.tokens.to_string(), format!("{most} tokens"));
    }
    let most = budget.wall.filter(|most| worked >= *most)?;
    of(format!("{} s", worked.as_secs()), format!("{} s", most.as_secs()))
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
    fn money_tokens_and_time_end_it_and_what_is_unlimited_does_not() {
        let spent = Spent { micro_usd: 15_020_000, tokens: 900, millis: 61_000, unknown: 0 };
        let none = Budget::default();
        let shown = |budget| used_up(&budget, &spent);
        let money = Budget { micro_usd: Some(15_000_000), ..none };
        assert_eq!(shown(money).unwrap(), "the budget is spent: $15.02 of $15.00");
        let tokens = Budget { tokens: Some(900), ..none };
        assert_eq!(shown(tokens).unwrap(), "the budget is spent: 900 of 900 tokens");
        let time = Budget { wall: Some(Duration::from_mins(1)), ..none };
        assert_eq!(shown(time).unwrap(), "the budget is spent: 61 s of 60 s");
        let wall = Some(Duration::from_secs(62));
        let ample = Budget { micro_usd: Some(15_020_001), tokens: Some(901), wall };
        assert_eq!((shown(ample), shown(none)), (None, None));
    }
}

//! Checks whether a run has spent its budget.

use std::time::Duration;

use sprag_core::{Driven, Overspent};
use sprag_engine::drive::Spent;
use sprag_formats::Budget;

/// Returns the exceeded limit, or `None` while some budget is left. Only agents' working time
/// counts, not time spent waiting for a person or a host. The suggested raise is twice the amount
/// spent.
pub(crate) fn used_up(budget: &Budget, spent: &Spent, by: &Driven) -> Option<Overspent> {
    let of = |used: String, most: String, raise: String| {
        Some(Overspent { used, most, raise, by: by.clone() })
    };
    let worked = Duration::from_millis(spent.millis);
    if let Some(most) = budget.micro_usd.filter(|most| spent.micro_usd >= *most) {
        let more = spent.micro_usd.saturating_mul(2).div_ceil(1_000_000);
        return of(dollars(spent.micro_usd), dollars(most), format!("{more}usd"));
    }
    if let Some(most) = budget.tokens.filter(|most| spent.tokens >= *most) {
        let more = format!("{}tokens", spent.tokens.saturating_mul(2));
        return of(spent.tokens.to_string(), format!("{most} tokens"), more);
    }
    let most = budget.wall.filter(|most| worked >= *most)?;
    let seconds = worked.as_secs().saturating_mul(2).max(1);
    let more = if seconds < HOUR { format!("{seconds}s") } else { hours(seconds.div_ceil(HOUR)) };
    of(time(worked.as_secs()), time(most.as_secs()), more)
}

/// Seconds in an hour.
const HOUR: u64 = 3600;

/// Formats a duration: `61 s`, `8h02m`.
fn time(seconds: u64) -> String {
    if seconds < HOUR {
        return format!("{seconds} s");
    }
    format!("{}{:02}m", hours(seconds / HOUR), seconds / 60 % 60)
}

fn hours(hours: u64) -> String {
    format!("{hours}h")
}

/// Formats an amount: `$11.84`.
pub fn dollars(micro_usd: u64) -> String {
    let cents = micro_usd.saturating_add(5_000) / 10_000;
    format!("${}.{:02}", cents / 100, cents % 100)
}

#[cfg(test)]
mod tests {
    use sprag_core::RunId;

    use super::*;

    #[test]
    fn money_tokens_and_time_end_it_and_what_is_unlimited_does_not() {
        let spent =
            Spent { micro_usd: 15_020_000, tokens: 900, millis: 61_000, ..Spent::default() };
        let (none, by) = (Budget::default(), Driven::of(&RunId::parse("r-1").unwrap()));
        let shown = |budget| used_up(&budget, &spent, &by).map(|used| used.to_string());
        let money = Budget { micro_usd: Some(15_000_000), ..none };
        assert_eq!(
            shown(money).unwrap(),
            "the budget is spent: $15.02 of $15.00; `sprag resume r-1 --budget 31usd` raises it"
        );
        let tokens = Budget { tokens: Some(900), ..none };
        assert_eq!(
            shown(tokens).unwrap(),
            "the budget is spent: 900 of 900 tokens; `sprag resume r-1 --budget 1800tokens` raises it"
        );
        let time = Budget { wall: Some(Duration::from_mins(1)), ..none };
        assert_eq!(
            shown(time).unwrap(),
            "the budget is spent: 61 s of 60 s; `sprag resume r-1 --budget 122s` raises it"
        );
        let long = Spent { millis: 28_925_000, ..Spent::default() };
        assert_eq!(
            used_up(&Budget::STANDARD, &long, &by).unwrap().to_string(),
            "the budget is spent: 8h02m of 8h00m; `sprag resume r-1 --budget 17h` raises it"
        );
        let wall = Some(Duration::from_secs(62));
        let ample = Budget { micro_usd: Some(15_020_001), tokens: Some(901), wall };
        assert_eq!((shown(ample), shown(none)), (None, None));
    }
}

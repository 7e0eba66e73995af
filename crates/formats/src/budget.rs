//! The limits on a run's cost: money, tokens, time.

use std::time::Duration;

use crate::fault::{Fault, FaultKind};
use crate::field::Field;
use crate::gates::{Faults, length};
use crate::keys;
use crate::value::Value;

/// A run's budget, from `budget:` or from the run itself. `None` means no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Money, in millionths of a US dollar.
    pub micro_usd: Option<u64>,
    /// Tokens, in and out.
    pub tokens: Option<u64>,
    /// Elapsed time.
    pub wall: Option<Duration>,
}

impl Budget {
    /// The limits of a run without settings.
    pub const STANDARD: Self = Self {
        micro_usd: Some(100 * MILLION),
        tokens: Some(200 * MILLION),
        wall: Some(Duration::from_hours(8)),
    };

    /// Fills missing limits from the standard.
    #[must_use]
    pub fn or_standard(self) -> Self {
        Self {
            micro_usd: self.micro_usd.or(Self::STANDARD.micro_usd),
            tokens: self.tokens.or(Self::STANDARD.tokens),
            wall: self.wall.or(Self::STANDARD.wall),
        }
    }
}

/// The factor from a unit to its millionths.
const MILLION: u64 = 1_000_000;
/// The decimal places of a millionth.
const PLACES: usize = 6;

/// Parses an amount of money, `15usd`, `15` or `12.50`, as millionths of a US dollar. Returns
/// `None` if it is invalid, zero, or has more than six decimal places.
pub fn money(text: &str) -> Option<u64> {
    let text = text.trim();
    let bare = text.strip_suffix("usd").or_else(|| text.strip_suffix("USD")).unwrap_or(text);
    let (whole, part) = bare.trim_end().split_once('.').unwrap_or((bare.trim_end(), "0"));
    let is_number = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || part.is_empty() || part.len() > PLACES || !is_number(part) {
        return None;
    }
    let whole: u64 = if is_number(whole) { whole.parse().ok()? } else { return None };
    let part: u64 = format!("{part:0<PLACES$}").parse().ok()?;
    whole.checked_mul(MILLION)?.checked_add(part).filter(|amount| *amount > 0)
}

/// Reads `budget: {usd, tokens, wall}`.
pub(crate) fn budget(field: &Field<'_>, faults: &mut Faults) -> Budget {
    if faults.take(field.entries()).is_none() {
        return Budget::default();
    }
    faults.note_unknown(field, &keys::BUDGET);
    Budget {
        micro_usd: faults.optional(field, "usd", amount),
        tokens: faults.optional(field, "tokens", tokens),
        wall: faults.optional(field, "wall", length),
    }
}

/// Reads an amount from the number's original text, so that `12.50` stays exact.
fn amount(field: &Field<'_>) -> Result<u64, Fault> {
    let text = match &field.node().value {
        Value::Number(number) => Some(number.text()),
        Value::String(text) => Some(text.as_str()),
        Value::Null | Value::Bool(_) | Value::List(_) | Value::Map(_) => None,
    };
    text.and_then(money).ok_or_else(|| {
        let wrong = field.fault(FaultKind::Type, "expected an amount of US dollars");
        wrong.expecting("such as `15`, `12.50`, `15usd`")
    })
}

fn tokens(field: &Field<'_>) -> Result<u64, Fault> {
    match field.as_u64()? {
        0 => Err(field.fault(FaultKind::Limit, "without a token nothing can be done")),
        tokens => Ok(tokens),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_says_is_the_standard_and_what_somebody_says_is_not() {
        let standard = Budget::default().or_standard();
        assert_eq!(standard, Budget::STANDARD);
        assert_eq!(standard.micro_usd, money("100usd"));
        assert_eq!((standard.tokens, standard.wall), (Some(200_000_000), crate::duration("8h")));
        let said = Budget { micro_usd: money("15usd"), ..Budget::default() };
        assert_eq!(said.or_standard(), Budget { micro_usd: money("15usd"), ..standard });
    }

    #[test]
    fn money_is_read_to_the_millionth() {
        for (text, micro) in [
            ("15usd", 15_000_000),
            ("15", 15_000_000),
            ("12.50", 12_500_000),
            (" 0.000001 USD ", 1),
            ("18446744073709.551615", u64::MAX),
        ] {
            assert_eq!(money(text), Some(micro), "{text}");
        }
        for text in
            ["", "usd", "0", "0.0", "-1", "+1", "1e3", "1.", ".5", "1.0000001", "1,5", "15eur"]
        {
            assert_eq!(money(text), None, "{text:?}");
        }
        assert_eq!(money("18446744073709.551616"), None);
    }
}

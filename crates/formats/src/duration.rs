//! Durations as people write them: `90s`, `10m`, `1h30m`.
//!
//! jiff's friendly format is another one: it has no `1d` and accepts `-3m`, `1.5h` and `2 hours ago`,
//! and what a configuration may say is a contract. The texts that we print differ from its own, too.

use std::time::Duration;

/// Parses a duration: numbers with `ms`, `s`, `m`, `h` or `d`, the largest unit first.
pub fn duration(text: &str) -> Option<Duration> {
    let mut rest = text.trim();
    let (mut total, mut before) = (0_u64, u64::MAX);
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit())?;
        let number: u64 = rest[..digits].parse().ok()?;
        let after = &rest[digits..];
        let letters = after.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(after.len());
        let millis = match &after[..letters] {
            "ms" => 1,
            "s" => 1_000,
            "m" => 60_000,
            "h" => 3_600_000,
            "d" => 86_400_000,
            _ => return None,
        };
        if millis >= before {
            return None;
        }
        before = millis;
        total = total.checked_add(number.checked_mul(millis)?)?;
        rest = after[letters..].trim_start();
    }
    (before < u64::MAX).then_some(Duration::from_millis(total))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_time_are_read() {
        for (text, seconds) in
            [("10m", 600), ("90s", 90), ("1h30m", 5400), ("1h 30m", 5400), ("2d", 172_800)]
        {
            assert_eq!(duration(text), Some(Duration::from_secs(seconds)), "{text}");
        }
        assert_eq!(duration("250ms"), Some(Duration::from_millis(250)));
        for text in ["", "10", "m", "10 m m", "1m1h", "1s1s", "-1s", "1.5h", "99999999999999999h"] {
            assert_eq!(duration(text), None, "{text:?}");
        }
    }
}

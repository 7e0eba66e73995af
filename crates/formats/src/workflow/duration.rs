//! Times as people write them: `90s`, `10m`, `1h30m`.

use crate::{Fault, FaultKind, Field};

/// Reads a time in milliseconds.
pub(super) fn millis(field: &Field<'_>) -> Result<u32, Fault> {
    parse(field.as_str()?).ok_or_else(|| {
        let what = "expected a time such as `90s`, `10m` or `1h30m`";
        field.fault(FaultKind::Type, what)
    })
}

fn parse(text: &str) -> Option<u32> {
    let mut sum = 0u32;
    let mut rest = text;
    while !rest.is_empty() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let number: u32 = rest[..digits].parse().ok()?;
        let unit = rest[digits..].chars().next()?;
        let scale = match unit {
            's' => 1000,
            'm' => 60_000,
            'h' => 3_600_000,
            _ => return None,
        };
        sum = sum.checked_add(number.checked_mul(scale)?)?;
        rest = &rest[digits + 1..];
    }
    (sum > 0).then_some(sum)
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn times_need_a_unit() {
        assert_eq!(parse("90s"), Some(90_000));
        assert_eq!(parse("1h30m"), Some(5_400_000));
        for bad in ["", "10", "m", "1d", "0s", "-1s", "1.5h", "9999999h", "10 m", "1é"] {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }
}

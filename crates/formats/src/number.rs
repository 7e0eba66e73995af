//! Numbers that keep their source text, so that `1.0`, `1` and `1e3` survive a rewrite.

/// A number as written in a document.
///
/// Two numbers are equal if they are the same integer or the same floating point number. `1` and
/// `1.0` are not equal, since readers distinguish them. Beyond the exact range of floating point,
/// only the text decides whether two numbers are the same.
#[derive(Clone, Debug)]
pub struct Number {
    text: String,
    /// Whether it was computed as floating point rather than parsed, so that the text is ours to
    /// choose.
    computed: bool,
}

impl Number {
    /// Parses a number of the YAML 1.2 core schema, which includes those of JSON.
    pub fn parse(text: &str) -> Option<Self> {
        (integer(text).is_some() || is_digits(text) || is_float(text))
            .then(|| Self { text: text.to_owned(), computed: false })
    }

    /// The number as written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The number, if it is whole and not negative; `3.0` is not whole.
    pub fn as_u64(&self) -> Option<u64> {
        integer(&self.text).and_then(|value| u64::try_from(value).ok())
    }

    /// The number, if it is whole; `3.0` is not.
    pub fn as_i64(&self) -> Option<i64> {
        integer(&self.text).and_then(|value| i64::try_from(value).ok())
    }

    /// The nearest floating point number.
    pub fn as_f64(&self) -> f64 {
        if let Some((radix, digits)) = radix(&self.text) {
            let fold = |sum: f64, digit: char| {
                sum * f64::from(radix) + f64::from(digit.to_digit(radix).unwrap_or(0))
            };
            return digits.chars().fold(0.0, fold);
        }
        let (sign, rest) = match self.text.strip_prefix('-') {
            Some(rest) => (-1.0, rest),
            None => (1.0, self.text.strip_prefix('+').unwrap_or(&self.text)),
        };
        match rest {
            ".inf" | ".Inf" | ".INF" => sign * f64::INFINITY,
            ".nan" | ".NaN" | ".NAN" => f64::NAN,
            _ => sign * rest.parse().unwrap_or(f64::NAN),
        }
    }

    /// The whole number, if it is one and fits.
    pub(crate) fn integer(&self) -> Option<i128> {
        integer(&self.text)
    }

    /// Returns whether the number was computed as floating point, so that it has no source text.
    pub(crate) fn is_computed(&self) -> bool {
        self.computed
    }

    /// Returns whether the text is also a valid JSON number.
    pub(crate) fn is_json(&self) -> bool {
        let rest = self.text.strip_prefix('-').unwrap_or(&self.text);
        let whole = rest.bytes().take_while(u8::is_ascii_digit).count();
        let leading_zero = whole > 1 && rest.starts_with('0');
        if whole == 0 || leading_zero {
            return false;
        }
        let fraction = match rest[whole..].strip_prefix('.') {
            Some(tail) => match tail.bytes().take_while(u8::is_ascii_digit).count() {
                0 => return false,
                digits => &tail[digits..],
            },
            None => &rest[whole..],
        };
        fraction.is_empty() || is_exponent(fraction)
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        match (self.integer(), other.integer()) {
            (Some(one), Some(two)) => one == two,
            (Some(_), None) | (None, Some(_)) => false,
            (None, None) => {
                const EXACT: f64 = 9_007_199_254_740_992.0;
                let (one, two) = (self.as_f64(), other.as_f64());
                self.text == other.text || (one.abs() <= EXACT && one.to_bits() == two.to_bits())
            }
        }
    }
}

impl From<f64> for Number {
    fn from(value: f64) -> Self {
        let text = if value.is_nan() {
            ".nan".to_owned()
        } else if value.is_infinite() {
            if value > 0.0 { ".inf".to_owned() } else { "-.inf".to_owned() }
        } else {
            format!("{value:?}")
        };
        Self { text, computed: true }
    }
}

macro_rules! from_integers {
    ($($kind:ty),*) => {$(
        impl From<$kind> for Number {
            fn from(value: $kind) -> Self {
                Self { text: value.to_string(), computed: false }
            }
        }
    )*};
}

from_integers!(i32, i64, u8, u16, u32, u64, usize);

fn radix(text: &str) -> Option<(u32, &str)> {
    let (radix, digits) = match text.strip_prefix("0x") {
        Some(digits) => (16, digits),
        None => (8, text.strip_prefix("0o")?),
    };
    let valid = !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix));
    valid.then_some((radix, digits))
}

fn is_digits(text: &str) -> bool {
    if radix(text).is_some() {
        return true;
    }
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

fn integer(text: &str) -> Option<i128> {
    if let Some((radix, digits)) = radix(text) {
        return i128::from_str_radix(digits, radix).ok();
    }
    if is_digits(text) { text.parse().ok() } else { None }
}

fn is_float(text: &str) -> bool {
    let rest = text.strip_prefix(['-', '+']).unwrap_or(text);
    if matches!(rest, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN") {
        return true;
    }
    let whole = rest.bytes().take_while(u8::is_ascii_digit).count();
    let mut tail = &rest[whole..];
    let mut digits = whole;
    if let Some(fraction) = tail.strip_prefix('.') {
        let more = fraction.bytes().take_while(u8::is_ascii_digit).count();
        digits += more;
        tail = &fraction[more..];
    }
    digits > 0 && (tail.is_empty() || is_exponent(tail))
}

fn is_exponent(text: &str) -> bool {
    let Some(rest) = text.strip_prefix(['e', 'E']) else { return false };
    let digits = rest.strip_prefix(['-', '+']).unwrap_or(rest);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_core_schema_decides_what_a_number_is() {
        for text in
            ["0", "-1", "+12", "007", "0x1F", "0o17", "1.", ".5", "1e3", "-2.5E-3", ".inf", "-.INF"]
        {
            assert!(Number::parse(text).is_some(), "{text}");
        }
        for text in ["", "-", ".", "1_000", "0b1", "1:30", "0x", "e3", "1e", "1.2.3", "+.nan", "٣"]
        {
            assert!(Number::parse(text).is_none(), "{text}");
        }
    }

    #[test]
    fn values_come_from_the_text() {
        let number = |text: &str| Number::parse(text).unwrap();
        assert_eq!(number("0x1F").as_u64(), Some(31));
        assert_eq!(number("08").as_u64(), Some(8));
        assert_eq!(number("-3").as_i64(), Some(-3));
        assert_eq!(number("3.0").as_u64(), None);
        assert_eq!(number("18446744073709551615").as_u64(), Some(u64::MAX));
        assert!((number("-2.5e1").as_f64() + 25.0).abs() < f64::EPSILON);
        assert_eq!(number("10"), number("0xA"));
        assert_ne!(number("1"), number("1.0"));
        assert_eq!(number("1e3"), number("1000.0"));
        assert_eq!(number(".nan"), number(".nan"));
    }

    #[test]
    fn numbers_too_large_to_tell_apart_are_told_apart_by_their_text() {
        let number = |text: &str| Number::parse(text).unwrap();
        let long = i128::MAX.to_string() + "0";
        for (one, two) in [
            ("1e400", "2e400"),
            (".inf", "1e400"),
            ("1e300", "1.00000000000000000001e300"),
            (long.as_str(), &(long.clone() + "0")),
            (long.as_str(), &long.replacen('1', "2", 1)),
            ("9007199254740993.0", "9007199254740994.0"),
        ] {
            assert_ne!(number(one), number(two));
            assert_eq!(number(one), number(one));
        }
        assert_eq!(number("9007199254740992.0"), number("9.007199254740992e15"));
    }

    #[test]
    fn json_is_narrower() {
        for (text, json) in [
            ("1", true),
            ("-0", true),
            ("1.5e+3", true),
            ("01", false),
            ("+1", false),
            (".5", false),
            ("1.", false),
            ("0x1", false),
            ("1.e3", false),
            (".inf", false),
        ] {
            assert_eq!(Number::parse(text).unwrap().is_json(), json, "{text}");
        }
    }
}

use jiff::Timestamp;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// A point in time with millisecond precision; written as RFC 3339 in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(i64);

impl Time {
    /// From year 0 to the end of November 9999, which is within jiff's range.
    const RANGE: std::ops::RangeInclusive<i64> = -62_167_219_200_000..=253_399_622_400_000;

    /// Creates a time from milliseconds since 1970, clamped to the supported range.
    pub fn from_millis(millis: i64) -> Self {
        Self(millis.clamp(*Self::RANGE.start(), *Self::RANGE.end()))
    }

    /// Returns milliseconds since 1970.
    pub const fn as_millis(self) -> i64 {
        self.0
    }

    /// Parses any RFC 3339 time; fractions of a millisecond are dropped.
    pub fn parse(text: &str) -> Option<Self> {
        text.parse::<Timestamp>().ok().map(|stamp| Self::from_millis(stamp.as_millisecond()))
    }

    #[must_use]
    pub fn plus_millis(self, millis: i64) -> Self {
        Self::from_millis(self.0.saturating_add(millis))
    }

    /// Returns the milliseconds since `earlier`; negative if `earlier` is later.
    pub const fn since(self, earlier: Self) -> i64 {
        self.0 - earlier.0
    }
}

impl std::fmt::Display for Time {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match Timestamp::from_millisecond(self.0) {
            Ok(stamp) => write!(out, "{stamp:.3}"),
            // Unreachable: `from_millis` keeps the value in jiff's range.
            Err(_) => write!(out, "{} ms", self.0),
        }
    }
}

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| D::Error::custom("expected an RFC 3339 time"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_written_with_milliseconds_and_z() {
        let time = Time::parse("2026-03-05T12:30:00+02:00").unwrap();
        assert_eq!(time.to_string(), "2026-03-05T10:30:00.000Z");
        assert_eq!(Time::parse(&time.to_string()), Some(time));
    }

    #[test]
    fn the_edges_of_time_are_written_too() {
        for millis in [i64::MIN, i64::MAX] {
            let time = Time::from_millis(millis);
            assert_eq!(Time::parse(&time.to_string()), Some(time));
        }
    }
}

use crate::{Fields, Plain, Stored, Unreadable};

/// The time limits for checks, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// How long the absence of checks may mean that they have not begun.
    pub grace: i64,
    /// The wait after which a person is asked.
    pub most: i64,
    /// The interval between two looks.
    pub poll: i64,
}

impl Default for Patience {
    fn default() -> Self {
        Self { grace: 60_000, most: 30 * 60_000, poll: 10_000 }
    }
}

impl Patience {
    /// The keys in files, in the order of [`Patience::seconds`].
    pub const KEYS: [&'static str; 3] = ["grace", "timeout", "poll"];
    /// The maximum of any limit, in seconds.
    const LONGEST: i64 = 7 * 24 * 3600;

    /// Creates limits from whole seconds; missing values get defaults, and extreme ones are
    /// clamped.
    pub fn of_seconds([grace, most, poll]: [Option<u32>; 3]) -> Self {
        let usual = Self::default();
        let millis = |given: Option<u32>, least: i64, usual: i64| {
            let given = given.map(|given| i64::from(given).clamp(least, Self::LONGEST) * 1000);
            given.unwrap_or(usual)
        };
        let poll = millis(poll, 1, usual.poll);
        let most = millis(most, 1, usual.most).max(poll);
        Self { grace: millis(grace, 0, usual.grace), most, poll }
    }

    /// Returns the limits in whole seconds.
    pub fn seconds(self) -> [Option<u32>; 3] {
        [self.grace, self.most, self.poll].map(|millis| u32::try_from(millis / 1000).ok())
    }
}

impl Stored for Patience {
    fn lower(&self) -> Plain {
        Plain::Map(
            Self::KEYS
                .into_iter()
                .zip(self.seconds())
                .map(|(key, value)| (key.to_owned(), value.lower()))
                .collect(),
        )
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        if *plain == Plain::Null {
            return Ok(Self::default());
        }
        let fields = Fields::of(plain)?;
        let [grace, most, poll] = Self::KEYS;
        Ok(Self::of_seconds([fields.get(grace)?, fields.get(most)?, fields.get(poll)?]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_is_kept_and_what_nobody_could_mean_is_not_taken_literally() {
        let own = Patience::of_seconds([Some(5), None, Some(2)]);
        assert_eq!(own, Patience { grace: 5000, most: 1_800_000, poll: 2000 });
        assert_eq!(Patience::lift(&own.lower()), Ok(own));
        assert_eq!(Patience::lift(&Plain::Null), Ok(Patience::default()));
        let odd = Patience::of_seconds([Some(u32::MAX), Some(0), Some(0)]);
        assert_eq!((odd.most, odd.poll), (1000, 1000), "no loop without a pause");
        assert!(odd.grace <= 7 * 24 * 3_600_000);
    }
}

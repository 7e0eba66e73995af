//! The one place where the time is read; everything else gets it as a value.

use sprag_core::{Seq, Time};

/// Measures how long something takes.
#[derive(Clone, Copy, Debug)]
pub struct Watch(std::time::Instant);

impl Watch {
    /// Begins to measure.
    #[expect(clippy::disallowed_methods, reason = "this is the clock's door")]
    pub fn start() -> Self {
        Self(std::time::Instant::now())
    }

    /// Returns the microseconds since the beginning.
    pub fn micros(self) -> u64 {
        u64::try_from(self.0.elapsed().as_micros()).unwrap_or(u64::MAX)
    }
}

/// Returns how many milliseconds a pause of so many takes: in a build with the feature `testing` a
/// fiftieth of it, because nobody waits there; less would be over before anybody looks.
pub const fn pause(millis: i64) -> i64 {
    if cfg!(feature = "testing") { millis / 50 } else { millis }
}

/// Returns the place in which a journal begins that is begun now: the present microsecond, so that
/// no fence is ever given out twice, whatever became of the journals before.
pub fn first() -> Seq {
    let millis = u64::try_from(now().as_millis()).unwrap_or(0);
    Seq(fine().unwrap_or(millis * 1000).min(Seq::MAX.0 / 2))
}

/// Returns the present microsecond; nothing where a test says what time it is.
#[expect(clippy::disallowed_methods, reason = "this is the clock's door")]
fn fine() -> Option<u64> {
    #[cfg(feature = "testing")]
    if std::env::var_os("SPRAG_TEST_NOW").is_some() {
        return None;
    }
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.ok().and_then(|passed| u64::try_from(passed.as_micros()).ok())
}

/// Returns the time now.
///
/// A build with the feature `testing` takes it from `SPRAG_TEST_NOW` where that is set; the shipped
/// binary has no such way in.
#[expect(clippy::disallowed_methods, reason = "this is the clock's door")]
pub fn now() -> Time {
    #[cfg(feature = "testing")]
    if let Some(time) = std::env::var("SPRAG_TEST_NOW").ok().and_then(|text| Time::parse(&text)) {
        return time;
    }
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let millis = since.map_or(0, |passed| passed.as_millis());
    Time::from_millis(i64::try_from(millis).unwrap_or(i64::MAX))
}

//! Reads the clock. All other code receives the time as a value.

use sprag_core::{Seq, Time};

/// A stopwatch.
#[derive(Clone, Copy, Debug)]
pub struct Watch(std::time::Instant);

impl Watch {
    #[expect(clippy::disallowed_methods, reason = "this is the clock's door")]
    pub fn start() -> Self {
        Self(std::time::Instant::now())
    }

    pub fn micros(self) -> u64 {
        u64::try_from(self.0.elapsed().as_micros()).unwrap_or(u64::MAX)
    }
}

/// Returns the length of a pause in milliseconds. A build with the feature `testing` divides it by
/// fifty, because no person waits there.
pub const fn pause(millis: i64) -> i64 {
    if cfg!(feature = "testing") { millis / 50 } else { millis }
}

/// Returns the first sequence number of a new journal: the current microsecond. So no fence is ever
/// issued twice, even if older journals were lost.
pub fn first() -> Seq {
    let millis = u64::try_from(now().as_millis()).unwrap_or(0);
    Seq(fine().unwrap_or(millis * 1000).min(Seq::MAX.0 / 2))
}

/// Returns the current microsecond, or `None` where a test sets the time.
#[expect(clippy::disallowed_methods, reason = "this is the clock's door")]
fn fine() -> Option<u64> {
    #[cfg(feature = "testing")]
    if std::env::var_os("SPRAG_TEST_NOW").is_some() {
        return None;
    }
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.ok().and_then(|passed| u64::try_from(passed.as_micros()).ok())
}

/// Returns the current time.
///
/// A build with the feature `testing` takes it from `SPRAG_TEST_NOW` if that is set; the shipped
/// binary has no such override.
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

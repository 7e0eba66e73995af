//! Waits for the checks of the current commit, for scripts with nothing else to do.

use std::time::Duration;

use sprag_core::Time;
use sprag_core::pr::{Patience, ci_ended};
use sprag_world::forge::{Forge, ForgeError};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waited {
    /// All checks have ended.
    Ended,
    /// The time ran out; the result is unknown.
    TooLong,
}

/// Waits until the checks of the head commit have ended. The caller provides the clock.
pub fn wait(
    forge: &dyn Forge,
    branch: &str,
    patience: &Patience,
    now: &dyn Fn() -> Time,
    rest: &dyn Fn(Duration),
) -> Result<Waited, ForgeError> {
    let start = now();
    loop {
        let pull = forge.pull(branch)?;
        let waited = now().since(start);
        match pull {
            None => {
                let why = format!("No open PR found for branch: {branch}");
                return Err(ForgeError::NoRepository { why });
            }
            Some(pull) if ci_ended(&pull, waited, patience) => return Ok(Waited::Ended),
            Some(_) if waited >= patience.most => return Ok(Waited::TooLong),
            Some(_) => rest(Duration::from_millis(u64::try_from(patience.poll).unwrap_or(1000))),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use sprag_core::pr::{CiCheck, Pull};

    use super::*;
    use sprag_world::forge::Post;

    /// A forge whose checks end at a given time.
    struct Clocked<'c> {
        clock: &'c Cell<i64>,
        checks: bool,
        ends: i64,
    }

    impl Forge for Clocked<'_> {
        fn pull(&self, _: &str) -> Result<Option<Pull>, ForgeError> {
            let status = if self.clock.get() >= self.ends { "COMPLETED" } else { "QUEUED" };
            let check = CiCheck { status: Some(status.to_owned()), ..CiCheck::default() };
            let checks = if self.checks { vec![check] } else { vec![] };
            Ok(Some(Pull { checks, ..Pull::default() }))
        }

        fn has(&self, _: u32, _: &str) -> Result<bool, ForgeError> {
            Ok(false)
        }

        fn post(&self, _: u32, _: Post, _: &str) -> Result<(), ForgeError> {
            Err(ForgeError::Odd { why: "nothing is posted here".to_owned() })
        }

        fn minimize(&self, _: u32, _: &[String]) -> Result<(), ForgeError> {
            Err(ForgeError::Odd { why: "nothing is hidden here".to_owned() })
        }

        fn log(&self, _: &str) -> Result<String, ForgeError> {
            Err(ForgeError::Odd { why: "nothing is kept here".to_owned() })
        }
    }

    fn waited(checks: bool, ends: i64) -> (Waited, i64) {
        let clock = Cell::new(0);
        let forge = Clocked { clock: &clock, checks, ends };
        let patience = Patience { grace: 60_000, most: 600_000, poll: 10_000 };
        let now = || Time::from_millis(clock.get());
        let rest = |length: Duration| {
            clock.set(clock.get() + i64::try_from(length.as_millis()).unwrap());
        };
        (wait(&forge, "topic", &patience, &now, &rest).unwrap(), clock.get())
    }

    #[test]
    fn checks_are_waited_for_until_they_end_or_it_takes_too_long() {
        assert_eq!(waited(true, 25_000), (Waited::Ended, 30_000));
        assert_eq!(waited(true, i64::MAX), (Waited::TooLong, 600_000));
        assert_eq!(waited(false, 0), (Waited::Ended, 60_000), "none at all may not have begun");
    }
}

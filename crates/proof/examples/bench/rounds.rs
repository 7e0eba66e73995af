//! Measures two things in alternation, so that a busy machine affects both equally.

use std::time::{Duration, Instant};

use crate::{Failure, Figure};

/// The median times of two things.
pub(crate) struct Pair {
    first: Duration,
    second: Duration,
    runs: usize,
}

impl Pair {
    /// Runs both in alternation, `runs` times each.
    pub(crate) fn measure(
        runs: usize,
        first: impl FnMut() -> Result<(), Failure>,
        second: impl FnMut() -> Result<(), Failure>,
    ) -> Result<Self, Failure> {
        Self::measure_after(runs, || Ok(()), first, second)
    }

    /// Runs both in alternation, each after an unmeasured preparation.
    pub(crate) fn measure_after(
        runs: usize,
        mut before: impl FnMut() -> Result<(), Failure>,
        mut first: impl FnMut() -> Result<(), Failure>,
        mut second: impl FnMut() -> Result<(), Failure>,
    ) -> Result<Self, Failure> {
        let (mut firsts, mut seconds) = (Vec::new(), Vec::new());
        for round in 0..runs.max(1) {
            before()?;
            // The order may matter, so it changes with every round.
            if round % 2 == 0 {
                firsts.push(time(&mut first)?);
                seconds.push(time(&mut second)?);
            } else {
                seconds.push(time(&mut second)?);
                firsts.push(time(&mut first)?);
            }
        }
        Ok(Self { first: median(firsts), second: median(seconds), runs })
    }

    /// Returns the ratio of the first time to the second.
    pub(crate) fn ratio(&self, what: &'static str, goal: Option<f64>) -> Figure {
        let millis = |time: Duration| time.as_secs_f64() * 1000.0;
        let (first, second) = (millis(self.first), millis(self.second));
        let detail = format!("{first:.3} ms / {second:.3} ms, medians of {}", self.runs);
        Figure { what, measured: first / second, goal, unit: "×", detail }
    }
}

impl Pair {
    /// Returns the first time.
    pub(crate) fn millis(&self, what: &'static str, goal: Option<f64>) -> Figure {
        let measured = self.first.as_secs_f64() * 1000.0;
        let other = self.second.as_secs_f64() * 1000.0;
        let detail = format!("`true` took {other:.3} ms, medians of {}", self.runs);
        Figure { what, measured, goal, unit: " ms", detail }
    }
}

fn time(what: &mut impl FnMut() -> Result<(), Failure>) -> Result<Duration, Failure> {
    let start = Instant::now();
    what()?;
    Ok(start.elapsed())
}

pub(crate) fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

//! One process of a race on a register, and the lines it prints; see [`sprag_testkit::race`].

use std::io::{self, Write};

use rustix::time::{ClockId, clock_gettime};
use sprag_testkit::linear::Value;
use sprag_testkit::seed::Seed;

/// The result of a swap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Swap {
    /// The register held the expected value, and now holds the new one.
    Done,
    /// The register held another value.
    Saw(Value),
    /// It may have happened.
    Unclear,
}

/// A value shared by processes, with the two operations of a register.
pub trait Register {
    fn read(&mut self) -> io::Result<Value>;
    /// Writes `to` if the value is `from`.
    fn swap(&mut self, from: Value, to: Value) -> io::Result<Swap>;
}

/// Performs `count` operations as `process` and prints each, every line in one write.
pub fn play(
    register: &mut impl Register,
    process: u32,
    count: u32,
    seed: &mut Seed,
    said: &mut impl Write,
) -> io::Result<()> {
    let mut known = 0;
    for number in 1..=count {
        if seed.below(3) == 0 {
            say(said, &format!("call {} read", now()))?;
            known = register.read()?;
            say(said, &format!("saw {} {known}", now()))?;
            continue;
        }
        // Every written value is unique, which makes the history easy to judge.
        let to = u64::from(process + 1) << 32 | u64::from(number);
        say(said, &format!("call {} swap {known} {to}", now()))?;
        match register.swap(known, to)? {
            Swap::Done => {
                say(said, &format!("swapped {}", now()))?;
                known = to;
            }
            Swap::Saw(value) => {
                say(said, &format!("saw {} {value}", now()))?;
                known = value;
            }
            Swap::Unclear => say(said, &format!("unclear {}", now()))?,
        }
    }
    Ok(())
}

fn say(said: &mut impl Write, line: &str) -> io::Result<()> {
    said.write_all(format!("{line}\n").as_bytes())?;
    said.flush()
}

/// Returns nanoseconds of the clock that all processes of this machine share.
fn now() -> u64 {
    let time = clock_gettime(ClockId::Monotonic);
    let part = |number: i64| u64::try_from(number).unwrap_or(0);
    part(time.tv_sec) * 1_000_000_000 + part(time.tv_nsec)
}

/// Returns the text of a document that holds `value`.
pub fn text_of(value: Value) -> String {
    format!("value: {value}\n")
}

/// Parses the value in a document; a missing document is 0.
pub fn value_of(text: Option<&str>) -> Option<Value> {
    match text {
        None => Some(0),
        Some(text) => text.strip_prefix("value: ")?.strip_suffix('\n')?.parse().ok(),
    }
}

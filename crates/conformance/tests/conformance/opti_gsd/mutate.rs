//! Mutates every sample at random and reads it with every reader: nothing panics, nothing takes
//! long, and an edit of a readable state changes nothing else.

use std::time::{Duration, Instant};

use sprag_conformance::{Outcome, Tally};
use sprag_core::apply;
use sprag_core::plan::{LoopState, Report, schedule};
use sprag_formats::plan::state::{self, TopKeys};
use sprag_formats::plan::{answer, config, plugin, read, roadmap, verification};
use sprag_testkit::seed::Seed;

/// How many times each sample is mutated; with `SPRAG_LONG` many more.
const ROUNDS: u64 = 60;
const LONG_ROUNDS: u64 = 3000;
/// Far too long, even for an unoptimized build on a busy machine.
const LIMIT: Duration = Duration::from_secs(5);

const TOKENS: [&str; 30] = [
    "<task id=\"9\" wave=\"1\">\n",
    "</task>\n",
    "</action>\n",
    "  <action>\n",
    "<file>",
    "</file>",
    "<check type=\"content\">",
    "<check cmd=\"",
    "<gap type=\"",
    "</gap>",
    "<gaps>",
    "## Gaps\n",
    "## Must-Haves\n",
    "---\n",
    "```\n",
    "```xml\n",
    "\"",
    "'",
    "`",
    "“",
    "&lt;",
    "\r",
    "\r\n",
    "\t",
    "\u{feff}",
    "\0",
    "loop:\n",
    "  active: true\n",
    "TASK COMPLETE\n",
    "| a | b |\n",
];

/// Mutates and reads all samples.
pub(super) fn all(texts: &[String], tally: &mut Tally) {
    let rounds = if std::env::var_os("SPRAG_LONG").is_some() { LONG_ROUNDS } else { ROUNDS };
    for (at, text) in texts.iter().enumerate() {
        let mut wrong = None;
        for round in 0..rounds {
            let seed = (at as u64) << 32 | round;
            let broken = broken(text, texts, &mut Seed::new(seed));
            let begun = Instant::now();
            wrong = exercise(&broken).err();
            let took = begun.elapsed();
            if took > LIMIT {
                wrong = Some(format!("it took {took:?}"));
            }
            if let Some(why) = &mut wrong {
                *why = format!("seed {seed}: {why}\n{broken}");
                break;
            }
        }
        let outcome = wrong.map_or(Outcome::Passed, Outcome::Failed);
        tally.add("broken", &format!("sample {at}"), outcome);
    }
}

fn broken(text: &str, all: &[String], seed: &mut Seed) -> String {
    let mut text = text.to_owned();
    for _ in 0..=seed.below(4) {
        let mut place = |text: &str| text.floor_char_boundary(seed.below(text.len() + 1));
        let (one, two) = (place(&text), place(&text));
        let (from, to) = (one.min(two), one.max(two));
        match seed.below(7) {
            0 => text.truncate(from),
            1 => text.replace_range(from..text.floor_char_boundary(to.min(from + 20)), ""),
            2 => text = format!("{}{}", &text[..to], &text[from..]),
            3 => text.insert_str(from, &seed.pick(&TOKENS).repeat(300)),
            4 => {
                let other = seed.pick(all);
                let cut = other.floor_char_boundary(other.len() / 2);
                text.insert_str(from, &other[cut..]);
            }
            _ => text.insert_str(from, seed.pick::<&str>(&TOKENS)),
        }
    }
    text.truncate(text.floor_char_boundary(256 << 10));
    text
}

fn exercise(text: &str) -> Result<(), String> {
    let found = read(text);
    if found.errors().next().is_none() {
        let planned: usize = schedule(&found.plan).iter().map(|batch| batch.run.len()).sum();
        if planned != found.plan.tasks.len() {
            return Err(format!("{planned} of {} tasks are planned", found.plan.tasks.len()));
        }
    }
    answer::plan(&found);
    Report::read(text);
    verification::read(text);
    roadmap::set_status(text, "1", "COMPLETE");
    drop(config::read(text));
    drop(plugin::read(text));
    edit(text)
}

/// Edits a readable state and compares the result with the intended one.
fn edit(text: &str) -> Result<(), String> {
    let Ok(Some(before)) = state::read(text) else { return Ok(()) };
    let top = TopKeys::default();
    match state::splices(text, &before, &before, &top) {
        Ok(splices) if splices.is_empty() => {}
        Ok(splices) => return Err(format!("nothing changed, and {splices:?}")),
        Err(fault) => return Err(fault.to_string()),
    }
    let after = LoopState { paused: !before.paused, iteration: 7, ..before.clone() };
    // An odd layout may refuse an edit, but must not make a different one.
    let Ok(splices) = state::splices(text, &before, &after, &top) else { return Ok(()) };
    let edited = apply(text, &splices).map_err(|bad| bad.to_string())?;
    match state::read(&edited) {
        Ok(Some(now)) if now == after => Ok(()),
        Ok(_) | Err(_) => Err(format!("the edited state is another one:\n{edited}")),
    }
}

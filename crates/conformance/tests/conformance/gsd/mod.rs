//! The cases of GSD: trees with their state and dispatch, its parsers' results, and odd trees.
//!
//! Everything is read twice. Under the original's rules the answer must equal the recorded one
//! exactly. Under sprag's rules it must be equal too, unless the reading noted a quirk of the
//! original: then the quirk names the difference. So a difference is never a list of cases. The
//! fields that a quirk can change are known (`reach`): all others must equal the recorded ones, so
//! that no other mistake hides behind a quirk.

mod parsers;
mod quirks;
mod reach;
mod trees;

use std::collections::BTreeSet;
use std::path::Path;

use sprag_conformance::{Outcome, Tally, canonical, read};
use sprag_core::Plain;
use sprag_core::gsd::{Quirk, Reading};

/// An answer, and the quirks that the reading noted.
pub(crate) struct Answer {
    value: Plain,
    quirks: Vec<Quirk>,
}

/// Runs every case of a folder.
pub(crate) fn hold(folder: &Path, tally: &mut Tally) -> Result<(), String> {
    parsers::hold(&folder.join("parsers.jsonl"), tally)?;
    quirks::hold(&folder.join("derive-quirks.json"), tally)?;
    trees::hold(&folder.join("trees"), tally)
}

/// Compares the recorded answer with both readings.
fn outcome(expect: &Plain, answer: impl Fn(Reading) -> Option<Answer>) -> Outcome {
    let (Some(theirs), Some(ours)) = (answer(Reading::Original), answer(Reading::Ours)) else {
        return Outcome::NotServed;
    };
    let differs = |ours: &Plain| canonical(expect) != canonical(ours);
    let explain = |whose: &str, found: &Plain| {
        Outcome::Failed(format!("{whose}\n  expected {expect:?}\n  found    {found:?}"))
    };
    if differs(&theirs.value) {
        return explain("read as the original does", &theirs.value);
    }
    if !differs(&ours.value) {
        return Outcome::Passed;
    }
    if ours.quirks.is_empty() {
        return explain("no quirk explains the difference", &ours.value);
    }
    let beyond = reach::beyond(expect, &ours.value, &ours.quirks);
    if !beyond.is_empty() {
        return explain(&format!("no quirk explains {}", beyond.join(", ")), &ours.value);
    }
    Outcome::Differs(ours.quirks.iter().map(|quirk| quirk.name()).collect::<BTreeSet<_>>())
}

/// Converts a serializable value to plain values.
fn plain(value: &impl serde::Serialize) -> Plain {
    let text = serde_json::to_string(value).unwrap_or_default();
    read(&text).unwrap_or(Plain::Null)
}

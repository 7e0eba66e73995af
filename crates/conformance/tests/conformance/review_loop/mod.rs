//! The files of the review loop: every sample must give the decision in its `.expect.json`, and an
//! edit of one value must keep every other byte.
//!
//! `reason`, `why` and `note` of an expectation are prose; of a reason only the name at its
//! beginning is compared.

mod edits;

use std::path::{Path, PathBuf};

use sprag_conformance::{Outcome, Tally, as_text, entries, field, read};
use sprag_core::Plain;
use sprag_core::pr::{ReviewTurn, answer};
use sprag_formats::pr::MetadataFile;

/// Runs every sample of a folder.
pub(crate) fn hold(folder: &Path, tally: &mut Tally) -> Result<(), String> {
    for path in samples(folder)? {
        let read_text = |path: &Path| {
            std::fs::read_to_string(path).map_err(|bad| format!("{}: {bad}", path.display()))
        };
        let text = read_text(&path)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        tally.add("edits", &name, edits::hold(&name, &text));
        let expected = path.with_extension("expect.json");
        if expected.is_file() {
            let expected = read(&read_text(&expected)?)?;
            tally.add("decisions", &name, decides(&text, &expected));
        }
    }
    Ok(())
}

/// Returns the samples, sorted.
fn samples(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let listing = std::fs::read_dir(folder).map_err(|bad| bad.to_string())?;
    let ends = |path: &PathBuf| path.extension().is_some_and(|end| end == "yaml" || end == "md");
    let found = listing.filter_map(|entry| Some(entry.ok()?.path())).filter(ends);
    let named = |path: &PathBuf| path.file_stem().is_some_and(|stem| stem != "README");
    let mut paths: Vec<_> = found.filter(named).collect();
    paths.sort();
    Ok(paths)
}

fn decides(text: &str, expected: &Plain) -> Outcome {
    let file = match MetadataFile::parse(text) {
        Ok(file) => file,
        Err(fault) => return Outcome::Failed(fault.to_string()),
    };
    let found = answer(file.metadata());
    for (key, value) in entries(expected) {
        let ours = field(&found, key);
        let same = match key.as_str() {
            "why" | "note" => true,
            "reason" => names(as_text(value), as_text(ours)),
            "storedTurn" | "computedTurn" => turn(value) == turn(ours),
            _ => fits(value, ours),
        };
        if !same {
            return Outcome::Failed(format!("{key}: expected {value:?}, found {ours:?}"));
        }
    }
    Outcome::Passed
}

/// Returns a turn in its canonical spelling, or the text as it is.
fn turn(plain: &Plain) -> Option<&str> {
    let text = as_text(plain)?;
    Some(ReviewTurn::parse(text).map_or(text, |turn| turn.as_str()))
}

/// Returns whether a reason for an end begins with sprag's name for it.
fn names(expected: Option<&str>, ours: Option<&str>) -> bool {
    let word = |text: &str| {
        let end = text.find(|c: char| !c.is_ascii_lowercase() && c != '_');
        text[..end.unwrap_or(text.len())].to_owned()
    };
    let codes = [
        "no_pr",
        "no_loop",
        "paused",
        "completed",
        "approved",
        "max_rounds",
        "ci_failed",
        "needs_fetch",
        "invalid_turn",
        "no_agent",
    ];
    let expected = word(expected.unwrap_or_default());
    !codes.contains(&expected.as_str()) || word(ours.unwrap_or_default()) == expected
}

/// Returns whether sprag's answer contains at least the expected values.
fn fits(expected: &Plain, ours: &Plain) -> bool {
    match expected {
        Plain::Map(map) => map.iter().all(|(key, value)| fits(value, field(ours, key))),
        Plain::Null
        | Plain::Bool(_)
        | Plain::Int(_)
        | Plain::Other(_)
        | Plain::Text(_)
        | Plain::List(_) => expected == ours,
    }
}

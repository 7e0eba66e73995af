//! Recognises the runners of an output by what they print, not by the command, which may be a
//! script, and not by the first line, which may be anything.

use super::counts::{TestCounts, counts};
use super::found::{Found, found};
use super::patterns::Text;
use super::rows::{Hides, Row, Work, rows};

/// A runner in an output, with what it told.
#[derive(Debug)]
pub(super) struct Recognised {
    pub(super) row: &'static Row,
    pub(super) names: Vec<Found>,
    pub(super) counts: TestCounts,
}

/// Returns the recognised runners. Several may have run in one script; a runner whose patterns only
/// match because another one runs it is left out.
pub(super) fn recognise(text: &Text, held_out: Option<&str>) -> Vec<Recognised> {
    let is_there = |row: &&Row| {
        Some(row.runner) != held_out && row.detect.iter().any(|pattern| text.has_line(*pattern))
    };
    let mut all: Vec<Recognised> = rows()
        .filter(is_there)
        .map(|row| Recognised { names: found(row, text), counts: counts(row, text), row })
        .collect();
    let hides: Vec<(&str, Hides)> = all.iter().map(|one| (one.row.runner, one.row.hides)).collect();
    let is_hidden = |runner: &str| {
        hides.iter().any(|(by, hides)| match hides {
            Hides::Nothing => false,
            Hides::Runners(names) => names.contains(&runner),
            Hides::Everything => *by != runner,
        })
    };
    all.retain(|one| !is_hidden(one.row.runner));
    let named =
        |work: &[Work]| all.iter().any(|one| work.contains(&one.row.work) && !one.names.is_empty());
    let (tests, others) =
        (named(&[Work::Tests]), named(&[Work::Tests, Work::Findings, Work::Compiler]));
    all.retain(|one| match one.row.work {
        Work::Tests | Work::Findings => true,
        Work::Compiler => !tests,
        Work::Wrapper => !others,
    });
    // The first tells the result if none has names.
    all.sort_by_key(|one| (one.names.is_empty(), one.counts.is_empty()));
    let named = all.iter().filter(|one| !one.names.is_empty()).count();
    all.truncate(named.max(1));
    all
}

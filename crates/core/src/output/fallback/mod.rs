//! Names and counts of runners that no row knows, by the forms that most of them share.

mod counts;
mod findings;
mod lists;
mod marks;
mod tidy;

pub(super) use tidy::is_file;

use super::counts::TestCounts;
use super::found::{Found, MOST};
use super::names::identity;
use super::patterns::Text;

/// What the usual forms show in an output.
#[derive(Debug, Default)]
pub(super) struct Marked {
    pub(super) names: Vec<Found>,
    pub(super) counts: TestCounts,
    /// A mark such as `×` may stand before any error. Only with counts, a word such as `FAILED` or a
    /// place in a file it is certainly a failure.
    pub(super) is_sure: bool,
    /// The names are files with rules.
    pub(super) are_findings: bool,
}

/// Returns the names of failed tests, else files with rules.
pub(super) fn marked(text: &Text) -> Marked {
    let counts = counts::counts(text);
    let (mut names, has_word) = marks::marks(text);
    let listed = lists::lists(text);
    let is_sure = has_word || !listed.is_empty() || !counts.is_empty();
    names.extend(listed);
    let names = pruned(names);
    if !names.is_empty() {
        return Marked { names, counts, is_sure, are_findings: false };
    }
    let names = pruned(findings::findings(text));
    Marked { is_sure: !names.is_empty(), are_findings: !names.is_empty(), names, counts }
}

/// Removes repetitions: a test may be named in the progress, above its details and in a list, with
/// its groups or without them. The longest form stays.
fn pruned(mut all: Vec<Found>) -> Vec<Found> {
    all.truncate(MOST);
    for one in &mut all {
        one.shown = tidy::tidy(&one.shown);
    }
    all.retain(|one| tidy::is_name(&one.shown));
    if all.iter().any(|one| !tidy::is_file(&one.shown)) {
        let names_files =
            all.iter().any(|one| one.shown.contains(' ') && tidy::has_file(&one.shown));
        all.retain(|one| names_files || !tidy::is_file(&one.shown));
    }
    all.sort_by_key(|one| one.line);
    let identities: Vec<String> = all.iter().map(|one| identity(&one.shown)).collect();
    let is_repeated = |at: usize| {
        let own = &identities[at];
        let earlier = identities[..at].contains(own);
        let is_part = |other: &String| {
            let end =
                other.strip_suffix(own.as_str()).is_some_and(|start| start.ends_with([' ', '.']));
            let group = other.strip_prefix(own.as_str()).is_some_and(|rest| rest.starts_with('/'));
            end || group
        };
        earlier || identities.iter().any(is_part)
    };
    let kept = (0..all.len()).filter(|at| !is_repeated(*at));
    kept.map(|at| all[at].clone()).collect()
}

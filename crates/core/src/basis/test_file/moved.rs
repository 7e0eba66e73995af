//! Tests that have another name and the same bytes.

use std::collections::{BTreeMap, BTreeSet};

use super::name::{Mark, kind};
use crate::Hash;

/// Finds for each test that is gone the new file that has its bytes, where a runner finds that one
/// just as well: it has the same mark in its name and ending, and it stands in the same folder or in
/// one where such a test stood before.
///
/// Needs all tests at once: one new file stands for one that is gone. `stood` are the tests that were
/// there when the unit began.
pub fn moved<'a>(
    gone: &BTreeMap<&'a str, Hash>,
    new: &BTreeMap<&'a str, Hash>,
    stood: impl IntoIterator<Item = &'a str>,
) -> BTreeMap<&'a str, &'a str> {
    let known: BTreeSet<_> = stood.into_iter().chain(gone.keys().copied()).map(place).collect();
    let mut free: BTreeMap<Hash, Vec<&str>> = BTreeMap::new();
    for (path, hash) in new {
        free.entry(*hash).or_default().push(path);
    }
    let mut pairs = BTreeMap::new();
    for (path, hash) in gone {
        let Some(candidates) = free.get_mut(hash) else { continue };
        let is_found = |other: &&str| {
            let (from, to) = (place(path), place(other));
            let looks_alike = (&from.mark, from.ending) == (&to.mark, to.ending);
            kind(path) == kind(other) && looks_alike && known.contains(&to)
        };
        if let Some(at) = candidates.iter().position(is_found) {
            pairs.insert(*path, candidates.swap_remove(at));
        }
    }
    pairs
}

/// What decides whether a runner finds a test.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place<'a> {
    folder: &'a str,
    /// The part of its name that makes it a test, to the letter.
    mark: String,
    /// `test.ts` of `a.test.ts`.
    ending: &'a str,
}

fn place(path: &str) -> Place<'_> {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let (stem, ending) = name.split_once('.').unwrap_or((name, ""));
    let is_between = |c: char| c == '_' || c == '-';
    let mark = match Mark::of(name) {
        Some(Mark::First) => stem.split_inclusive(is_between).next().unwrap_or_default(),
        Some(Mark::Last) => stem.rfind(is_between).map_or(stem, |at| &stem[at..]),
        Some(Mark::Class) => {
            let ends = ["Tests", "Test", "Spec", "IT"];
            ends.into_iter().find(|end| stem.ends_with(end)).unwrap_or_default()
        }
        Some(Mark::Part) | None => "",
    };
    Place { folder, mark: mark.to_owned(), ending }
}

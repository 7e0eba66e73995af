//! Tests that have another name and the same bytes.

use std::collections::{BTreeMap, BTreeSet};

use super::name::{Mark, kind};
use crate::Hash;

/// How the names of tests end whose runners look into every folder below.
const LOOKS_BELOW: [&str; 18] = [
    "cjs", "cs", "cts", "dart", "exs", "groovy", "java", "js", "jsx", "kt", "mjs", "mts", "php",
    "py", "rb", "ts", "tsx", "vue",
];

/// Folders that runners pass over, besides those whose names begin with a dot or a line.
const PASSED_OVER: [&str; 9] =
    ["build", "coverage", "dist", "node_modules", "out", "target", "tmp", "vendor", "venv"];

/// Into which folders the runner of Python's tests looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PythonFolders {
    /// Into all, as pytest does.
    All,
    /// Only into packages, as unittest does.
    Packages,
}

/// Finds for each test that is gone the new file that has its bytes, where a runner finds that one
/// just as well: it has the same mark in its name and ending, and it stands in the same folder, in
/// one where such a test stood before, or below one if runners of its language look there.
///
/// Needs all tests at once: one new file stands for one that is gone. `stood` are the tests that were
/// there when the unit began.
pub fn moved<'a>(
    gone: &BTreeMap<&'a str, Hash>,
    new: &BTreeMap<&'a str, Hash>,
    stood: impl IntoIterator<Item = &'a str>,
    python: PythonFolders,
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
            let is_known = known.contains(&to) || is_below(&to, &known, python);
            kind(path) == kind(other) && looks_alike && is_known
        };
        if let Some(at) = candidates.iter().position(is_found) {
            pairs.insert(*path, candidates.swap_remove(at));
        }
    }
    pairs
}

/// Returns whether a place lies below a known one, in folders that its runner looks into.
fn is_below(place: &Place<'_>, known: &BTreeSet<Place<'_>>, python: PythonFolders) -> bool {
    let language = place.ending.rsplit('.').next().unwrap_or_default();
    let only_packages = language == "py" && python == PythonFolders::Packages;
    if place.mark.is_empty() || only_packages || !LOOKS_BELOW.contains(&language) {
        return false;
    }
    let mut folder = place.folder;
    while !folder.is_empty() {
        let (above, name) = folder.rsplit_once('/').unwrap_or(("", folder));
        if name.starts_with(['.', '_']) || PASSED_OVER.contains(&name) {
            return false;
        }
        folder = above;
        if known.contains(&Place { folder, ..place.clone() }) {
            return true;
        }
    }
    false
}

/// What decides whether a runner finds a test.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
        Some(Mark::Part) => ".",
        None => "",
    };
    Place { folder, mark: mark.to_owned(), ending }
}

//! Finds tests that have another name and the same bytes.

use std::collections::{BTreeMap, BTreeSet};

use super::name::{NameMark, kind};
use super::passed_over::PassedOver;
use crate::Hash;

/// Extensions of tests whose runners search all subfolders.
const LOOKS_BELOW: [&str; 18] = [
    "cjs", "cs", "cts", "dart", "exs", "groovy", "java", "js", "jsx", "kt", "mjs", "mts", "php",
    "py", "rb", "ts", "tsx", "vue",
];

/// Folders that runners skip, besides those whose names begin with `.` or `_`.
const PASSED_OVER: [&str; 9] =
    ["build", "coverage", "dist", "node_modules", "out", "target", "tmp", "vendor", "venv"];

/// Which folders the Python test runner searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PythonFolders {
    /// All folders, as pytest does.
    All,
    /// Packages only, as unittest does.
    Packages,
}

/// Pairs each missing test with a new file that has its bytes, if a runner finds that file just as
/// well: it has the same mark in its name and the same ending, nothing else in its name makes a
/// runner pass it over, and it is in the same folder, in a folder that held such a test before, or
/// below one if runners of its language search there. `is_named` returns whether the commands that
/// name the missing test name the new one as well.
///
/// Needs all tests at once: each new file replaces one missing test. `stood` are the tests that
/// existed when the unit began.
pub fn moved<'a>(
    gone: &BTreeMap<&'a str, Hash>,
    new: &BTreeMap<&'a str, Hash>,
    stood: impl IntoIterator<Item = &'a str>,
    python: PythonFolders,
    is_named: impl Fn(&str, &str) -> bool,
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
            let looks_alike = (&from.mark, from.ending) == (&to.mark, to.ending)
                && PassedOver::of(name_of(path)) == PassedOver::of(name_of(other));
            let is_compiled =
                to.ending != "rs" || from.folder == to.folder || from.is_target() && to.is_target();
            let is_known = known.contains(&to) || is_below(&to, &known, python);
            kind(path) == kind(other)
                && looks_alike
                && is_compiled
                && is_known
                && is_named(path, other)
        };
        if let Some(at) = candidates.iter().position(is_found) {
            pairs.insert(*path, candidates.swap_remove(at));
        }
    }
    pairs
}

/// Returns whether a place is below a known one, in folders that its runner searches.
fn is_below(place: &Discovery<'_>, known: &BTreeSet<Discovery<'_>>, python: PythonFolders) -> bool {
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
        if known.contains(&Discovery { folder, ..place.clone() }) {
            return true;
        }
    }
    false
}

/// The properties by which a runner finds a test.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Discovery<'a> {
    folder: &'a str,
    /// The part of the file name that marks it as a test, verbatim.
    mark: String,
    /// `test.ts` in `a.test.ts`.
    ending: &'a str,
}

impl Discovery<'_> {
    /// Returns whether cargo takes each file of the folder as a test of its own. Elsewhere only a
    /// `mod` line takes one.
    fn is_target(&self) -> bool {
        name_of(self.folder) == "tests"
    }
}

fn name_of(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

fn place(path: &str) -> Discovery<'_> {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let name = name_of(path);
    let (stem, ending) = name.split_once('.').unwrap_or((name, ""));
    let is_between = |c: char| c == '_' || c == '-';
    let mark = match NameMark::of(name) {
        Some(NameMark::First) => stem.split_inclusive(is_between).next().unwrap_or_default(),
        Some(NameMark::Last) => stem.rfind(is_between).map_or(stem, |at| &stem[at..]),
        Some(NameMark::Class) => {
            let ends = ["Tests", "Test", "Spec", "IT"];
            ends.into_iter().find(|end| stem.ends_with(end)).unwrap_or_default()
        }
        Some(NameMark::Part) => ".",
        // Python's own runner takes every such name.
        None if ending == "py" && stem.starts_with("test") => "test",
        None => "",
    };
    Discovery { folder, mark: mark.to_owned(), ending }
}

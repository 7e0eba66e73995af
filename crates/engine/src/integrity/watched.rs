//! The files whose changes are compared: tests, sources that may contain tests, and files that
//! count as tests although their names do not show it.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use sprag_core::Hash;
use sprag_core::basis::{is_marked_test, is_test, is_test_code};
use sprag_world::tree::{self, File, Tree};

use super::baseline::{GateBaseline, is_rust};
use super::files;

/// How many files may count as tests although their names do not show it.
const MOST: usize = 2_000;

/// Returns whether the name of a file shows that it may contain tests.
pub(crate) fn is_watched(path: &str) -> bool {
    is_test(path) || is_rust(path)
}

/// Returns a file's path as text. A path that is not UTF-8 gets a text that no file is found by, so
/// a change of such a file is a change of unknown content.
pub(crate) fn name(file: &File) -> Cow<'_, str> {
    match str::from_utf8(&file.path) {
        Ok(path) => Cow::Borrowed(path),
        Err(_) => Cow::Owned(file.path.escape_ascii().to_string()),
    }
}

/// Returns the present files that `counts` selects, with their hashes. A file that counts as a test
/// is read even if git ignores it.
pub(crate) fn present(
    root: &Path,
    tree: &Tree,
    unnamed: &BTreeSet<String>,
    counts: impl Fn(&str) -> bool,
) -> BTreeMap<String, Hash> {
    let all = tree.files().iter().map(|file| (name(file), file.content));
    let mut found: BTreeMap<String, Hash> = all
        .filter(|(path, _)| counts(path) || unnamed.contains(&**path))
        .map(|(path, content)| (path.into_owned(), content))
        .collect();
    for path in unnamed {
        if !found.contains_key(path)
            && let Some(content) = tree::content(root, path)
        {
            found.insert(path.clone(), content);
        }
    }
    found
}

/// Returns the files that count as tests although their names do not show it: the targets of links
/// under which runners find tests, and the files that these gates' commands say.
pub(crate) fn unnamed<'g>(
    root: &Path,
    tree: &Tree,
    gates: impl Iterator<Item = &'g GateBaseline>,
) -> BTreeSet<String> {
    let said = gates.flat_map(|gate| gate.definition.counted_as_tests()).map(str::to_owned);
    let links = tree.files().iter().filter(|file| file.is_link);
    let links = links.filter_map(|file| str::from_utf8(&file.path).ok());
    let behind = links.flat_map(|link| behind(root, tree, link));
    said.chain(behind.filter(|path| !is_test(path))).take(MOST).collect()
}

/// Returns the files that runners find through a link as tests. Other files behind a link in a test
/// folder may be the code under test.
fn behind(root: &Path, tree: &Tree, link: &str) -> Vec<String> {
    let is_in_tests = |folder: &str| is_test_code(&format!("{folder}/x.py"));
    if !is_test(link) && !is_in_tests(link) {
        return Vec::new();
    }
    let Some(target) = files::target(root, link) else { return Vec::new() };
    if !root.join(&target).is_dir() {
        return if is_marked_test(link) { vec![target] } else { Vec::new() };
    }
    let folder = link.rsplit_once('/').map_or("", |(folder, _)| folder);
    let is_test_folder = is_in_tests(link) && !is_in_tests(folder);
    let start = format!("{target}/");
    let all = tree.files().iter().filter_map(|file| str::from_utf8(&file.path).ok());
    let inner = all.filter_map(|path| Some((path, path.strip_prefix(&start)?)));
    let is_found = |rest: &str| is_test_folder || is_marked_test(&format!("{link}/{rest}"));
    inner.filter(|(_, rest)| is_found(rest)).map(|(path, _)| path.to_owned()).collect()
}

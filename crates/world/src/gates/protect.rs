//! Fingerprints the files that must not change for a pass to count.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use sprag_core::{Glob, Hash};

use crate::tree::{self, File, Tree};

/// The most ignored files that are protected.
const MOST_IGNORED: usize = 2_000;
/// The most entries of folders that the search for them looks at.
const MOST_ENTRIES: usize = 20_000;

/// Returns one hash of all protected files, or `None` without globs.
pub fn fingerprint(tree: &Tree, globs: &[Glob]) -> Option<Hash> {
    if globs.is_empty() {
        return None;
    }
    let mut whole = Vec::new();
    for file in matching(tree, globs) {
        whole.extend_from_slice(&file.path);
        whole.push(0);
        whole.extend_from_slice(file.content.to_string().as_bytes());
    }
    Some(Hash::of(whole))
}

/// Returns the hashes of the protected files by name, so that a later change can be named.
pub fn files(root: &Path, tree: &Tree, globs: &[Glob]) -> BTreeMap<String, Hash> {
    let name = |file: &File| String::from_utf8_lossy(&file.path).into_owned();
    let mut all: BTreeMap<String, Hash> =
        matching(tree, globs).map(|file| (name(file), file.content)).collect();
    for path in ignored(root, tree, globs) {
        all.extend(tree::content(root, &path).map(|content| (path, content)));
    }
    all
}

/// Returns the protected files that git ignores. They are searched for in the folders that the
/// globs begin with: a glob that begins with `*` protects no ignored file.
pub fn ignored(root: &Path, tree: &Tree, globs: &[Glob]) -> BTreeSet<String> {
    let mut listed: Option<BTreeSet<&[u8]>> = None;
    let (mut found, mut entries) = (BTreeSet::new(), 0);
    for glob in globs {
        let text = glob.as_str();
        let literal = text.split('/').take_while(|name| !name.contains(['*', '?', '[', '{']));
        let literal = literal.collect::<Vec<_>>().join("/");
        let mut left = if literal.is_empty() { Vec::new() } else { vec![literal] };
        while let Some(path) = left.pop() {
            entries += 1;
            if entries > MOST_ENTRIES || found.len() == MOST_IGNORED {
                return found;
            }
            let whole = root.join(&path);
            let Ok(meta) = whole.symlink_metadata() else { continue };
            if meta.is_dir() {
                let inner = std::fs::read_dir(&whole).into_iter().flatten().flatten();
                let names = inner.filter_map(|entry| entry.file_name().into_string().ok());
                left.extend(names.map(|name| format!("{path}/{name}")));
            } else if glob.matches(path.as_bytes()) {
                let listed = listed.get_or_insert_with(|| {
                    tree.files().iter().map(|file| file.path.as_slice()).collect()
                });
                if meta.is_file() && !listed.contains(path.as_bytes()) {
                    found.insert(path);
                }
            }
        }
    }
    found
}

/// Returns the names of added, removed and changed files.
pub fn changed(before: &BTreeMap<String, Hash>, after: &BTreeMap<String, Hash>) -> Vec<String> {
    let gone = before.keys().filter(|name| !after.contains_key(*name));
    let new = after.iter().filter(|(name, hash)| before.get(*name) != Some(hash));
    let mut names: Vec<String> = gone.chain(new.map(|(name, _)| name)).cloned().collect();
    names.sort();
    names
}

fn matching<'a>(tree: &'a Tree, globs: &'a [Glob]) -> impl Iterator<Item = &'a File> {
    tree.files().iter().filter(|file| globs.iter().any(|glob| glob.matches(&file.path)))
}

//! Fingerprints the files that must not change for a pass to count.

use std::collections::BTreeMap;

use sprag_core::{Glob, Hash};

use crate::tree::{File, Tree};

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
pub fn files(tree: &Tree, globs: &[Glob]) -> BTreeMap<String, Hash> {
    let name = |file: &File| String::from_utf8_lossy(&file.path).into_owned();
    matching(tree, globs).map(|file| (name(file), file.content)).collect()
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

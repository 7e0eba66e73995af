//! T14: names from outside never lead out of the project.

use std::path::{Component, Path};

use sprag_core::{DocPath, Id};
use sprag_proof::edits::Word;
use sprag_store::StoreError;
use sprag_testkit::folder;
use sprag_testkit::seed::Seed;
use sprag_testkit::skip;

use crate::project::Project;

/// Path parts that have misled programs, among harmless ones.
const PIECES: &[&str] = &[
    "..",
    ".",
    "/",
    "//",
    "\\",
    "\0",
    "\n",
    "\r",
    "\t",
    "-",
    "--",
    "~",
    ":",
    "%2e%2e",
    "$(id)",
    "`id`",
    "${HOME}",
    "\u{1b}[2J",
    "\u{202e}",
    "é",
    "e\u{301}",
    "ａ",
    "․․",
    "／",
    "CON",
    "nul.txt",
    "com1",
    " ",
    "a",
    "b",
    "x",
    ".git",
    ".sprag",
    "lock",
    "journal",
    "C:",
    "*",
    "?",
    "'",
    "\"",
    "\u{7f}",
    "wt:",
    "....",
    "a/../..",
    "/etc/passwd",
];

fn hostile(seed: &mut Seed) -> String {
    let count = seed.below(6) + 1;
    let mut name: String = (0..count).map(|_| *seed.pick(PIECES)).collect();
    if seed.below(50) == 0 {
        name = name.repeat(60);
    }
    name
}

/// Returns whether `path` can only name something below the folder it is joined to.
fn stays_inside(path: &str) -> bool {
    let plain = |part: Component<'_>| matches!(part, Component::Normal(_));
    !path.contains('\0') && Path::new(path).components().all(plain)
}

#[test]
fn random_names_are_refused_or_stay_inside() {
    let count = if skip::is_long() { 1_000_000 } else { 10_000 };
    let (mut seed, mut ids, mut paths) = (Seed::new(14), 0, 0);
    for _ in 0..count {
        let name = hostile(&mut seed);
        if let Ok(id) = Id::parse(&name) {
            ids += 1;
            assert!(stays_inside(id.as_str()) && !name.contains(['/', '\\']), "{name:?}");
        }
        if let Ok(path) = DocPath::parse(&name) {
            paths += 1;
            assert!(stays_inside(path.as_str()), "{name:?}");
            assert!(Path::new("/root").join(path.as_str()).starts_with("/root"), "{name:?}");
        }
    }
    assert!(ids > count / 200 && paths > count / 200, "too few were taken: {ids} {paths}");
    assert!(ids < count / 2 && paths < count / 2, "too few were refused: {ids} {paths}");
}

#[test]
fn what_is_committed_under_odd_names_lands_inside() {
    let project = Project::new();
    let outside = || -> Vec<(String, folder::Entry)> {
        let all = folder::entries(project.scratch()).unwrap();
        all.into_iter().filter(|(name, _)| !name.starts_with("machine/root/")).collect()
    };
    std::fs::write(project.scratch().join("canary"), "untouched").unwrap();
    let (before, mut seed, mut written) = (outside(), Seed::new(15), 0);
    let count = if skip::is_long() { 1500 } else { 150 };
    while written < count {
        let Ok(path) = DocPath::parse(&hostile(&mut seed)) else { continue };
        let read = project.store().read(|view| Ok::<_, StoreError>(view.read(&path)));
        read.unwrap_or_else(|error| panic!("{path:?}: {error}"));
        if path.as_str().contains('=') || path.names().next() == Some(".sprag") {
            continue;
        }
        written += 1;
        // The store may refuse a name that is too long for the disk, or a folder at a file's path.
        let words = [Word::Write(path.clone(), path.to_string())];
        if crate::project::commit_words(&project.store(), &words).is_ok() {
            assert_eq!(project.disk(path.as_str()).as_deref(), Some(path.as_str()));
        }
    }
    assert_eq!(outside(), before);
    assert!(folder::entries(&project.root).unwrap().len() > 40, "hardly anything was written");
}

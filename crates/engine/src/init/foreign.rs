//! Finds the state of other systems, which stays where it is.

use std::io::Read as _;
use std::path::Path;

use sprag_core::systems::{SYSTEMS, System};

use crate::gsd::FOLDER;

/// The state of another system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Foreign {
    /// Its folder.
    pub path: &'static str,
    /// The name of the system.
    pub what: &'static str,
}

/// Returns the other systems in the project at `root`.
pub fn find(root: &Path) -> Vec<Foreign> {
    let there = SYSTEMS.into_iter().filter(|system| root.join(system.folder).is_dir());
    there.map(|system| Foreign { path: system.folder, what: what(root, &system) }).collect()
}

fn what(root: &Path, system: &System) -> &'static str {
    if system.folder == FOLDER { gsd(&root.join(FOLDER)) } else { system.what }
}

/// How many bytes of a document are read.
const MOST: u64 = 1 << 20;

/// Returns whether a document contains the state of a loop.
fn has_loop(path: &Path) -> bool {
    let mut text = Vec::new();
    let file = sprag_store::peek(path);
    let read = file.is_ok_and(|file| file.take(MOST).read_to_end(&mut text).is_ok());
    read && text.split(|byte| *byte == b'\n').any(|line| line.starts_with(b"loop:"))
}

/// Tells apart the two systems that keep their state in `.gsd`.
fn gsd(folder: &Path) -> &'static str {
    let has = |names: &[&str]| names.iter().any(|name| folder.join(name).exists());
    let opti = has(&["config.md", "plans"]) || has_loop(&folder.join("STATE.md"));
    match (opti, has(&["milestones", "PREFERENCES.md", "gsd.db"])) {
        (true, true) => "opti-gsd and GSD",
        (true, false) => "opti-gsd",
        (false, true) => "GSD",
        (false, false) => "of no kind that is known",
    }
}

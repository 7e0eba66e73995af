//! Finds the loop to resume below a folder without one: working trees are often kept there.

use std::path::{Path, PathBuf};

use sprag_engine::pr::METADATA;
use sprag_store::Place;
use sprag_world::root::{self, RootSearch};

use crate::codes::Code;
use crate::exit::Exit;
use crate::fault::{EarlyExit, Fault};

/// The maximum depth of the search.
const DEEP: usize = 6;
/// The most folders to search.
const FOLDERS: usize = 20_000;
/// Folders that never contain a working tree.
const SKIPPED: [&str; 4] = [".git", "node_modules", "target", ".sprag"];

/// Returns the project itself if it has a loop, else the only one below it; several are an error.
pub(super) fn find(place: Place) -> Result<Place, EarlyExit> {
    if place.root.join(METADATA).is_file() {
        return Ok(place);
    }
    let mut found = below(&place.root);
    match (found.pop(), found.is_empty()) {
        (None, _) => Ok(place),
        (Some(one), true) => {
            let start = RootSearch { folder: &one, home: None, named: Some(&one) };
            Ok(root::find(start)?.unwrap_or(place))
        }
        (Some(last), false) => {
            found.push(last);
            let names: Vec<_> = found.iter().map(|one| one.display().to_string()).collect();
            let message = format!("there are several: {}", names.join(", "));
            let help = "say which: `sprag pr resume --worktree DIR`";
            Err(Fault::new(Exit::NeedsPerson, Code::Refused, message).help(help).into())
        }
    }
}

/// Returns the folders below with a loop's file, sorted.
fn below(top: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut left = vec![(top.to_path_buf(), 0)];
    let mut seen = 0;
    while let Some((folder, depth)) = left.pop() {
        seen += 1;
        if folder.join(METADATA).is_file() {
            found.push(folder.clone());
        }
        if depth >= DEEP || seen >= FOLDERS {
            continue;
        }
        let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        for entry in entries {
            // Links are not followed: they may lead anywhere, and in circles.
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            let skipped = SKIPPED.iter().any(|name| entry.file_name() == *name);
            if is_folder && !skipped {
                left.push((entry.path(), depth + 1));
            }
        }
    }
    found.sort();
    found
}

//! Reads a GSD tree from disk and determines its kind.
//!
//! Only the necessary files are read, and no link is followed. Unreadable parts are reported as
//! unknown, and then nothing is dispatched.

mod disk;
mod era;
mod telling;

use std::io::Read as _;
use std::path::Path;

use sprag_core::gsd::Reading;
use sprag_formats::gsd::{Depth, Files as _, Loaded, load};
use sprag_store::{PathError, Place};

pub use disk::Disk;
pub use era::Era;
pub use telling::{Other, Telling, tell};

pub const FOLDER: &str = ".gsd";
/// The documents of a tree, as a prefix of their paths.
pub(crate) const DOCUMENTS: &str = ".gsd/";

/// Returns whether a project has a milestone tree, by its folder alone.
pub(crate) fn has_tree(place: &Place) -> bool {
    place.root.join(DOCUMENTS).join("milestones").is_dir()
}

/// A tree and its kind.
#[derive(Debug)]
pub struct TreeFound {
    pub era: Era,
    pub loaded: Loaded,
}

/// Why there is no tree to read.
#[derive(Debug, thiserror::Error)]
pub enum NoTree {
    #[error("no GSD tree here: `.gsd` has no `milestones`, `PREFERENCES.md` or `gsd.db`")]
    Absent,
    /// The layout is not supported.
    #[error(
        "`.gsd/phases` without `.gsd/milestones` is the flat layout of gsd-pi, which this sprag does \
         not read: nothing is dispatched and nothing is written"
    )]
    Flat,
    /// The tree exists only in a database.
    #[error(
        "`.gsd/gsd.db` has the whole tree and no Markdown is beside it: sprag does not open it; \
         have GSD write its Markdown, then look again"
    )]
    OnlyDatabase,
    #[error(transparent)]
    Unreadable(#[from] PathError),
}

/// Reads the tree of a project. `home` holds the person's preferences for all projects.
pub fn look(
    root: &Path,
    home: Option<&Path>,
    depth: Depth,
    reading: Reading,
) -> Result<TreeFound, NoTree> {
    let disk = Disk::open(&root.join(FOLDER))?.ok_or(NoTree::Absent)?;
    let era = match Era::of(&disk) {
        Era::None => return Err(NoTree::Absent),
        Era::Flat => return Err(NoTree::Flat),
        Era::Database if !has_markdown(&disk) => return Err(NoTree::OnlyDatabase),
        era @ (Era::Markdown | Era::Database) => era,
    };
    let person = home.and_then(preferences);
    let loaded = load(&disk, person.as_deref(), depth, reading);
    Ok(TreeFound { era, loaded })
}

/// Returns whether there are milestone files besides the database; assumes so if the folder cannot
/// be read.
fn has_markdown(disk: &Disk) -> bool {
    match disk.list("milestones") {
        Ok(found) => found.is_some_and(|entries| !entries.is_empty()),
        Err(_) => true,
    }
}

/// Returns whether a project has a GSD tree of any kind.
pub fn is_tree(root: &Path) -> bool {
    let disk = Disk::open(&root.join(FOLDER)).ok().flatten();
    disk.is_some_and(|disk| Era::of(&disk) != Era::None)
}

/// How many bytes of a person's preferences are read.
const CAP: u64 = 1 << 20;

/// Returns the text of the person's own preferences.
pub(crate) fn preferences(home: &Path) -> Option<String> {
    ["PREFERENCES.md", "preferences.md"].iter().find_map(|name| {
        let file = sprag_store::peek(&home.join(FOLDER).join(name)).ok()?;
        let mut text = String::new();
        file.take(CAP).read_to_string(&mut text).ok()?;
        Some(text)
    })
}

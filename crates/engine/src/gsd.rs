//! A GSD tree on the disk: which kind it is, and what is in it.
//!
//! Only what the answer needs is read, through one door that follows no link, and what cannot be
//! read is Unknown: it is said, and nothing is dispatched.

mod disk;
mod era;
mod telling;

use std::io::Read as _;
use std::path::Path;

use sprag_core::gsd::Reading;
use sprag_formats::gsd::{Depth, Files as _, Loaded, load};
use sprag_store::PathError;

pub use disk::Disk;
pub use era::Era;
pub use telling::{Other, Telling, tell};

/// The folder of a tree.
pub const FOLDER: &str = ".gsd";

/// A tree, and which kind it is.
#[derive(Debug)]
pub struct Looked {
    /// Which kind it is.
    pub era: Era,
    /// What is in it.
    pub loaded: Loaded,
}

/// Says why there is no tree to look at.
#[derive(Debug, thiserror::Error)]
pub enum NoTree {
    /// There is none.
    #[error("no GSD tree here: `.gsd` has no `milestones`, `PREFERENCES.md` or `gsd.db`")]
    Absent,
    /// It is of a kind that is not known.
    #[error(
        "`.gsd/phases` without `.gsd/milestones` is the flat layout of gsd-pi, which this sprag does \
         not read: nothing is dispatched and nothing is written"
    )]
    Flat,
    /// Only a database has it.
    #[error(
        "`.gsd/gsd.db` has the whole tree and no Markdown is beside it: sprag does not open it; \
         have GSD write its Markdown, then look again"
    )]
    OnlyDatabase,
    /// Its folder cannot be opened.
    #[error(transparent)]
    Unreadable(#[from] PathError),
}

/// Looks at the tree of a project; `home` is where the person keeps preferences for all of them.
pub fn look(
    root: &Path,
    home: Option<&Path>,
    depth: Depth,
    reading: Reading,
) -> Result<Looked, NoTree> {
    let disk = Disk::open(&root.join(FOLDER))?.ok_or(NoTree::Absent)?;
    let era = match Era::of(&disk) {
        Era::None => return Err(NoTree::Absent),
        Era::Flat => return Err(NoTree::Flat),
        Era::Database if !has_markdown(&disk) => return Err(NoTree::OnlyDatabase),
        era @ (Era::Markdown | Era::Database) => era,
    };
    let person = home.and_then(preferences);
    let loaded = load(&disk, person.as_deref(), depth, reading);
    Ok(Looked { era, loaded })
}

/// Returns whether milestones stand beside a database; what cannot be read may be some.
fn has_markdown(disk: &Disk) -> bool {
    match disk.list("milestones") {
        Ok(found) => found.is_some_and(|entries| !entries.is_empty()),
        Err(_) => true,
    }
}

/// Says whether a project has a tree of GSD's, of whichever kind.
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

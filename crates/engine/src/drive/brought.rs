//! What an agent left in a worktree of its own and the project must know of.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use sprag_core::event::{WorkConflicted, WorkStrayed};
use sprag_core::{DocPath, Fence, RunId, UnitId};
use sprag_store::{Edit, MAX_DOCUMENT};

use super::{ACTOR, open};
use crate::engine::{Engine, EngineError, PATIENT};
use crate::live::Live;
use crate::sitting::Now;
use crate::tree::{File, Tree};
use crate::tx::Draft;

impl Engine<'_> {
    /// Takes the report of a verification that was written in a worktree over into the project,
    /// where it is judged by.
    pub fn drive_bring_report(&self, run: &RunId, folder: &Path) -> Result<(), EngineError> {
        let now = Now::new(self);
        self.commit(ACTOR, PATIENT, |view| {
            let case = open(view, run, &now)?;
            let mut draft = Draft::default();
            let Live::Plan(held) = &case.run.live else { return Ok((draft, ())) };
            let name = format!("{}/VERIFICATION.md", held.docs.folder);
            if let Some(text) = read(&folder.join(&name)) {
                draft.edit(Edit::Write { doc: DocPath::parse(&name)?, text });
            }
            Ok((draft, ()))
        })
    }

    /// Takes note that an agent went beyond its unit: files that it does not name, or what it left
    /// behind.
    pub fn drive_strayed(
        &self,
        run: &RunId,
        fence: Fence,
        unit: &UnitId,
        what: &[String],
    ) -> Result<(), EngineError> {
        self.commit(ACTOR, PATIENT, |_| {
            let more = what.len().saturating_sub(STRAYS);
            let more = (more > 0).then(|| format!("and {more} more"));
            let what = what.iter().take(STRAYS).chain(&more).cloned().collect();
            let mut draft = Draft::default();
            let strayed = WorkStrayed { fence, unit: unit.to_string(), what };
            draft.note(Some(run), strayed);
            Ok((draft, ()))
        })
    }
}

impl Engine<'_> {
    /// Takes note that an agent is given files to bring in order: it may drop what others did there.
    pub fn drive_conflicted(
        &self,
        run: &RunId,
        fence: Fence,
        unit: &UnitId,
        files: &[PathBuf],
    ) -> Result<(), EngineError> {
        self.commit(ACTOR, PATIENT, |_| {
            let name = |file: &PathBuf| file.to_string_lossy().into_owned();
            let what = files.iter().take(STRAYS).map(name).collect();
            let mut draft = Draft::default();
            let conflicted = WorkConflicted { fence, unit: unit.to_string(), what };
            draft.note(Some(run), conflicted);
            Ok((draft, ()))
        })
    }

    /// Returns the files of the project itself, for whoever must know whether they change meanwhile;
    /// nothing where nobody can tell.
    pub fn drive_files(&self) -> Option<Tree> {
        Tree::take_unless(self.place, self.environment, self.stop.as_ref()).ok()
    }

    /// Returns the name of a file below the root where it is one of those that gates are about.
    pub fn judged_file(&self, path: &Path) -> Option<String> {
        let real = |path: &Path| std::fs::canonicalize(path).ok();
        let (path, root) = (real(path)?, real(&self.place.root)?);
        let below = path.strip_prefix(root).ok()?;
        let tree = self.drive_files()?;
        let is_it = |file: &File| file.path == below.as_os_str().as_encoded_bytes();
        tree.files().iter().any(is_it).then(|| below.display().to_string())
    }
}

/// So many files of one turn are kept by name.
const STRAYS: usize = 64;

/// Reads a text that is no larger than a document may be; a link is not followed.
pub(super) fn read(path: &Path) -> Option<String> {
    path.symlink_metadata().ok().filter(std::fs::Metadata::is_file)?;
    let mut text = String::new();
    let most = MAX_DOCUMENT as u64;
    let file = std::fs::File::open(path).ok()?;
    file.take(most + 1).read_to_string(&mut text).ok()?;
    (text.len() as u64 <= most).then_some(text)
}

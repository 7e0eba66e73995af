//! Records what an agent left in its own worktree and the project needs.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use sprag_core::event::{WorkConflicted, WorkStrayed};
use sprag_core::{DocPath, Fence, RunId, UnitId};
use sprag_store::{Edit, MAX_DOCUMENT};
use sprag_world::tree::{File, Tree};

use super::{ACTOR, open};
use crate::draft::Draft;
use crate::engine::{Engine, EngineError, PATIENT};
use crate::now::Now;

impl Engine<'_> {
    /// Copies a verification report from a worktree into the project, where it is judged.
    pub fn drive_bring_report(&self, run: &RunId, folder: &Path) -> Result<(), EngineError> {
        let now = Now::new(self);
        self.commit(ACTOR, PATIENT, |view| {
            let case = open(view, run, &now)?;
            let mut draft = Draft::default();
            let Some(name) = case.run.live.report_file() else { return Ok((draft, ())) };
            if let Some(text) = read(&folder.join(&name)) {
                draft.edit(Edit::Write { doc: DocPath::parse(&name)?, text });
            }
            Ok((draft, ()))
        })
    }

    /// Records that an agent went beyond its unit: files outside of it, or processes left behind.
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
    /// Records that an agent gets files with conflicts to resolve: it may drop the work of others.
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

    /// Scans the project's own files, for a caller that watches for changes. `None` if they cannot
    /// be listed.
    pub fn drive_files(&self) -> Option<Tree> {
        Tree::take_unless(self.place, self.environment, self.stop.as_ref()).ok()
    }

    /// Returns the path of a file relative to the root, if it is one that gates judge.
    pub fn judged_file(&self, path: &Path) -> Option<String> {
        let real = |path: &Path| std::fs::canonicalize(path).ok();
        let (path, root) = (real(path)?, real(&self.place.root)?);
        let below = path.strip_prefix(root).ok()?;
        let tree = self.drive_files()?;
        let is_it = |file: &File| file.path == below.as_os_str().as_encoded_bytes();
        tree.files().iter().any(is_it).then(|| below.display().to_string())
    }
}

/// The most files of one turn that are recorded by name.
const STRAYS: usize = 64;

/// Reads a text within the size limit of a document, without following a link.
pub(super) fn read(path: &Path) -> Option<String> {
    path.symlink_metadata().ok().filter(std::fs::Metadata::is_file)?;
    let mut text = String::new();
    let most = MAX_DOCUMENT as u64;
    let file = std::fs::File::open(path).ok()?;
    file.take(most + 1).read_to_string(&mut text).ok()?;
    (text.len() as u64 <= most).then_some(text)
}

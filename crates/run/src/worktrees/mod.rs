//! The git worktrees for the agents of one run, and the one branch into which their work is
//! merged.
//!
//! A run has the branch `sprag/<run>` with the worktree `../<folder>-<run>`, and an agent the
//! branch `sprag/<run>-<name>` with `../<folder>-<run>-<name>`. These names identify everything, so
//! they are opened after a crash like any other time. The branch `sprag/<run>` moves only in
//! [`Worktrees::merge_then`], in one atomic step. The user's current branch, remotes and files are
//! never touched.

mod base;
mod cleanup;
mod commit;
mod copy;
mod error;
mod git;
mod leftovers;
mod make;
mod merge;
mod registry;
mod resolve;
mod restore;
mod setup;
mod stage;
mod turn;
mod undeclared_changes;
mod worktree;

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU32;
use std::sync::{Arc, Mutex};

use sprag_core::RunId;
use sprag_engine::gate::GateRunner;
use sprag_formats::WorktreeConfig;
use sprag_store::Place;
use sprag_world::process::StopHandle;

pub use cleanup::RemovedWorktree;
pub use commit::{Commit, UnmergedWork};
pub use error::WorktreesError;
pub use leftovers::{Leftover, leftovers, take_overs};
pub use merge::{Incoming, MergeError, Merged};
pub use resolve::Resolving;
pub use setup::untrusted;
pub use worktree::Worktree;

use git::Git;

#[derive(Clone, Debug)]
pub struct Worktrees {
    place: Place,
    /// The top of the user's working tree.
    top: PathBuf,
    /// The git folder that all worktrees share.
    common: PathBuf,
    run: RunId,
    config: WorktreeConfig,
    environment: Vec<(OsString, OsString)>,
    git: Git,
    /// Ends the commands in the worktrees at once.
    stop: Option<StopHandle>,
    /// The last known commit of the run's branch, once it and its worktree exist.
    tip: Arc<Mutex<Option<Commit>>>,
    /// How many times the run's branch was removed.
    removals: Arc<AtomicU32>,
    /// The commit of the run's branch that an earlier driver recorded.
    noted: Option<Commit>,
}

impl Worktrees {
    /// Creates the worktrees of a run, or finds them again, and settles an interrupted merge.
    pub fn open(
        bench: &GateRunner<'_>,
        run: &RunId,
        config: &WorktreeConfig,
    ) -> Result<Self, WorktreesError> {
        let worktrees = Self::planned(bench, run, config)?;
        worktrees.make_ready()?;
        Ok(worktrees)
    }

    /// Returns the worktrees of a run if they can be created. It creates nothing yet, and waits for
    /// no lock.
    pub fn planned(
        bench: &GateRunner<'_>,
        run: &RunId,
        config: &WorktreeConfig,
    ) -> Result<Self, WorktreesError> {
        let what = untrusted(bench, config);
        if !what.is_empty() {
            return Err(WorktreesError::Untrusted { what });
        }
        Self::of(bench.place, run, config, bench.environment)
    }

    /// Creates the planned worktrees, or finds them again; later calls do nothing.
    pub fn make_ready(&self) -> Result<(), WorktreesError> {
        if self.tip().is_none() {
            self.turn(self.run.as_str(), |git| self.found(git))?;
        }
        Ok(())
    }

    /// Sets the last recorded commit of the run's branch. If the branch is gone, it is recreated
    /// there and not from the user's files.
    #[must_use]
    pub fn noted(self, commit: Option<String>) -> Self {
        Self { noted: commit.map(|name| Commit::of(name.as_bytes())), ..self }
    }

    /// Returns the same worktrees, whose commands end at once when `stop` is asked.
    #[must_use]
    pub fn ended_by(&self, stop: &StopHandle) -> Self {
        Self { stop: Some(stop.clone()), git: self.git.ended_by(stop), ..self.clone() }
    }

    fn is_stopped(&self) -> bool {
        self.stop.as_ref().is_some_and(StopHandle::is_asked)
    }

    /// Returns the worktrees of a run without checking that they exist.
    fn of(
        place: &Place,
        run: &RunId,
        config: &WorktreeConfig,
        environment: &[(OsString, OsString)],
    ) -> Result<Self, WorktreesError> {
        let git = Git::new(environment);
        let (top, common) = repository(place, &git)?;
        let git = git.identified(&top)?;
        let (place, run, config) = (place.clone(), run.clone(), config.clone());
        let (environment, stop) = (environment.to_vec(), None);
        let (tip, removals, noted) = (Arc::default(), Arc::default(), None);
        Ok(Self { place, top, common, run, config, environment, git, stop, tip, removals, noted })
    }

    /// Returns the branch into which the work is merged.
    pub fn branch(&self) -> String {
        branch(&self.run)
    }

    /// Returns the worktree into which the work is merged.
    pub fn folder(&self) -> Result<PathBuf, WorktreesError> {
        self.beside(self.run.as_str())
    }

    /// Returns the project folder in the merge worktree.
    pub fn root(&self) -> Result<PathBuf, WorktreesError> {
        Ok(self.folder()?.join(&self.place.below))
    }

    /// Returns the variables that commands and agents in the worktrees get in addition to sprag's
    /// own.
    pub fn variables(&self) -> &[(String, String)] {
        &self.config.env
    }

    /// Returns the path of a sibling of the user's folder: `<folder>-<name>`.
    fn beside(&self, name: &str) -> Result<PathBuf, WorktreesError> {
        let (Some(parent), Some(own)) = (self.top.parent(), self.top.file_name()) else {
            let why = "there is no folder beside it".to_owned();
            return Err(WorktreesError::Odd { folder: self.top.clone(), why });
        };
        let mut folder = own.to_owned();
        folder.push(format!("-{name}"));
        Ok(parent.join(folder))
    }

    /// Returns the path from a worktree's top to the project as git writes it, with a trailing `/`.
    fn below(&self) -> Vec<u8> {
        let mut below = self.place.below.as_os_str().as_encoded_bytes().to_vec();
        if !below.is_empty() {
            below.push(b'/');
        }
        below
    }
}

/// Returns the branch into which a run's work is merged.
fn branch(run: &RunId) -> String {
    format!("{PREFIX}{run}")
}

/// git's answer inside a working tree.
const INSIDE: &[u8] = b"true\n";
/// The prefix of sprag's branches.
pub(crate) const PREFIX: &str = "sprag/";

/// Rejects a project that cannot have worktrees.
pub fn needs_repository(
    place: &Place,
    environment: &[(OsString, OsString)],
) -> Result<(), WorktreesError> {
    repository(place, &Git::new(environment)).map(drop)
}

/// Returns the top of a project's working tree, and the git folder that all its worktrees share.
fn repository(place: &Place, git: &Git) -> Result<(PathBuf, PathBuf), WorktreesError> {
    let folder = place.root.clone();
    let Some(found) = sprag_world::git::Git::around(&folder)? else {
        return Err(WorktreesError::NoRepository { folder });
    };
    let odd = |why: &str| WorktreesError::Odd { folder: folder.clone(), why: why.to_owned() };
    found.works_here().map_err(|error| odd(&error.to_string()))?;
    let words = ["rev-parse", "--is-inside-work-tree", "--show-toplevel"];
    let said = git.ask(&folder, &words).said()?;
    let (inside, theirs) = said.out.split_at(said.out.len().min(INSIDE.len()));
    if said.exit != Some(0) || inside != INSIDE {
        return Err(odd(&said.complaint));
    }
    let real = |path: &Path| std::fs::canonicalize(path).map_err(error::at("find", path));
    let (top, common) = (real(found.top())?, real(found.common())?);
    let theirs = OsStr::from_bytes(theirs.strip_suffix(b"\n").unwrap_or(theirs));
    if real(Path::new(theirs))? != top {
        return Err(odd(&format!("git takes `{}` for its top", theirs.display())));
    }
    Ok((top, common))
}

//! A yard: git worktrees for the agents of one run, side by side, and the one branch in which their
//! work is brought together.
//!
//! A run has the branch `sprag/<run>` with the worktree `../<folder>-<run>`, and an agent the branch
//! `sprag/<run>-<name>` with `../<folder>-<run>-<name>`. Everything is found again by these names,
//! so opening a yard after a crash is the same as opening it. The branch `sprag/<run>` moves only in
//! [`Yard::merge_then`], by one step that git makes whole or not at all. The branch that a person is on,
//! remotes and the person's files are never touched.

mod away;
mod base;
mod commit;
mod copy;
mod error;
mod furnish;
mod git;
mod leftovers;
mod make;
mod merge;
mod registry;
mod resolve;
mod restore;
mod stage;
mod strays;
mod turn;
mod worktree;

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU32;
use std::sync::{Arc, Mutex};

use sprag_core::RunId;
use sprag_engine::gate::Bench;
use sprag_engine::process::Stop;
use sprag_formats::WorktreeConfig;
use sprag_store::Place;

pub use away::Away;
pub use commit::{Commit, Work};
pub use error::YardError;
pub use furnish::untrusted;
pub use leftovers::{Leftover, leftovers, take_overs};
pub use merge::{Incoming, MergeError, Merged};
pub use resolve::Resolving;
pub use worktree::Worktree;

use git::Git;

/// The worktrees of one run.
#[derive(Clone, Debug)]
pub struct Yard {
    place: Place,
    /// The top of the person's working tree.
    top: PathBuf,
    /// The git folder that all worktrees share.
    common: PathBuf,
    run: RunId,
    config: WorktreeConfig,
    environment: Vec<(OsString, OsString)>,
    git: Git,
    /// What ends its commands at once.
    stop: Option<Stop>,
    /// Where the branch of the run was last, once it and its worktree were found or made.
    tip: Arc<Mutex<Option<Commit>>>,
    /// How often somebody removed it.
    removals: Arc<AtomicU32>,
    /// Where it was when its work was noted last, by whoever drove the run before.
    noted: Option<Commit>,
}

impl Yard {
    /// Makes the yard of a run, or finds it again; brings a merge that was cut off to before or
    /// after.
    pub fn open(
        bench: &Bench<'_>,
        run: &RunId,
        config: &WorktreeConfig,
    ) -> Result<Self, YardError> {
        let yard = Self::planned(bench, run, config)?;
        yard.make_ready()?;
        Ok(yard)
    }

    /// Returns the yard of a run when it can be made; nothing is made yet, and nobody waited for.
    pub fn planned(
        bench: &Bench<'_>,
        run: &RunId,
        config: &WorktreeConfig,
    ) -> Result<Self, YardError> {
        let what = untrusted(bench, config);
        if !what.is_empty() {
            return Err(YardError::Untrusted { what });
        }
        Self::of(bench.place, run, config, bench.environment)
    }

    /// Makes what was planned, or finds it again; once.
    pub fn make_ready(&self) -> Result<(), YardError> {
        if self.tip().is_none() {
            self.turn(self.run.as_str(), |git| self.found(git))?;
        }
        Ok(())
    }

    /// Returns the same yard, knowing where its branch was when work was noted there last: should the
    /// branch be gone, it goes on from there and not from the person's files.
    #[must_use]
    pub fn noted(self, commit: Option<String>) -> Self {
        Self { noted: commit.map(|name| Commit::of(name.as_bytes())), ..self }
    }

    /// Returns the same yard such that its commands and its git end at once when `stop` is asked.
    #[must_use]
    pub fn ended_by(&self, stop: &Stop) -> Self {
        Self { stop: Some(stop.clone()), git: self.git.ended_by(stop), ..self.clone() }
    }

    /// Returns whether somebody asked for the end of its commands.
    fn is_stopped(&self) -> bool {
        self.stop.as_ref().is_some_and(Stop::is_asked)
    }

    /// Returns the yard of a run without looking whether it is there.
    fn of(
        place: &Place,
        run: &RunId,
        config: &WorktreeConfig,
        environment: &[(OsString, OsString)],
    ) -> Result<Self, YardError> {
        let git = Git::new(environment);
        let (top, common) = repository(place, &git)?;
        let git = git.identified(&top)?;
        let (place, run, config) = (place.clone(), run.clone(), config.clone());
        let (environment, stop) = (environment.to_vec(), None);
        let (tip, removals, noted) = (Arc::default(), Arc::default(), None);
        Ok(Self { place, top, common, run, config, environment, git, stop, tip, removals, noted })
    }

    /// Returns the branch in which the work is brought together.
    pub fn branch(&self) -> String {
        branch(&self.run)
    }

    /// Returns the worktree in which the work is brought together.
    pub fn folder(&self) -> Result<PathBuf, YardError> {
        self.beside(self.run.as_str())
    }

    /// Returns the project in that worktree.
    pub fn root(&self) -> Result<PathBuf, YardError> {
        Ok(self.folder()?.join(&self.place.below))
    }

    /// Returns the variables that commands and agents see in the worktrees, beside those of ours.
    pub fn variables(&self) -> &[(String, String)] {
        &self.config.env
    }

    /// Returns the folder of this name beside the person's own.
    fn beside(&self, name: &str) -> Result<PathBuf, YardError> {
        let (Some(parent), Some(own)) = (self.top.parent(), self.top.file_name()) else {
            let why = "there is no folder beside it".to_owned();
            return Err(YardError::Odd { folder: self.top.clone(), why });
        };
        let mut folder = own.to_owned();
        folder.push(format!("-{name}"));
        Ok(parent.join(folder))
    }

    /// Returns the way from a worktree's top to the project, as git writes it: with a `/` after it.
    fn below(&self) -> Vec<u8> {
        let mut below = self.place.below.as_os_str().as_encoded_bytes().to_vec();
        if !below.is_empty() {
            below.push(b'/');
        }
        below
    }
}

/// Returns the branch in which the work of a run is brought together.
fn branch(run: &RunId) -> String {
    format!("{PREFIX}{run}")
}

/// What git says in a working tree.
const INSIDE: &[u8] = b"true\n";
/// What our branches begin with.
pub(crate) const PREFIX: &str = "sprag/";

/// Refuses a project in which there can be no worktrees.
pub fn needs_repository(
    place: &Place,
    environment: &[(OsString, OsString)],
) -> Result<(), YardError> {
    repository(place, &Git::new(environment)).map(drop)
}

/// Returns the top of a project's working tree, and the git folder that all worktrees share.
fn repository(place: &Place, git: &Git) -> Result<(PathBuf, PathBuf), YardError> {
    let folder = place.root.clone();
    let Some(found) = sprag_engine::git::Git::around(&folder)? else {
        return Err(YardError::NoRepository { folder });
    };
    let odd = |why: &str| YardError::Odd { folder: folder.clone(), why: why.to_owned() };
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

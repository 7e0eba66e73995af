//! The engine of one project: every verb and every host hook starts here.

pub mod kind;

use std::ffi::OsString;
use std::time::Duration;

use sprag_core::inbox::Refusal;
use sprag_core::{BadId, BadName, BadPath, Denied, SessionId};
use sprag_formats::Fault;
use sprag_hosts::{HOSTS, Host};
use sprag_store::{Place, Store, StoreError, Traced, View};
use sprag_world::caller::Caller;
use sprag_world::clock;
use sprag_world::git::{
    Git, GitError, GitHead, KnownUncommitted, ProjectGit, QuietGit, Repository, Uncommitted,
    UncommittedAnswers,
};
use sprag_world::process::StopHandle;
use sprag_world::tree::{Tree, TreeError};
use sprag_world::trust::DeedError;

use crate::engine::kind::Kinds;
use crate::gate::GateError;
use crate::rehearsal::{Rehearsal, Rehearsed};
use crate::session::NoFile;
use crate::unusable::Unusable;

/// How long a hook that runs before a tool waits for another writer.
pub const BEFORE_TOOL: Duration = Duration::from_millis(250);
/// How long everything else waits for another writer.
pub const PATIENT: Duration = Duration::from_secs(5);

/// A project, and the environment that its commands run in.
#[derive(Debug)]
pub struct Engine<'a> {
    /// The kinds of runs that it knows.
    pub(crate) kinds: Kinds,
    /// The hosts that it knows.
    pub(crate) hosts: &'static [Host],
    pub(crate) place: &'a Place,
    /// The files that gates judge: those of the project, or of a worktree of it.
    pub(crate) files: &'a Place,
    pub(crate) store: Store,
    pub(crate) environment: &'a [(OsString, OsString)],
    /// Collects the writes instead of making them, in a dry run.
    pub(crate) rehearsal: Option<Rehearsal>,
    /// Interrupts gates and tree scans.
    pub(crate) stop: Option<StopHandle>,
    /// Who begins something here: a person claims the project with that if it has no owner yet.
    pub(crate) beginner: Option<Caller>,
    /// Whether the caller found that the project is a person's, and not a stranger's.
    pub(crate) is_a_persons: bool,
    /// Git's answers about uncommitted files, which hold while commit and files are the same.
    pub(crate) uncommitted: UncommittedAnswers,
}

#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The state cannot be read, or another process is writing.
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("{0}")]
    NotWritten(String),
    /// The files of the project cannot be listed.
    #[error(transparent)]
    Tree(#[from] TreeError),
    #[error(transparent)]
    Run(#[from] Unusable),
    #[error(transparent)]
    Gate(#[from] GateError),
    #[error(transparent)]
    Deed(#[from] DeedError),
    #[error("{}", .0.first().map_or_else(String::new, ToString::to_string))]
    Config(Vec<Fault>),
    #[error("{problem}")]
    Invalid {
        /// The place and the problem.
        problem: String,
    },
    /// The kernel rejected the signal.
    #[error(transparent)]
    Denied(#[from] Denied),
    #[error(transparent)]
    Inbox(#[from] Refusal),
    /// One of our documents cannot be read.
    #[error("{path}: {why}")]
    Unreadable { path: String, why: String },
    #[error("{what}")]
    NotFound {
        /// A description of the name that was looked for.
        what: String,
    },
    /// The name is ambiguous.
    #[error("{what}")]
    Several { what: String, names: Vec<String> },
    /// The verb does not work like this.
    #[error("{what}")]
    Refused {
        what: String,
        /// What to do instead.
        help: String,
    },
    /// A limited resource is exhausted.
    #[error("{what}")]
    Exhausted { what: String },
    /// The documents or the files kept changing.
    #[error("the files changed all the time, so nothing could be decided")]
    Restless,
    /// A path that we built is invalid.
    #[error(transparent)]
    Path(#[from] BadPath),
    /// An id that we built is invalid.
    #[error(transparent)]
    Id(#[from] BadId),
    /// A name that we built is invalid.
    #[error(transparent)]
    Name(#[from] BadName),
}

impl From<NoFile> for EngineError {
    fn from(why: NoFile) -> Self {
        match why {
            NoFile::Name(bad) => bad.into(),
            NoFile::Path(bad) => bad.into(),
        }
    }
}

impl EngineError {
    /// Returns whether a gate or a tree scan was interrupted on request: nothing was decided, and
    /// nothing is wrong.
    pub const fn is_interrupted(&self) -> bool {
        matches!(
            self,
            Self::Gate(GateError::Interrupted | GateError::Tree(TreeError::Interrupted))
                | Self::Tree(TreeError::Interrupted)
        )
    }
}

impl<'a> Engine<'a> {
    /// Opens a project with the kinds of runs that may be in it. Its gates judge `files`, which is
    /// the project or another worktree of it.
    pub fn knowing(
        kinds: Kinds,
        place: &'a Place,
        files: &'a Place,
        environment: &'a [(OsString, OsString)],
    ) -> Result<Self, EngineError> {
        Ok(Self {
            kinds,
            hosts: &HOSTS,
            place,
            files,
            store: Store::open(place, clock::first())?,
            environment,
            rehearsal: None,
            stop: None,
            beginner: None,
            is_a_persons: false,
            uncommitted: UncommittedAnswers::default(),
        })
    }

    /// Sets up and shows these hosts instead of [`HOSTS`].
    #[must_use]
    pub fn with_hosts(self, hosts: &'static [Host]) -> Self {
        Self { hosts, ..self }
    }

    /// Makes gates and tree scans stop without a result as soon as `stop` is requested.
    #[must_use]
    pub fn ended_by(self, stop: &StopHandle) -> Self {
        Self { stop: Some(stop.clone()), ..self }
    }

    /// Makes the first commit claim the project for this person if it has no owner yet. An agent is
    /// refused then.
    #[must_use]
    pub fn begun_by(self, beginner: Caller) -> Self {
        Self { beginner: Some(beginner), ..self }
    }

    /// Declares the project a person's: the caller has checked that.
    #[must_use]
    pub fn of_a_person(self) -> Self {
        Self { is_a_persons: true, ..self }
    }

    /// Turns the engine into a dry run: it decides but does not write.
    #[must_use]
    pub fn rehearsing(self) -> Self {
        Self { rehearsal: Some(Rehearsal::default()), ..self }
    }

    /// Returns the writes that a dry run would have made.
    pub fn rehearsed(&self) -> Vec<Rehearsed> {
        self.rehearsal.as_ref().map_or_else(Vec::new, Rehearsal::noted)
    }

    /// Scans the project's files.
    pub(crate) fn tree(&self) -> Result<Tree, EngineError> {
        let (environment, stop) = (self.environment, self.stop.as_ref());
        // Foreign state may lie about the files, so it is not trusted and nothing is written there.
        let is_trusted = self.is_a_persons || self.belongs().counts();
        let take = if is_trusted { Tree::take_unless } else { Tree::take_afresh };
        Ok(take(self.files, environment, stop)?)
    }

    /// Reads documents without committing anything.
    pub(crate) fn look<T>(
        &self,
        look: impl FnMut(&View<'_>) -> Result<T, EngineError>,
    ) -> Result<T, EngineError> {
        self.store.read(look)
    }

    /// Returns the git repository that contains the project. An error if that is damaged.
    pub fn repository(&self) -> Result<Option<Repository>, GitError> {
        Repository::around(&self.place.root)
    }

    /// Returns the error of a damaged repository around the project, if any.
    pub fn broken_repository(&self) -> Option<String> {
        let broken = self.repository().err().map(|error| error.to_string());
        broken.or_else(|| match self.tree() {
            Err(EngineError::Tree(TreeError::Git { why })) => Some(why),
            Ok(_) | Err(_) => None,
        })
    }

    /// Returns the commit that is checked out, if git has one here.
    pub(crate) fn checked_out(&self) -> Option<String> {
        Git::around(&self.place.root).ok().flatten()?.head().commit()
    }

    /// Traces the unreadable documents that a session was not judged by. The session may have been
    /// refused for another reason.
    pub(crate) fn trace_trouble(
        &self,
        id: &SessionId,
        when: &str,
        is_refused: bool,
        trouble: &[String],
    ) {
        let (what, did) = if is_refused {
            (Traced::Refused, "refused, and not by")
        } else {
            (Traced::LetGo, "let go")
        };
        for why in trouble {
            self.trace(what, &format!("{id} {when} {did}: {why}"));
        }
    }

    /// Leaves a trace for `sprag` and `sprag doctor`, if a decision could not be made.
    pub fn trace(&self, what: Traced, text: &str) {
        // If even the trace cannot be written, there is no other place to report to.
        let _ = self.store.trace(clock::now(), what, text);
    }
}

/// git for the folders of a project.
impl Engine<'_> {
    /// Returns git for this project, or `None` outside of a repository.
    pub(crate) fn git(&self) -> Option<ProjectGit<'_>> {
        Git::around(&self.place.root).ok().flatten()?;
        Some(self.git_at_hand())
    }

    /// Returns git for the files that gates judge, without checking for a repository.
    pub(crate) fn git_of_files(&self) -> ProjectGit<'_> {
        ProjectGit::new(self.environment, &self.files.root)
    }

    /// Returns the uncommitted files among those that gates judge. `tree` is these files.
    pub(crate) fn uncommitted_files(&self, tree: Option<&Tree>) -> Uncommitted {
        // The commit is read first: an answer about a later one is not remembered for it.
        let commit = self.checked_out_here();
        let ask = || self.git_of_files().uncommitted();
        let (Some(tree), Some(commit)) = (tree.map(Tree::hash), commit) else { return ask() };
        if let Some(known) = self.uncommitted.get(&commit, tree) {
            return known.files;
        }
        let files = ask();
        self.uncommitted.keep(KnownUncommitted { commit, tree, files: files.clone() });
        files
    }

    /// Returns whether a commit is part of the checkout, so that its work is in the files.
    pub(crate) fn has_merged(&self, commit: &str) -> bool {
        self.is_part(commit, "HEAD")
    }

    pub(crate) fn is_part(&self, commit: &str, of: &str) -> bool {
        let git = QuietGit::reading(self.environment);
        let said = git.ask(&self.place.root, &["merge-base", "--is-ancestor", commit, of], &[]);
        said.is_ok_and(|said| said.exit == Some(0))
    }

    /// Returns the branch that is checked out where the files are.
    pub(crate) fn branch_here(&self) -> Option<String> {
        match Git::around(&self.files.root).ok().flatten()?.head() {
            GitHead::Branch { name, .. } => Some(name),
            GitHead::Detached { .. } | GitHead::Unknown => None,
        }
    }

    /// Returns the commit that is checked out where the files are.
    pub(crate) fn checked_out_here(&self) -> Option<String> {
        Git::around(&self.files.root).ok().flatten()?.head().commit()
    }

    /// Returns git for the project, without checking for a repository.
    pub(crate) fn git_at_hand(&self) -> ProjectGit<'_> {
        ProjectGit::new(self.environment, &self.place.root)
    }
}

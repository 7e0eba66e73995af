//! One project at work: what every verb and every host hook begins with.

use std::ffi::OsString;
use std::time::Duration;

use sprag_core::inbox::Refusal;
use sprag_core::{BadId, BadName, BadPath, Denied, SessionId};
use sprag_formats::Fault;
use sprag_store::{Place, Store, StoreError, Traced, View};

use crate::asker::Asker;
use crate::clock;
use crate::deed::DeedError;
use crate::gate::GateError;
use crate::git::{Git, GitError, Head, Repository};
use crate::process::Stop;
use crate::rehearsal::{Rehearsal, Rehearsed};
use crate::session::NoFile;
use crate::tree::{Tree, TreeError};
use crate::unusable::Unusable;

/// How long another writer is waited for before a tool.
pub const BEFORE_TOOL: Duration = Duration::from_millis(250);
/// How long another writer is waited for otherwise.
pub const PATIENT: Duration = Duration::from_secs(5);

/// A project, and the environment that its commands run in.
#[derive(Debug)]
pub struct Engine<'a> {
    pub(crate) place: &'a Place,
    /// Where the files are that gates judge: the project, or a worktree of it.
    pub(crate) files: &'a Place,
    pub(crate) store: Store,
    pub(crate) environment: &'a [(OsString, OsString)],
    /// What would be written, where nothing is.
    pub(crate) rehearsal: Option<Rehearsal>,
    /// What ends its gates, and its looks at the files, at once.
    pub(crate) stop: Option<Stop>,
    /// Who begins something here, where the project may be nobody's yet.
    pub(crate) beginner: Option<Asker>,
}

/// Why something was not decided or not done.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The state cannot be read, or another process is writing.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// What was decided could not be written.
    #[error("{0}")]
    NotWritten(String),
    /// Nobody knows which files there are.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// A run cannot be used.
    #[error(transparent)]
    Run(#[from] Unusable),
    /// A gate could not be evaluated.
    #[error(transparent)]
    Gate(#[from] GateError),
    /// What a person agreed to could not be read or written.
    #[error(transparent)]
    Deed(#[from] DeedError),
    /// The configuration is wrong in these places.
    #[error("{}", .0.first().map_or_else(String::new, ToString::to_string))]
    Config(Vec<Fault>),
    /// A workflow is wrong here.
    #[error("{problem}")]
    Invalid {
        /// Where and what.
        problem: String,
    },
    /// The kernel said no.
    #[error(transparent)]
    Denied(#[from] Denied),
    /// The inbox said no.
    #[error(transparent)]
    Inbox(#[from] Refusal),
    /// A document of ours cannot be read.
    #[error("{path}: {why}")]
    Unreadable {
        /// Which one.
        path: String,
        /// Why not.
        why: String,
    },
    /// There is nothing of that name.
    #[error("{what}")]
    NotFound {
        /// What was looked for.
        what: String,
    },
    /// It cannot be told which one is meant.
    #[error("{what}")]
    Several {
        /// What could be meant.
        what: String,
        /// The names to choose from.
        names: Vec<String>,
    },
    /// It is not done like this.
    #[error("{what}")]
    Refused {
        /// Why not.
        what: String,
        /// What to do instead.
        help: String,
    },
    /// There is no more of what it needs.
    #[error("{what}")]
    Exhausted {
        /// What there is no more of.
        what: String,
    },
    /// The documents or the files never stood still.
    #[error("the files changed all the time, so nothing could be decided")]
    Restless,
    /// A name that we made is not one.
    #[error(transparent)]
    Path(#[from] BadPath),
    /// A name that we made is not one.
    #[error(transparent)]
    Id(#[from] BadId),
    /// A name that we made is not one.
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
    /// Returns whether somebody asked for the end of a gate or of a look at the files: nothing was decided, and nothing is wrong.
    pub const fn is_interrupted(&self) -> bool {
        matches!(
            self,
            Self::Gate(GateError::Interrupted | GateError::Tree(TreeError::Interrupted))
                | Self::Tree(TreeError::Interrupted)
        )
    }
}

impl<'a> Engine<'a> {
    /// Opens a project.
    pub fn open(
        place: &'a Place,
        environment: &'a [(OsString, OsString)],
    ) -> Result<Self, EngineError> {
        Self::judging(place, place, environment)
    }

    /// Opens a project whose gates judge the files of another worktree.
    pub fn judging(
        place: &'a Place,
        files: &'a Place,
        environment: &'a [(OsString, OsString)],
    ) -> Result<Self, EngineError> {
        Ok(Self {
            place,
            files,
            store: Store::open(place, clock::first())?,
            environment,
            rehearsal: None,
            stop: None,
            beginner: None,
        })
    }

    /// Returns it such that its gates and its looks at the files end at once when `stop` is asked,
    /// having said nothing.
    #[must_use]
    pub fn ended_by(self, stop: &Stop) -> Self {
        Self { stop: Some(stop.clone()), ..self }
    }

    /// Returns it such that its first commit makes the project the person's, where it is nobody's yet.
    /// An agent is refused then.
    #[must_use]
    pub fn begun_by(self, beginner: Asker) -> Self {
        Self { beginner: Some(beginner), ..self }
    }

    /// Returns it such that it decides and writes nothing.
    #[must_use]
    pub fn rehearsing(self) -> Self {
        Self { rehearsal: Some(Rehearsal::default()), ..self }
    }

    /// Returns what it would have written.
    pub fn rehearsed(&self) -> Vec<Rehearsed> {
        self.rehearsal.as_ref().map_or_else(Vec::new, Rehearsal::noted)
    }

    /// Takes the tree as it is now.
    pub(crate) fn tree(&self) -> Result<Tree, EngineError> {
        let (environment, stop) = (self.environment, self.stop.as_ref());
        // What came from elsewhere may lie about the files, and nothing is written there.
        let take = if self.belongs().counts() { Tree::take_unless } else { Tree::take_afresh };
        Ok(take(self.files, environment, stop)?)
    }

    /// Looks at documents.
    pub(crate) fn look<T>(
        &self,
        look: impl FnMut(&View<'_>) -> Result<T, EngineError>,
    ) -> Result<T, EngineError> {
        self.store.read(look)
    }

    /// Returns the git repository that the project is in, where it is in one that is whole.
    pub fn repository(&self) -> Result<Option<Repository>, GitError> {
        Repository::around(&self.place.root)
    }

    /// Says what is wrong with the git repository that the project is in.
    pub fn broken_repository(&self) -> Option<String> {
        let broken = self.repository().err().map(|error| error.to_string());
        broken.or_else(|| match self.tree() {
            Err(EngineError::Tree(TreeError::Git { why })) => Some(why),
            Ok(_) | Err(_) => None,
        })
    }

    /// Returns the commit that is checked out, where git has one here.
    pub(crate) fn checked_out(&self) -> Option<String> {
        match Git::around(&self.place.root).ok().flatten()?.head() {
            Head::Branch { commit, .. } => commit,
            Head::Detached { commit } => Some(commit),
            Head::Unknown => None,
        }
    }

    /// Leaves a trace of the documents that a session was not judged by, because they cannot be read.
    /// The session may have been refused for another reason.
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

    /// Leaves a trace of what could not be decided, for `sprag` and `sprag doctor`.
    pub fn trace(&self, what: Traced, text: &str) {
        // Where not even this can be written, there is nobody left to tell.
        let _ = self.store.trace(clock::now(), what, text);
    }
}

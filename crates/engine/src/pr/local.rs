use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::time::Duration;

use sprag_core::pr::Pull;
use sprag_core::reporting::Change;
use sprag_core::{Plain, Stored as _};

use crate::changes::Since;
use crate::clock;
use crate::engine::{Engine, EngineError};
use crate::forge::{ForgeError, GitHub, Repository};
use crate::git::{Git, Head};
use crate::process::Tool;
use crate::tree::GitFiles;

/// What a working tree says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Local {
    /// The branch.
    pub branch: String,
    /// The commit that is checked out.
    pub head: Option<String>,
}

/// How long git may take to say where a repository came from.
const LIMIT: Duration = Duration::from_secs(10);

/// Returns the branch and the commit of a working tree.
pub fn local(folder: &Path) -> Result<Local, EngineError> {
    let refused = |what: String, help: &str| EngineError::Refused { what, help: help.to_owned() };
    let git = Git::around(folder).map_err(|bad| refused(bad.to_string(), "mend it first"))?;
    let Some(git) = git else {
        let what = format!("Error: '{}' is not a git repository", folder.display());
        return Err(refused(what, "a pull request comes from a branch of one"));
    };
    match git.head() {
        Head::Branch { name, commit } => Ok(Local { branch: name, head: commit }),
        Head::Detached { .. } | Head::Unknown => {
            Err(refused("no branch is checked out here".to_owned(), "check out the branch first"))
        }
    }
}

impl Engine<'_> {
    /// Returns what a forge says of a pull request beside what this folder has now: whoever drives
    /// for hours asks a forge that knew the folder as it was at the beginning.
    pub(super) fn beside(&self, here: &Local, mut pull: Pull) -> Plain {
        let root = &self.place.root;
        let tree = GitFiles::new(self.environment).ask(root, &["rev-parse", "HEAD^{tree}"], &[]);
        let tree = tree.ok().filter(|said| said.exit == Some(0));
        pull.tree = tree.map(|said| String::from_utf8_lossy(&said.out).trim().to_owned());
        pull.head.clone_from(&here.head);
        let commit = here.head.as_deref();
        let changes = self.changes(Since { started: clock::now(), commit, branch: None });
        let line = |change: &Change| {
            let mark = if change.added.is_none() { '?' } else { 'M' };
            format!("{mark} {}\n", change.path)
        };
        let loose = match changes {
            Some(files) => files.changed.iter().map(line).collect(),
            None => "M (git does not say which files)\n".to_owned(),
        };
        match pull.lower() {
            Plain::Map(mut entries) => {
                entries.push((Pull::LOOSE.to_owned(), loose.into()));
                Plain::Map(entries)
            }
            other @ (Plain::Null
            | Plain::Bool(_)
            | Plain::Int(_)
            | Plain::Other(_)
            | Plain::Text(_)
            | Plain::List(_)) => other,
        }
    }
}

impl<'a> GitHub<'a> {
    /// Finds the forge of a working tree by its remote `origin`; `known` is the pull request that
    /// was found before.
    pub fn of(
        folder: &'a Path,
        local: &Local,
        environment: &'a [(OsString, OsString)],
        known: Option<u32>,
    ) -> Result<Self, ForgeError> {
        let git = |words: &[&str]| {
            let words: Vec<_> = words.iter().map(OsStr::new).collect();
            let (program, input) = ("git", &[][..]);
            let tool = Tool { program, words: &words, folder, environment, input, limit: LIMIT };
            tool.ask().map(|said| String::from_utf8_lossy(&said.out).trim().to_owned())
        };
        // As git itself would go there: a person may have a short name for the address.
        let url = git(&["ls-remote", "--get-url", "origin"])
            .map_err(|bad| ForgeError::NoRepository { why: bad.to_string() })?;
        if url.is_empty() || url == "origin" {
            let why = "there is no remote `origin` here".to_owned();
            return Err(ForgeError::NoRepository { why });
        }
        Ok(Self {
            program: "gh",
            folder,
            environment,
            repository: Repository::of_remote(&url)?,
            head: local.head.clone(),
            tree: git(&["rev-parse", "HEAD^{tree}"]).ok().filter(|tree| !tree.is_empty()),
            known,
            limit: Self::LIMIT,
            pause: Self::PAUSE,
            stop: None,
        })
    }
}

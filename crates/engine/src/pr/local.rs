use std::ffi::OsString;
use std::path::Path;

use sprag_core::pr::Pull;
use sprag_core::reporting::Change;
use sprag_core::{Plain, Stored as _};
use sprag_world::clock;
use sprag_world::git::{Git, Head, local_git};

use crate::changes::Since;
use crate::engine::{Engine, EngineError};
use crate::forge::{ForgeError, GitHub, Repository};

/// The git state of a working tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Local {
    pub branch: String,
    /// The commit that is checked out.
    pub head: Option<String>,
}

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
    /// Combines the forge's data about a pull request with the current state of this folder,
    /// because the forge client of a long-running driver knows only the state at its start.
    pub(super) fn beside(&self, here: &Local, mut pull: Pull) -> Plain {
        let tree = local_git(&self.place.root, self.environment, &["rev-parse", "HEAD^{tree}"]);
        pull.tree = tree.ok().flatten();
        pull.head.clone_from(&here.head);
        let commit = here.head.as_deref();
        let changes = self.changes(Since { started: clock::now(), commit, until: None });
        let line = |change: &Change| {
            let mark = if change.untracked { '?' } else { 'M' };
            format!("{mark} {}\n", change.path)
        };
        let loose = match changes {
            Some(files) => files.changed.iter().map(line).collect(),
            None => "M (git does not say which files)\n".to_owned(),
        };
        match pull.lower() {
            Plain::Map(mut entries) => {
                entries.push((Pull::LOOSE.to_owned(), loose.into()));
                entries.push((Pull::PUSHED.to_owned(), self.is_pushed(here).lower()));
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

    /// Returns whether git recorded a push of this folder's commit to a branch of the same name;
    /// `None` if git knows no such remote branch.
    fn is_pushed(&self, here: &Local) -> Option<bool> {
        let sent = format!("refs/remotes/*/{}", here.branch);
        let words = ["for-each-ref", "--format=%(objectname)", &sent];
        let sent = local_git(&self.place.root, self.environment, &words).ok().flatten()?;
        let is_head = |line: &str| here.head.as_deref() == Some(line);
        (!sent.is_empty()).then(|| sent.lines().any(is_head))
    }
}

impl<'a> GitHub<'a> {
    /// Finds the forge of a working tree by its remote `origin`. `known` is the number of the pull
    /// request found before.
    pub fn of(
        folder: &'a Path,
        local: &Local,
        environment: &'a [(OsString, OsString)],
        known: Option<u32>,
    ) -> Result<Self, ForgeError> {
        // Resolved by git itself, because a person may have configured a short name for the
        // address.
        let url = local_git(folder, environment, &["ls-remote", "--get-url", "origin"])
            .map_err(|bad| ForgeError::NoRepository { why: bad.to_string() })?;
        let Some(url) = url.filter(|url| !url.is_empty() && url != "origin") else {
            let why = "there is no remote `origin` here".to_owned();
            return Err(ForgeError::NoRepository { why });
        };
        let repository = Repository::of_remote(&url)?;
        let git = |words: &[&str]| local_git(folder, environment, words).ok().flatten();
        let branch = format!("refs/heads/{}", local.branch);
        let remote = git(&["for-each-ref", "--format=%(push:remotename)", &branch]);
        // A remote may be an address itself.
        let to = remote
            .filter(|remote| !remote.is_empty())
            .map(|remote| git(&["remote", "get-url", "--push", "--", &remote]).unwrap_or(remote));
        let to = to.and_then(|to| Repository::of_remote(&to).ok());
        let owner = to.filter(|to| to.host == repository.host).map(|to| to.owner);
        Ok(Self {
            program: "gh",
            folder,
            environment,
            repository,
            head: local.head.clone(),
            tree: git(&["rev-parse", "HEAD^{tree}"]).filter(|tree| !tree.is_empty()),
            owner,
            known,
            limit: Self::LIMIT,
            pause: Self::PAUSE,
            stop: None,
        })
    }
}

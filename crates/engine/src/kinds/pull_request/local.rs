use std::path::Path;

use sprag_core::pr::Pull;
use sprag_core::reporting::ChangedFile;
use sprag_core::{Plain, Stored as _};
use sprag_world::clock;
use sprag_world::forge::Local;
use sprag_world::git::{Git, GitHead, local_git};

use crate::changes::Since;
use crate::engine::{Engine, EngineError};

pub fn local(folder: &Path) -> Result<Local, EngineError> {
    let refused = |what: String, help: &str| EngineError::Refused { what, help: help.to_owned() };
    let git = Git::around(folder).map_err(|bad| refused(bad.to_string(), "mend it first"))?;
    let Some(git) = git else {
        let what = format!("Error: '{}' is not a git repository", folder.display());
        return Err(refused(what, "a pull request comes from a branch of one"));
    };
    match git.head() {
        GitHead::Branch { name, commit } => Ok(Local { branch: name, head: commit }),
        GitHead::Detached { .. } | GitHead::Unknown => {
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
        let line = |change: &ChangedFile| {
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

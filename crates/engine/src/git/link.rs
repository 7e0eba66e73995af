//! Whether a working tree that names a repository is one that the repository knows.
//!
//! A stranger can write a `.git` file that names another project's git folder. The repository would
//! lend such a folder its history, its settings and a person's trust. So the repository has to name
//! the folder as well.

use std::path::{Path, PathBuf};

use super::{Git, GitError, config, is_same, read};

impl Git {
    /// Returns whether the git folder is that of this working tree, as the git folder itself says.
    pub(super) fn leads_back(&self) -> Result<bool, GitError> {
        if let Some(common) = &self.common {
            return Ok(self.is_registered(common));
        }
        let dot = self.top.join(".git");
        if dot.symlink_metadata().is_ok_and(|found| found.is_dir()) {
            return Ok(true);
        }
        // A link to a git folder kept apart, such as that of a submodule.
        let own = std::fs::canonicalize(&self.own).unwrap_or_else(|_| self.own.clone());
        if let Some(worktree) = config::core(&own)?.worktree {
            let named = std::fs::canonicalize(own.join(worktree));
            return Ok(named.is_ok_and(|named| is_same(&named, &self.top)));
        }
        // A `.git` folder is that of the folder it is in, unless it says otherwise.
        Ok(!own.ends_with(".git"))
    }

    /// Returns whether the folder that all worktrees share has this one among its worktrees.
    fn is_registered(&self, common: &Path) -> bool {
        let real = |path: &Path| std::fs::canonicalize(path).ok();
        let (Some(own), Some(all)) = (real(&self.own), real(&common.join("worktrees"))) else {
            return false;
        };
        own.parent() == Some(&all)
            && back(&own).is_some_and(|link| {
                let there = link.parent().and_then(real);
                link.ends_with(".git") && there.is_some_and(|there| is_same(&there, &self.top))
            })
    }
}

/// Returns the link that a folder of a repository's `worktrees` names; it may be relative to it.
pub(super) fn back(own: &Path) -> Option<PathBuf> {
    let text = read(&own.join("gitdir")).ok()?;
    Some(own.join(text.trim_end_matches(['\n', '\r'])))
}

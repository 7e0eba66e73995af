//! Checks that a repository knows a working tree that claims to belong to it.
//!
//! A stranger can write a `.git` file that names the git folder of another project. Such a folder
//! would borrow that repository's history, settings and approvals. Therefore the repository has to
//! list the folder as well.

use std::path::{Path, PathBuf};

use super::{Git, GitError, config, is_same, read};

impl Git {
    /// Returns whether the git folder itself confirms that it belongs to this working tree.
    pub(super) fn leads_back(&self) -> Result<bool, GitError> {
        if let Some(common) = &self.common {
            return Ok(self.is_registered(common));
        }
        let dot = self.top.join(".git");
        if dot.symlink_metadata().is_ok_and(|found| found.is_dir()) {
            return Ok(true);
        }
        // A link to a separate git folder, such as that of a submodule.
        let own = std::fs::canonicalize(&self.own).unwrap_or_else(|_| self.own.clone());
        if let Some(worktree) = config::core(&own)?.worktree {
            let named = std::fs::canonicalize(own.join(worktree));
            return Ok(named.is_ok_and(|named| is_same(&named, &self.top)));
        }
        // A `.git` folder belongs to its parent folder, unless it states otherwise.
        Ok(!own.ends_with(".git"))
    }

    /// Returns whether the shared git folder lists this worktree.
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

/// Returns the link that an entry of a repository's `worktrees` names; it may be relative.
pub(super) fn back(own: &Path) -> Option<PathBuf> {
    let text = read(&own.join("gitdir")).ok()?;
    Some(own.join(text.trim_end_matches(['\n', '\r'])))
}

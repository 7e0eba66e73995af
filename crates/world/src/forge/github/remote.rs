//! Finds the repository of a working tree on GitHub.

use std::ffi::OsString;
use std::path::Path;

use super::{GitHub, Repository};
use crate::forge::ForgeError;
use crate::git::local_git;

/// The git state of a working tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Local {
    pub branch: String,
    /// The commit that is checked out.
    pub head: Option<String>,
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

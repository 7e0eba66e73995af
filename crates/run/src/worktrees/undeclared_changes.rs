//! Finds files that an agent changed although its task does not declare them.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;

use sprag_core::Glob;

use super::error::WorktreesError;
use super::stage::is_state;
use super::{Worktree, Worktrees};

impl Worktrees {
    /// Returns the undeclared files that an agent changed, committed or not, as paths from the top
    /// of its worktree. A declaration is a pattern, a file or a folder of the project; anything
    /// else covers nothing.
    pub fn strays(
        &self,
        tree: &Worktree,
        declared: &[String],
    ) -> Result<Vec<PathBuf>, WorktreesError> {
        let (git, folder, below) = (&self.git, &tree.folder, self.below());
        let brought = format!("refs/heads/{}", self.branch());
        let base = git.ask(folder, &["merge-base", &brought, "HEAD"]).line()?;
        let changed = ["diff", "-z", "--name-only", "--no-renames", "--no-relative", &base];
        let mut names: BTreeSet<Vec<u8>> = git.ask(folder, &changed).names()?.into_iter().collect();
        let others = ["ls-files", "-z", "--others", "--exclude-standard"];
        names.extend(git.ask(folder, &others).names()?);
        let covers: Vec<Glob> = declared.iter().flat_map(|text| patterns(text)).collect();
        let is_stray = |name: &Vec<u8>| {
            let own = name.strip_prefix(below.as_slice());
            !own.is_some_and(|own| covers.iter().any(|glob| glob.matches(own)))
        };
        let ours = names.into_iter().filter(|name| !is_state(name, &below) && is_stray(name));
        Ok(ours.map(|name| PathBuf::from(OsStr::from_bytes(&name))).collect())
    }
}

/// Returns patterns for a declared path and everything below it.
fn patterns(text: &str) -> Vec<Glob> {
    let text = text.trim();
    let bare = text.strip_prefix("./").unwrap_or(text).trim_end_matches('/');
    [bare.to_owned(), format!("{bare}/**")].iter().flat_map(|text| Glob::parse(text)).collect()
}

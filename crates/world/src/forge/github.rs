//! GitHub, through its own program `gh`.

mod answer;
mod call;
mod page;
mod pick;
mod remote;
mod repository;
#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;
use sprag_core::pr::Pull;

use super::{Forge, ForgeError, Post};
use crate::git::local_git;
use crate::process::StopHandle;
use page::Pages;
use pick::Here;

pub use remote::Local;
pub use repository::Repository;

/// A repository on GitHub, queried from a working tree.
#[derive(Clone, Debug)]
pub struct GitHub<'a> {
    /// The program: `gh`, except in tests.
    pub program: &'a str,
    /// The working tree.
    pub folder: &'a Path,
    /// The whole environment, because `gh` needs its tokens.
    pub environment: &'a [(OsString, OsString)],
    pub repository: Repository,
    /// The commit that is checked out here.
    pub head: Option<String>,
    /// The tree of that commit.
    pub tree: Option<String>,
    /// The owner of the repository that the branch is pushed to, if git knows it.
    pub owner: Option<String>,
    /// The pull request found before, which is preferred among several.
    pub known: Option<u32>,
    /// The time limit of one call.
    pub limit: Duration,
    /// The wait before the second try; before the third it is twice as long.
    pub pause: Duration,
    /// Ends a call at once.
    pub stop: Option<StopHandle>,
}

impl GitHub<'_> {
    /// The default time limit of one call.
    pub const LIMIT: Duration = Duration::from_secs(30);
    /// The default wait before a call is retried.
    pub const PAUSE: Duration = Duration::from_secs(1);

    fn number(&self, branch: &str) -> Result<Option<u32>, ForgeError> {
        let place = self.repository.to_string();
        let words = ["pr", "list", "-R", &place, "--head", branch, "--state", "open"];
        let fields = "number,isCrossRepository,headRefOid,headRepositoryOwner";
        let words = [&words[..], &["--limit", "200", "--json", fields]].concat();
        let has = |commit: &str| self.has_commit(commit);
        let here = Here { owner: self.owner.as_deref(), has: &has, known: self.known };
        pick::number(&self.json(&words)?, &here)
    }

    /// Returns whether a commit is HEAD or an ancestor of it: a long-running driver makes commits
    /// after its start.
    fn has_commit(&self, commit: &str) -> bool {
        let is_name = commit.bytes().all(|byte| byte.is_ascii_hexdigit());
        let words = ["merge-base", "--is-ancestor", commit, "HEAD"];
        is_name && matches!(local_git(self.folder, self.environment, &words), Ok(Some(_)))
    }

    /// Reads a pull request, page by page.
    fn pages(&self, number: u32) -> Result<Pages, ForgeError> {
        let mut pages = Pages::default();
        for _ in 0..Pages::MOST {
            let answer = self.graphql(number, &pages)?;
            if pages.take(&answer)? {
                return Ok(pages);
            }
        }
        Err(odd("it has more pages than any pull request"))
    }
}

impl Forge for GitHub<'_> {
    fn pull(&self, branch: &str) -> Result<Option<Pull>, ForgeError> {
        let Some(number) = self.number(branch)? else { return Ok(None) };
        let mut pull = answer::pull(&self.pages(number)?)?;
        pull.number = number;
        pull.branch = Some(branch.to_owned());
        pull.head.clone_from(&self.head);
        pull.tree.clone_from(&self.tree);
        Ok(Some(pull))
    }

    fn has(&self, number: u32, marker: &str) -> Result<bool, ForgeError> {
        let pages = self.pages(number)?;
        let mut said = pages.reviews.iter().chain(&pages.comments).filter(|node| is_own(node));
        Ok(said.any(|node| node["body"].as_str().is_some_and(|body| body.contains(marker))))
    }

    fn post(&self, number: u32, kind: Post, body: &str) -> Result<(), ForgeError> {
        let (place, number) = (self.repository.to_string(), number.to_string());
        let own: &[&str] = match kind {
            Post::Review => &["pr", "review", &number, "-R", &place, "--comment"],
            Post::Comment => &["pr", "comment", &number, "-R", &place],
        };
        // Never retried here: the post may have arrived. The caller checks that first.
        self.once(&[own, &["--body-file", "-"]].concat(), body.as_bytes()).map(drop)
    }

    fn minimize(&self, number: u32, ids: &[String]) -> Result<(), ForgeError> {
        let pages = self.pages(number)?;
        let hides = |node: &&Value| {
            let named = node["id"].as_str().is_some_and(|id| ids.iter().any(|one| one == id));
            named && is_own(node) && node["isMinimized"].as_bool() != Some(true)
        };
        for id in pages.reviews.iter().filter(hides).filter_map(|node| node["id"].as_str()) {
            let words = self.api(&[("query", page::MINIMIZE), ("id", id)]);
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            call::without_errors(self.json(&words)?)?;
        }
        Ok(())
    }

    fn log(&self, run: &str) -> Result<String, ForgeError> {
        let place = self.repository.to_string();
        let said = self.again(&["run", "view", run, "-R", &place, "--log-failed"])?;
        Ok(said.ends())
    }

    fn ended_by(&self, stop: &StopHandle) -> Option<Box<dyn Forge + Sync + '_>> {
        Some(Box::new(Self { stop: Some(stop.clone()), ..self.clone() }))
    }
}

/// Returns whether our own account wrote a text: texts of others do not count, even with our
/// markers.
fn is_own(node: &Value) -> bool {
    node["viewerDidAuthor"].as_bool() != Some(false)
}

fn odd(why: &str) -> ForgeError {
    ForgeError::Odd { why: why.to_owned() }
}

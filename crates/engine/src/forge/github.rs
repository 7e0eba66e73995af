//! GitHub, through its own program `gh`.

mod answer;
mod call;
mod page;
mod repository;
#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use sprag_core::pr::Pull;

use super::{Forge, ForgeError, Post};
use page::Pages;

pub use repository::Repository;

/// A repository on GitHub, asked from a working tree.
#[derive(Clone, Debug)]
pub struct GitHub<'a> {
    /// The program; `gh` unless a test says otherwise.
    pub program: &'a str,
    /// The working tree.
    pub folder: &'a Path,
    /// All the variables that the program sees; it needs its tokens.
    pub environment: &'a [(OsString, OsString)],
    /// Which repository.
    pub repository: Repository,
    /// The commit that is checked out here.
    pub head: Option<String>,
    /// How long one call may take.
    pub limit: Duration,
    /// How long to wait before the second try; before the third it is twice that.
    pub pause: Duration,
}

impl GitHub<'_> {
    /// How long one call may take where nobody says.
    pub const LIMIT: Duration = Duration::from_secs(30);
    /// How long to wait before a call is tried again.
    pub const PAUSE: Duration = Duration::from_secs(1);

    fn number(&self, branch: &str) -> Result<Option<u32>, ForgeError> {
        let place = self.repository.to_string();
        let words = ["pr", "list", "-R", &place, "--head", branch, "--state", "open"];
        let words = [&words[..], &["--json", "number"]].concat();
        let found = self.json(&words)?;
        let Some(list) = found.as_array() else { return Err(odd("pr list is no list")) };
        let Some(first) = list.first() else { return Ok(None) };
        let number = first["number"].as_u64().and_then(|number| u32::try_from(number).ok());
        number.map(Some).ok_or_else(|| odd("a pull request has no number"))
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
        Ok(Some(pull))
    }

    fn has(&self, number: u32, marker: &str) -> Result<bool, ForgeError> {
        let pages = self.pages(number)?;
        let mut said = pages.reviews.iter().chain(&pages.comments);
        Ok(said.any(|node| node["body"].as_str().is_some_and(|body| body.contains(marker))))
    }

    fn post(&self, number: u32, kind: Post, body: &str) -> Result<(), ForgeError> {
        let (place, number) = (self.repository.to_string(), number.to_string());
        let own: &[&str] = match kind {
            Post::Review => &["pr", "review", &number, "-R", &place, "--comment"],
            Post::Comment => &["pr", "comment", &number, "-R", &place],
        };
        // Never tried again here: it may have arrived. Whoever posts looks first.
        self.once(&[own, &["--body-file", "-"]].concat(), body.as_bytes()).map(drop)
    }
}

fn odd(why: &str) -> ForgeError {
    ForgeError::Odd { why: why.to_owned() }
}

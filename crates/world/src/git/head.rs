//! Reads the branch and commit that are checked out.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;

use super::read;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GitHead {
    /// A branch; it has no commit before the first one.
    Branch {
        /// Without `refs/heads/`.
        name: String,
        /// The full hash.
        commit: Option<String>,
    },
    /// A commit without a branch.
    Detached {
        /// The full hash.
        commit: String,
    },
    /// A state that cannot be read here, such as the reftable format.
    Unknown,
}

impl GitHead {
    /// Returns the commit that is checked out.
    pub fn commit(self) -> Option<String> {
        match self {
            Self::Branch { commit, .. } => commit,
            Self::Detached { commit } => Some(commit),
            Self::Unknown => None,
        }
    }
}

/// A repository may have very many packed refs; beyond this many bytes the commit is not shown.
const PACKED: u64 = 32 << 20;

pub(super) fn checked_out(own: &Path, common: &Path) -> GitHead {
    let Ok(text) = read(&own.join("HEAD")) else { return GitHead::Unknown };
    let text = text.trim_end();
    let Some(name) = text.strip_prefix("ref: ") else {
        return match commit(text) {
            Some(commit) => GitHead::Detached { commit },
            None => GitHead::Unknown,
        };
    };
    let name = name.trim();
    // A repository with reftable marks that with a name that git itself refuses. A name that leads
    // elsewhere is no branch.
    if name.ends_with("/.invalid") || name.contains("..") || !name.starts_with("refs/") {
        return GitHead::Unknown;
    }
    let loose = read(&common.join(name)).ok().and_then(|text| commit(text.trim_end()));
    GitHead::Branch {
        name: name.strip_prefix("refs/heads/").unwrap_or(name).to_owned(),
        commit: loose.or_else(|| packed(common, name)),
    }
}

fn packed(common: &Path, name: &str) -> Option<String> {
    let file = sprag_store::peek(&common.join("packed-refs")).ok()?;
    BufReader::new(file.take(PACKED)).split(b'\n').map_while(Result::ok).find_map(|line| {
        let (id, rest) = std::str::from_utf8(&line).ok()?.split_once(' ')?;
        if rest == name { commit(id) } else { None }
    })
}

/// Parses a SHA-1 or SHA-256 object name.
pub(super) fn commit(text: &str) -> Option<String> {
    let whole = matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    whole.then(|| text.to_owned())
}

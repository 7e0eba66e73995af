//! Reads git's reflogs: the stash, and the commits that were made in a checkout.

use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;

use super::{Git, is_commit};

/// How many bytes of the reflog are read; a longer one is ignored.
const MOST_LOG: u64 = 1 << 20;
/// How many stash entries are compared.
const MOST_STASHES: usize = 100;

/// The beginnings of reflog messages that made a commit.
const MADE: [&str; 6] = ["commit", "cherry-pick", "revert", "am", "merge", "rebase"];
/// The beginnings, and then the ending, of reflog messages that only moved to a commit.
const MOVED: [&str; 2] = ["rebase (start)", "rebase (finish)"];
const FORWARD: &str = "Fast-forward";

/// Returns the stash entries, newest first.
pub fn stashes(git: &Git) -> Vec<String> {
    let log = read_from(&git.common().join("logs/refs/stash"), 0).unwrap_or_default();
    let commits = log.lines().filter_map(|line| LogLine::read(line).map(|line| line.to));
    let mut all: Vec<String> = commits.map(str::to_owned).collect();
    all.reverse();
    all.truncate(MOST_STASHES);
    all
}

/// One line of a reflog.
struct LogLine<'l> {
    from: &'l str,
    to: &'l str,
    why: &'l str,
}

impl<'l> LogLine<'l> {
    fn read(line: &'l str) -> Option<Self> {
        let (who, why) = line.split_once('\t').unwrap_or((line, ""));
        let mut words = who.split(' ');
        let (from, to) = (words.next()?, words.next()?);
        (is_commit(from) && is_commit(to)).then_some(Self { from, to, why })
    }

    /// Returns whether it made the commit that it leads to.
    fn is_made(&self) -> bool {
        let begins = |all: &[&str]| all.iter().any(|word| self.why.starts_with(word));
        begins(&MADE) && !begins(&MOVED) && !self.why.ends_with(FORWARD)
    }
}

/// The commits in a part of the reflog.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct CheckedOut {
    /// Every commit that was checked out.
    pub seen: Vec<String>,
    /// The commits that were made, oldest first.
    pub made: Vec<String>,
    /// Whether another branch was checked out meanwhile, so that the commits need not be in the
    /// files.
    pub is_left: bool,
}

impl CheckedOut {
    pub fn read(log: &str) -> Self {
        let mut out = Self::default();
        for line in log.lines().filter_map(LogLine::read) {
            out.seen.extend([line.from.to_owned(), line.to.to_owned()]);
            if line.is_made() {
                out.made.push(line.to.to_owned());
            } else {
                out.is_left = true;
            }
        }
        out
    }
}

/// Reads a file from an offset, or `None` if it is shorter, or the rest is too long.
pub fn read_from(path: &Path, start: u64) -> Option<String> {
    let mut file = sprag_store::peek(path).ok()?;
    let length = file.metadata().ok()?.len().checked_sub(start)?;
    if length > MOST_LOG {
        return None;
    }
    file.seek(SeekFrom::Start(start)).ok()?;
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(lines: &[(char, char, &str)]) -> CheckedOut {
        let commit = |digit: char| digit.to_string().repeat(40);
        let line = |(from, to, why): &(char, char, &str)| {
            format!("{} {} A U Thor <a@a> 1700000000 +0000\t{why}\n", commit(*from), commit(*to))
        };
        CheckedOut::read(&lines.iter().map(line).collect::<Vec<_>>().concat())
    }

    fn made(of: &CheckedOut) -> String {
        of.made.iter().filter_map(|commit| commit.chars().next()).collect()
    }

    #[test]
    fn commits_on_what_is_checked_out_stay_in_the_files() {
        let only = log(&[('0', '1', "commit (initial): a"), ('1', '2', "commit: b")]);
        assert_eq!((made(&only).as_str(), only.is_left), ("12", false));
    }

    #[test]
    fn what_was_made_is_told_from_what_was_only_gone_to() {
        let all = log(&[
            ('1', '2', "checkout: moving from main to old"),
            ('2', '3', "commit: a"),
            ('3', '4', "pull: Fast-forward"),
            ('4', '5', "merge feat: Fast-forward"),
            ('5', '6', "merge feat: Merge made by the 'ort' strategy."),
            ('6', '7', "rebase (start): checkout main"),
            ('7', '8', "rebase (pick): a"),
            ('8', '8', "rebase (finish): returning to refs/heads/old"),
            ('8', '1', "reset: moving to HEAD~1"),
        ]);
        assert_eq!((made(&all).as_str(), all.is_left), ("368", true));
    }

    #[test]
    fn what_is_no_log_says_nothing() {
        assert_eq!(CheckedOut::read("a b c\n\n\tcommit: x\n"), CheckedOut::default());
    }
}

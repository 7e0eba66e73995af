//! Files that are wholly ours: known by a line with the hash of everything else in them.
//!
//! So an old one can be replaced and taken out by anybody's sprag, and one that somebody has edited
//! since is theirs: it is neither overwritten nor removed.

use sprag_core::Hash;

use super::part::Part;

/// What stands in the line before the hash.
const MARK: &str = "sprag-file";
/// How much of the hash stands there.
const DIGITS: usize = 16;

/// Whose a file is that could be ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// As some version of sprag wrote it.
    Ours,
    /// As sprag wrote it, and then edited.
    Edited,
    /// Nothing says that it was ever ours.
    Theirs,
}

/// Returns the text with its line: before everything, or in the front matter where it has one.
pub(super) fn stamped(text: &str, part: Part) -> String {
    let comment = match part {
        Part::Bridge => "//",
        Part::Entries | Part::Server | Part::ServerHere | Part::Command(_) | Part::Ignore => "#",
    };
    let digits = Hash::of(text).short(DIGITS);
    let line = format!("{comment} {MARK} {digits}: sprag's own; edited, it is yours\n");
    match text.strip_prefix("---\n") {
        Some(rest) => format!("---\n{line}{rest}"),
        None => format!("{line}{text}"),
    }
}

/// Returns whose a text is.
pub(super) fn owner(text: &str) -> Owner {
    let text = text.replace("\r\n", "\n");
    let Some(line) = text.split_inclusive('\n').take(2).find(|line| line.contains(MARK)) else {
        return Owner::Theirs;
    };
    let rest = text.replacen(line, "", 1);
    let said = line.split_whitespace().nth(2).unwrap_or_default().trim_end_matches(':');
    let whole = Hash::of(&rest).short(DIGITS) == said;
    if whole { Owner::Ours } else { Owner::Edited }
}

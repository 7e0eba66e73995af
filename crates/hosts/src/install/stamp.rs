//! Files that are entirely ours, recognised by a line with the hash of the rest.
//!
//! So any version of sprag can replace and remove an older file. A file that was edited since
//! belongs to the person: it is neither overwritten nor removed.

use sprag_core::Hash;

use super::component::Component;

/// The word before the hash in that line.
const MARK: &str = "sprag-file";
/// The number of hash digits in that line.
const DIGITS: usize = 16;

/// The owner of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    /// As some version of sprag wrote it.
    Ours,
    /// Written by sprag and edited since.
    Edited,
    /// Without the mark of sprag.
    Theirs,
}

/// Adds the line to a text: at the top, or inside the front matter if it has one.
pub(crate) fn stamped(text: &str, part: Component) -> String {
    let comment = match part {
        Component::Bridge => "//",
        Component::Entries
        | Component::Server
        | Component::ServerHere
        | Component::Command(_)
        | Component::Ignore => "#",
    };
    let digits = Hash::of(text).short(DIGITS);
    let line = format!("{comment} {MARK} {digits}: sprag's own; edited, it is yours\n");
    match text.strip_prefix("---\n") {
        Some(rest) => format!("---\n{line}{rest}"),
        None => format!("{line}{text}"),
    }
}

/// Determines the owner from the hash in the text.
pub(crate) fn owner(text: &str) -> Owner {
    let text = text.replace("\r\n", "\n");
    let Some(line) = text.split_inclusive('\n').take(2).find(|line| line.contains(MARK)) else {
        return Owner::Theirs;
    };
    let rest = text.replacen(line, "", 1);
    let said = line.split_whitespace().nth(2).unwrap_or_default().trim_end_matches(':');
    let whole = Hash::of(&rest).short(DIGITS) == said;
    if whole { Owner::Ours } else { Owner::Edited }
}

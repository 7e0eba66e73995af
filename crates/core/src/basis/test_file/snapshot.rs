//! Compares snapshots: files that a tool writes, with one entry per test.

use std::collections::BTreeMap;

use super::name::extension;

/// Returns whether a snapshot file kept every entry byte for byte and only gained some.
pub(super) fn has_grown(path: &str, was: &str, now: &str) -> bool {
    if extension(path) != "snap" {
        return false;
    }
    let (Some(was), Some(now)) = (Entries::read(was), Entries::read(now)) else { return false };
    was.head == now.head && was.all.iter().all(|(name, value)| now.all.get(name) == Some(value))
}

/// The entries of a Jest or Vitest snapshot file, by name.
struct Entries<'t> {
    head: &'t str,
    all: BTreeMap<&'t str, &'t str>,
}

impl<'t> Entries<'t> {
    const START: &'static str = "exports[`";

    /// Reads a file; `None` if it holds anything but comment lines and unique entries.
    fn read(text: &'t str) -> Option<Self> {
        let start = text.find(Self::START)?;
        let (head, mut rest) = text.split_at(start);
        let is_comment = |line: &str| line.is_empty() || line.starts_with("//");
        if !head.lines().all(is_comment) || !head.ends_with('\n') {
            return None;
        }
        let mut all = BTreeMap::new();
        while !rest.is_empty() {
            let (name, after) = quoted(rest.strip_prefix(Self::START)?)?;
            let (value, after) = quoted(after.strip_prefix("] = `")?)?;
            if all.insert(name, value).is_some() {
                return None;
            }
            let after = after.strip_prefix(";\n")?;
            rest = after.trim_start_matches('\n');
        }
        Some(Self { head: head.trim_end(), all })
    }
}

/// Splits a text at its closing quote. `None` if the text contains an expression.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let (mut escaped, mut last) = (false, ' ');
    for (at, letter) in text.char_indices() {
        match letter {
            '`' if !escaped => return Some((&text[..at], &text[at + 1..])),
            '{' if last == '$' => return None,
            _ => {}
        }
        // An escaped `$` begins no expression.
        last = if escaped { ' ' } else { letter };
        escaped = letter == '\\' && !escaped;
    }
    None
}

//! Tests as a tree, in which the place of a line names its groups.

use super::super::found::Found;
use super::super::patterns::{Text, line};
use super::indentation;

/// Node's `spec` reporter: `▶ cart` opens a group and `✖ cart (5ms)` closes it.
pub(in super::super) fn node(text: &Text) -> Vec<Found> {
    let mut groups: Vec<Group> = Vec::new();
    let mut found: Vec<Found> = Vec::new();
    for (at, marked) in text.matches(line(" ", r"^\s*([▶✖]) (.+?)(?: \([\d.]+ms\))?(?: # .*)?$"))
    {
        let part =
            |number| marked.get(number).map_or("", |part: regex_lite::Match<'_>| part.as_str());
        let (mark, shown) = (part(1), part(2));
        if shown == "failing tests:" {
            if found.is_empty() {
                continue;
            }
            break;
        }
        let deep = indentation(&text.lines[at]);
        groups.retain(|group| group.deep < deep || mark == "✖" && group.closes(deep, shown));
        if mark == "▶" {
            groups.push(Group { deep, shown: shown.to_owned(), failures: found.len() });
            continue;
        }
        let closed = groups.pop_if(|group| group.closes(deep, shown));
        if closed.is_some_and(|group| found.len() > group.failures) {
            continue;
        }
        let names: Vec<&str> = groups.iter().map(|group| group.shown.as_str()).collect();
        let whole = names.into_iter().chain([shown]).collect::<Vec<_>>().join(" > ");
        found.push(Found { shown: whole, line: at });
    }
    found
}

struct Group {
    deep: usize,
    shown: String,
    /// How many failures there were before it.
    failures: usize,
}

impl Group {
    fn closes(&self, deep: usize, shown: &str) -> bool {
        self.deep == deep && self.shown == shown
    }
}

//! Restores earlier tests in the current version of a Rust source.

use std::ops::Range;

use super::language::Language;
use super::lines::TestLine;
use super::rust_tests::{TestItem, enter, items, rust_tests};
use super::scan::scan;

/// Returns the source `now` with its tests replaced by those of `then`, which may have none. `None`
/// if the result is not certain: [`rust_tests`] of the result must equal those of `then`.
///
/// Tests at the top level may be anywhere in the file. Tests inside other items are replaced only
/// if both sources have them inside the same items.
pub fn with_rust_tests(now: &[u8], then: &[u8]) -> Option<Vec<u8>> {
    let (now, then) = (RustSource::read(now)?, RustSource::read(then)?);
    let is_at_top = |item: &TestItem| item.around.is_empty();
    let spliced = if now.items.iter().chain(&then.items).all(is_at_top) {
        now.with_all(&then)
    } else {
        now.with_each(&then)?
    };
    (rust_tests(spliced.as_bytes()) == rust_tests(then.text.as_bytes()))
        .then(|| spliced.into_bytes())
}

/// A source that was parsed without ambiguity.
struct RustSource<'t> {
    text: &'t str,
    /// The original lines with their line endings.
    raw: Vec<&'t str>,
    lines: Vec<TestLine>,
    items: Vec<TestItem>,
}

impl<'t> RustSource<'t> {
    fn read(text: &'t [u8]) -> Option<Self> {
        let text = str::from_utf8(text).ok()?;
        let read = scan(text, Language::Rust);
        let raw: Vec<&str> = text.split_inclusive('\n').collect();
        if !read.is_certain || raw.len() != read.lines.len() {
            return None;
        }
        Some(Self { text, raw, items: items(&read.lines), lines: read.lines })
    }

    /// Returns this source with all tests of another one, at a single place.
    fn with_all(&self, other: &Self) -> String {
        let place = self.items.first().map_or(self.raw.len(), |item| item.range.start);
        let mut text = String::with_capacity(self.text.len());
        for (at, line) in self.raw.iter().enumerate() {
            if at == place {
                other.write_items(&mut text);
            }
            if !self.items.iter().any(|item| item.range.contains(&at)) {
                text.push_str(line);
            }
        }
        if place == self.raw.len() {
            other.write_items(&mut text);
        }
        text
    }

    fn write_items(&self, text: &mut String) {
        for item in &self.items {
            self.write(text, &item.range);
        }
    }

    /// Replaces each test with the one at the same place in another source; `None` if their places
    /// differ.
    fn with_each(&self, other: &Self) -> Option<String> {
        let same = self.items.len() == other.items.len()
            && self
                .items
                .iter()
                .zip(&other.items)
                .all(|(own, its)| self.heads(own) == other.heads(its));
        if !same {
            return None;
        }
        let (mut text, mut at) = (String::with_capacity(self.text.len()), 0);
        for (own, its) in self.items.iter().zip(&other.items) {
            text.extend(self.raw.get(at..own.range.start)?.iter().copied());
            other.write(&mut text, &its.range);
            at = own.range.end;
        }
        text.extend(self.raw[at..].iter().copied());
        Some(text)
    }

    fn heads(&self, item: &TestItem) -> String {
        let mut heads = String::new();
        enter(&mut heads, &self.lines, &item.around);
        heads
    }

    /// Writes some lines; adds a line ending where the last line of a file has none.
    fn write(&self, text: &mut String, range: &Range<usize>) {
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text.extend(self.raw[range.clone()].iter().copied());
        if !text.ends_with('\n') {
            text.push('\n');
        }
    }
}

//! Reads YAML in the simple form that sprag itself writes, in a fifth of the strict reader's time.
//!
//! A run is read at every tool call, and usually only sprag has written its file: keys, texts and
//! lists by indentation, one value per line, longer texts as blocks. At any other syntax (a
//! comment, brackets, an escape, a tab, a duplicate key) this reader returns nothing, and the
//! strict one reads the file. A text that this reader accepts has the same result with the strict
//! one; the tests compare both.

use std::borrow::Cow;

use sprag_core::Plain;

use super::scalar::needs_escape;
use super::schema;
use crate::limits::MAX_NODES;
use crate::stored::of_number;
use crate::value::Value;

/// Longer texts are left to the strict reader. Each value has at least one byte, so a text of this
/// length cannot contain too many.
const LONGEST: usize = MAX_NODES;
/// Values further to the right are left to the strict reader. Each level takes at least one column,
/// so nothing here can be nested too deep.
const WIDEST: usize = 100;
/// Longer keys are left to the strict reader, because YAML has its own limit.
const KEY: usize = 256;

/// Returns the values of a text, or `None` if it is not in the simple form.
pub(crate) fn read(text: &str) -> Option<Plain> {
    if text.len() > LONGEST {
        return None;
    }
    let mut reader = SimpleReader { line: None, rest: Some(text.strip_suffix('\n')?) };
    reader.advance();
    let map = reader.map(0)?;
    reader.line.is_none().then_some(map)
}

/// One line, or the text after the dash of an item.
#[derive(Clone, Copy)]
struct SimpleLine<'t> {
    /// The column of its start.
    indent: usize,
    text: &'t str,
}

struct SimpleReader<'t> {
    /// The current line; `None` at the end.
    line: Option<SimpleLine<'t>>,
    /// The text after it.
    rest: Option<&'t str>,
}

impl<'t> SimpleReader<'t> {
    fn advance(&mut self) {
        self.line = self.rest.map(|rest| {
            let (line, rest) =
                rest.split_once('\n').map_or((rest, None), |(line, rest)| (line, Some(rest)));
            self.rest = rest;
            let text = line.trim_start_matches(' ');
            SimpleLine { indent: line.len() - text.len(), text }
        });
    }

    /// The current line, if it starts at `column`.
    fn at(&self, column: usize) -> Option<SimpleLine<'t>> {
        self.line.filter(|line| line.indent == column)
    }

    /// Returns whether a collection at `column` ends before the current line.
    fn ends(&self, column: usize) -> bool {
        column <= WIDEST && self.line.is_none_or(|line| line.indent < column)
    }

    fn map(&mut self, column: usize) -> Option<Plain> {
        let mut entries = Vec::new();
        while let Some(line) = self.at(column) {
            let (key, after) = key(line.text)?;
            self.advance();
            let value = match after.strip_prefix(' ') {
                Some(text) => self.scalar(text, column)?,
                None => self.below(column)?,
            };
            entries.push((key.to_owned(), value));
        }
        (self.ends(column) && !has_doubled(&entries)).then_some(Plain::Map(entries))
    }

    /// Reads the value on the lines below a key at `column`.
    fn below(&mut self, column: usize) -> Option<Plain> {
        let line = self.line.filter(|line| line.indent > column && line.indent <= WIDEST)?;
        if line.text.starts_with("- ") { self.list(line.indent) } else { self.map(line.indent) }
    }

    fn list(&mut self, column: usize) -> Option<Plain> {
        let mut items = Vec::new();
        while let Some(line) = self.at(column) {
            let text = line.text.strip_prefix("- ")?;
            items.push(if key(text).is_some() {
                // A map starts right after the dash.
                let indent = column + 2;
                self.line = Some(SimpleLine { indent, text });
                self.map(indent)?
            } else {
                self.advance();
                self.scalar(text, column)?
            });
        }
        self.ends(column).then_some(Plain::List(items))
    }

    /// Reads a value that starts in the line of its key or dash, which is at `column`.
    fn scalar(&mut self, text: &str, column: usize) -> Option<Plain> {
        match text.as_bytes().first()? {
            b'"' => quoted(text),
            b'|' => self.literal(text, column),
            first if first.is_ascii_alphanumeric() || b"_/".contains(first) => plain(text),
            _ => None,
        }
    }

    /// Reads a text of several lines. One that ends in empty lines is left to the strict reader.
    fn literal(&mut self, header: &str, column: usize) -> Option<Plain> {
        let end = match header {
            "|" => "\n",
            "|-" => "",
            _ => return None,
        };
        let first = self.line.filter(|line| line.indent > column && !line.text.is_empty())?;
        let mut text = String::new();
        while let Some(line) = self.line {
            let is_empty = line.text.is_empty();
            if line.indent < first.indent && !is_empty {
                break;
            }
            let odd = |c: char| c != '\t' && needs_escape(c);
            if line.text.starts_with('\t') || line.text.chars().any(odd) {
                return None;
            }
            match (is_empty, line.indent) {
                (true, 0) => {}
                // A line of only spaces.
                (true, _) => return None,
                (false, indent) => text.extend(std::iter::repeat_n(' ', indent - first.indent)),
            }
            text.push_str(line.text);
            text.push('\n');
            self.advance();
        }
        let body = text.strip_suffix('\n').filter(|body| !body.ends_with('\n'))?;
        Some(Plain::Text(format!("{body}{end}")))
    }
}

/// Splits a key, of one or more words, from the text after its colon.
fn key(text: &str) -> Option<(&str, &str)> {
    let is_key = |byte: &u8| byte.is_ascii_alphanumeric() || b"_/.- ".contains(byte);
    let length = text.bytes().take_while(|byte| is_key(byte)).count();
    let (key, rest) = text.split_at(length);
    let after = rest.strip_prefix(':')?;
    let begins = key.starts_with(|first: char| first.is_ascii_alphabetic());
    let is_whole = begins && length <= KEY && !key.ends_with(' ');
    (is_whole && (after.is_empty() || after.starts_with(' '))).then_some((key, after))
}

fn has_doubled(entries: &[(String, Plain)]) -> bool {
    let mut keys: Vec<&str> = entries.iter().map(|(key, _)| key.as_str()).collect();
    keys.sort_unstable();
    keys.windows(2).any(|two| two[0] == two[1])
}

/// Reads a quoted text that contains neither quotes nor escapes.
fn quoted(text: &str) -> Option<Plain> {
    let inner = text.strip_prefix('"')?.strip_suffix('"')?;
    let odd = |c: char| matches!(c, '"' | '\\') || needs_escape(c);
    (!inner.chars().any(odd)).then(|| Plain::Text(inner.to_owned()))
}

/// Reads an unquoted value.
fn plain(text: &str) -> Option<Plain> {
    let mut parts = text.split(':').skip(1);
    let has_key = parts.any(|after| after.is_empty() || after.starts_with(' '));
    let odd = |c: char| c == '#' || needs_escape(c);
    if has_key || text.ends_with(' ') || text.chars().any(odd) {
        return None;
    }
    match schema::resolve(Cow::Borrowed(text)) {
        Value::Null => Some(Plain::Null),
        Value::Bool(value) => Some(Plain::Bool(value)),
        Value::Number(number) => Some(of_number(&number)),
        Value::String(text) => Some(Plain::Text(text)),
        Value::List(_) | Value::Map(_) => None,
    }
}

#[cfg(test)]
mod tests;

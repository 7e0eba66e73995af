//! Scans strings and characters.

use super::super::language::Language;
use super::super::lines::last_word;
use super::{Inside, Scanner};

/// An open string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Quoted {
    quote: u8,
    /// How many quotes end it.
    quotes: usize,
    /// Whether it may span lines.
    pub(super) is_long: bool,
    escapes: bool,
    /// How many expressions are open in it; `None` if it cannot contain expressions.
    holds: Option<usize>,
}

impl Scanner<'_> {
    /// Consumes the start of a Rust raw string, if there is one here.
    pub(super) fn begins_raw_string(&mut self, is_word_before: bool) -> bool {
        if is_word_before {
            return false;
        }
        let prefix = ["br", "cr", "r"].into_iter().find(|prefix| self.starts(prefix));
        let Some(prefix) = prefix else { return false };
        let rest = &self.bytes[self.at + prefix.len()..];
        let hashes = rest.iter().take_while(|byte| **byte == b'#').count();
        if rest.get(hashes) != Some(&b'"') {
            return false;
        }
        self.take(prefix.len() + hashes + 1, false, false);
        self.line.code.push_str("\"\"");
        self.inside = Inside::Raw { hashes };
        true
    }

    pub(super) fn raw(&mut self, hashes: usize) {
        let rest = &self.bytes[self.at + 1..];
        let is_end = self.bytes[self.at] == b'"'
            && rest.iter().take(hashes).filter(|byte| **byte == b'#').count() == hashes;
        if is_end {
            self.take(1 + hashes, false, false);
            self.inside = Inside::Code;
        } else {
            self.take(1, false, false);
        }
    }

    pub(super) fn quote(&mut self, quote: u8) {
        match (self.language, quote) {
            (Language::Rust, b'\'') => return self.rust_quote(),
            (Language::Go | Language::Java | Language::Kotlin | Language::CSharp, b'\'') => {
                return self.character();
            }
            _ => {}
        }
        let three = [quote; 3];
        let triple = self.language.has_triple_quotes() && self.bytes[self.at..].starts_with(&three);
        // A word right before the quote is the string's prefix.
        let prefix = last_word(&self.line.code).to_ascii_lowercase();
        let before = self.line.code.chars().next_back();
        // C# has strings without escapes, with expressions, and with any number of quotes.
        let is_odd = triple || before.is_some_and(|c| c == '@' || c == '$');
        self.is_certain &= self.language != Language::CSharp || !is_odd;
        let is_raw = self.language == Language::Kotlin && triple
            || self.language == Language::Shell && quote == b'\'';
        let escapes = !is_raw;
        let is_formatted = if self.language == Language::Python {
            prefix.contains(['f', 't'])
        } else {
            quote == b'"'
        };
        let quotes = if triple { 3 } else { 1 };
        let is_long = triple || self.language.has_long_strings();
        self.take(quotes, false, false);
        self.line.code.push_str("\"\"");
        let holds = is_formatted.then_some(0);
        self.inside = Inside::String(Quoted { quote, quotes, is_long, escapes, holds });
    }

    pub(super) fn string(&mut self, quoted: Quoted) {
        let Quoted { quote, quotes, escapes, holds, .. } = quoted;
        let byte = self.bytes[self.at];
        if byte == b'\\' && escapes {
            // An escaped line ending is still a line ending.
            let more = usize::from(self.peek(1).is_some_and(|next| next != b'\n'));
            return self.take(1 + more, false, false);
        }
        if self.bytes[self.at..].starts_with(&[quote; 3][..quotes]) {
            // A string within an expression within a string: versions of a language parse it
            // differently.
            self.is_certain &= holds.is_none_or(|open| open == 0);
            self.take(quotes, false, false);
            self.inside = Inside::Code;
            return;
        }
        let opens = self.language.interpolation().is_some_and(|opener| self.starts(opener));
        let closes = byte == if self.language == Language::Shell { b')' } else { b'}' };
        let holds = holds.map(|open| match (opens, closes) {
            (true, _) => open + 1,
            (false, true) => open.saturating_sub(1),
            (false, false) => open,
        });
        self.inside = Inside::String(Quoted { holds, ..quoted });
        self.take(1, false, false);
    }

    /// Reads a character or a lifetime.
    fn rust_quote(&mut self) {
        let rest = &self.text[self.at + 1..];
        let mut letters = rest.chars();
        let (first, second) = (letters.next(), letters.next());
        match (first, second) {
            (Some('\\'), _) => self.character(),
            (Some(first), Some('\'')) if first != '\'' => {
                self.take(2 + first.len_utf8(), false, false);
                self.line.code.push_str("''");
            }
            _ => self.take(1, true, true),
        }
    }

    /// Reads a character in single quotes, on one line.
    fn character(&mut self) {
        let rest = &self.bytes[self.at + 1..];
        let mut escaped = false;
        let end = rest.iter().take(16).position(|&byte| {
            let is_end = byte == b'\'' && !escaped;
            escaped = byte == b'\\' && !escaped;
            is_end
        });
        match end {
            Some(end) if end > 0 && !rest[..end].contains(&b'\n') => {
                self.take(end + 2, false, false);
                self.line.code.push_str("''");
            }
            _ => {
                self.is_certain = false;
                self.take(1, true, true);
            }
        }
    }

    pub(super) fn backquote(&mut self) {
        match self.language {
            Language::JavaScript => {
                self.take(1, false, false);
                self.line.code.push_str("\"\"");
                self.inside = Inside::Template;
            }
            Language::Go => {
                self.take(1, false, false);
                self.line.code.push_str("\"\"");
                let (quote, quotes, is_long, escapes) = (b'`', 1, true, false);
                let holds = None;
                self.inside = Inside::String(Quoted { quote, quotes, is_long, escapes, holds });
            }
            // Backquotes enclose a test name in Kotlin.
            Language::Kotlin => self.take(1, true, true),
            Language::Python
            | Language::Rust
            | Language::Java
            | Language::CSharp
            | Language::Php
            | Language::Ruby
            | Language::Shell => {
                self.is_certain = false;
                self.take(1, true, true);
            }
        }
    }

    pub(super) fn template(&mut self) {
        if self.starts("\\") {
            let more = usize::from(self.peek(1).is_some_and(|next| next != b'\n'));
            self.take(1 + more, false, false);
        } else if self.starts("`") {
            self.take(1, false, false);
            self.inside = Inside::Code;
        } else if self.starts("${") {
            self.take(2, false, false);
            self.brackets.push((b'T', self.lines.len()));
            self.inside = Inside::Code;
        } else {
            self.take(1, false, false);
        }
    }
}

//! Parses a text and tells code from strings and comments.
//!
//! The scanner makes one pass over the bytes. Where a language allows two readings, the text is not
//! certain, and a comparison treats it as changed.

mod end_words;
mod quotes;

use quotes::Quoted;

use super::language::Language;
use super::lines::{TestLine, Text, is_word, last_word};

/// The scanner's current context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inside {
    Code,
    LineComment,
    BlockComment {
        nested: usize,
    },
    /// Ruby's `=begin`.
    Document,
    String(Quoted),
    /// Rust's `r#"…"#`.
    Raw {
        hashes: usize,
    },
    Template,
}

struct Scanner<'t> {
    bytes: &'t [u8],
    text: &'t str,
    language: Language,
    at: usize,
    inside: Inside,
    /// Open brackets with their lines; `T` is an expression in a template.
    brackets: Vec<(u8, usize)>,
    lines: Vec<TestLine>,
    line: TestLine,
    /// Whether the line so far has only blanks.
    is_indent: bool,
    /// Whether a markup tag ends in this line: a later slash is ambiguous.
    has_tag: bool,
    is_certain: bool,
}

pub(super) fn scan(text: &str, language: Language) -> Text {
    let mut scanner = Scanner {
        bytes: text.as_bytes(),
        text,
        language,
        at: 0,
        inside: Inside::Code,
        brackets: Vec::new(),
        lines: Vec::new(),
        line: TestLine::default(),
        is_indent: true,
        has_tag: false,
        is_certain: true,
    };
    if language == Language::Php && !text.starts_with("<?php") {
        scanner.is_certain = false;
    }
    // An uncertain text is not used, so the rest is skipped.
    while scanner.is_certain && scanner.at < scanner.bytes.len() {
        scanner.next();
    }
    if !scanner.line.raw.is_empty() {
        scanner.end_line();
    }
    let is_closed = matches!(scanner.inside, Inside::Code | Inside::LineComment);
    scanner.is_certain &= is_closed && scanner.brackets.is_empty();
    let mut text = Text { lines: scanner.lines, is_certain: scanner.is_certain };
    if language.has_end_words() {
        end_words::count(&mut text);
    }
    text
}

impl Scanner<'_> {
    fn next(&mut self) {
        if self.bytes[self.at] == b'\n' {
            self.at += 1;
            self.end_line();
            return;
        }
        match self.inside {
            Inside::Code => self.code(),
            Inside::LineComment => self.take(1, false, true),
            Inside::BlockComment { nested } => self.block_comment(nested),
            Inside::Document => self.document(),
            Inside::String(quoted) => self.string(quoted),
            Inside::Raw { hashes } => self.raw(hashes),
            Inside::Template => self.template(),
        }
    }

    fn starts(&self, what: &str) -> bool {
        self.bytes[self.at..].starts_with(what.as_bytes())
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    /// Appends the next bytes to the line, and to its code if they are code; collapses
    /// insignificant blanks.
    fn take(&mut self, bytes: usize, is_code: bool, collapses: bool) {
        let mut end = (self.at + bytes).min(self.bytes.len());
        while !self.text.is_char_boundary(end) {
            end += 1;
        }
        let part = &self.text[self.at..end];
        self.line.raw.push_str(part);
        let is_blank = part == " " || part == "\t" || part == "\r";
        if is_blank && self.is_indent && !self.line.starts_inside {
            self.line.indent += if part == "\t" { 8 - self.line.indent % 8 } else { 1 };
            self.line.normal.push_str(part);
        } else if is_blank && collapses {
            if !self.line.normal.ends_with(' ') {
                self.line.normal.push(' ');
            }
        } else {
            self.is_indent &= is_blank;
            self.line.normal.push_str(part);
        }
        if is_code {
            if !is_blank {
                self.line.code.push_str(part);
            } else if !self.line.code.is_empty() && !self.line.code.ends_with(' ') {
                self.line.code.push(' ');
            }
        }
        self.at = end;
    }

    fn end_line(&mut self) {
        if self.inside == Inside::LineComment {
            self.inside = Inside::Code;
        }
        if let Inside::String(Quoted { is_long: false, .. }) = self.inside {
            self.is_certain = false;
            self.inside = Inside::Code;
        }
        let mut line = std::mem::take(&mut self.line);
        line.ends_inside = self.inside != Inside::Code;
        line.depth_after = self.brackets.len();
        line.code.truncate(line.code.trim_end().len());
        if !line.ends_inside {
            line.normal.truncate(line.normal.trim_end().len());
        }
        let indentation = &line.raw[..line.raw.len() - line.raw.trim_start().len()];
        let is_python = self.language == Language::Python;
        if is_python
            && !line.starts_inside
            && indentation.contains('\t')
            && indentation.contains(' ')
        {
            self.is_certain = false;
        }
        self.lines.push(line);
        self.line = TestLine {
            starts_inside: self.inside != Inside::Code,
            depth_before: self.brackets.len(),
            lowest: self.brackets.len(),
            opener: self.brackets.last().map(|(_, line)| *line),
            ..TestLine::default()
        };
        self.is_indent = true;
        self.has_tag = false;
    }

    fn code(&mut self) {
        let byte = self.bytes[self.at];
        let language = self.language;
        let is_word_before = self.line.code.ends_with(is_word);
        self.is_certain &= !(self.has_tag && byte == b'/' && !self.ends_tag());
        let is_hash = language.has_hash_comments() && byte == b'#' && self.begins_hash_comment();
        if is_hash || language.has_slash_comments() && self.starts("//") {
            self.comment(Inside::LineComment);
        } else if language.has_slash_comments() && self.starts("/*") {
            self.take(1, false, false);
            self.comment(Inside::BlockComment { nested: 0 });
        } else if language == Language::Ruby && self.is_line_start() && self.starts("=begin") {
            self.comment(Inside::Document);
        } else if language == Language::Rust && self.begins_raw_string(is_word_before) {
            // The raw string is already consumed.
        } else if byte == b'/' && matches!(language, Language::JavaScript | Language::Ruby) {
            self.slash();
        } else if byte == b'`' {
            self.backquote();
        } else if byte == b'"' || byte == b'\'' {
            self.quote(byte);
        } else {
            self.plain(byte);
        }
    }

    fn is_line_start(&self) -> bool {
        self.line.raw.is_empty()
    }

    /// A `#` inside a shell word does not begin a comment, and PHP's `#[` is an attribute.
    fn begins_hash_comment(&self) -> bool {
        match self.language {
            Language::Shell => {
                self.line.raw.is_empty() || self.line.raw.ends_with([' ', '\t', ';'])
            }
            Language::Php => self.peek(1) != Some(b'['),
            Language::Python
            | Language::Ruby
            | Language::JavaScript
            | Language::Rust
            | Language::Go
            | Language::Java
            | Language::Kotlin
            | Language::CSharp => true,
        }
    }

    fn comment(&mut self, inside: Inside) {
        self.take(1, false, true);
        self.inside = inside;
    }

    fn block_comment(&mut self, nested: usize) {
        if self.starts("*/") {
            self.take(2, false, false);
            self.inside = match nested {
                0 => Inside::Code,
                _ => Inside::BlockComment { nested: nested - 1 },
            };
        } else if self.language.nests_comments() && self.starts("/*") {
            self.take(2, false, false);
            self.inside = Inside::BlockComment { nested: nested + 1 };
        } else {
            self.take(1, false, false);
        }
    }

    fn document(&mut self) {
        if self.is_line_start() && self.starts("=end") {
            self.inside = Inside::LineComment;
        }
        self.take(1, false, false);
    }

    /// Returns whether a slash belongs to the end of a markup tag: `</b>`, `/>`.
    fn ends_tag(&self) -> bool {
        let rest = &self.text[self.at + 1..];
        let name = rest.trim_start_matches(|c: char| is_word(c) || ".:-".contains(c));
        let is_closing = self.line.code.ends_with('<') && name.starts_with('>');
        self.language == Language::JavaScript && (is_closing || rest.starts_with('>'))
    }

    /// Reads a division or a regular expression.
    fn slash(&mut self) {
        if self.ends_tag() {
            self.has_tag = true;
            return self.take(1, true, true);
        }
        let code = self.line.code.trim_end();
        let word = Some(last_word(code)).filter(|word| !word.is_empty());
        let before = ["return", "typeof", "case", "in", "of", "when", "and", "or"];
        let is_value = match (word, code.chars().next_back()) {
            (Some(word), _) => !before.contains(&word),
            (None, Some(']' | '"' | '\'')) => true,
            (None, Some('(' | ',' | '=' | ':' | '[' | '!' | '&' | '|' | '?' | '~' | ';')) => false,
            (None, None | Some(_)) => {
                // A regular expression must end on its line.
                let rest = self.text[self.at + 1..].split('\n').next().unwrap_or_default();
                self.is_certain &= !rest.contains('/');
                true
            }
        };
        if is_value {
            // Ruby's `match /x/` looks the same.
            self.is_certain &= self.language == Language::JavaScript || self.peek(1) == Some(b' ');
            return self.take(1, true, true);
        }
        let (mut escaped, mut class) = (false, false);
        let end =
            self.bytes[self.at + 1..].iter().take_while(|byte| **byte != b'\n').position(|&byte| {
                let is_end = byte == b'/' && !escaped && !class;
                match byte {
                    b'[' if !escaped => class = true,
                    b']' if !escaped => class = false,
                    _ => {}
                }
                escaped = byte == b'\\' && !escaped;
                is_end
            });
        if let Some(end) = end {
            self.take(end + 2, false, false);
            self.line.code.push_str("\"\"");
        } else {
            self.is_certain = false;
            self.take(1, true, true);
        }
    }

    fn plain(&mut self, byte: u8) {
        match byte {
            b'(' | b'[' | b'{' if self.language != Language::Shell => {
                self.brackets.push((byte, self.lines.len()));
            }
            b')' | b']' | b'}' if self.language != Language::Shell => {
                let open = self.brackets.pop().map(|(open, _)| open);
                match (open, byte) {
                    (Some(b'('), b')') | (Some(b'['), b']') | (Some(b'{'), b'}') => {}
                    (Some(b'T'), b'}') => {
                        self.inside = Inside::Template;
                        self.line.lowest = self.line.lowest.min(self.brackets.len());
                        return self.take(1, false, false);
                    }
                    _ => self.is_certain = false,
                }
                self.line.lowest = self.line.lowest.min(self.brackets.len());
            }
            _ => {}
        }
        self.is_certain &= !self.is_doubtful(byte);
        self.take(1, true, true);
    }

    /// Returns whether an unsupported construct begins here: a heredoc, a literal with its own
    /// delimiter, another language.
    fn is_doubtful(&self, byte: u8) -> bool {
        let next = self.peek(1).unwrap_or(b' ');
        match (self.language, byte) {
            (Language::Ruby, b'<') => next == b'<' && self.peek(2).is_some_and(|c| c != b' '),
            (Language::Ruby, b'%') => !next.is_ascii_whitespace() && next != b'=',
            (Language::Ruby, b'?') => {
                !self.line.code.ends_with(is_word) && !next.is_ascii_whitespace()
            }
            (Language::Ruby, b'_') => self.is_line_start() && self.starts("__END__"),
            (Language::Shell | Language::Php, b'<') => next == b'<',
            (Language::Shell, b'\\') => true,
            (Language::Php, b'?') => next == b'>',
            (Language::Php, b'_') => self.starts("__halt_compiler"),
            _ => false,
        }
    }
}

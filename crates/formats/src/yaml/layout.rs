//! Lines, columns and the white space between tokens.

use std::ops::Range;

/// Determines which lines after a block scalar belong to its text.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScalarShape {
    /// The column of its lines.
    pub(super) indent: usize,
    /// Whether trailing blank lines belong to it, as with `|+`.
    pub(super) keeps_blanks: bool,
}

/// Returns the start of the line of `at`, but not before `floor`.
pub(super) fn line_start(text: &str, at: usize, floor: usize) -> usize {
    text[floor..at].rfind(['\n', '\r']).map_or(floor, |newline| floor + newline + 1)
}

/// Returns the end of the line of `at`, before its line break.
pub(super) fn line_end(text: &str, at: usize, limit: usize) -> usize {
    text[at..limit].find(['\n', '\r']).map_or(limit, |newline| at + newline)
}

/// Returns the start of the line after that of `at`, or the limit.
pub(super) fn next_line(text: &str, at: usize, limit: usize) -> usize {
    let end = line_end(text, at, limit);
    let rest = &text[end..limit];
    end + if rest.starts_with("\r\n") { 2 } else { rest.len().min(1) }
}

/// The column of `at` in bytes; in block context all text before it is ASCII.
pub(super) fn column(text: &str, at: usize, floor: usize) -> usize {
    at - line_start(text, at, floor)
}

/// Returns whether only blanks come before `at` in its line.
pub(super) fn first_in_line(text: &str, at: usize, floor: usize) -> bool {
    is_blank(&text[line_start(text, at, floor)..at])
}

/// Returns whether a text consists only of spaces and tabs.
pub(super) fn is_blank(text: &str) -> bool {
    text.bytes().all(|byte| byte == b' ' || byte == b'\t')
}

/// Returns whether a line of a block scalar has text. Blanks beyond the indentation are text.
pub(super) fn has_text(line: &str, indent: usize) -> bool {
    line.len() > indent || !line.trim_start_matches(' ').is_empty()
}

/// Skips blanks within a line.
pub(super) fn skip_blanks(text: &str, at: usize) -> usize {
    at + text[at..].bytes().take_while(|&byte| byte == b' ' || byte == b'\t').count()
}

/// Skips blanks, line breaks and comments.
pub(super) fn skip_trivia(text: &str, mut at: usize, limit: usize) -> usize {
    loop {
        let space = |&byte: &u8| b" \t\r\n".contains(&byte);
        at += text[at..limit].bytes().take_while(space).count();
        if !text[at..limit].starts_with('#') {
            return at;
        }
        at = line_end(text, at, limit);
    }
}

/// Returns the end of the comment lines after `at` that are indented by `column` or more.
///
/// `at` is a line start. Blank lines between such comments are included, those after the last one
/// are not.
pub(super) fn comments_end(text: &str, mut at: usize, limit: usize, column: usize) -> usize {
    let mut end = at;
    while at < limit {
        let line: Range<usize> = at..line_end(text, at, limit);
        let content = skip_blanks(text, line.start).min(line.end);
        let comment = text[content..line.end].starts_with('#');
        if !comment && content < line.end || comment && content - line.start < column {
            break;
        }
        at = next_line(text, at, limit);
        if comment {
            end = at;
        }
    }
    end
}

/// Returns the end of the lines that would become part of a block scalar that ends right before the
/// line start `at`: blank lines longer than its indentation, and comments as deep as its text.
pub(super) fn joined_end(text: &str, mut at: usize, limit: usize, scalar: ScalarShape) -> usize {
    let mut end = at;
    while at < limit {
        let line = &text[at..line_end(text, at, limit)];
        let content = line.trim_start_matches(' ');
        let is_blank = is_blank(content);
        let is_deep = line.len() - content.len() >= scalar.indent;
        let is_comment = is_deep && content.starts_with('#');
        if !is_blank && !is_comment {
            break;
        }
        at = next_line(text, at, limit);
        if is_comment || scalar.keeps_blanks || line.len() > scalar.indent {
            end = at;
        }
    }
    end
}

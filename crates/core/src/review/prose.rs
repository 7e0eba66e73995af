//! The lines of an answer that its writer says, without those that are only shown: code between
//! fences, quotations, comments.

/// Returns what is said, line by line; what is only shown is an empty line.
///
/// What is opened and never closed hides the rest, because nobody can tell where it should end.
pub(super) fn said(text: &str) -> Vec<&str> {
    let mut state = State::Said;
    text.lines().map(|line| state.take(line)).collect()
}

/// What the line at hand stands in.
#[derive(Clone, Copy)]
enum State {
    Said,
    /// A quotation goes on in lines without a mark, as long as they are plain text.
    Quoted,
    Fence {
        mark: char,
        length: usize,
    },
    Comment,
}

impl State {
    fn take<'a>(&mut self, line: &'a str) -> &'a str {
        match *self {
            Self::Fence { mark, length } => {
                let (found, rest) = marks(line.trim(), mark);
                if found >= length && rest.is_empty() {
                    *self = Self::Said;
                }
                ""
            }
            Self::Comment => match line.split_once("-->") {
                Some((_, rest)) => {
                    *self = Self::Said;
                    self.take(rest)
                }
                None => "",
            },
            Self::Quoted if !ends_quotation(line) => "",
            Self::Quoted | Self::Said => self.open(line),
        }
    }

    /// Takes a line that stands in nothing yet.
    fn open<'a>(&mut self, line: &'a str) -> &'a str {
        let inner = item(line).unwrap_or(line).trim_start();
        *self = Self::Said;
        if inner.starts_with('>') {
            *self = Self::Quoted;
            return "";
        }
        for mark in ['`', '~'] {
            let (length, info) = marks(inner, mark);
            if length >= 3 && !(mark == '`' && info.contains('`')) {
                *self = Self::Fence { mark, length };
                return "";
            }
        }
        match line.split_once("<!--") {
            None => line,
            Some((_, rest)) => {
                *self = Self::Comment;
                // What stands around a comment in its line is lost with it: nothing that counts
                // is written there.
                let after = self.take(rest);
                if after.trim().is_empty() { "" } else { after }
            }
        }
    }
}

fn marks(text: &str, mark: char) -> (usize, &str) {
    let rest = text.trim_start_matches(mark);
    (text.len() - rest.len(), rest)
}

/// Returns whether a line after a quotation is no longer part of it.
fn ends_quotation(line: &str) -> bool {
    let text = line.trim_start();
    text.is_empty() || text.starts_with(['#', '>', '`', '~', '<']) || item(line).is_some()
}

/// Returns what stands after the mark of a list item.
pub(super) fn item(line: &str) -> Option<&str> {
    let text = line.trim_start();
    let bare = text.strip_prefix(['-', '*', '+']).or_else(|| {
        let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
        let digits = text.len() - rest.len();
        (1..=9).contains(&digits).then(|| rest.strip_prefix(['.', ')'])).flatten()
    })?;
    (bare.is_empty() || bare.starts_with([' ', '\t'])).then(|| bare.trim())
}

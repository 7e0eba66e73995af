//! Extracts the lines of an answer that are the writer's own statements, without code fences,
//! quotations and comments.

/// Returns the stated lines; quoted lines become empty.
///
/// An opener without its closer hides the rest, because its intended end is unknown.
pub(super) fn said(text: &str) -> Vec<&str> {
    let mut state = Construct::Said;
    text.lines().map(|line| state.take(line)).collect()
}

/// The construct that contains the current line.
#[derive(Clone, Copy)]
enum Construct {
    Said,
    /// A quotation continues in unmarked lines of plain text.
    Quoted,
    Fence {
        mark: char,
        length: usize,
    },
    Comment,
}

impl Construct {
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

    /// Reads a line outside of any construct.
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
                // The text around a comment on its line is dropped: nothing that counts is written
                // there.
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

/// Returns whether a line ends the quotation before it.
fn ends_quotation(line: &str) -> bool {
    let text = line.trim_start();
    text.is_empty() || text.starts_with(['#', '>', '`', '~', '<']) || item(line).is_some()
}

/// Returns the text after the marker of a list item.
pub(super) fn item(line: &str) -> Option<&str> {
    let text = line.trim_start();
    let bare = text.strip_prefix(['-', '*', '+']).or_else(|| {
        let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
        let digits = text.len() - rest.len();
        (1..=9).contains(&digits).then(|| rest.strip_prefix(['.', ')'])).flatten()
    })?;
    (bare.is_empty() || bare.starts_with([' ', '\t'])).then(|| bare.trim())
}

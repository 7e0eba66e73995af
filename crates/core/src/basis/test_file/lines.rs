//! A text as lines, with code, strings and comments told apart.

/// One line of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TestLine {
    /// The original line without its line ending.
    pub(super) raw: String,
    /// The line with blanks between words collapsed; strings and indentation are kept.
    pub(super) normal: String,
    /// The code without comments and the content of strings.
    pub(super) code: String,
    /// The width of the indentation.
    pub(super) indent: usize,
    /// Whether it begins inside a string or a comment.
    pub(super) starts_inside: bool,
    /// Whether it ends inside a string or a comment.
    pub(super) ends_inside: bool,
    /// The number of open brackets before the line.
    pub(super) depth_before: usize,
    /// The number of open brackets after the line.
    pub(super) depth_after: usize,
    /// The lowest bracket depth within the line.
    pub(super) lowest: usize,
    /// The line with the innermost bracket that is open before this line.
    pub(super) opener: Option<usize>,
}

impl TestLine {
    /// Returns whether the line has no meaning: it is empty and not inside a string or comment.
    pub(super) fn is_blank(&self) -> bool {
        !self.starts_inside && self.raw.trim().is_empty()
    }

    /// Returns whether a statement may begin with this line: not inside a string or comment, nor in
    /// brackets deeper than `depth`.
    pub(super) fn begins_at(&self, depth: usize) -> bool {
        !self.starts_inside && self.depth_before <= depth
    }
}

/// A parsed text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Text {
    pub(super) lines: Vec<TestLine>,
    /// Whether the text was parsed without ambiguity.
    pub(super) is_certain: bool,
}

impl Text {
    /// Drops blank lines and adjusts the indexes of openers.
    pub(super) fn without_blanks(self) -> Self {
        let mut places = Vec::with_capacity(self.lines.len());
        let mut kept = Vec::with_capacity(self.lines.len());
        for mut line in self.lines {
            places.push(kept.len());
            if !line.is_blank() {
                // The line of an opener is never blank and comes earlier.
                line.opener = line.opener.and_then(|at| places.get(at).copied());
                kept.push(line);
            }
        }
        Self { lines: kept, ..self }
    }
}

/// Splits code into words: runs of letters, digits and underscores.
pub(super) fn words(code: &str) -> impl Iterator<Item = &str> {
    code.split(|c: char| !is_word(c)).filter(|word| !word.is_empty())
}

/// Returns the word at the end of the code; empty if it ends with something else.
pub(super) fn last_word(code: &str) -> &str {
    &code[code.trim_end_matches(is_word).len()..]
}

/// Returns whether a character can be part of a name.
pub(super) fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || letter == '$'
}

/// Returns whether code contains `phrase` as a whole, not as part of a longer name.
pub(super) fn has_phrase(code: &str, phrase: &str) -> bool {
    let starts_word = phrase.starts_with(is_word);
    let ends_word = phrase.ends_with(is_word);
    code.match_indices(phrase).any(|(at, found)| {
        let before = code[..at].chars().next_back();
        let after = code[at + found.len()..].chars().next();
        let goes_on =
            starts_word && before.is_some_and(is_word) || ends_word && after.is_some_and(is_word);
        !goes_on
    })
}

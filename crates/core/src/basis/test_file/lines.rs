//! A text as lines of which it is known what is code, what is a string and what is a comment.

/// One line of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Line {
    /// The line as it stands, without its end.
    pub(super) raw: String,
    /// The same with the blanks between words collapsed, strings and indentation kept.
    pub(super) normal: String,
    /// Its code: comments and the insides of strings are left out.
    pub(super) code: String,
    /// How far in it begins.
    pub(super) indent: usize,
    /// Whether it begins inside a string or a comment.
    pub(super) starts_inside: bool,
    /// Whether it ends inside a string or a comment.
    pub(super) ends_inside: bool,
    /// How many brackets are open before it.
    pub(super) depth_before: usize,
    /// How many brackets are open after it.
    pub(super) depth_after: usize,
    /// The fewest brackets that are open on the way.
    pub(super) lowest: usize,
    /// The line with the innermost bracket that is open before it.
    pub(super) opener: Option<usize>,
}

impl Line {
    /// Returns whether nothing stands in it that could mean something.
    pub(super) fn is_blank(&self) -> bool {
        !self.starts_inside && self.raw.trim().is_empty()
    }

    /// Returns whether a statement may begin with it: not in a string, a comment or brackets that are
    /// open for longer than `depth`.
    pub(super) fn begins_at(&self, depth: usize) -> bool {
        !self.starts_inside && self.depth_before <= depth
    }
}

/// A text that was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Text {
    pub(super) lines: Vec<Line>,
    /// Whether it was read without any doubt.
    pub(super) is_certain: bool,
}

impl Text {
    /// Returns the lines that mean something, with the places of openers changed to match.
    pub(super) fn without_blanks(self) -> Self {
        let mut places = Vec::with_capacity(self.lines.len());
        let mut kept = Vec::with_capacity(self.lines.len());
        for mut line in self.lines {
            places.push(kept.len());
            if !line.is_blank() {
                // What opens a bracket is never blank, and stands before.
                line.opener = line.opener.and_then(|at| places.get(at).copied());
                kept.push(line);
            }
        }
        Self { lines: kept, ..self }
    }
}

/// Returns the words of a code: runs of letters, digits and underscores.
pub(super) fn words(code: &str) -> impl Iterator<Item = &str> {
    code.split(|c: char| !is_word(c)).filter(|word| !word.is_empty())
}

/// Returns the word that a code ends with; empty where it ends otherwise.
pub(super) fn last_word(code: &str) -> &str {
    &code[code.trim_end_matches(is_word).len()..]
}

/// Returns whether a letter can be a part of a name.
pub(super) fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || letter == '$'
}

/// Returns whether `phrase` stands in a code with no letter of a name right before or after it.
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

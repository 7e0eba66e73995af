//! Splits source code into words, strings, signs and line ends, without comments.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'t> {
    pub(super) text: &'t str,
    kind: TokenKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TokenKind {
    Word,
    Quoted,
    Sign,
}

impl<'t> Token<'t> {
    /// Returns whether this is the given sign.
    pub(super) fn is(&self, sign: &str) -> bool {
        self.kind == TokenKind::Sign && self.text == sign
    }

    /// The word, if this is one; a quoted string is not.
    pub(super) fn word(&self) -> Option<&'t str> {
        (self.kind == TokenKind::Word).then_some(self.text)
    }

    /// The word, or the text between the quotes.
    pub(super) fn name(&self) -> Option<&'t str> {
        match self.kind {
            TokenKind::Word => Some(self.text),
            TokenKind::Quoted => self.text.get(1..self.text.len().saturating_sub(1)),
            TokenKind::Sign => None,
        }
    }

    pub(super) fn opens(&self) -> bool {
        self.kind == TokenKind::Sign && ["(", "[", "{"].contains(&self.text)
    }

    pub(super) fn closes(&self) -> bool {
        self.kind == TokenKind::Sign && [")", "]", "}"].contains(&self.text)
    }
}

/// Returns the tokens of a text, or `None` if its brackets do not match. `comment` starts a comment
/// to the end of the line; with `//`, `/* … */` is a comment, too.
pub(super) fn tokens<'t>(text: &'t str, comment: &str) -> Option<Vec<Token<'t>>> {
    let mut found: Vec<Token<'t>> = Vec::new();
    let (mut at, mut open) = (0, Vec::new());
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let (length, kind) = match first {
            '\n' => (1, Some(TokenKind::Sign)),
            c if c.is_whitespace() => (c.len_utf8(), None),
            _ if rest.starts_with(comment) => (rest.find('\n').unwrap_or(rest.len()), None),
            '/' if comment == "//" && rest.starts_with("/*") => (rest.find("*/")? + 2, None),
            '\'' | '"' | '`' => (quoted(rest, first)?, Some(TokenKind::Quoted)),
            '/' if comment == "//" && is_pattern(found.last()) => match pattern(rest) {
                Some(length) => (length, Some(TokenKind::Quoted)),
                None => (1, Some(TokenKind::Sign)),
            },
            c if is_part(c) => {
                (rest.find(|c| !is_part(c)).unwrap_or(rest.len()), Some(TokenKind::Word))
            }
            c => (c.len_utf8(), Some(TokenKind::Sign)),
        };
        if let Some(kind) = kind {
            let token = Token { text: &rest[..length], kind };
            if token.opens() {
                open.push(first);
            } else if token.closes() && open.pop() != partner(first) {
                return None;
            }
            found.push(token);
        }
        at += length;
    }
    open.is_empty().then_some(found)
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$' || c == '-'
}

const fn partner(close: char) -> Option<char> {
    match close {
        ')' => Some('('),
        ']' => Some('['),
        '}' => Some('{'),
        _ => None,
    }
}

/// Returns the length of a string; a triple-quoted one may span several lines.
fn quoted(rest: &str, quote: char) -> Option<usize> {
    let triple: String = [quote; 3].iter().collect();
    if quote != '`' && rest.starts_with(&triple) {
        return rest[3..].find(&triple).map(|end| end + 6);
    }
    let mut letters = rest.char_indices().skip(1);
    while let Some((at, c)) = letters.next() {
        match c {
            '\\' => {
                letters.next();
            }
            '\n' if quote != '`' => return None,
            c if c == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// Returns whether a `/` after this token starts a regular expression rather than divides.
fn is_pattern(before: Option<&Token<'_>>) -> bool {
    before.is_none_or(|token| token.kind == TokenKind::Sign && !token.closes())
}

fn pattern(rest: &str) -> Option<usize> {
    let (mut in_class, mut letters) = (false, rest.char_indices().skip(1));
    while let Some((at, c)) = letters.next() {
        match c {
            '\\' => {
                letters.next();
            }
            '\n' => return None,
            '[' => in_class = true,
            ']' => in_class = false,
            '/' if !in_class => return Some(at + 1),
            _ => {}
        }
    }
    None
}

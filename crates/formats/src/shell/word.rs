/// A word of a command, its quotes taken away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// The text; a `*` stands where a part is only known when it runs.
    pub text: String,
    /// Whether all of it is known.
    pub known: bool,
    /// Whether a part of it stood in quotes.
    pub quoted: bool,
}

impl Word {
    /// Takes a word as it is, such as one of an argument list.
    pub fn known(text: impl Into<String>) -> Self {
        Self { text: text.into(), known: true, quoted: true }
    }

    /// An empty word, to be filled.
    pub(super) const fn new() -> Self {
        Self { text: String::new(), known: true, quoted: false }
    }

    /// Adds a part that is only known when it runs.
    pub(super) fn push_unknown(&mut self) {
        self.text.push('*');
        self.known = false;
    }

    /// Returns the last step of a path, in lower case: the name of a program.
    pub fn name(&self) -> String {
        let name = self.text.rsplit(['/', '\\']).next().unwrap_or_default().to_ascii_lowercase();
        name.strip_suffix(".exe").map_or(name.clone(), str::to_owned)
    }

    /// Returns whether this sets a variable: `NAME=…`.
    pub fn assigns(&self) -> bool {
        let Some((name, _)) = self.text.split_once('=') else { return false };
        let name = name.strip_suffix('+').unwrap_or(name);
        let letters = |c: char| c.is_ascii_alphanumeric() || c == '_';
        !name.is_empty()
            && name.chars().all(letters)
            && !name.starts_with(|c: char| c.is_ascii_digit())
    }
}

/// Words before a command that are none.
const RESERVED: [&str; 11] =
    ["!", "{", "}", "if", "then", "else", "elif", "do", "while", "until", "coproc"];

/// Returns the place of a command's first own word: its program, or `case`. Assignments and reserved
/// words come before it.
pub fn start(words: &[Word]) -> Option<usize> {
    let is_passed = |word: &Word| word.assigns() || RESERVED.contains(&word.text.as_str());
    words.iter().position(|word| !is_passed(word))
}

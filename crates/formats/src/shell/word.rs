/// A word of a command, without its quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShellWord {
    /// The text, with a `*` for each part that is only known when it runs.
    pub text: String,
    /// Whether the whole text is known.
    pub known: bool,
    /// Whether a part of it was quoted.
    pub quoted: bool,
}

impl ShellWord {
    /// Makes a literal word, such as one of an argument list.
    pub fn known(text: impl Into<String>) -> Self {
        Self { text: text.into(), known: true, quoted: true }
    }

    pub(super) const fn new() -> Self {
        Self { text: String::new(), known: true, quoted: false }
    }

    /// Appends a part that is only known when it runs.
    pub(super) fn push_unknown(&mut self) {
        self.text.push('*');
        self.known = false;
    }

    /// The last component of a path in lower case, without `.exe`: the name of a program.
    pub fn name(&self) -> String {
        let name = self.text.rsplit(['/', '\\']).next().unwrap_or_default().to_ascii_lowercase();
        name.strip_suffix(".exe").map_or(name.clone(), str::to_owned)
    }

    /// Returns whether this is an assignment: `NAME=…`.
    pub fn assigns(&self) -> bool {
        let Some((name, _)) = self.text.split_once('=') else { return false };
        let name = name.strip_suffix('+').unwrap_or(name);
        let letters = |c: char| c.is_ascii_alphanumeric() || c == '_';
        !name.is_empty()
            && name.chars().all(letters)
            && !name.starts_with(|c: char| c.is_ascii_digit())
    }
}

/// Reserved words that may come before a command.
const RESERVED: [&str; 11] =
    ["!", "{", "}", "if", "then", "else", "elif", "do", "while", "until", "coproc"];

/// Returns the index of a command's first own word: its program, or `case`. Skips assignments and
/// reserved words.
pub fn start(words: &[ShellWord]) -> Option<usize> {
    let is_passed = |word: &ShellWord| word.assigns() || RESERVED.contains(&word.text.as_str());
    words.iter().position(|word| !is_passed(word))
}

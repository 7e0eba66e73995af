/// A word of a command, its quotes taken away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    /// The text; a `*` stands where a part is only known when it runs.
    pub(super) text: String,
    /// Whether all of it is known.
    pub(super) known: bool,
    /// Whether a part of it stood in quotes.
    pub(super) quoted: bool,
}

impl Word {
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
    pub(super) fn name(&self) -> String {
        let name = self.text.rsplit(['/', '\\']).next().unwrap_or_default().to_ascii_lowercase();
        name.strip_suffix(".exe").map_or(name.clone(), str::to_owned)
    }

    /// Returns whether this sets a variable: `NAME=…`.
    pub(super) fn assigns(&self) -> bool {
        let Some((name, _)) = self.text.split_once('=') else { return false };
        let name = name.strip_suffix('+').unwrap_or(name);
        let letters = |c: char| c.is_ascii_alphanumeric() || c == '_';
        !name.is_empty()
            && name.chars().all(letters)
            && !name.starts_with(|c: char| c.is_ascii_digit())
    }
}

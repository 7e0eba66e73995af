use super::name::extension;

/// A language that is read well enough to tell code from strings and comments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    Python,
    /// Includes TypeScript.
    JavaScript,
    Rust,
    Go,
    Java,
    Kotlin,
    CSharp,
    Php,
    Ruby,
    /// Includes bats.
    Shell,
}

impl Language {
    pub(super) fn of(path: &str) -> Option<Self> {
        Some(match extension(path) {
            "py" | "pyi" => Self::Python,
            "js" | "jsx" | "ts" | "tsx" | "mjs" | "cjs" | "mts" | "cts" => Self::JavaScript,
            "rs" => Self::Rust,
            "go" => Self::Go,
            "java" => Self::Java,
            "kt" | "kts" => Self::Kotlin,
            "cs" => Self::CSharp,
            "php" => Self::Php,
            "rb" => Self::Ruby,
            "sh" | "bash" | "bats" => Self::Shell,
            _ => return None,
        })
    }

    /// Returns whether a `#` begins a comment.
    pub(super) const fn has_hash_comments(self) -> bool {
        matches!(self, Self::Python | Self::Ruby | Self::Shell | Self::Php)
    }

    /// Returns whether `//` and `/*` begin comments.
    pub(super) const fn has_slash_comments(self) -> bool {
        !matches!(self, Self::Python | Self::Ruby | Self::Shell)
    }

    /// Returns whether a comment may hold another one.
    pub(super) const fn nests_comments(self) -> bool {
        matches!(self, Self::Rust | Self::Kotlin)
    }

    /// Returns whether three quotes begin a string.
    pub(super) const fn has_triple_quotes(self) -> bool {
        matches!(self, Self::Python | Self::Java | Self::Kotlin | Self::CSharp)
    }

    /// Returns whether a plain string may span lines.
    pub(super) const fn has_long_strings(self) -> bool {
        matches!(self, Self::Rust | Self::Php | Self::Ruby | Self::Shell)
    }

    /// Returns the opener of an expression inside a plain string.
    pub(super) const fn interpolation(self) -> Option<&'static str> {
        match self {
            Self::Python => Some("{"),
            Self::Kotlin => Some("${"),
            Self::Php => Some("{$"),
            Self::Ruby => Some("#{"),
            Self::Shell => Some("$("),
            Self::JavaScript | Self::Rust | Self::Go | Self::Java | Self::CSharp => None,
        }
    }

    /// Returns whether blocks end with the keyword `end`.
    pub(super) const fn has_end_words(self) -> bool {
        matches!(self, Self::Ruby)
    }

    /// Returns whether several blanks between two words mean the same as one. In a shell, one of
    /// them may be escaped.
    pub(super) fn collapses_blanks(self, path: &str) -> bool {
        let is_markup = matches!(extension(path), "jsx" | "tsx");
        self != Self::Shell && !is_markup
    }
}

use serde::{Deserialize, Deserializer, Serialize, de::Error as _};

/// A name from outside that is safe as a component of a path, a branch or a command line.
///
/// It starts with an ASCII letter or digit, followed by letters, digits, `.`, `_` and `-`; it has
/// 64 bytes at most, is not a Windows device name, and has no trailing dot, so that projects can
/// move to Windows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Id(String);

/// Why a text is not an [`Id`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{}` is not an id: {why}", text.escape_debug())]
pub struct BadId {
    text: String,
    why: &'static str,
}

impl Id {
    /// Accepts `text` if it is a valid id.
    pub fn parse(text: &str) -> Result<Self, BadId> {
        match Self::fault(text) {
            None => Ok(Self(text.to_owned())),
            Some(why) => Err(BadId { text: text.chars().take(80).collect(), why }),
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn into_string(self) -> String {
        self.0
    }

    fn fault(text: &str) -> Option<&'static str> {
        let rest = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
        if text.is_empty() {
            Some("it is empty")
        } else if text.len() > 64 {
            Some("it is longer than 64 bytes")
        } else if !text.as_bytes()[0].is_ascii_alphanumeric() {
            Some("it must begin with a letter or digit of ASCII")
        } else if !text.bytes().all(rest) {
            Some("only letters and digits of ASCII, `.`, `_` and `-` are allowed")
        } else if text.ends_with('.') || is_device(text) {
            Some("Windows has no file of that name")
        } else {
            None
        }
    }
}

fn is_device(text: &str) -> bool {
    let stem = text.split('.').next().unwrap_or(text).to_ascii_lowercase();
    let numbered = |name: &str| {
        stem.strip_prefix(name)
            .is_some_and(|rest| rest.len() == 1 && rest.as_bytes()[0].is_ascii_digit())
    };
    matches!(stem.as_str(), "con" | "prn" | "aux" | "nul") || numbered("com") || numbered("lpt")
}

impl std::fmt::Display for Id {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(out)
    }
}

impl std::borrow::Borrow<str> for Id {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        Self::parse(&text).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_the_five_systems_are_ids() {
        for text in ["r-7k2m", "gt-abc12", "polecat-alpha", "M001", "S01", "T01.1", "ses_4f0a"] {
            assert_eq!(Id::parse(text).unwrap().as_str(), text);
        }
    }

    #[test]
    fn hostile_names_are_not() {
        let long = "x".repeat(65);
        for text in [
            "",
            ".",
            "..",
            "../x",
            "a/b",
            "a\\b",
            "a\0b",
            "a\n",
            "-rf",
            ".hidden",
            " a",
            "a ",
            "a.",
            "CON",
            "nul.txt",
            "com1",
            "LPT9.md",
            "é",
            "e\u{301}",
            "ａ",
            "$(id)",
            "\u{1b}[2J",
            &long,
        ] {
            assert!(Id::parse(text).is_err(), "{text:?}");
        }
    }
}

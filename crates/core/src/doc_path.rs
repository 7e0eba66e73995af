use serde::{Deserialize, Deserializer, Serialize, de::Error as _};

/// The path of a document below the project's root, with `/` between names; it never leads outside.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct DocPath(String);

/// Why a text does not name a document below the root.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{}` is not a path inside the project: {why}", text.escape_debug())]
pub struct BadPath {
    text: String,
    why: &'static str,
}

impl DocPath {
    /// Accepts `text` if it is relative, clean, and at most 1024 bytes long.
    pub fn parse(text: &str) -> Result<Self, BadPath> {
        match Self::fault(text) {
            None => Ok(Self(text.to_owned())),
            Some(why) => Err(BadPath { text: text.chars().take(80).collect(), why }),
        }
    }

    /// Appends `/` and `name` to the path.
    pub fn join(&self, name: &str) -> Result<Self, BadPath> {
        Self::parse(&format!("{}/{name}", self.0))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the path components from the root down.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.split('/')
    }

    pub fn file_name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or(&self.0)
    }

    /// Returns the folder; `None` for a document directly in the root.
    pub fn parent(&self) -> Option<Self> {
        self.0.rsplit_once('/').map(|(folder, _)| Self(folder.to_owned()))
    }

    fn fault(text: &str) -> Option<&'static str> {
        if text.is_empty() || text.len() > 1024 {
            return Some("it must have 1 to 1024 bytes");
        }
        text.split('/').find_map(|name| match name {
            "" => Some("it must be relative, with one `/` between names"),
            "." | ".." => Some("`.` and `..` are not allowed"),
            name if name.len() > 255 => Some("a name has more than 255 bytes"),
            name if name.chars().any(|c| c.is_control() || c == '\\') => {
                Some("control characters and `\\` are not allowed")
            }
            _ => None,
        })
    }
}

impl std::fmt::Display for DocPath {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(out)
    }
}

impl<'de> Deserialize<'de> for DocPath {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        Self::parse(&text).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_below_the_root_are_taken() {
        let path = DocPath::parse(".gsd/milestones/M001/M001-ROADMAP.md").unwrap();
        assert_eq!(path.file_name(), "M001-ROADMAP.md");
        assert_eq!(path.parent().unwrap().as_str(), ".gsd/milestones/M001");
        assert_eq!(DocPath::parse("a").unwrap().parent(), None);
    }

    #[test]
    fn paths_that_could_leave_are_refused() {
        let long = "x".repeat(256);
        for text in [
            "",
            "/etc/passwd",
            "..",
            "a/../../b",
            "a//b",
            "a/",
            "./a",
            "a\0",
            "a\n",
            "C:\\x",
            &long,
        ] {
            assert!(DocPath::parse(text).is_err(), "{text:?}");
        }
    }
}

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Fields, Plain, Stored, Unreadable};

/// The key of an input: a file of the project, or one part of a file.
///
/// It is displayed as `path` or `path#part`. A path may itself contain a `#`, so the two are stored
/// separately.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct InputKey {
    path: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    part: Option<String>,
}

pub type InputKeys = BTreeSet<InputKey>;

impl InputKey {
    /// Names a whole file.
    pub fn file(path: impl Into<String>) -> Self {
        Self { path: path.into(), part: None }
    }

    /// Names a part of a file: `scripts.test`, `tests`.
    pub fn part(path: impl Into<String>, part: impl Into<String>) -> Self {
        Self { path: path.into(), part: Some(part.into()) }
    }

    pub fn path(&self) -> &str {
        &self.path
    }

    /// Formats the key for people: `path`, or `path (part)`.
    pub fn in_words(&self) -> String {
        match &self.part {
            None => self.path.clone(),
            Some(part) => format!("{} ({part})", self.path),
        }
    }

    /// Returns the part of the file; `None` for the whole file.
    pub fn part_name(&self) -> Option<&str> {
        self.part.as_deref()
    }
}

impl Stored for InputKey {
    /// A whole file is stored as its path.
    fn lower(&self) -> Plain {
        match &self.part {
            None => self.path.lower(),
            Some(part) => Plain::map([("path", self.path.lower()), ("part", part.lower())]),
        }
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        if let Plain::Text(path) = plain {
            return Ok(Self::file(path));
        }
        let fields = Fields::of(plain)?;
        Ok(Self { path: fields.get("path")?, part: Some(fields.get("part")?) })
    }
}

impl Stored for InputKeys {
    fn lower(&self) -> Plain {
        Plain::List(self.iter().map(Stored::lower).collect())
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        Ok(Vec::<InputKey>::lift(plain)?.into_iter().collect())
    }
}

impl fmt::Display for InputKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.part {
            None => out.write_str(&self.path),
            Some(part) => write!(out, "{}#{part}", self.path),
        }
    }
}

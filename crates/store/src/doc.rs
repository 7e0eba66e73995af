use std::io;

use sprag_core::Hash;

use crate::error::PathError;

/// How large a document may be.
pub const MAX_DOCUMENT: usize = 1 << 20;

/// What a document holds: Unknown is never taken for nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doc {
    /// There is no such document.
    Absent,
    /// Its text.
    Text(String),
    /// It is there, or may be, and cannot be read.
    Unknown(Why),
}

/// Why a document or a folder cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Why {
    /// It has bytes that are not UTF-8.
    #[error("byte {at} is not UTF-8")]
    NotText {
        /// Where the first of them is.
        at: usize,
    },
    /// It is larger than [`MAX_DOCUMENT`].
    #[error("it is larger than {MAX_DOCUMENT} bytes")]
    TooLarge,
    /// The system refused, or something else stands in its place.
    #[error("{0}")]
    Refused(String),
}

/// The names in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Listing {
    /// There is no such folder.
    Absent,
    /// Its names, sorted.
    Names(Vec<String>),
    /// It cannot be read.
    Unknown(Why),
}

impl Listing {
    /// Returns what stands for it when it is compared: no name has a zero byte in it.
    pub(crate) fn hash(&self) -> Hash {
        match self {
            Self::Absent => Hash::of("absent\0"),
            Self::Names(names) => Hash::of(names.join("\0")),
            Self::Unknown(why) => Hash::of(format!("unknown\0\0{why}")),
        }
    }
}

/// What a document was, for comparing: enough to see a change, not to restore.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Version {
    Absent,
    Text(Hash),
    Unknown,
}

impl Doc {
    pub(crate) fn from_read(read: Result<Option<Vec<u8>>, PathError>) -> Self {
        match read {
            Ok(None) => Self::Absent,
            Ok(Some(bytes)) => match String::from_utf8(bytes) {
                Ok(text) => Self::Text(text),
                Err(error) => Self::Unknown(Why::NotText { at: error.utf8_error().valid_up_to() }),
            },
            Err(error) => Self::Unknown(Why::from(&error)),
        }
    }

    /// Returns the text, where there is one.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Absent | Self::Unknown(_) => None,
        }
    }

    pub(crate) fn version(&self) -> Version {
        match self {
            Self::Absent => Version::Absent,
            Self::Text(text) => Version::Text(Hash::of(text)),
            Self::Unknown(_) => Version::Unknown,
        }
    }
}

impl Version {
    /// Returns the version a journal line names: `None` there is "no document".
    pub(crate) fn from_hash(hash: Option<Hash>) -> Self {
        hash.map_or(Self::Absent, Self::Text)
    }

    /// Returns the form a journal line has for it, where there is a text.
    pub(crate) fn hash(&self) -> Option<Hash> {
        match self {
            Self::Text(hash) => Some(*hash),
            Self::Absent | Self::Unknown => None,
        }
    }
}

impl From<&PathError> for Why {
    fn from(error: &PathError) -> Self {
        if error.source.kind() == io::ErrorKind::FileTooLarge {
            Self::TooLarge
        } else {
            Self::Refused(error.source.to_string())
        }
    }
}

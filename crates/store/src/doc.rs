use std::io;

use sprag_core::Hash;

use crate::error::PathError;

/// In bytes.
pub const MAX_DOCUMENT: usize = 1 << 20;

/// The content of a document. `Unknown` never counts as `Absent`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doc {
    Absent,
    Text(String),
    /// It exists, or may exist, and cannot be read.
    Unknown(UnreadableCause),
}

/// Why a document or a folder cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnreadableCause {
    /// It contains bytes that are not UTF-8.
    #[error("byte {at} is not UTF-8")]
    NotText {
        /// The offset of the first such byte.
        at: usize,
    },
    /// It is larger than [`MAX_DOCUMENT`].
    #[error("it is larger than {MAX_DOCUMENT} bytes")]
    TooLarge,
    /// The system refused, or the path does not lead to a regular file.
    #[error("{0}")]
    Refused(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Listing {
    Absent,
    /// Sorted.
    Names(Vec<String>),
    Unknown(UnreadableCause),
}

impl Listing {
    /// A hash for comparison. A zero byte never occurs in a name, so the cases cannot collide.
    pub(crate) fn hash(&self) -> Hash {
        match self {
            Self::Absent => Hash::of("absent\0"),
            Self::Names(names) => Hash::of(names.join("\0")),
            Self::Unknown(why) => Hash::of(format!("unknown\0\0{why}")),
        }
    }
}

/// A version of a document: enough to detect a change, not to restore the text.
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
                Err(error) => {
                    Self::Unknown(UnreadableCause::NotText { at: error.utf8_error().valid_up_to() })
                }
            },
            Err(error) => Self::Unknown(UnreadableCause::from(&error)),
        }
    }

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
    /// Converts a hash from a journal line, where `None` means "no document".
    pub(crate) fn from_hash(hash: Option<Hash>) -> Self {
        hash.map_or(Self::Absent, Self::Text)
    }

    /// The hash as a journal line stores it: `None` for no document, and for an unknown one.
    pub(crate) fn hash(&self) -> Option<Hash> {
        match self {
            Self::Text(hash) => Some(*hash),
            Self::Absent | Self::Unknown => None,
        }
    }
}

impl From<&PathError> for UnreadableCause {
    fn from(error: &PathError) -> Self {
        if error.source.kind() == io::ErrorKind::FileTooLarge {
            Self::TooLarge
        } else {
            Self::Refused(error.source.to_string())
        }
    }
}

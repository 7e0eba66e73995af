use crate::json::{Bad, MAX_BYTES};

/// Why a payload could not be decoded. The agent continues, and a trace is left.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotUnderstood {
    /// It is longer than any valid payload.
    #[error("the payload has {bytes} bytes, the limit is {MAX_BYTES}")]
    TooLong { bytes: usize },
    /// It is not a complete JSON object.
    #[error("the payload is no whole JSON object: {what} at byte {at}")]
    NotJson { at: usize, what: &'static str },
    /// A required field is missing.
    #[error("the payload has no usable `{field}`")]
    Missing {
        /// The field's name at the host.
        field: &'static str,
    },
    /// The host calls no commands.
    #[error("this host calls no commands; its bridge speaks to `sprag rpc`")]
    NoCommands,
}

impl From<Bad> for NotUnderstood {
    fn from(bad: Bad) -> Self {
        Self::NotJson { at: bad.at, what: bad.what }
    }
}

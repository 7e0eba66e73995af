use crate::json::{Bad, MAX_BYTES};

/// Says why a payload could not be understood: the agent goes on, and a trace is left.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotUnderstood {
    /// It is longer than any payload.
    #[error("the payload has {bytes} bytes, the limit is {MAX_BYTES}")]
    TooLong {
        /// How long.
        bytes: usize,
    },
    /// It is no JSON object, or not a whole one.
    #[error("the payload is no whole JSON object: {what} at byte {at}")]
    NotJson {
        /// The place.
        at: usize,
        /// What is wrong there.
        what: &'static str,
    },
    /// A field is missing without which nothing can be decided.
    #[error("the payload has no usable `{field}`")]
    Missing {
        /// Its name at the host.
        field: &'static str,
    },
    /// The host is one that calls no commands.
    #[error("this host calls no commands; its bridge speaks to `sprag rpc`")]
    NoCommands,
}

impl From<Bad> for NotUnderstood {
    fn from(bad: Bad) -> Self {
        Self::NotJson { at: bad.at, what: bad.what }
    }
}

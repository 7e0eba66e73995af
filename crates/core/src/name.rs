//! The names of the kernel, each with its own type so that they cannot be confused.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize, de::Error as _};

use crate::{BadId, Hash, Id, Seq};

/// Why a text is not a name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{}` is not a name: {why}", text.escape_debug())]
pub struct BadName {
    text: String,
    why: &'static str,
}

fn check(text: &str) -> Result<(), BadName> {
    let why = if text.is_empty() {
        "it is empty"
    } else if text.len() > 1024 {
        "it is longer than 1024 bytes"
    } else if text.chars().any(char::is_control) {
        "control characters are not allowed"
    } else {
        return Ok(());
    };
    Err(BadName { text: text.chars().take(80).collect(), why })
}

macro_rules! names {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        pub struct $name(Cow<'static, str>);

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                Self::parse(&String::deserialize(deserializer)?).map_err(D::Error::custom)
            }
        }

        impl $name {
            /// Accepts `text` if it has 1 to 1024 bytes and no control characters.
            pub fn parse(text: &str) -> Result<Self, BadName> {
                check(text).map(|()| Self(Cow::Owned(text.to_owned())))
            }

            /// Creates a name from a literal; an empty one in a constant does not compile.
            pub const fn literal(text: &'static str) -> Self {
                assert!(!text.is_empty(), "a name is not empty");
                Self(Cow::Borrowed(text))
            }

            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(out)
            }
        }
    )*};
}

names! {
    /// The name of a bound, a lock or a gate.
    Name;
    /// A piece of work within its run: `T01`, `M001/S01/T02`, `build`.
    UnitId;
    /// sprag's name of a session: `claude-09705f54`, `run-r-7k2m` for the driver of a run, or the
    /// name of an agent that does not know its session.
    SessionId;
    /// A host's own id of a session, from its payload.
    HostSession;
    /// The purpose of an agent: `worker`, `reviewer`.
    Role;
}

impl SessionId {
    /// Creates the name of a host's session: `claude-09705f54-b136…`. It is always an [`Id`].
    ///
    /// An id that is safe in a path is kept. Any other (too long, with other characters) is hashed
    /// after an underscore, which no safe id begins with, so two sessions never share a name and
    /// none is rejected.
    pub fn of_host(host: &'static str, session: &HostSession) -> Self {
        let plain = Id::parse(session.as_str()).map(|id| format!("{host}-{id}"));
        // The whole name must be safe and short enough, too.
        let safe = plain.ok().filter(|name| Id::parse(name).is_ok());
        let hashed = || format!("{host}-_{}", Hash::of(session.as_str()).short(40));
        Self(Cow::Owned(safe.unwrap_or_else(hashed)))
    }
}

/// Every id is also a valid session name.
impl From<Id> for SessionId {
    fn from(id: Id) -> Self {
        Self(Cow::Owned(id.into_string()))
    }
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Id);

        impl $name {
            /// Accepts `text` if it is an [`Id`], so that it can name a file.
            pub fn parse(text: &str) -> Result<Self, BadId> {
                Id::parse(text).map(Self)
            }

            pub fn as_str(&self) -> &str {
                self.0.as_str()
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(out)
            }
        }

        impl AsRef<Id> for $name {
            fn as_ref(&self) -> &Id {
                &self.0
            }
        }

        impl std::borrow::Borrow<str> for $name {
            fn borrow(&self) -> &str {
                self.as_str()
            }
        }
    )*};
}

ids! {
    /// The id of a run: `r-7k2m`, or `inbox` for the run of the inbox.
    RunId;
    /// The id of a receipt: `g-0123456789ab`.
    ReceiptId;
    /// The mark of all processes that one command starts: `e-r-7k2m-12`, in `SPRAG_EFFECT`.
    EffectId;
    /// The name of a worktree within its run: `t01`.
    WorktreeName;
    /// A sender's idempotency key: a repeated request with the same key gets the same answer.
    RequestKey;
    /// An identity that can hold one assignment.
    Agent;
}

impl ReceiptId {
    /// Returns the mark of the processes of the gate that leaves this receipt; it has the same
    /// text.
    pub fn effect(&self) -> EffectId {
        EffectId(self.0.clone())
    }
}

impl EffectId {
    /// Returns the session that represents a driven attempt whose end may be refused.
    pub fn session(&self) -> SessionId {
        self.0.clone().into()
    }
}

impl Agent {
    /// Returns the session of an agent that does not know its own.
    pub fn session(&self) -> SessionId {
        self.0.clone().into()
    }
}

/// The journal position at which an attempt began; a caller that shows another one is stale.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fence(pub Seq);

impl std::fmt::Display for Fence {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_may_be_paths_but_not_hostile() {
        for text in ["retry", "M001/S01/T01", "src/a file.rs", "größe"] {
            assert_eq!(Name::parse(text).unwrap().as_str(), text);
        }
        let long = "x".repeat(1025);
        for text in ["", "a\nb", "\u{1b}[2J", &long] {
            assert!(Name::parse(text).is_err(), "{text:?}");
        }
        assert!(RunId::parse("../x").is_err());
        assert!(Agent::parse("polecat-alpha").is_ok());
    }
}

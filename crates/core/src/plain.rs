//! Plain values: what every stored form is made of, whatever file it ends up in.

use crate::{Fence, SessionId};

/// A value as documents have it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Plain {
    /// No value.
    Null,
    /// Yes or no.
    Bool(bool),
    /// A whole number, wide enough for every number we write.
    Int(i128),
    /// A number that is no `Int`, as it is written: nothing of ours has one, but a later
    /// version's file may.
    Other(String),
    /// A text.
    Text(String),
    /// Values in order.
    List(Vec<Plain>),
    /// Keys with their values, in order.
    Map(Vec<(String, Plain)>),
}

impl Plain {
    /// Makes a map.
    pub fn map<const N: usize>(entries: [(&str, Self); N]) -> Self {
        Self::Map(entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
    }

    /// Makes a map of the entries that are not null.
    pub fn filled<const N: usize>(entries: [(&str, Self); N]) -> Self {
        let filled = entries.into_iter().filter(|(_, value)| *value != Self::Null);
        Self::Map(filled.map(|(key, value)| (key.to_owned(), value)).collect())
    }

    /// Returns the stored form of a value, or null where it is the default.
    pub fn unless_default<T: Stored + Default + PartialEq>(value: &T) -> Self {
        if *value == T::default() { Self::Null } else { value.lower() }
    }

    /// Returns what this is, for a message.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Null => "nothing",
            Self::Bool(_) => "true or false",
            Self::Int(_) => "a number",
            Self::Other(_) => "a number that is not whole or too large",
            Self::Text(_) => "a text",
            Self::List(_) => "a list",
            Self::Map(_) => "a map",
        }
    }
}

impl From<&str> for Plain {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Plain {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<u32> for Plain {
    fn from(number: u32) -> Self {
        Self::Int(number.into())
    }
}

impl From<Fence> for Plain {
    fn from(fence: Fence) -> Self {
        Self::Int(fence.0.0.into())
    }
}

impl From<&SessionId> for Plain {
    fn from(session: &SessionId) -> Self {
        session.as_str().into()
    }
}

/// Says where a stored value cannot be understood, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {why}", if at.is_empty() { "the whole" } else { at })]
pub struct Unreadable {
    /// The place: `attempts[0].spent`.
    pub at: String,
    /// What is wrong there.
    pub why: String,
}

impl Unreadable {
    /// Says that something is wrong right here.
    pub fn here(why: impl Into<String>) -> Self {
        Self { at: String::new(), why: why.into() }
    }

    /// Says that it is wrong below `place`.
    #[must_use]
    pub fn below(mut self, place: &str) -> Self {
        let dot = if self.at.is_empty() || self.at.starts_with('[') { "" } else { "." };
        self.at = format!("{place}{dot}{}", self.at);
        self
    }
}

/// Something with a form of plain values: `lift(lower(x))` is `x`, and a form that contradicts
/// itself is an error, never repaired.
pub trait Stored: Sized {
    /// Returns the plain form.
    fn lower(&self) -> Plain;
    /// Reads the plain form.
    fn lift(plain: &Plain) -> Result<Self, Unreadable>;
}

/// A map being read; a key that is missing is the same as nothing.
pub struct Fields<'a>(&'a [(String, Plain)]);

impl<'a> Fields<'a> {
    /// Takes a map without duplicate keys.
    pub fn of(plain: &'a Plain) -> Result<Self, Unreadable> {
        let Plain::Map(entries) = plain else {
            return Err(Unreadable::here(format!("expected a map, found {}", plain.kind())));
        };
        let mut keys: Vec<_> = entries.iter().map(|(key, _)| key.as_str()).collect();
        keys.sort_unstable();
        match keys.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(Unreadable::here("this key stands twice").below(pair[0])),
            None => Ok(Self(entries)),
        }
    }

    /// Reads the value at `key`; a missing one is read as [`Plain::Null`].
    pub fn get<T: Stored>(&self, key: &str) -> Result<T, Unreadable> {
        let found = self.0.iter().find(|(found, _)| found == key);
        T::lift(found.map_or(&Plain::Null, |(_, value)| value)).map_err(|bad| bad.below(key))
    }

    /// Returns whether `key` stands there, whatever its value is.
    pub fn has(&self, key: &str) -> bool {
        self.0.iter().any(|(found, _)| found == key)
    }

    /// Returns the only key and its value, for a value of several forms.
    pub fn only(&self) -> Result<(&'a str, &'a Plain), Unreadable> {
        match self.0 {
            [(key, value)] => Ok((key, value)),
            _ => Err(Unreadable::here("expected exactly one key")),
        }
    }
}

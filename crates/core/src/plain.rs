//! Plain values: the building blocks of every stored form, whatever its file format.

use crate::{Fence, SessionId};

/// A document value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Plain {
    Null,
    Bool(bool),
    /// An integer, wide enough for every number that sprag writes.
    Int(i128),
    /// Any other number, verbatim: sprag writes none, but the file of a later version may contain
    /// one.
    Other(String),
    Text(String),
    List(Vec<Plain>),
    /// Keys with their values, in order.
    Map(Vec<(String, Plain)>),
}

impl Plain {
    pub fn map<const N: usize>(entries: [(&str, Self); N]) -> Self {
        Self::Map(entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
    }

    /// Creates a map of the entries that are not null.
    pub fn filled<const N: usize>(entries: [(&str, Self); N]) -> Self {
        let filled = entries.into_iter().filter(|(_, value)| *value != Self::Null);
        Self::Map(filled.map(|(key, value)| (key.to_owned(), value)).collect())
    }

    /// Returns the stored form of a value, or null for the default.
    pub fn unless_default<T: Stored + Default + PartialEq>(value: &T) -> Self {
        if *value == T::default() { Self::Null } else { value.lower() }
    }

    /// Returns the kind of value, for a message.
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

/// The place of an invalid stored value, and the reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {why}", if at.is_empty() { "the whole" } else { at })]
pub struct Unreadable {
    /// The place: `attempts[0].spent`.
    pub at: String,
    pub why: String,
}

impl Unreadable {
    /// Creates an error at the value itself.
    pub fn here(why: impl Into<String>) -> Self {
        Self { at: String::new(), why: why.into() }
    }

    /// Moves the error below `place`.
    #[must_use]
    pub fn below(mut self, place: &str) -> Self {
        let dot = if self.at.is_empty() || self.at.starts_with('[') { "" } else { "." };
        self.at = format!("{place}{dot}{}", self.at);
        self
    }
}

/// A type with a stored form: `lift(lower(x))` equals `x`, and an inconsistent form is an error
/// that is never repaired.
pub trait Stored: Sized {
    /// Converts to the stored form.
    fn lower(&self) -> Plain;
    /// Parses the stored form.
    fn lift(plain: &Plain) -> Result<Self, Unreadable>;
}

/// A map being read; a missing key equals null.
pub struct Fields<'a>(&'a [(String, Plain)]);

impl<'a> Fields<'a> {
    /// Accepts a map without duplicate keys.
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

    /// Returns whether `key` is present, whatever its value.
    pub fn has(&self, key: &str) -> bool {
        self.0.iter().any(|(found, _)| found == key)
    }

    /// Returns the only key and its value, for types with several forms.
    pub fn only(&self) -> Result<(&'a str, &'a Plain), Unreadable> {
        match self.0 {
            [(key, value)] => Ok((key, value)),
            _ => Err(Unreadable::here("expected exactly one key")),
        }
    }
}

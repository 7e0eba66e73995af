//! Writes the data of an event as JSON and reads them back: each key is named once for both.
//!
//! Reading never fails. Other versions wrote these lines too, so a field that is missing or
//! malformed gets its default, and the other fields are still read.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::basis::ReportedChange;
#[cfg(test)]
use crate::basis::{Excuse, InputChange, Role};
use crate::review::RefusedFinding;
use crate::{DocPath, Fence, Hash, MissingText, OtherLocation, Seq, Time, Verdict};

pub(super) trait Payload: Sized {
    /// Converts the data to their journal form.
    fn write(self) -> Value;
    /// Reads the data, whichever version wrote them.
    fn read(data: &Value) -> Self;
    /// Returns the session that the data name.
    fn session(&self) -> Option<&str> {
        None
    }
    /// Generates random data for the round-trip test.
    #[cfg(test)]
    fn sample(dice: &mut super::tests::Dice) -> Self;
}

pub(super) trait Field: Sized {
    fn write(self) -> Value;
    /// Reads the value; `None` if it has another form.
    fn read(value: &Value) -> Option<Self>;
    /// Returns whether a `= filled` field omits its key.
    fn is_empty(&self) -> bool {
        false
    }
    /// Generates a random value.
    #[cfg(test)]
    fn sample(dice: &mut super::tests::Dice) -> Self;
}

pub(super) trait Word: Clone + 'static {
    #[cfg(test)]
    const ALL: &'static [Self];
    /// Returns the word as written in the journal.
    fn text(&self) -> &str;
}

/// Defines the data of events. The key of a field is its name or the literal after `as`; with `=
/// filled` the key is omitted while the field is empty.
macro_rules! payloads {
    ($(
        $(#[$doc:meta])*
        pub struct $name:ident {
            $($(#[$about:meta])* pub $field:ident: $type:ty $(as $key:literal)? $(= $mode:ident)?,)+
        }
    )+) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct $name {
            $($(#[$about])* pub $field: $type,)+
        }

        impl $crate::event::payload::Payload for $name {
            fn write(self) -> serde_json::Value {
                let data = serde_json::Map::new();
                $(
                    let key = $crate::event::payload::key!($field $($key)?);
                    let is_kept = $crate::event::payload::is_kept!(self.$field $(, $mode)?);
                    let data = $crate::event::payload::put(data, key, self.$field, is_kept);
                )+
                serde_json::Value::Object(data)
            }

            fn read(data: &serde_json::Value) -> Self {
                Self {
                    $($field: $crate::event::payload::take(
                        data,
                        $crate::event::payload::key!($field $($key)?),
                    ),)+
                }
            }

            fn session(&self) -> Option<&str> {
                None$(.or($crate::event::payload::session!($field self.$field)))+
            }

            #[cfg(test)]
            fn sample(dice: &mut $crate::event::tests::Dice) -> Self {
                Self { $($field: $crate::event::payload::Field::sample(dice),)+ }
            }
        }
    )+};
}

/// Defines events without details; the value after `=` is written as data.
macro_rules! bare {
    ($($(#[$doc:meta])* pub struct $name:ident = $data:tt;)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $name;

        impl $crate::event::payload::Payload for $name {
            fn write(self) -> serde_json::Value {
                serde_json::json!($data)
            }

            fn read(_: &serde_json::Value) -> Self {
                Self
            }

            #[cfg(test)]
            fn sample(_: &mut $crate::event::tests::Dice) -> Self {
                Self
            }
        }
    )+};
}

/// Defines events whose data have a type elsewhere and are kept here as JSON.
macro_rules! whole {
    ($($(#[$doc:meta])* pub struct $name:ident { $(#[$about:meta])* pub $field:ident })+) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct $name {
            $(#[$about])*
            pub $field: serde_json::Value,
        }

        impl $crate::event::payload::Payload for $name {
            fn write(self) -> serde_json::Value {
                self.$field
            }

            fn read(data: &serde_json::Value) -> Self {
                Self { $field: data.clone() }
            }

            #[cfg(test)]
            fn sample(dice: &mut $crate::event::tests::Dice) -> Self {
                Self { $field: serde_json::json!({ "key": dice.text(), "more": [dice.number()] }) }
            }
        }
    )+};
}

macro_rules! key {
    ($field:ident) => {
        stringify!($field)
    };
    ($field:ident $key:literal) => {
        $key
    };
}

macro_rules! session {
    (session $value:expr) => {
        $crate::event::payload::Named::named(&$value)
    };
    ($field:ident $value:expr) => {
        None
    };
}

macro_rules! is_kept {
    ($value:expr) => {
        true
    };
    ($value:expr, filled) => {
        !$crate::event::payload::Field::is_empty(&$value)
    };
}

/// Defines words that a decision depends on. An unknown word is read as the one after `else`, or
/// kept verbatim if that is `Other`.
macro_rules! words {
    (
        $(#[$doc:meta])*
        pub enum $name:ident { $($(#[$about:meta])* $word:ident = $text:literal,)* } else Other
    ) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[$about])* $word,)*
            /// A word of another version.
            Other(String),
        }

        impl $name {
            /// Returns the word as written in the journal.
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$word => $text,)*
                    Self::Other(text) => text,
                }
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                match text {
                    $($text => Self::$word,)*
                    other => Self::Other(other.to_owned()),
                }
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self::Other(String::new())
            }
        }

        impl $crate::event::payload::Word for $name {
            #[cfg(test)]
            const ALL: &'static [Self] = &[$(Self::$word),*];

            fn text(&self) -> &str {
                self.as_str()
            }
        }
    };
    (
        $(#[$doc:meta])*
        pub enum $name:ident { $($(#[$about:meta])* $word:ident = $text:literal,)* } else $else:ident
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[$about])* $word,)*
        }

        impl $name {
            /// Returns the word as written in the journal.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$word => $text,)*
                }
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                match text {
                    $($text => Self::$word,)*
                    _ => Self::default(),
                }
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self::$else
            }
        }

        impl $crate::event::payload::Word for $name {
            #[cfg(test)]
            const ALL: &'static [Self] = &[$(Self::$word),*];

            fn text(&self) -> &str {
                self.as_str()
            }
        }
    };
}

pub(super) use {bare, is_kept, key, payloads, session, whole, words};

/// A required or optional text.
pub(super) trait Named {
    fn named(&self) -> Option<&str>;
}

impl Named for String {
    fn named(&self) -> Option<&str> {
        Some(self)
    }
}

impl Named for Option<String> {
    fn named(&self) -> Option<&str> {
        self.as_deref()
    }
}

/// Inserts a field into the data if `is_kept`.
pub(super) fn put(
    mut data: Map<String, Value>,
    key: &str,
    field: impl Field,
    is_kept: bool,
) -> Map<String, Value> {
    if is_kept {
        data.insert(key.to_owned(), field.write());
    }
    data
}

/// Reads a field of the data, or its default if it is missing or malformed.
pub(super) fn take<T: Field + Default>(data: &Value, key: &str) -> T {
    data.get(key).and_then(T::read).unwrap_or_default()
}

impl Field for String {
    fn write(self) -> Value {
        self.into()
    }

    fn read(value: &Value) -> Option<Self> {
        value.as_str().map(str::to_owned)
    }

    #[cfg(test)]
    fn sample(dice: &mut super::tests::Dice) -> Self {
        dice.text()
    }
}

impl Field for bool {
    fn write(self) -> Value {
        self.into()
    }

    fn read(value: &Value) -> Option<Self> {
        value.as_bool()
    }

    #[cfg(test)]
    fn sample(dice: &mut super::tests::Dice) -> Self {
        dice.below(2) == 1
    }
}

impl Field for u64 {
    fn write(self) -> Value {
        self.into()
    }

    fn read(value: &Value) -> Option<Self> {
        value.as_u64()
    }

    #[cfg(test)]
    fn sample(dice: &mut super::tests::Dice) -> Self {
        dice.number()
    }
}

impl Field for i32 {
    fn write(self) -> Value {
        self.into()
    }

    fn read(value: &Value) -> Option<Self> {
        value.as_i64().and_then(|number| Self::try_from(number).ok())
    }

    #[cfg(test)]
    fn sample(dice: &mut super::tests::Dice) -> Self {
        i32::try_from(dice.below(512)).unwrap() - 256
    }
}

impl Field for Fence {
    fn write(self) -> Value {
        self.0.0.into()
    }

    fn read(value: &Value) -> Option<Self> {
        value.as_u64().map(|place| Self(Seq(place)))
    }

    #[cfg(test)]
    fn sample(dice: &mut super::tests::Dice) -> Self {
        Self(Seq(dice.number()))
    }
}

impl Field for Hash {
    fn write(self) -> Value {
        self.to_string().into()
    }

    fn read(value: &Value) -> Option<Self> {
        value.as_str().and_then(Self::parse)
    }

    #[cfg(test)]
    fn sample(dice: &mut super::tests::Dice) -> Self {
        Self::of(dice.text())
    }
}

impl Field for Time {
    fn write(self) -> Value {
        self.to_string().into()
    }

    fn read(value: &Value) -> Option<Self> {
        value.as_str().and_then(Self::parse)
    }

    #[cfg(test)]
    fn sample(dice: &mut super::tests::Dice) -> Self {
        let millis = i64::try_from(dice.below(1 << 40)).unwrap();
        Self::parse("2026-03-05T10:30:00Z").unwrap().plus_millis(millis)
    }
}

impl Field for RefusedFinding {
    fn write(self) -> Value {
        serde_json::json!({ "finding": self.finding, "why": self.why })
    }

    fn read(value: &Value) -> Option<Self> {
        if let Some(text) = value.as_str() {
            return Some(Self::of_text(text));
        }
        let field = |key: &str| String::read(value.get(key)?);
        Some(Self { finding: field("finding")?, why: field("why")? })
    }

    #[cfg(test)]
    fn sample(dice: &mut super::tests::Dice) -> Self {
        Self { finding: dice.text(), why: dice.text() }
    }
}

impl Field for MissingText {
    /// A path without a place is written as plain text, as older versions did.
    fn write(self) -> Value {
        match self.place {
            None => self.path.into(),
            Some(place) => serde_json::json!({ "path": self.path, "place": place.word() }),
        }
    }

    fn read(value: &Value) -> Option<Self> {
        if let Some(path) = value.as_str() {
            return Some(Self { path: path.to_owned(), place: None });
        }
        let field = |key: &str| String::read(value.get(key)?);
        Some(Self {
            path: field("path")?,
            place: field("place").and_then(|word| OtherLocation::read(&word)),
        })
    }

    #[cfg(test)]
    fn sample(dice: &mut super::tests::Dice) -> Self {
        let place = [None, Some(OtherLocation::Stash), Some(OtherLocation::Branch(dice.text()))];
        Self { path: dice.text(), place: dice.one_of(&place) }
    }
}

impl Field for Verdict {
    fn write(self) -> Value {
        self.as_str().into()
    }

    fn read(value: &Value) -> Option<Self> {
        let text = value.as_str()?;
        Self::ALL.into_iter().find(|known| known.as_str() == text)
    }

    #[cfg(test)]
    fn sample(dice: &mut super::tests::Dice) -> Self {
        dice.one_of(&Self::ALL)
    }
}

impl<T: Word + for<'t> From<&'t str>> Field for T {
    fn write(self) -> Value {
        self.text().into()
    }

    fn read(value: &Value) -> Option<Self> {
        value.as_str().map(Self::from)
    }

    #[cfg(test)]
    fn sample(dice: &mut super::tests::Dice) -> Self {
        dice.one_of(Self::ALL)
    }
}

impl<T: Field> Field for Option<T> {
    fn write(self) -> Value {
        self.map_or(Value::Null, T::write)
    }

    fn read(value: &Value) -> Option<Self> {
        if value.is_null() { Some(None) } else { T::read(value).map(Some) }
    }

    fn is_empty(&self) -> bool {
        self.is_none()
    }

    #[cfg(test)]
    fn sample(dice: &mut super::tests::Dice) -> Self {
        (dice.below(3) > 0).then(|| T::sample(dice))
    }
}

impl Field for ReportedChange {
    fn write(self) -> Value {
        serde_json::json!(self)
    }

    fn read(value: &Value) -> Option<Self> {
        serde_json::from_value(value.clone()).ok()
    }

    #[cfg(test)]
    fn sample(dice: &mut super::tests::Dice) -> Self {
        Self {
            path: dice.text(),
            role: dice.one_of(&Role::ALL),
            how: dice.one_of(&InputChange::ALL),
            by: dice.text(),
            gate: Field::sample(dice),
            said: Field::sample(dice),
            excuse: dice.one_of(&[None, Some(Excuse::HeldByRef), Some(Excuse::SecondLook)]),
        }
    }
}

impl<T: Field> Field for Vec<T> {
    fn write(self) -> Value {
        self.into_iter().map(T::write).collect()
    }

    /// Skips malformed items.
    fn read(value: &Value) -> Option<Self> {
        value.as_array().map(|items| items.iter().filter_map(T::read).collect())
    }

    fn is_empty(&self) -> bool {
        self.is_empty()
    }

    #[cfg(test)]
    fn sample(dice: &mut super::tests::Dice) -> Self {
        (0..dice.below(4)).map(|_| T::sample(dice)).collect()
    }
}

/// A key of a map of files.
pub(super) trait Listed: Ord + Sized {
    /// Returns the key for JSON.
    fn name(self) -> String;
    /// Parses the key; `None` for a bad path.
    fn of(name: &str) -> Option<Self>;
}

impl Listed for String {
    fn name(self) -> String {
        self
    }

    fn of(name: &str) -> Option<Self> {
        Some(name.to_owned())
    }
}

impl Listed for DocPath {
    fn name(self) -> String {
        self.to_string()
    }

    fn of(name: &str) -> Option<Self> {
        Self::parse(name).ok()
    }
}

impl<K: Listed, V: Field> Field for BTreeMap<K, V> {
    fn write(self) -> Value {
        Value::Object(self.into_iter().map(|(key, value)| (key.name(), value.write())).collect())
    }

    /// Reads the whole map or fails: a comparison with half of it would miss a change.
    fn read(value: &Value) -> Option<Self> {
        let entries = value.as_object()?.iter();
        entries.map(|(key, value)| Some((K::of(key)?, V::read(value)?))).collect()
    }

    #[cfg(test)]
    fn sample(dice: &mut super::tests::Dice) -> Self {
        let name = |nth| K::of(&format!("folder/file-{nth}.md")).unwrap();
        (0..dice.below(4)).map(|nth| (name(nth), V::sample(dice))).collect()
    }
}

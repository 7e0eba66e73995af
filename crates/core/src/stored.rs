//! The stored forms of a run's parts, for `run.yaml` and every other document with a run.

mod macros;
mod parts;
mod run;

use std::collections::BTreeMap;

use crate::{
    Agent, DocPath, Fence, Hash, Name, Plain, Role, RunId, Seq, SessionId, Stored, Time, UnitId,
    Unreadable,
};

fn expected<T>(what: &str, found: &Plain) -> Result<T, Unreadable> {
    Err(Unreadable::here(format!("expected {what}, found {}", found.kind())))
}

impl Stored for Plain {
    fn lower(&self) -> Plain {
        self.clone()
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        Ok(plain.clone())
    }
}

impl Stored for bool {
    fn lower(&self) -> Plain {
        Plain::Bool(*self)
    }

    /// A missing flag is `false`.
    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        if *plain == Plain::Null {
            return Ok(false);
        }
        let Plain::Bool(flag) = plain else { return expected("true or false", plain) };
        Ok(*flag)
    }
}

impl Stored for String {
    fn lower(&self) -> Plain {
        self.as_str().into()
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        let Plain::Text(text) = plain else { return expected("a text", plain) };
        Ok(text.clone())
    }
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl Stored for $number {
            fn lower(&self) -> Plain {
                Plain::Int((*self).into())
            }

            fn lift(plain: &Plain) -> Result<Self, Unreadable> {
                let Plain::Int(number) = plain else { return expected("a number", plain) };
                Self::try_from(*number).map_err(|_| {
                    Unreadable::here(format!("{number} is not between {} and {}", Self::MIN, Self::MAX))
                })
            }
        }
    )*};
}

numbers!(u32, i32, u64);

macro_rules! texts {
    ($($text:ty),*) => {$(
        impl Stored for $text {
            fn lower(&self) -> Plain {
                self.to_string().into()
            }

            fn lift(plain: &Plain) -> Result<Self, Unreadable> {
                Self::parse(&String::lift(plain)?).map_err(|bad| Unreadable::here(bad.to_string()))
            }
        }
    )*};
}

texts!(Name, UnitId, SessionId, Role, RunId, Agent, DocPath);

impl Stored for Hash {
    fn lower(&self) -> Plain {
        self.to_string().into()
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        Self::parse(&String::lift(plain)?).ok_or_else(|| Unreadable::here("expected 64 hex digits"))
    }
}

impl Stored for Time {
    fn lower(&self) -> Plain {
        self.to_string().into()
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        Self::parse(&String::lift(plain)?)
            .ok_or_else(|| Unreadable::here("expected an RFC 3339 time"))
    }
}

impl Stored for Fence {
    fn lower(&self) -> Plain {
        (*self).into()
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        u64::lift(plain).map(|seq| Self(Seq(seq)))
    }
}

impl<T: Stored> Stored for Option<T> {
    fn lower(&self) -> Plain {
        self.as_ref().map_or(Plain::Null, T::lower)
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        if *plain == Plain::Null { Ok(None) } else { T::lift(plain).map(Some) }
    }
}

impl<T: Stored> Stored for Vec<T> {
    fn lower(&self) -> Plain {
        Plain::List(self.iter().map(T::lower).collect())
    }

    /// A missing list is empty.
    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        if *plain == Plain::Null {
            return Ok(Self::new());
        }
        let Plain::List(items) = plain else { return expected("a list", plain) };
        let numbered = items.iter().enumerate();
        numbered
            .map(|(at, item)| T::lift(item).map_err(|bad| bad.below(&format!("[{at}]"))))
            .collect()
    }
}

impl<K: Stored + Ord + std::fmt::Display, T: Stored> Stored for BTreeMap<K, T> {
    fn lower(&self) -> Plain {
        Plain::Map(self.iter().map(|(key, value)| (key.to_string(), value.lower())).collect())
    }

    /// A missing map is empty.
    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        if *plain == Plain::Null {
            return Ok(Self::new());
        }
        let Plain::Map(entries) = plain else { return expected("a map", plain) };
        let mut map = Self::new();
        for (text, value) in entries {
            let key = K::lift(&text.as_str().into()).map_err(|bad| bad.below(text))?;
            let value = T::lift(value).map_err(|bad| bad.below(text))?;
            if map.insert(key, value).is_some() {
                return Err(Unreadable::here("this key stands twice").below(text));
            }
        }
        Ok(map)
    }
}

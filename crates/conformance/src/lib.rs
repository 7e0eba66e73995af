//! Recorded cases of the original systems, and the tally of sprag's results.
//!
//! A case is an input with the original's answer. The values are [`Plain`], which keeps the order
//! of keys: in the originals that order matters.

mod ordered;
mod tally;

pub use ordered::{as_list, as_text, canonical, entries, field, is_true, read};
pub use tally::{Outcome, Tally};

use sprag_core::Plain;

/// An input and the original's answer.
#[derive(Clone, Debug)]
pub struct Case {
    pub id: String,
    /// The group in the tally.
    pub group: String,
    /// The operation to perform.
    pub op: String,
    pub input: Plain,
    pub expect: Plain,
}

impl Case {
    pub fn all(text: &str) -> Result<Vec<Self>, String> {
        let file = read(text)?;
        as_list(&file).iter().map(Self::one).collect()
    }

    fn one(case: &Plain) -> Result<Self, String> {
        let text = |key: &str| {
            as_text(field(case, key)).map(str::to_owned).ok_or(format!("a case without `{key}`"))
        };
        Ok(Self {
            id: text("id")?,
            group: text("group")?,
            op: text("op")?,
            input: field(case, "input").clone(),
            expect: field(case, "expect").clone(),
        })
    }
}

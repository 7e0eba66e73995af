//! Recorded cases of the original systems, and the tally of how sprag compares with them.
//!
//! A case is a question with the original's answer. The values are [`Plain`], which keeps the
//! order of keys: in the originals it decides.

mod ordered;
mod tally;

pub use ordered::{as_list, as_text, canonical, entries, field, is_true, read};
pub use tally::{Outcome, Tally};

use sprag_core::Plain;

/// A question and the original's answer.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its name.
    pub id: String,
    /// What it belongs to.
    pub group: String,
    /// What is asked.
    pub op: String,
    /// The question.
    pub input: Plain,
    /// The answer.
    pub expect: Plain,
}

impl Case {
    /// Reads the cases of a file.
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

//! What a verdict depends on and how much it is worth.
//!
//! Every verdict depends on a closed list of inputs, its [`Basis`]: tests, the definition of the
//! gate's command, scripts, programs, the law. Each [`Input`] has an [`Author`], known from
//! evidence ([`whose`]). A change by the judged agent or by a stranger never counts in the agent's
//! favour until a person consents ([`Consent`]), and it is always named ([`named`]). A change that
//! makes the verdict harder counts at once, and undoing a change needs no consent.
//!
//! The judge calls [`weigh`] for sessions and driven runs alike. [`Doubts`] keeps the open doubts,
//! so that the next unit does not begin from a weakened text.

mod author;
mod consent;
mod doubts;
mod input;
mod key;
mod named;
mod test_file;
#[cfg(test)]
mod tests;
mod weigh;

use std::collections::BTreeMap;

pub use author::{
    Attribution, Author, ChangeFacts, MaySendBack, Origin, Others, OwnCalls, Processes, Tool,
    TurnExtent, whose,
};
pub use consent::{CommitMade, Consent, MayChange};
pub use doubts::{AgreedText, BadDoubts, Doubts, OpenDoubt, TextNow, UnitEnded};
pub use input::{Arrival, Departure, Difference, Excuse, Input, InputChange, Role};
pub use key::{InputKey, InputKeys};
pub use named::{NamedChange, ReportedChange, named};
pub use test_file::{
    LARGEST, LineCounts, PythonFolders, compare, is_document, is_marked_test, is_test,
    is_test_code, lines, moved, only_looks, reaches_other_tests, rests_on_tests, rust_tests,
    with_rust_tests,
};
pub use weigh::{Bearing, Conditions, Free, OnTests, SentBack, Worth, bearing, clearable, weigh};

/// The inputs that a verdict depends on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Basis(BTreeMap<InputKey, Input>);

impl Basis {
    /// Adds an input; replaces an existing one with the same key.
    pub fn insert(&mut self, key: InputKey, input: Input) {
        self.0.insert(key, input);
    }

    pub fn get(&self, key: &InputKey) -> Option<&Input> {
        self.0.get(key)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&InputKey, &Input)> {
        self.0.iter()
    }

    /// Adds evidence that the changes of these inputs weakened nothing.
    #[must_use]
    pub fn excused(mut self, keys: &InputKeys, excuse: Excuse) -> Self {
        for (_, input) in self.0.iter_mut().filter(|(key, _)| keys.contains(key)) {
            *input = input.clone().excused(excuse);
        }
        self
    }

    /// Excuses the changes of tests, for a unit without a gate that depends on them.
    #[must_use]
    pub fn without_tests(mut self) -> Self {
        for input in self.0.values_mut().filter(|input| input.role() == Role::Test) {
            *input = input.clone().excused(Excuse::OtherGate);
        }
        self
    }
}

impl FromIterator<(InputKey, Input)> for Basis {
    fn from_iter<T: IntoIterator<Item = (InputKey, Input)>>(all: T) -> Self {
        Self(all.into_iter().collect())
    }
}

use super::input::Carried;
use super::{Input, InputKey, Role};
use crate::{Glob, Hash};

/// A person's yes to changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Consent {
    /// To changes of these files, given before they were made.
    Beforehand(Glob),
    /// To changes of all tests, given before they were made.
    AllTests,
    /// To exactly this text of an input, which the person saw; nothing where it is gone.
    OfText(InputKey, Option<Hash>),
}

/// How a commit was made that brought a text to HEAD.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommitMade {
    /// While no agent had the turn, and not by sprag.
    OutsideAnyTurn,
    /// While an agent had the turn.
    InATurn,
    /// By sprag: a worktree, a merge, a landing.
    BySprag,
}

impl Consent {
    /// Returns the yes that lies in a commit. Only one that is made outside any turn is a person's.
    pub fn by_commit(key: InputKey, text: Option<Hash>, made: CommitMade) -> Option<Self> {
        match made {
            CommitMade::OutsideAnyTurn => Some(Self::OfText(key, text)),
            CommitMade::InATurn | CommitMade::BySprag => None,
        }
    }

    /// Returns whether it covers the change of an input.
    ///
    /// A yes that was given beforehand is about changes of this unit. It covers neither a text that an
    /// earlier unit left in doubt, nor what decides more than one verdict.
    pub(super) fn covers(&self, key: &InputKey, input: &Input) -> bool {
        let is_of_this_unit = input.carried() != Carried::ThisText;
        match self {
            Self::Beforehand(glob) => {
                let is_file = input.role().is_inferred() || input.role() == Role::Protected;
                is_of_this_unit && is_file && glob.matches(key.path().as_bytes())
            }
            Self::AllTests => is_of_this_unit && input.role() == Role::Test,
            Self::OfText(of, text) => of == key && *text == input.now(),
        }
    }
}

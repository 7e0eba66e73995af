//! Weighs a verdict by its inputs.

use serde::{Deserialize, Serialize};

use super::input::Carried;
use super::{Basis, Consent, Excuse, Input, InputKey, InputKeys, MaySendBack, Role};
use crate::{Glob, Verdict, stored};

/// How changes of tests by an agent are treated, as configured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OnTests {
    #[default]
    Doubt,
    Name,
}

impl OnTests {
    pub const ALL: [Self; 2] = [Self::Doubt, Self::Name];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Doubt => "doubt",
            Self::Name => "name",
        }
    }
}

stored!(word OnTests);

/// Whether the agent of a unit was sent back for changes of its basis.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum SentBack {
    #[default]
    NotYet,
    /// Once, for these inputs; it is never sent back again in this unit.
    For(InputKeys),
}

/// The conditions under which a basis is weighed.
#[derive(Clone, Copy, Debug)]
pub struct Conditions<'a> {
    /// Changes that persons consented to.
    pub consents: &'a [Consent],
    pub protect: &'a [Glob],
    /// Whether this unit was sent back before.
    pub sent_back: &'a SentBack,
    /// How changes of tests are treated.
    pub tests: OnTests,
}

/// The worth of a verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Worth {
    /// A pass that counts.
    Proven,
    /// A pass that does not count yet: the agent is asked to undo or explain these changes.
    SendBack(InputKeys),
    /// A pass that does not count. The unit ends as done, not proven.
    Doubted(InputKeys),
    /// A pass that does not count. The unit waits for a person because of these changes.
    Waits(InputKeys),
    /// Not a pass, whatever the agent changed.
    NoPass(Verdict),
}

impl Worth {
    /// Combines the worths of two gates of a unit: the worse one, or the keys of both if they are
    /// equal.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::SendBack(one), Self::SendBack(more)) => Self::SendBack(&one | &more),
            (Self::Doubted(one), Self::Doubted(more)) => Self::Doubted(&one | &more),
            (Self::Waits(one), Self::Waits(more)) => Self::Waits(&one | &more),
            (one, other) if one.rank() >= other.rank() => one,
            (_, other) => other,
        }
    }

    /// Orders worths by the urgency of their consequence.
    const fn rank(&self) -> u8 {
        match self {
            Self::Proven => 0,
            Self::Doubted(_) => 1,
            Self::Waits(_) => 2,
            Self::SendBack(_) => 3,
            Self::NoPass(_) => 4,
        }
    }
}

/// Why a change is not in doubt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Free {
    Trusted,
    /// It weakens nothing.
    Harmless,
    Agreed,
    /// Evidence shows that it weakened nothing.
    Excused(Excuse),
    /// By configuration, such changes are only named.
    OnlyNamed,
}

/// The effect of one input on a pass that depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bearing {
    /// No byte of it changed.
    Untouched,
    /// It changed, and the pass still counts.
    Free(Free),
    /// The agent is sent back for it.
    SendBack,
    Doubted,
    /// It is in doubt, and a person must decide.
    Waits,
}

impl Bearing {
    /// Returns whether the input keeps the pass from counting.
    pub const fn is_doubt(self) -> bool {
        match self {
            Self::SendBack | Self::Doubted | Self::Waits => true,
            Self::Untouched | Self::Free(_) => false,
        }
    }
}

pub fn weigh(verdict: Verdict, basis: &Basis, conditions: &Conditions<'_>) -> Worth {
    match verdict {
        Verdict::Pass => {}
        Verdict::Fail | Verdict::Void | Verdict::Waived | Verdict::Unknown => {
            return Worth::NoPass(verdict);
        }
    }
    let (mut back, mut waits, mut doubted) = (InputKeys::new(), InputKeys::new(), InputKeys::new());
    for (key, input) in basis.iter() {
        let keys = match bearing(key, input, conditions) {
            Bearing::Untouched | Bearing::Free(_) => continue,
            Bearing::SendBack => &mut back,
            Bearing::Waits => &mut waits,
            Bearing::Doubted => &mut doubted,
        };
        keys.insert(key.clone());
    }
    if !back.is_empty() {
        Worth::SendBack(back)
    } else if !waits.is_empty() {
        Worth::Waits(waits)
    } else if !doubted.is_empty() {
        Worth::Doubted(doubted)
    } else {
        Worth::Proven
    }
}

/// Returns the tests that a second look would clear; empty if nothing is in doubt, or if more than
/// tests is. Protected files are decided by a person, regardless of earlier tests.
pub fn clearable(basis: &Basis, conditions: &Conditions<'_>) -> InputKeys {
    let is_doubt = |(key, input): &(&InputKey, &Input)| bearing(key, input, conditions).is_doubt();
    let mut keys = InputKeys::new();
    for (key, input) in basis.iter().filter(is_doubt) {
        if input.role() != Role::Test || is_protected(key, input, conditions.protect) {
            return InputKeys::new();
        }
        keys.insert(key.clone());
    }
    keys
}

/// Returns the effect of one input on a pass that depends on it.
pub fn bearing(key: &InputKey, input: &Input, conditions: &Conditions<'_>) -> Bearing {
    if !input.is_changed() {
        return Bearing::Untouched;
    }
    let is_protected = is_protected(key, input, conditions.protect);
    if let Some(free) = free(key, input, is_protected, conditions) {
        return Bearing::Free(free);
    }
    let may_go_back = match conditions.sent_back {
        SentBack::NotYet => input.whose().send_back == MaySendBack::Yes,
        SentBack::For(_) => false,
    };
    if may_go_back {
        Bearing::SendBack
    } else if is_protected || input.role().waits() {
        Bearing::Waits
    } else {
        Bearing::Doubted
    }
}

/// Returns why a change is not in doubt, if it is not.
fn free(
    key: &InputKey,
    input: &Input,
    is_protected: bool,
    conditions: &Conditions<'_>,
) -> Option<Free> {
    if input.whose().author.is_trusted() {
        return Some(Free::Trusted);
    }
    if !is_protected && !input.weakens() {
        return Some(Free::Harmless);
    }
    if conditions.consents.iter().any(|consent| consent.covers(key, input)) {
        return Some(Free::Agreed);
    }
    if !is_protected && input.role() == Role::Law && input.excuse() == Some(Excuse::OtherGate) {
        return Some(Free::Excused(Excuse::OtherGate));
    }
    if is_protected || !input.role().is_inferred() {
        return None;
    }
    if let Some(excuse) = input.excuse().filter(|excuse| holds(*excuse, input)) {
        return Some(Free::Excused(excuse));
    }
    (input.role() == Role::Test && conditions.tests == OnTests::Name).then_some(Free::OnlyNamed)
}

/// Returns whether an excuse is valid for an input. A text that was once in doubt stays in doubt
/// until a second look shows that it weakens nothing.
fn holds(excuse: Excuse, input: &Input) -> bool {
    match excuse {
        Excuse::HeldByRef => input.carried() == Carried::No,
        Excuse::LockFile => input.carried() == Carried::No && input.role() == Role::Program,
        Excuse::SecondLook | Excuse::OtherGate => true,
    }
}

/// Returns whether a person protects an input: only inputs that existed when the unit began.
fn is_protected(key: &InputKey, input: &Input, protect: &[Glob]) -> bool {
    let path = key.path().as_bytes();
    input.was().is_some()
        && (input.role() == Role::Protected || protect.iter().any(|glob| glob.matches(path)))
}

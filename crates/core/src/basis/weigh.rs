//! Weighs a verdict by its inputs.

use serde::{Deserialize, Serialize};

use super::input::Carried;
use super::{Basis, Change, Consent, Excuse, Input, InputKey, InputKeys, MaySendBack, Role};
use crate::{Glob, Verdict, stored};

/// What is done about tests that an agent changed, as the configuration says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OnTests {
    /// They are doubted.
    #[default]
    Doubt,
    /// They are only named.
    Name,
}

impl OnTests {
    /// Every setting.
    pub const ALL: [Self; 2] = [Self::Doubt, Self::Name];

    /// Returns the word used in the configuration.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Doubt => "doubt",
            Self::Name => "name",
        }
    }
}

stored!(word OnTests);

/// Whether the agent of a unit was sent back for changes of what it is judged by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum SentBack {
    /// Not yet.
    #[default]
    NotYet,
    /// Once, for these; it never is again in this unit.
    For(InputKeys),
}

/// Under which conditions a basis is weighed.
#[derive(Clone, Copy, Debug)]
pub struct Conditions<'a> {
    /// What persons agreed to.
    pub consents: &'a [Consent],
    /// What persons protect.
    pub protect: &'a [Glob],
    /// Whether this unit was sent back before.
    pub sent_back: &'a SentBack,
    /// What is done about tests.
    pub tests: OnTests,
}

/// What a verdict is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Worth {
    /// A pass that counts.
    Proven,
    /// A pass that does not count yet: the agent is asked to undo these changes, or to say why.
    SendBack(InputKeys),
    /// A pass that does not count. The unit ends as done, not proven.
    Doubted(InputKeys),
    /// A pass that does not count. The unit waits for a person because of these.
    Waits(InputKeys),
    /// No pass: what an agent changed cannot make it one.
    NoPass(Verdict),
}

impl Worth {
    /// Returns what two gates of a unit are worth together: the worst of both, with the keys of both
    /// where they are worth the same.
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

    /// Orders what is done about a unit.
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

/// Why a change is no doubt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Free {
    /// A person or sprag made it.
    Trusted,
    /// It takes nothing away.
    Harmless,
    /// A person agreed.
    Agreed,
    /// There is evidence that it weakened nothing.
    Excused(Excuse),
    /// The configuration says that such changes are only named.
    OnlyNamed,
}

/// What one input means for a pass that depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bearing {
    /// Not a byte of it changed.
    Untouched,
    /// It changed, and the pass counts.
    Free(Free),
    /// The agent is sent back for it.
    SendBack,
    /// It is in doubt.
    Doubted,
    /// It is in doubt, and a person must decide.
    Waits,
}

impl Bearing {
    /// Returns whether the pass does not count because of it.
    pub const fn is_doubt(self) -> bool {
        match self {
            Self::SendBack | Self::Doubted | Self::Waits => true,
            Self::Untouched | Self::Free(_) => false,
        }
    }
}

/// Returns what a verdict is worth.
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

/// Returns the tests that a second look would clear; empty where nothing is in doubt, or where it is not
/// tests alone that are. A person decides about protected files, whatever an earlier test says.
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

/// Returns what one input means for a pass that depends on it.
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

/// Returns why a change is no doubt, where it is none.
fn free(
    key: &InputKey,
    input: &Input,
    is_protected: bool,
    conditions: &Conditions<'_>,
) -> Option<Free> {
    if input.whose().author.is_trusted() {
        return Some(Free::Trusted);
    }
    if !is_protected && !weakens(input) {
        return Some(Free::Harmless);
    }
    if conditions.consents.iter().any(|consent| consent.covers(key, input)) {
        return Some(Free::Agreed);
    }
    if is_protected || !input.role().is_inferred() {
        return None;
    }
    if let Some(excuse) = input.excuse().filter(|excuse| holds(*excuse, input)) {
        return Some(Free::Excused(excuse));
    }
    (input.role() == Role::Test && conditions.tests == OnTests::Name).then_some(Free::OnlyNamed)
}

/// Returns whether a change may have made a pass easier.
const fn weakens(input: &Input) -> bool {
    match input.change() {
        Change::Changed | Change::Gone => true,
        Change::New => matches!(input.role(), Role::Runner | Role::Host),
        Change::Same | Change::Stricter | Change::Grew | Change::Moved => false,
    }
}

/// Returns whether an excuse holds for an input. Text that was in doubt once stays so, until a second
/// look shows that it weakens nothing.
fn holds(excuse: Excuse, input: &Input) -> bool {
    match excuse {
        Excuse::HeldByRef => input.carried() == Carried::No,
        Excuse::LockFile => input.carried() == Carried::No && input.role() == Role::Program,
        Excuse::SecondLook => true,
    }
}

/// Returns whether a person protects an input: only what was there when the unit began.
fn is_protected(key: &InputKey, input: &Input, protect: &[Glob]) -> bool {
    let path = key.path().as_bytes();
    input.was().is_some()
        && (input.role() == Role::Protected || protect.iter().any(|glob| glob.matches(path)))
}

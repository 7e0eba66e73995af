use serde::{Deserialize, Serialize};

use super::input::Carried;
use super::{Input, InputKey, Role};
use crate::{BadGlob, Glob, Hash};

/// The word for all tests, used where a pattern could be.
const TESTS: &str = "tests";

/// Files an agent may change, as a person declares them before the work: `tests` or a file pattern.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum MayChange {
    AllTests,
    Files(Glob),
}

impl MayChange {
    /// Parses the word `tests` or a file pattern.
    pub fn parse(text: &str) -> Result<Self, BadGlob> {
        if text == TESTS { Ok(Self::AllTests) } else { Glob::parse(text).map(Self::Files) }
    }

    pub fn as_str(&self) -> &str {
        match self {
            Self::AllTests => TESTS,
            Self::Files(glob) => glob.as_str(),
        }
    }

    /// Returns whether it names this input.
    pub fn names(&self, key: &InputKey, role: Role) -> bool {
        Consent::from(self).names(key, role)
    }
}

impl From<MayChange> for String {
    fn from(may: MayChange) -> Self {
        may.as_str().to_owned()
    }
}

impl TryFrom<String> for MayChange {
    type Error = BadGlob;

    fn try_from(text: String) -> Result<Self, BadGlob> {
        Self::parse(&text)
    }
}

impl From<&MayChange> for Consent {
    fn from(may: &MayChange) -> Self {
        match may {
            MayChange::AllTests => Self::AllTests,
            MayChange::Files(glob) => Self::Beforehand(glob.clone()),
        }
    }
}

/// A person's consent to changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Consent {
    /// To changes of these files, given in advance.
    Beforehand(Glob),
    /// To changes of all tests, given in advance.
    AllTests,
    /// To exactly this text of an input, which the person saw; `None` if the input is gone.
    OfText(InputKey, Option<Hash>),
}

/// How the commit that brought a text to HEAD was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommitMade {
    /// While no agent had the turn, and not by sprag.
    OutsideAnyTurn,
    /// While an agent had the turn.
    InATurn,
    /// By sprag: for a worktree, a merge or a landing.
    BySprag,
}

impl Consent {
    /// Returns the consent that a commit implies. Only a commit made outside any turn is a
    /// person's.
    pub fn by_commit(key: InputKey, text: Option<Hash>, made: CommitMade) -> Option<Self> {
        match made {
            CommitMade::OutsideAnyTurn => Some(Self::OfText(key, text)),
            CommitMade::InATurn | CommitMade::BySprag => None,
        }
    }

    /// Returns the text that [`MayChange::parse`] accepts; `None` for a consent that was given
    /// afterwards or would parse as a different one.
    pub fn as_typed(&self) -> Option<String> {
        match self {
            Self::AllTests => Some(TESTS.to_owned()),
            Self::Beforehand(glob) => {
                Some(glob.as_str()).filter(|text| *text != TESTS).map(str::to_owned)
            }
            Self::OfText(..) => None,
        }
    }

    /// Returns whether this consent covers the change of an input.
    ///
    /// A consent given in advance applies to changes of this unit. It covers neither a text that an
    /// earlier unit left in doubt nor an input that decides more than one verdict.
    pub(super) fn covers(&self, key: &InputKey, input: &Input) -> bool {
        let is_of_this_unit = input.carried() != Carried::ThisText;
        match self {
            Self::Beforehand(_) | Self::AllTests => {
                is_of_this_unit && self.names(key, input.role())
            }
            Self::OfText(_, text) => self.names(key, input.role()) && *text == input.now(),
        }
    }

    fn names(&self, key: &InputKey, role: Role) -> bool {
        match self {
            Self::Beforehand(glob) => {
                let is_file = role.is_inferred() || role == Role::Protected;
                is_file && glob.matches(key.path().as_bytes())
            }
            Self::AllTests => role == Role::Test,
            Self::OfText(of, _) => of == key,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_names_all_tests_or_files() {
        assert_eq!(MayChange::parse("tests"), Ok(MayChange::AllTests));
        assert_eq!(Consent::from(&MayChange::AllTests), Consent::AllTests);
        for (text, read) in [("tests/", "tests/**"), ("src/*.snap", "src/*.snap")] {
            let may = MayChange::parse(text).unwrap();
            assert_eq!(may.as_str(), read);
            assert_eq!(Consent::from(&may), Consent::Beforehand(Glob::parse(text).unwrap()));
        }
        let typed = |text: &str| Consent::from(&MayChange::parse(text).unwrap()).as_typed();
        assert_eq!((typed("tests"), typed("a/**")), (Some("tests".into()), Some("a/**".into())));
        assert_eq!(Consent::Beforehand(Glob::parse("tests").unwrap()).as_typed(), None);
        assert!(MayChange::parse("../tests").is_err());
        assert!(MayChange::parse("").is_err());
    }

    #[test]
    fn it_is_stored_as_a_person_wrote_it() {
        let all = ["tests", "a/**"].map(|text| MayChange::parse(text).unwrap());
        let text = serde_json::to_string(&all).unwrap();
        assert_eq!(text, r#"["tests","a/**"]"#);
        assert_eq!(serde_json::from_str::<[MayChange; 2]>(&text).unwrap(), all);
        assert!(serde_json::from_str::<MayChange>(r#""/etc""#).is_err());
    }
}

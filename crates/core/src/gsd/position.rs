use super::State;
use crate::rules::Following;
use crate::{Fields, Name, Plain, Stored, UnitId, Unreadable};

/// Where a run of a milestone tree stands, beside what the tree itself says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// The unit that ended last, while rules still have something to do about it.
    pub following: Option<Following>,
    /// What was begun.
    pub given: Option<Given>,
    /// What rules keep from now on. It belongs into the front matter of documents, and is written
    /// there by the commit that decides it; here it stands only until then.
    pub keeps: Vec<Keep>,
}

/// A unit as it was begun: rules may have changed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// The kernel's id of it.
    pub unit: UnitId,
    /// The kind that the table derived, which says what must be left behind.
    pub derived: Name,
    /// The instruction.
    pub prompt: String,
}

/// What a rule keeps with a milestone, slice or task from now on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keep {
    /// With what.
    pub at: UnitId,
    /// Which rule.
    pub rule: Name,
    /// What; nothing to forget it.
    pub value: Plain,
}

impl Position {
    /// Returns what a rule keeps with `at`: what was decided just now, else what the file says.
    pub fn kept(&self, state: &State, at: &UnitId, rule: &Name) -> Plain {
        let newest = self.keeps.iter().rev().find(|keep| keep.at == *at && keep.rule == *rule);
        let written = || state.kept(at, rule.as_str()).cloned();
        newest.map(|keep| keep.value.clone()).or_else(written).unwrap_or(Plain::Null)
    }
}

impl Stored for Given {
    fn lower(&self) -> Plain {
        Plain::map([
            ("unit", self.unit.lower()),
            ("derived", self.derived.lower()),
            ("prompt", self.prompt.lower()),
        ])
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        let fields = Fields::of(plain)?;
        Ok(Self {
            unit: fields.get("unit")?,
            derived: fields.get("derived")?,
            prompt: fields.get("prompt")?,
        })
    }
}

impl Stored for Position {
    fn lower(&self) -> Plain {
        Plain::map([("following", self.following.lower()), ("given", self.given.lower())])
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        if *plain == Plain::Null {
            return Ok(Self::default());
        }
        let fields = Fields::of(plain)?;
        let (following, given) = (fields.get("following")?, fields.get("given")?);
        Ok(Self { following, given, keeps: Vec::new() })
    }
}

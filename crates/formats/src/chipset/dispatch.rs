//! `dispatch/UNIT.json`: how far the sending of a unit has come.

use sprag_core::Time;

use super::{WorkFile, map, optional, text, unknown};
use crate::edit::Edit;
use crate::fault::Fault;
use crate::value::Value;

/// How far a unit was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// It is assigned and written down.
    Stored,
    /// The agent was told.
    Launched,
    /// The witness was told.
    Confirmed,
}

impl Stage {
    const ALL: [Self; 3] = [Self::Stored, Self::Launched, Self::Confirmed];

    /// Returns the word in the files.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Stored => "stored",
            Self::Launched => "launched",
            Self::Confirmed => "confirmed",
        }
    }
}

/// A record of a unit that was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dispatch {
    /// Which unit.
    pub unit: String,
    /// To whom.
    pub agent: String,
    /// The branch that is worked on.
    pub branch: String,
    /// How far it has come.
    pub stage: Stage,
    /// When, as it stands there.
    pub created: String,
}

impl Dispatch {
    /// Reads a record.
    pub fn read(source: &str) -> Result<Self, Fault> {
        let document = map(source)?;
        let top = document.top();
        let field = top.need(&["stage"])?;
        let word = field.as_str()?;
        let stage = Stage::ALL.into_iter().find(|stage| stage.as_str() == word);
        Ok(Self {
            unit: text(&top, "beadId")?,
            agent: text(&top, "agentId")?,
            branch: text(&top, "branch")?,
            stage: stage.ok_or_else(|| unknown(&field, "stored, launched or confirmed"))?,
            created: optional(&top, "createdAt")?.unwrap_or_default(),
        })
    }

    /// Returns the edits that write the record of a unit that is now `stage`.
    pub fn made(work: &WorkFile, agent: &str, branch: &str, stage: Stage, now: Time) -> Vec<Edit> {
        let unit = work.unit.as_str();
        let context = Value::map([
            ("agentId", agent),
            ("beadId", unit),
            ("branch", branch),
            ("title", work.title.as_str()),
            ("description", work.about.as_str()),
            ("priority", work.priority.as_str()),
        ]);
        vec![
            Edit::set(["beadId"], unit),
            Edit::set(["agentId"], agent),
            Edit::set(["branch"], branch),
            Edit::set(["context"], context),
            Edit::set(["stage"], stage.as_str()),
            Edit::set(["createdAt"], now.to_string()),
        ]
    }

    /// Returns the edit that takes a record one stage on.
    pub fn at(stage: Stage) -> Edit {
        Edit::set(["stage"], stage.as_str())
    }
}

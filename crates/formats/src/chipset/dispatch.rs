//! `dispatch/UNIT.json`: the progress of a unit's dispatch.

use sprag_core::Time;

use super::{WorkFile, map, optional, text, unknown};
use crate::edit::Edit;
use crate::fault::Fault;
use crate::value::Value;

/// The progress of a dispatch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DispatchStage {
    /// Assigned and recorded.
    Stored,
    /// The agent was notified.
    Launched,
    /// The witness was notified.
    Confirmed,
}

impl DispatchStage {
    const ALL: [Self; 3] = [Self::Stored, Self::Launched, Self::Confirmed];

    /// The word in the files.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Stored => "stored",
            Self::Launched => "launched",
            Self::Confirmed => "confirmed",
        }
    }
}

/// The record of a dispatched unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dispatch {
    pub unit: String,
    pub agent: String,
    /// The branch of the work.
    pub branch: String,
    pub stage: DispatchStage,
    /// The creation time, as written in the file.
    pub created: String,
}

impl Dispatch {
    pub fn read(source: &str) -> Result<Self, Fault> {
        let document = map(source)?;
        let top = document.top();
        let field = top.need(&["stage"])?;
        let word = field.as_str()?;
        let stage = DispatchStage::ALL.into_iter().find(|stage| stage.as_str() == word);
        Ok(Self {
            unit: text(&top, "beadId")?,
            agent: text(&top, "agentId")?,
            branch: text(&top, "branch")?,
            stage: stage.ok_or_else(|| unknown(&field, "stored, launched or confirmed"))?,
            created: optional(&top, "createdAt")?.unwrap_or_default(),
        })
    }

    /// The edits that write the record of a unit at `stage`.
    pub fn made(
        work: &WorkFile,
        agent: &str,
        branch: &str,
        stage: DispatchStage,
        now: Time,
    ) -> Vec<Edit> {
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

    /// The edit that moves a record to `stage`.
    pub fn at(stage: DispatchStage) -> Edit {
        Edit::set(["stage"], stage.as_str())
    }
}

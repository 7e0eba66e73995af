//! Convoys, merge requests, handoffs and event logs, read for display. Merge requests and handoffs
//! are also written.

use super::{map, optional, text};
use crate::document::{Document, Format};
use crate::edit::Edit;
use crate::fault::Fault;
use crate::value::Value;

/// `convoys/ID.json`: units that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Convoy {
    pub id: String,
    pub name: String,
    pub units: Vec<String>,
}

impl Convoy {
    /// Reads a convoy, except its progress, which follows from its units.
    pub fn read(source: &str) -> Result<Self, Fault> {
        let document = map(source)?;
        let top = document.top();
        let units = top.need(&["beadIds"])?.items()?;
        let units = units.iter().map(|unit| Ok(unit.as_str()?.to_owned()));
        Ok(Self {
            id: text(&top, "id")?,
            name: text(&top, "name")?,
            units: units.collect::<Result<_, Fault>>()?,
        })
    }
}

/// `merge-queue/ID.json`: a branch that waits to be merged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergeRequest {
    /// `mr-` and the unit's id.
    pub id: String,
    /// The branch to merge.
    pub source: String,
    /// The branch to merge into.
    pub target: String,
    /// `pending`, `merging`, `merged` or `conflicted`.
    pub status: String,
    pub unit: String,
}

impl MergeRequest {
    pub fn read(source: &str) -> Result<Self, Fault> {
        let document = map(source)?;
        let top = document.top();
        Ok(Self {
            id: text(&top, "id")?,
            source: text(&top, "sourceBranch")?,
            target: text(&top, "targetBranch")?,
            status: text(&top, "status")?,
            unit: text(&top, "beadId")?,
        })
    }

    /// The edits that write the merge request.
    pub fn made(&self) -> Vec<Edit> {
        vec![
            Edit::set(["id"], self.id.as_str()),
            Edit::set(["sourceBranch"], self.source.as_str()),
            Edit::set(["targetBranch"], self.target.as_str()),
            Edit::set(["status"], self.status.as_str()),
            Edit::set(["beadId"], self.unit.as_str()),
        ]
    }
}

/// `handoff/AGENT/….json`: one session's notes for the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handoff {
    pub agent: String,
    /// The session that wrote it.
    pub session: Option<String>,
    pub unit: String,
    /// A summary of the completed work.
    pub summary: String,
    pub branch: Option<String>,
    /// The time, as written in the file.
    pub at: String,
}

impl Handoff {
    pub fn read(source: &str) -> Result<Self, Fault> {
        let document = map(source)?;
        let top = document.top();
        Ok(Self {
            agent: text(&top, "agent_id")?,
            session: optional(&top, "session_outgoing")?,
            unit: text(&top, "bead_id")?,
            summary: text(&top, "summary")?,
            branch: optional(&top, "branch")?,
            at: text(&top, "timestamp")?,
        })
    }

    /// The edits that write the handoff.
    pub fn made(&self) -> Vec<Edit> {
        let mut edits = vec![
            Edit::set(["agent_id"], self.agent.as_str()),
            Edit::set(["bead_id"], self.unit.as_str()),
            Edit::set(["summary"], self.summary.as_str()),
            Edit::set(["remaining"], Value::list(Vec::<Value>::new())),
            Edit::set(["timestamp"], self.at.as_str()),
        ];
        let optional = [("session_outgoing", &self.session), ("branch", &self.branch)];
        for (key, value) in optional {
            edits.extend(value.as_deref().map(|value| Edit::set([key], value)));
        }
        edits
    }
}

/// One line of an event log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Logged {
    /// The time, as written in the file.
    pub at: String,
    /// `debug` to `critical`.
    pub severity: String,
    pub message: String,
    /// The agent that the event concerns.
    pub agent: Option<String>,
}

/// Reads an event log. An invalid line becomes a fault in its position and is not left out.
pub fn logged(source: &str) -> Vec<Result<Logged, Fault>> {
    let lines = (1..).zip(source.lines()).filter(|(_, line)| !line.trim().is_empty());
    let read = |line: &str| {
        let document = Document::parse(Format::Json, line)?;
        let top = document.top();
        Ok(Logged {
            at: text(&top, "timestamp")?,
            severity: text(&top, "severity")?,
            message: text(&top, "message")?,
            agent: optional(&top, "agentId")?,
        })
    };
    let in_its_place = |number: usize, mut fault: Fault| {
        fault.place.line = number;
        fault
    };
    lines.map(|(number, line)| read(line).map_err(|fault| in_its_place(number, fault))).collect()
}

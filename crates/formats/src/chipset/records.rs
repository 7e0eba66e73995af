//! Convoys, merge requests, handoffs and event logs: read and shown. Merge requests and handoffs are
//! written as well.

use super::{map, optional, text};
use crate::document::{Document, Format};
use crate::edit::Edit;
use crate::fault::Fault;
use crate::value::Value;

/// `convoys/ID.json`: units that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Convoy {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its units.
    pub units: Vec<String>,
}

impl Convoy {
    /// Reads a convoy. Its progress is not read: it follows from its units.
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
    /// Its id: `mr-` and the unit.
    pub id: String,
    /// What is to be merged.
    pub source: String,
    /// Where to.
    pub target: String,
    /// `pending`, `merging`, `merged`, `conflicted`.
    pub status: String,
    /// The unit.
    pub unit: String,
}

impl MergeRequest {
    /// Reads a merge request.
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

    /// Returns the edits that write it.
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

/// `handoff/AGENT/….json`: what one session left for the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handoff {
    /// Whose it was.
    pub agent: String,
    /// The session that had it.
    pub session: Option<String>,
    /// The unit.
    pub unit: String,
    /// What was done.
    pub summary: String,
    /// The branch.
    pub branch: Option<String>,
    /// When, as it stands there.
    pub at: String,
}

impl Handoff {
    /// Reads a handoff.
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

    /// Returns the edits that write it.
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
    /// When, as it stands there.
    pub at: String,
    /// `debug` to `critical`.
    pub severity: String,
    /// What happened.
    pub message: String,
    /// Whom it is about.
    pub agent: Option<String>,
}

/// Reads an event log; a line that is none is a fault in its place, not left out.
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

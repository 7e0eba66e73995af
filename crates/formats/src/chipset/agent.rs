//! `agents/AGENT.json`: who an agent is.

use super::{map, optional, text};
use crate::edit::Edit;
use crate::fault::Fault;

/// An agent as it stands in its document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentFile {
    /// Its id.
    pub id: String,
    /// What it is for: `mayor`, `witness`, `refinery`, `polecat`, `crew`.
    pub role: String,
    /// The group it belongs to.
    pub rig: String,
    /// `idle`, `active`, `stalled`, `terminated`.
    pub status: String,
}

/// What an agent can be for.
const ROLES: [&str; 5] = ["mayor", "witness", "refinery", "polecat", "crew"];

impl AgentFile {
    /// The status of an agent that never works again.
    pub const TERMINATED: &'static str = "terminated";
    /// The status of an agent that was sent to work.
    pub const ACTIVE: &'static str = "active";
    /// The status of an agent that waits for work.
    pub const IDLE: &'static str = "idle";
    /// The group where nothing is said.
    pub const RIG: &'static str = "default";

    /// Returns a new agent; its name says what it is for, else it is a worker.
    pub fn new(id: &str, rig: &str) -> Self {
        let role = ROLES.into_iter().find(|role| {
            id.strip_prefix(role).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        });
        Self {
            id: id.to_owned(),
            role: role.unwrap_or("polecat").to_owned(),
            rig: rig.to_owned(),
            status: Self::IDLE.to_owned(),
        }
    }

    /// Reads an agent.
    pub fn read(source: &str) -> Result<Self, Fault> {
        let document = map(source)?;
        let top = document.top();
        Ok(Self {
            id: text(&top, "id")?,
            role: text(&top, "role")?,
            rig: optional(&top, "rig")?.unwrap_or_else(|| Self::RIG.to_owned()),
            status: optional(&top, "status")?.unwrap_or_else(|| Self::IDLE.to_owned()),
        })
    }

    /// Returns the edits that make this agent where there is none.
    pub fn made(&self) -> Vec<Edit> {
        vec![
            Edit::set(["id"], self.id.as_str()),
            Edit::set(["hookId"], format!("hook-{}", self.id)),
            Edit::set(["rig"], self.rig.as_str()),
            Edit::set(["role"], self.role.as_str()),
            Edit::set(["status"], self.status.as_str()),
        ]
    }
}

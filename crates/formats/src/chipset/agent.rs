//! `agents/AGENT.json`: an agent's identity and status.

use super::{map, optional, text};
use crate::edit::Edit;
use crate::fault::Fault;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentFile {
    pub id: String,
    /// `mayor`, `witness`, `refinery`, `polecat` or `crew`.
    pub role: String,
    /// The agent's group.
    pub rig: String,
    /// `idle`, `active`, `stalled` or `terminated`.
    pub status: String,
}

const ROLES: [&str; 5] = ["mayor", "witness", "refinery", "polecat", "crew"];

impl AgentFile {
    /// The status of an agent that never works again.
    pub const TERMINATED: &'static str = "terminated";
    /// The status of an agent that was given work.
    pub const ACTIVE: &'static str = "active";
    /// The status of an agent that waits for work.
    pub const IDLE: &'static str = "idle";
    /// The default group.
    pub const RIG: &'static str = "default";

    /// Makes a new agent. The prefix of its id determines its role; without a known prefix, it is a
    /// worker.
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

    /// The edits that create this agent's document.
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

//! `hooks/AGENT.json`: an agent's assignment, in one of two dialects.

use sprag_core::inbox::{AssignmentStatus, Slot};
use sprag_core::{Time, UnitId};

use super::{map, optional, text, unknown};
use crate::edit::Edit;
use crate::fault::{Fault, FaultKind};
use crate::field::Field;
use crate::value::Value;

/// The format of an assignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// As the skills describe it: `agent_id`, and `work_item` with three keys or null.
    Skill,
    /// As the original's code writes it: `agentId`, and `workItem` with a copy of the whole unit,
    /// or missing.
    Code,
}

/// The key names of a dialect.
struct KeyNames {
    agent: &'static str,
    work: &'static str,
    unit: &'static str,
    activity: &'static str,
}

const SKILL: KeyNames =
    KeyNames { agent: "agent_id", work: "work_item", unit: "bead_id", activity: "last_activity" };
const CODE: KeyNames =
    KeyNames { agent: "agentId", work: "workItem", unit: "beadId", activity: "lastActivity" };

impl Dialect {
    const fn keys(self) -> &'static KeyNames {
        match self {
            Self::Skill => &SKILL,
            Self::Code => &CODE,
        }
    }
}

/// An agent's assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hook {
    pub dialect: Dialect,
    pub agent: String,
    /// Status and unit.
    pub slot: Slot,
    /// The unit's title, as written in the file.
    pub title: Option<String>,
    /// When the unit was assigned, if the dialect records it and the value is a valid time.
    pub assigned: Option<Time>,
    /// The last activity, if the value is a valid time.
    pub activity: Option<Time>,
}

impl Hook {
    pub fn read(source: &str) -> Result<Self, Fault> {
        let document = map(source)?;
        let top = document.top();
        let dialect = match (top.get(&[SKILL.agent]), top.get(&[CODE.agent])) {
            (Some(_), None) => Dialect::Skill,
            (None, Some(_)) => Dialect::Code,
            (Some(_), Some(both)) => {
                let what = "both `agent_id` and `agentId` stand here";
                return Err(both.fault(FaultKind::Type, what));
            }
            (None, None) => {
                let what = "neither `agent_id` nor `agentId` stands here";
                return Err(top.fault(FaultKind::Missing, what));
            }
        };
        let keys = dialect.keys();
        let work = top.optional(&[keys.work]);
        let unit = work.as_ref().map(|work| unit(work, keys.unit)).transpose()?;
        let field = top.need(&["status"])?;
        let status = AssignmentStatus::parse(field.as_str()?)
            .ok_or_else(|| unknown(&field, "empty, pending, active or completed"))?;
        let slot = Slot::of(status, unit).ok_or_else(|| {
            let has = if status == AssignmentStatus::Empty { "a unit" } else { "no unit" };
            field.fault(FaultKind::Type, format!("it is {status} and has {has}"))
        })?;
        let activity = optional(&top, keys.activity)?;
        let assigned = work.as_ref().and_then(|work| optional(work, "assigned_at").ok().flatten());
        Ok(Self {
            dialect,
            agent: text(&top, keys.agent)?,
            slot,
            title: work.map(|work| optional(&work, "title")).transpose()?.flatten(),
            assigned: assigned.as_deref().and_then(Time::parse),
            activity: activity.as_deref().and_then(Time::parse),
        })
    }

    /// Returns the edits that assign a unit to `agent`. `whole` is the unit's document, for the
    /// dialect that keeps a copy.
    pub fn assign(
        dialect: Dialect,
        agent: &str,
        unit: &UnitId,
        title: &str,
        whole: &Value,
        now: Time,
    ) -> Vec<Edit> {
        let keys = dialect.keys();
        let at = now.to_string();
        let work = match dialect {
            Dialect::Skill => Value::map([
                (SKILL.unit, unit.as_str()),
                ("title", title),
                ("assigned_at", at.as_str()),
            ]),
            Dialect::Code => whole.clone(),
        };
        vec![
            Edit::set([keys.agent], agent),
            Edit::set(["status"], AssignmentStatus::Pending.as_str()),
            Edit::set([keys.work], work),
            Edit::set([keys.activity], at),
        ]
    }

    /// The edits that remove the assignment.
    pub fn clear(dialect: Dialect, agent: &str, now: Time) -> Vec<Edit> {
        let keys = dialect.keys();
        let work = match dialect {
            Dialect::Skill => Edit::set([keys.work], Value::Null),
            Dialect::Code => Edit::remove([keys.work]),
        };
        vec![
            Edit::set([keys.agent], agent),
            Edit::set(["status"], AssignmentStatus::Empty.as_str()),
            work,
            Edit::set([keys.activity], now.to_string()),
        ]
    }

    /// The edits that change the status and keep the unit.
    pub fn go(dialect: Dialect, status: AssignmentStatus, now: Time) -> Vec<Edit> {
        vec![Edit::set(["status"], status.as_str()), Self::touch(dialect, now)]
    }

    /// The edit that records activity.
    pub fn touch(dialect: Dialect, now: Time) -> Edit {
        Edit::set([dialect.keys().activity], now.to_string())
    }
}

fn unit(work: &Field<'_>, key: &str) -> Result<UnitId, Fault> {
    let field = work.need(&[key])?;
    UnitId::parse(field.as_str()?).map_err(|bad| field.fault(FaultKind::Type, bad.to_string()))
}

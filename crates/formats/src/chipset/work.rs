//! `work/UNIT.json`: a unit of work.

use sprag_core::UnitId;
use sprag_core::inbox::{AssignmentStatus, WorkState};

use super::bead::{needs, of_line};
use super::{map, optional, text, unknown};
use crate::edit::Edit;
use crate::fault::{Fault, FaultKind};
use crate::value::Value;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkFile {
    pub unit: UnitId,
    /// In one line.
    pub title: String,
    /// The description of the work.
    pub about: String,
    /// The unit's status.
    pub work: WorkState,
    /// The last status from beads, if the unit came from there.
    pub said: Option<WorkState>,
    pub assignee: Option<String>,
    /// The status of its assignment, as far as this document records it.
    pub hook: AssignmentStatus,
    /// The priority: `P1` to `P3`.
    pub priority: String,
    /// The group of agents that works on it.
    pub rig: Option<String>,
    /// The units that must be done first.
    pub needs: Vec<UnitId>,
}

impl WorkFile {
    /// The default priority.
    pub const PRIORITY: &'static str = "P2";

    /// Makes a new unit that can be assigned.
    pub fn new(unit: UnitId, title: &str) -> Self {
        Self {
            unit,
            title: title.to_owned(),
            about: String::new(),
            work: WorkState::Open,
            said: None,
            assignee: None,
            hook: AssignmentStatus::Empty,
            priority: Self::PRIORITY.to_owned(),
            rig: None,
            needs: Vec::new(),
        }
    }

    pub fn read(source: &str) -> Result<Self, Fault> {
        let document = map(source)?;
        let top = document.top();
        let id = top.need(&["beadId"])?;
        let unit = UnitId::parse(id.as_str()?)
            .map_err(|bad| id.fault(FaultKind::Type, bad.to_string()))?;
        let hook = match top.optional(&["hookStatus"]) {
            None => AssignmentStatus::Empty,
            Some(field) => AssignmentStatus::parse(field.as_str()?)
                .ok_or_else(|| unknown(&field, "empty, pending, active or completed"))?,
        };
        let mut waits = needs(&top)?;
        let (said, of_beads) =
            top.optional(&["beads"]).map(|bead| of_line(&bead)).transpose()?.unzip();
        waits.extend(of_beads.into_iter().flatten());
        waits.dedup();
        let status = optional(&top, "status")?;
        Ok(Self {
            unit,
            title: text(&top, "title")?,
            about: optional(&top, "description")?.unwrap_or_default(),
            work: status.map_or(WorkState::Open, |status| WorkState::parse(&status)),
            said,
            assignee: optional(&top, "assignee")?,
            hook,
            priority: optional(&top, "priority")?.unwrap_or_else(|| Self::PRIORITY.to_owned()),
            rig: optional(&top, "rig")?,
            needs: waits,
        })
    }

    /// The edits that create this unit's document.
    pub fn made(&self) -> Vec<Edit> {
        let mut edits = vec![
            Edit::set(["beadId"], self.unit.as_str()),
            Edit::set(["title"], self.title.as_str()),
            Edit::set(["description"], self.about.as_str()),
            Edit::set(["priority"], self.priority.as_str()),
        ];
        if !self.needs.is_empty() {
            let names = self.needs.iter().map(UnitId::as_str);
            edits.push(Edit::set(["dependencies"], Value::list(names)));
        }
        if let Some(rig) = &self.rig {
            edits.push(Edit::set(["rig"], rig.as_str()));
        }
        edits.extend(self.placed());
        edits
    }

    /// The edits that set the unit's status and assignee.
    pub fn placed(&self) -> Vec<Edit> {
        vec![
            Edit::set(["status"], self.work.as_str()),
            Edit::set(["hookStatus"], self.hook.as_str()),
            match &self.assignee {
                Some(agent) => Edit::set(["assignee"], agent.as_str()),
                None => Edit::remove(["assignee"]),
            },
        ]
    }
}

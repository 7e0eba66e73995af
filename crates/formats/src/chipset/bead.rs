//! The `issues.jsonl` of beads: one issue per line, read into units of work and written back.
//!
//! The unit's document keeps the original line under `beads`. So nothing is lost in either
//! direction: the same line is written back, with only our newer values changed.

use std::collections::BTreeMap;

use sprag_core::inbox::WorkState;
use sprag_core::{Id, Time, UnitId};

use super::{WorkFile, map, optional, text};
use crate::document::Document;
use crate::edit::Edit;
use crate::fault::{Fault, FaultKind};
use crate::field::Field;
use crate::json::to_json_line;
use crate::place::Span;
use crate::value::Value;

/// The longest line, in bytes: a document holds it, escaped, beside title and text.
const MAX_LINE: usize = 256 << 10;

/// An issue of beads.
#[derive(Clone, Debug, PartialEq)]
pub struct Bead {
    pub unit: UnitId,
    pub title: String,
    /// The description of the work.
    pub about: String,
    /// The status, converted to ours.
    pub work: WorkState,
    /// The priority, converted to ours.
    pub priority: &'static str,
    /// The units that must be done first.
    pub needs: Vec<UnitId>,
    /// The original line of the file.
    pub line: String,
}

/// A status in beads that matters but is not imported.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Conflict {
    /// The issue is closed in beads, but an agent holds the unit here.
    #[error("closed in beads, but {agent} has it here")]
    Closed { agent: String },
    /// The issue is open in beads, but the unit is done here.
    #[error("not closed in beads, but done here")]
    Open,
}

/// Reads an `issues.jsonl`. An error includes the line number. A repeated id is an error, because
/// it is unclear which line counts.
pub fn beads(source: &str) -> Result<Vec<Bead>, (usize, Fault)> {
    let source = source.strip_prefix('\u{feff}').unwrap_or(source);
    let mut seen = BTreeMap::new();
    let mut all = Vec::new();
    // A line keeps its carriage return, so that it is written back unchanged.
    let lines = (1..).zip(source.split('\n'));
    for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        let bead = Bead::read(line).map_err(|fault| (number, fault))?;
        if let Some(before) = seen.insert(bead.unit.clone(), number) {
            let what = format!("{} is in line {before} already", bead.unit);
            return Err((number, Fault::new(FaultKind::Guard, line, Span::at(0), what)));
        }
        all.push(bead);
    }
    Ok(all)
}

impl Bead {
    fn read(line: &str) -> Result<Self, Fault> {
        if line.len() > MAX_LINE {
            let what = format!("it has {} bytes, and {MAX_LINE} are allowed", line.len());
            return Err(Fault::new(FaultKind::Guard, "", Span::at(0), what));
        }
        let document = map(line)?;
        let top = document.top();
        let id = top.need(&["id"])?;
        let unit = UnitId::parse(id.as_str()?)
            .map_err(|bad| id.fault(FaultKind::Type, bad.to_string()))?;
        let needs = needs(&top)?;
        for unit in needs.iter().chain([&unit]) {
            // Each id becomes a file name.
            Id::parse(unit.as_str()).map_err(|bad| top.fault(FaultKind::Type, bad.to_string()))?;
        }
        Ok(Self {
            unit,
            title: text(&top, "title")?,
            about: optional(&top, "description")?.unwrap_or_default(),
            work: status(&top)?,
            priority: urgency(&top)?,
            needs,
            line: line.to_owned(),
        })
    }

    /// Returns the edits that update a unit's document from beads. The status is imported for a new
    /// unit, or if no agent holds or finished the unit here. A file never overrides an agent's
    /// work.
    pub fn import(&self, there: Option<&WorkFile>) -> Vec<Edit> {
        let mut edits = vec![
            Edit::set(["beadId"], self.unit.as_str()),
            Edit::set(["title"], self.title.as_str()),
            Edit::set(["description"], self.about.as_str()),
            Edit::set(["priority"], self.priority),
            Edit::set(["beads"], self.line.as_str()),
        ];
        match there {
            None => {
                edits.push(Edit::set(["status"], self.work.as_str()));
                edits.push(Edit::set(["hookStatus"], "empty"));
            }
            Some(there) if is_theirs(there) && self.is_news(there) => {
                edits.push(Edit::set(["status"], self.work.as_str()));
            }
            Some(_) => {}
        }
        edits
    }

    /// Returns whether beads report a new status. An old status is not imported again, because a
    /// person may have changed the unit here since.
    fn is_news(&self, there: &WorkFile) -> bool {
        self.work.is_done() || there.said.as_ref() != Some(&self.work)
    }

    /// Returns the conflict if the status in beads is not imported but matters.
    pub fn conflict(&self, there: &WorkFile) -> Option<Conflict> {
        match (self.work.is_done(), there.work.is_done(), &there.assignee) {
            (true, false, Some(agent)) => Some(Conflict::Closed { agent: agent.clone() }),
            (false, true, _) => (!is_theirs(there)).then_some(Conflict::Open),
            (true, false, None) | (true, true, _) | (false, false, _) => None,
        }
    }

    /// Returns a unit as a line of beads: their line with our newer values. `changed` is the time
    /// of the unit's last change, used as the closing time if beads have none.
    pub fn export(source: &str, changed: Time) -> Result<String, Fault> {
        let work = WorkFile::read(source)?;
        let document = map(source)?;
        let line = kept(&document, &work)?;
        let theirs = map(&line)?;
        let edits = told(&theirs.top(), &work, changed)?;
        let splices = theirs.edit(&edits)?;
        let line = sprag_core::apply(&line, &splices)
            .map_err(|bad| Fault::new(FaultKind::Guard, &line, Span::at(0), bad.to_string()))?;
        Ok(format!("{}\n", line.trim_end_matches('\n')))
    }
}

/// Returns whether beads determine the unit's status: no agent holds it here, and if it is done,
/// beads closed it.
fn is_theirs(there: &WorkFile) -> bool {
    let closed_there = there.said.as_ref().is_some_and(WorkState::is_done);
    there.assignee.is_none() && (!there.work.is_done() || closed_there)
}

/// Returns the unit's original line of beads. Older documents keep the parsed values instead, and a
/// unit that was created here has no line.
fn kept(document: &Document<'_>, work: &WorkFile) -> Result<String, Fault> {
    let Some(field) = document.optional(&["beads"]) else {
        let mut own = Value::map([
            ("id", work.unit.as_str()),
            ("title", work.title.as_str()),
            ("status", theirs(&WorkState::Open)),
        ]);
        if let Value::Map(map) = &mut own {
            map.insert("priority", number(&work.priority));
        }
        return Ok(to_json_line(&own));
    };
    match &field.node().value {
        Value::String(line) => Ok(line.clone()),
        whole @ Value::Map(_) => Ok(to_json_line(whole)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::List(_) => {
            Err(field.fault(FaultKind::Type, "expected a line of beads"))
        }
    }
}

/// Returns the edits for the values that we know better. A value of beads stays if it means the
/// same to us, and so does a missing one.
fn told(top: &Field<'_>, work: &WorkFile, changed: Time) -> Result<Vec<Edit>, Fault> {
    let mut edits =
        vec![Edit::set(["id"], work.unit.as_str()), Edit::set(["title"], work.title.as_str())];
    if optional(top, "description")?.unwrap_or_default() != work.about {
        edits.push(Edit::set(["description"], work.about.as_str()));
    }
    if status(top)? != work.work {
        edits.push(Edit::set(["status"], theirs(&work.work)));
        // Beads reject a closed issue without a closing time, and an open issue with one.
        let closed = top.optional(&["closed_at"]);
        let is_said = closed.is_some_and(|field| field.node().value != Value::Null);
        match (work.work.is_done(), is_said) {
            (true, false) => edits.push(Edit::set(["closed_at"], changed.to_string())),
            (false, true) => edits.push(Edit::remove(["closed_at"])),
            (true, true) | (false, false) => {}
        }
    }
    if urgency(top)? != work.priority {
        edits.push(Edit::set(["priority"], number(&work.priority)));
    }
    if top.optional(&["dependencies"]).is_none() && !work.needs.is_empty() {
        let edge = |on: &UnitId| {
            Value::map([
                ("issue_id", work.unit.as_str()),
                ("depends_on_id", on.as_str()),
                ("type", "blocks"),
            ])
        };
        edits.push(Edit::set(["dependencies"], Value::list(work.needs.iter().map(edge))));
    }
    Ok(edits)
}

/// Returns status and dependencies from the line of beads in a unit's document.
pub(super) fn of_line(field: &Field<'_>) -> Result<(WorkState, Vec<UnitId>), Fault> {
    let said = |top: &Field<'_>| Ok((status(top)?, needs(top)?));
    let Value::String(line) = &field.node().value else { return said(field) };
    let read = map(line).and_then(|document| said(&document.top()));
    read.map_err(|fault| field.fault(FaultKind::Type, format!("no line of beads: {}", fault.what)))
}

/// The units that this one waits for: names, or blocking dependencies of beads.
pub(super) fn needs(top: &Field<'_>) -> Result<Vec<UnitId>, Fault> {
    let Some(field) = top.optional(&["dependencies"]) else { return Ok(Vec::new()) };
    let mut units = Vec::new();
    for item in field.items()? {
        let name = match &item.node().value {
            Value::String(_) => item,
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::List(_) | Value::Map(_) => {
                let kind = item.optional(&["type"]);
                let kind = kind.as_ref().map_or(Ok("blocks"), Field::as_str)?;
                if kind != "blocks" {
                    continue;
                }
                item.need(&["depends_on_id"])?
            }
        };
        let unit = UnitId::parse(name.as_str()?);
        units.push(unit.map_err(|bad| name.fault(FaultKind::Type, bad.to_string()))?);
    }
    Ok(units)
}

/// The status of an issue, converted to ours. An assignee in beads does not count as an assignment
/// here.
fn status(top: &Field<'_>) -> Result<WorkState, Fault> {
    let status = optional(top, "status")?;
    Ok(match status.as_deref() {
        None => WorkState::Open,
        Some("closed") => WorkState::Done,
        Some(other) => WorkState::parse(other),
    })
}

/// The name of a status in beads.
fn theirs(work: &WorkState) -> &str {
    match work {
        WorkState::Open => "open",
        WorkState::Hooked => "hooked",
        WorkState::InProgress => "in_progress",
        WorkState::Done | WorkState::Merged => "closed",
        WorkState::Other(text) => text,
    }
}

const URGENT: [&str; 3] = ["P1", "P2", "P3"];

/// Converts a priority of beads, 0 to 4, to one of ours.
fn urgency(top: &Field<'_>) -> Result<&'static str, Fault> {
    let Some(field) = top.optional(&["priority"]) else { return Ok(WorkFile::PRIORITY) };
    Ok(urgent(field.as_u64()?))
}

fn urgent(number: u64) -> &'static str {
    match number {
        0 | 1 => URGENT[0],
        2 => URGENT[1],
        _ => URGENT[2],
    }
}

/// Converts a priority of ours to a number of beads.
fn number(priority: &str) -> u64 {
    match URGENT.iter().position(|name| *name == priority) {
        Some(0) => 1,
        Some(2) => 3,
        Some(_) | None => 2,
    }
}

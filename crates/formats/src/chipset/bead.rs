//! `issues.jsonl` of beads: one issue a line, read into units of work and written back.
//!
//! The line itself stands under `beads` in the unit's document. So nothing is lost on the way there
//! and back: what goes back is that line, and only what we know better is changed in it.

use std::collections::BTreeMap;

use sprag_core::inbox::Work;
use sprag_core::{Id, Time, UnitId};

use super::{WorkFile, map, optional, text};
use crate::document::Document;
use crate::edit::Edit;
use crate::fault::{Fault, FaultKind};
use crate::field::Field;
use crate::json::to_json_line;
use crate::place::Span;
use crate::value::Value;

/// How long a line may be: a document holds it, escaped, beside title and text.
const MAX_LINE: usize = 256 << 10;

/// An issue as beads write it.
#[derive(Clone, Debug, PartialEq)]
pub struct Bead {
    /// Its id.
    pub unit: UnitId,
    /// What it is, in one line.
    pub title: String,
    /// What is to be done.
    pub about: String,
    /// Where it stands, in our words.
    pub work: Work,
    /// How urgent it is, in our words.
    pub priority: &'static str,
    /// The units that must be done first.
    pub needs: Vec<UnitId>,
    /// The whole of it, as it stands in the file.
    pub line: String,
}

/// What beads say of a unit that is not taken over.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Conflict {
    /// It is closed there, and somebody has it here.
    #[error("closed in beads, but {agent} has it here")]
    Closed {
        /// Who has it.
        agent: String,
    },
    /// It is not closed there, and done here.
    #[error("not closed in beads, but done here")]
    Open,
}

/// Reads an `issues.jsonl`, and says which line is wrong. An id that stands there twice is wrong:
/// nobody knows which of the two counts.
pub fn beads(source: &str) -> Result<Vec<Bead>, (usize, Fault)> {
    let source = source.strip_prefix('\u{feff}').unwrap_or(source);
    let mut seen = BTreeMap::new();
    let mut all = Vec::new();
    // A line keeps its carriage return, so that it goes back as it came.
    let lines = (1..).zip(source.split('\n'));
    for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        let bead = Bead::read(line).map_err(|fault| (number, fault))?;
        if let Some(before) = seen.insert(bead.unit.clone(), number) {
            let what = format!("{} stands in line {before} already", bead.unit);
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
            // Each of them becomes the name of a file.
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

    /// Returns the edits that bring a unit's document to what beads say. Where the unit stands is
    /// theirs only where the unit is new, or nobody has it or did it here: neither is undone by a
    /// file.
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

    /// Returns whether beads say something new of where a unit stands: what they said before a person
    /// may have opened since.
    fn is_news(&self, there: &WorkFile) -> bool {
        self.work.is_done() || there.said.as_ref() != Some(&self.work)
    }

    /// Returns what beads say of where a unit stands that is not taken over, though it matters.
    pub fn conflict(&self, there: &WorkFile) -> Option<Conflict> {
        match (self.work.is_done(), there.work.is_done(), &there.assignee) {
            (true, false, Some(agent)) => Some(Conflict::Closed { agent: agent.clone() }),
            (false, true, _) => (!is_theirs(there)).then_some(Conflict::Open),
            (true, false, None) | (true, true, _) | (false, false, _) => None,
        }
    }

    /// Returns a unit as a line of beads: what beads said of it, with what we know better. `changed`
    /// is when the unit last did: that is when it was closed, where beads do not say.
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

/// Returns whether beads say where a unit stands: nobody has it here, and if it is done, nobody here
/// did it, but beads closed it.
fn is_theirs(there: &WorkFile) -> bool {
    let closed_there = there.said.as_ref().is_some_and(Work::is_done);
    there.assignee.is_none() && (!there.work.is_done() || closed_there)
}

/// Returns the line that beads wrote of a unit. Before it was kept as it is, its values were; and a
/// unit that was made here has none.
fn kept(document: &Document<'_>, work: &WorkFile) -> Result<String, Fault> {
    let Some(field) = document.optional(&["beads"]) else {
        let mut own = Value::map([
            ("id", work.unit.as_str()),
            ("title", work.title.as_str()),
            ("status", theirs(&Work::Open)),
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

/// Returns the edits that tell beads what we know better. Their word stays where it means the same
/// to us, and so does what they do not say.
fn told(top: &Field<'_>, work: &WorkFile, changed: Time) -> Result<Vec<Edit>, Fault> {
    let mut edits =
        vec![Edit::set(["id"], work.unit.as_str()), Edit::set(["title"], work.title.as_str())];
    if optional(top, "description")?.unwrap_or_default() != work.about {
        edits.push(Edit::set(["description"], work.about.as_str()));
    }
    if status(top)? != work.work {
        edits.push(Edit::set(["status"], theirs(&work.work)));
        // Beads take no issue that is closed at no time, and none that is open with such a time.
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

/// Returns where a unit stands and what it waits for, as the line of beads in its document says it.
pub(super) fn of_line(field: &Field<'_>) -> Result<(Work, Vec<UnitId>), Fault> {
    let said = |top: &Field<'_>| Ok((status(top)?, needs(top)?));
    let Value::String(line) = &field.node().value else { return said(field) };
    let read = map(line).and_then(|document| said(&document.top()));
    read.map_err(|fault| field.fault(FaultKind::Type, format!("no line of beads: {}", fault.what)))
}

/// Returns the units that one waits for: names, or edges of beads that block.
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

/// Returns where an issue stands, in our words. Who works on it there holds no assignment here.
fn status(top: &Field<'_>) -> Result<Work, Fault> {
    let status = optional(top, "status")?;
    Ok(match status.as_deref() {
        None => Work::Open,
        Some("closed") => Work::Done,
        Some(other) => Work::parse(other),
    })
}

/// Returns what beads call where a unit stands.
fn theirs(work: &Work) -> &str {
    match work {
        Work::Open => "open",
        Work::Hooked => "hooked",
        Work::InProgress => "in_progress",
        Work::Done | Work::Merged => "closed",
        Work::Other(text) => text,
    }
}

const URGENT: [&str; 3] = ["P1", "P2", "P3"];

/// Reads a priority of beads, 0 to 4, as one of three.
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

/// Returns the priority as beads count it.
fn number(priority: &str) -> u64 {
    match URGENT.iter().position(|name| *name == priority) {
        Some(0) => 1,
        Some(2) => 3,
        Some(_) | None => 2,
    }
}

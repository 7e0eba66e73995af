//! `issues.jsonl` of beads: one issue a line, read into units of work and written back.
//!
//! What beads know and we do not stands under `beads` in the unit's document, whole, so that
//! nothing is lost on the way there and back.

use sprag_core::UnitId;
use sprag_core::inbox::Work;

use super::{WorkFile, map, optional, text};
use crate::edit::Edit;
use crate::fault::{Fault, FaultKind};
use crate::field::Field;
use crate::json::to_json_line;
use crate::value::Value;

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
    /// The whole of it.
    pub whole: Value,
}

/// Reads an `issues.jsonl`, and says which line is wrong.
pub fn beads(source: &str) -> Result<Vec<Bead>, (usize, Fault)> {
    let lines = (1..).zip(source.lines()).filter(|(_, line)| !line.trim().is_empty());
    lines.map(|(number, line)| Bead::read(line).map_err(|fault| (number, fault))).collect()
}

impl Bead {
    fn read(line: &str) -> Result<Self, Fault> {
        let document = map(line)?;
        let top = document.top();
        let id = top.need(&["id"])?;
        let unit = UnitId::parse(id.as_str()?)
            .map_err(|bad| id.fault(FaultKind::Type, bad.to_string()))?;
        needs(&top)?;
        let status = optional(&top, "status")?.unwrap_or_else(|| "open".to_owned());
        Ok(Self {
            unit,
            title: text(&top, "title")?,
            about: optional(&top, "description")?.unwrap_or_default(),
            work: ours(&status),
            priority: urgency(&top)?,
            whole: document.root().value.clone(),
        })
    }

    /// Returns the edits that bring a unit's document to what beads say. Where the unit stands is
    /// theirs only where the unit is new or nobody has it: an assignment is not undone by a file.
    pub fn import(&self, there: Option<&WorkFile>) -> Vec<Edit> {
        let mut edits = vec![
            Edit::set(["beadId"], self.unit.as_str()),
            Edit::set(["title"], self.title.as_str()),
            Edit::set(["description"], self.about.as_str()),
            Edit::set(["priority"], self.priority),
            Edit::set(["beads"], self.whole.clone()),
        ];
        match there {
            None => {
                edits.push(Edit::set(["status"], self.work.as_str()));
                edits.push(Edit::set(["hookStatus"], "empty"));
            }
            Some(there) if there.assignee.is_none() && !there.work.is_done() => {
                edits.push(Edit::set(["status"], self.work.as_str()));
            }
            Some(_) => {}
        }
        edits
    }

    /// Returns a unit as a line of beads: what beads said of it, with what we know better.
    pub fn export(source: &str) -> Result<String, Fault> {
        let work = WorkFile::read(source)?;
        let document = map(source)?;
        let kept = document.get(&["beads"]).map(|field| field.node().value.clone());
        let mut whole = match kept {
            Some(Value::Map(map)) => map,
            Some(_) | None => crate::value::Map::default(),
        };
        let had = |key: &str| match whole.get(key).map(|node| &node.value) {
            Some(Value::String(text)) => Some(text.clone()),
            Some(_) | None => None,
        };
        // Their word stays where it means the same to us.
        let status = had("status").filter(|status| ours(status) == work.work);
        let status = status.unwrap_or_else(|| theirs(&work.work).to_owned());
        let described = had("description").is_some() || !work.about.is_empty();
        let number = kept_priority(&whole, &work.priority);
        whole.insert("id", work.unit.as_str());
        whole.insert("title", work.title.as_str());
        if described {
            whole.insert("description", work.about.as_str());
        }
        whole.insert("status", status);
        whole.insert("priority", number);
        if whole.get("dependencies").is_none() && !work.needs.is_empty() {
            let edge = |on: &UnitId| {
                Value::map([
                    ("issue_id", work.unit.as_str()),
                    ("depends_on_id", on.as_str()),
                    ("type", "blocks"),
                ])
            };
            whole.insert("dependencies", Value::list(work.needs.iter().map(edge)));
        }
        Ok(to_json_line(&Value::Map(whole)))
    }
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

/// Returns what we call a status of beads.
fn ours(status: &str) -> Work {
    match status {
        "closed" => Work::Done,
        // Who works on it there holds no assignment here.
        other => Work::parse(other),
    }
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

/// Returns the priority as beads count it; the number that stands there where it means the same.
fn kept_priority(whole: &crate::value::Map, ours: &str) -> Value {
    let there = whole.get("priority").map(|node| node.value.clone());
    if let Some(Value::Number(number)) = &there
        && number.as_u64().map(urgent) == Some(ours)
    {
        return Value::Number(number.clone());
    }
    let at = URGENT.iter().position(|name| *name == ours).unwrap_or(1);
    Value::from(u64::try_from(at).unwrap_or(1) + 1)
}

//! Units of work: made by hand, or read from the issues of beads and written back.

use sprag_core::inbox::{Verb, Who};
use sprag_core::{Agent, Id, Kind, UnitId};
use sprag_formats::chipset::{Bead, WorkFile, beads};
use sprag_store::{Doc, View};

use super::mail::names;
use super::paths;
use super::seat::{put, read_work, text, wrong};
use crate::draft::Draft;
use crate::engine::{Engine, EngineError, PATIENT};
use crate::ids;

/// So many issues are imported in one commit.
const AT_ONCE: usize = 50;

/// What came of an import.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// Units that were not there.
    pub new: usize,
    /// Units that were there and differed.
    pub changed: usize,
    /// Units that were there as they are.
    pub same: usize,
}

impl Engine<'_> {
    /// Makes a unit of work; one without an id gets one.
    pub fn work_add(
        &self,
        unit: Option<&UnitId>,
        work: &WorkFile,
        who: &Who,
    ) -> Result<UnitId, EngineError> {
        who.may(Verb::Make, &Agent::parse("mayor")?)?;
        self.commit_at_once(who.name(), PATIENT, |view| {
            let mut draft = Draft::default();
            let unit = match unit {
                Some(unit) => unit.clone(),
                None => UnitId::parse(&format!("bead-{}", ids::suffix()))?,
            };
            let path = paths::work(&unit)?;
            if view.read(&path) != Doc::Absent {
                return Err(EngineError::Refused {
                    what: format!("there is a unit {unit} already"),
                    help: format!("`sprag agent work show {unit}` shows it"),
                });
            }
            put(&path, None, &WorkFile { unit: unit.clone(), ..work.clone() }.made(), &mut draft)?;
            draft.note(None, Kind::WorkAdded, serde_json::json!({ "unit": unit.as_str() }));
            Ok((draft, unit))
        })
    }

    /// Returns every unit by name; what cannot be read is said, not left out.
    pub fn work(&self) -> Result<(Vec<WorkFile>, Vec<String>), EngineError> {
        self.look(|view| {
            let (mut all, mut trouble) = (Vec::new(), Vec::new());
            for unit in units(view)? {
                match read_work(view, &unit, None) {
                    Ok((_, work)) => all.extend(work),
                    Err(error) => trouble.push(error.to_string()),
                }
            }
            Ok((all, trouble))
        })
    }

    /// Returns a unit.
    pub fn work_of(&self, unit: &UnitId) -> Result<WorkFile, EngineError> {
        self.look(|view| {
            let (_, work) = read_work(view, unit, None)?;
            work.ok_or_else(|| super::assign::no_unit(unit))
        })
    }

    /// Reads issues of beads into units of work; once more changes nothing.
    pub fn import(&self, source: &str, who: &Who) -> Result<Imported, EngineError> {
        who.may(Verb::Make, &Agent::parse("mayor")?)?;
        let all = beads(source).map_err(|(line, fault)| EngineError::Invalid {
            problem: format!("line {line}: {}", fault.what),
        })?;
        for bead in &all {
            // Nothing is imported of a file in which one id could leave the folder.
            Id::parse(bead.unit.as_str())?;
        }
        let mut done = Imported::default();
        for some in all.chunks(AT_ONCE) {
            let part = self.commit_at_once(who.name(), PATIENT, |view| import(view, some))?;
            done.new += part.new;
            done.changed += part.changed;
            done.same += part.same;
        }
        Ok(done)
    }

    /// Returns all units as issues of beads.
    pub fn export(&self) -> Result<String, EngineError> {
        self.look(|view| {
            let mut lines = String::new();
            for unit in units(view)? {
                let path = paths::work(&unit)?;
                let Some(text) = text(view, &path)? else { continue };
                lines.push_str(&Bead::export(&text).map_err(|fault| wrong(&path, &fault))?);
            }
            Ok(lines)
        })
    }
}

fn import(view: &View<'_>, some: &[Bead]) -> Result<(Draft, Imported), EngineError> {
    let (mut draft, mut done) = (Draft::default(), Imported::default());
    for bead in some {
        let path = paths::work(&bead.unit)?;
        let (old, there) = read_work(view, &bead.unit, None)?;
        let edits = bead.import(there.as_ref());
        let before = draft.len();
        put(&path, old.as_deref(), &edits, &mut draft)?;
        match (&old, draft.len() > before) {
            (None, _) => done.new += 1,
            (Some(_), true) => done.changed += 1,
            (Some(_), false) => done.same += 1,
        }
    }
    if done.new + done.changed > 0 {
        let data = serde_json::json!({ "new": done.new, "changed": done.changed });
        draft.note(None, Kind::WorkAdded, data);
    }
    Ok((draft, done))
}

/// Returns the units there are, by name.
pub(super) fn units(view: &View<'_>) -> Result<Vec<UnitId>, EngineError> {
    let files = names(view, &paths::folder("work")?)?;
    let units = files.iter().filter_map(|name| name.strip_suffix(".json"));
    Ok(units.filter_map(|name| UnitId::parse(name).ok()).collect())
}

//! Units of work: created by hand, or imported from and exported to beads issues.

use std::collections::{BTreeMap, BTreeSet};

use sprag_core::event::{RunResumed, WorkAdded};
use sprag_core::inbox::{AssignmentStatus, Verb, Who, WorkState};
use sprag_core::{Agent, Time, UnitId};
use sprag_formats::chipset::{Bead, Conflict, WorkFile, beads};
use sprag_store::{Doc, View};
use sprag_world::{clock, ids};

use super::assignment_files::{AssignmentFiles, put, read_work, text, unreadable, wrong};
use super::mail::names;
use super::{lost, paths, run};
use crate::draft::Draft;
use crate::engine::{Engine, EngineError, PATIENT};

/// How many issues one commit imports.
const AT_ONCE: usize = 50;

/// The result of an import.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// The number of new units.
    pub new: usize,
    /// The number of units that differed.
    pub changed: usize,
    /// The number of unchanged units.
    pub same: usize,
    /// Units for which a conflicting state in beads was not imported.
    pub conflicts: Vec<(UnitId, Conflict)>,
    /// Units that wait for each other, so that none of them can ever be assigned.
    pub circles: Vec<Vec<UnitId>>,
}

impl Engine<'_> {
    /// Creates a unit of work; generates an id if none is given.
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
            if waits_for(view, &work.needs, &unit) {
                return Err(EngineError::Refused {
                    what: format!("{unit} cannot wait for itself"),
                    help: "name the units that must be done first".to_owned(),
                });
            }
            if view.is_lost(&path) {
                return Err(unreadable(&path, lost::MISSING));
            }
            if view.read(&path) != Doc::Absent {
                return Err(EngineError::Refused {
                    what: format!("there is a unit {unit} already"),
                    help: format!("`sprag agent work show {unit}` shows it"),
                });
            }
            put(&path, None, &WorkFile { unit: unit.clone(), ..work.clone() }.made(), &mut draft)?;
            draft.note(None, WorkAdded { unit: Some(unit.to_string()), ..WorkAdded::default() });
            Ok((draft, unit))
        })
    }

    /// Returns all units by name, and the errors of unreadable ones.
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

    pub fn work_of(&self, unit: &UnitId) -> Result<WorkFile, EngineError> {
        self.look(|view| {
            let (_, work) = read_work(view, unit, None)?;
            work.ok_or_else(|| super::assign::no_unit(unit))
        })
    }

    /// Opens an unassigned unit that its document lists as assigned or blocked, on a person's
    /// order. `None` if there is no such unit.
    pub fn work_open(&self, unit: &UnitId, by: &str) -> Result<Option<String>, EngineError> {
        self.commit(by, PATIENT, |view| {
            let mut draft = Draft::default();
            let (old, work) = read_work(view, unit, None)?;
            let Some(mut work) = work else { return Ok((draft, None)) };
            if has(view, work.assignee.as_deref(), unit)? {
                return Ok((draft, None));
            }
            if work.work == WorkState::Open || work.work.is_done() {
                let what = format!("{unit} is {} and waits for no agent", work.work);
                return Err(EngineError::NotFound { what });
            }
            (work.work, work.hook, work.assignee) =
                (WorkState::Open, AssignmentStatus::Empty, None);
            put(&paths::work(unit)?, old.as_deref(), &work.placed(), &mut draft)?;
            draft.note(Some(&run()?), RunResumed { unit: Some(unit.to_string()) });
            Ok((draft, Some(format!("{unit}: open again"))))
        })
    }

    /// Imports beads issues as units of work. A repeated import changes nothing.
    pub fn import(&self, source: &str, who: &Who) -> Result<Imported, EngineError> {
        who.may(Verb::Make, &Agent::parse("mayor")?)?;
        let all = beads(source).map_err(|(line, fault)| EngineError::Invalid {
            problem: format!("line {line}: {}", fault.what),
        })?;
        let mut done = Imported::default();
        for some in all.chunks(AT_ONCE) {
            let part = self.commit_at_once(who.name(), PATIENT, |view| import(view, some))?;
            done.new += part.new;
            done.changed += part.changed;
            done.same += part.same;
            done.conflicts.extend(part.conflicts);
        }
        done.circles = circles(&self.work()?.0);
        Ok(done)
    }

    /// Exports all units as beads issues.
    pub fn export(&self) -> Result<String, EngineError> {
        self.look(|view| {
            let changed = self.store.seen(&paths::folder("work")?)?;
            let changed: BTreeMap<String, Time> = changed.into_iter().collect();
            let mut lines = String::new();
            for unit in units(view)? {
                let path = paths::work(&unit).map_err(|bad| strange(&unit, &bad))?;
                let Some(text) = text(view, &path)? else { continue };
                let at = changed.get(&format!("{unit}.json")).copied();
                let line = Bead::export(&text, at.unwrap_or_else(clock::now));
                lines.push_str(&line.map_err(|fault| wrong(&path, &fault))?);
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
        let conflict = there.as_ref().and_then(|there| bead.conflict(there)).filter(|conflict| {
            // A unit done here and unchanged there is merely not exported yet.
            *conflict != Conflict::Open || draft.len() > before
        });
        done.conflicts.extend(conflict.map(|conflict| (bead.unit.clone(), conflict)));
        match (&old, draft.len() > before) {
            (None, _) => done.new += 1,
            (Some(_), true) => done.changed += 1,
            (Some(_), false) => done.same += 1,
        }
    }
    if done.new + done.changed > 0 {
        let (new, changed) = (Some(done.new as u64), Some(done.changed as u64));
        draft.note(None, WorkAdded { unit: None, new, changed });
    }
    Ok((draft, done))
}

/// Builds the error of a file whose name is not a unit's id.
fn strange(unit: &UnitId, bad: &EngineError) -> EngineError {
    let path = format!("{}/work/{unit}.json", paths::STATE);
    EngineError::Unreadable { path, why: bad.to_string() }
}

/// Returns whether the assignee's own document also has the unit.
fn has(view: &View<'_>, assignee: Option<&str>, unit: &UnitId) -> Result<bool, EngineError> {
    let Some(Ok(agent)) = assignee.map(Agent::parse) else { return Ok(false) };
    let seat = AssignmentFiles::load(view, &agent, None, clock::now())?;
    Ok(seat.found().unit() == Some(unit))
}

/// Returns whether one of `units` waits for `unit`, directly or through others.
fn waits_for(view: &View<'_>, units: &[UnitId], unit: &UnitId) -> bool {
    let (mut open, mut passed) = (units.to_vec(), BTreeSet::new());
    while let Some(next) = open.pop() {
        if next == *unit {
            return true;
        }
        // A missing or unreadable unit has no known dependencies.
        if let Ok((_, Some(work))) = read_work(view, &next, None)
            && !work.work.is_done()
            && passed.insert(next)
        {
            open.extend(work.needs);
        }
    }
    false
}

/// Returns the cycles of units that wait for each other, in order. Finished work blocks no others.
pub fn circles(all: &[WorkFile]) -> Vec<Vec<UnitId>> {
    let open = all.iter().filter(|work| !work.work.is_done());
    let needs: BTreeMap<&UnitId, &[UnitId]> =
        open.map(|work| (&work.unit, work.needs.as_slice())).collect();
    let mut circles = Vec::new();
    // Each unit is visited once: every path through it leads to the same units.
    let mut passed = BTreeSet::new();
    for start in needs.keys().copied() {
        // The path from `start`; each entry counts the dependencies already followed.
        let (mut way, mut on_it) = (vec![(start, 0)], BTreeSet::from([start]));
        while let Some((unit, at)) = way.pop() {
            let next = needs.get(unit).and_then(|needs| needs.get(at));
            let Some(next) = next.filter(|_| !passed.contains(unit)) else {
                passed.insert(unit);
                on_it.remove(unit);
                continue;
            };
            way.push((unit, at + 1));
            if !on_it.insert(next) {
                let round = way.iter().map(|(unit, _)| *unit).skip_while(|unit| *unit != next);
                circles.push(round.cloned().collect());
                continue;
            }
            way.push((next, 0));
        }
    }
    circles
}

/// Explains a cycle of units.
pub fn never_assigned(circle: &[UnitId]) -> String {
    let names: Vec<&str> = circle.iter().map(UnitId::as_str).collect();
    match names.as_slice() {
        [one] => format!("{one} can never be assigned, it waits for itself"),
        all => {
            format!("none of these can be assigned, they wait for each other: {}", all.join(", "))
        }
    }
}

/// Returns all units by id, including those whose documents are gone. File names would sort
/// `gt-1.2` before `gt-1`.
pub(super) fn units(view: &View<'_>) -> Result<Vec<UnitId>, EngineError> {
    let files = names(view, &paths::folder("work")?)?;
    let units = files.iter().filter_map(|name| name.strip_suffix(".json"));
    let mut units: BTreeSet<_> = units.filter_map(|name| UnitId::parse(name).ok()).collect();
    units.extend(lost::units(view, &units)?);
    Ok(units.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn circles_of(units: &[(&str, &[&str])]) -> Vec<String> {
        let id = |id: &&str| UnitId::parse(id).unwrap();
        let unit = |(name, needs): &(&str, &[&str])| {
            let work = if name.starts_with("done") { WorkState::Done } else { WorkState::Open };
            let needs = needs.iter().map(id).collect();
            WorkFile { work, needs, ..WorkFile::new(id(name), "T") }
        };
        let all: Vec<WorkFile> = units.iter().map(unit).collect();
        let names =
            |circle: &Vec<UnitId>| circle.iter().map(UnitId::as_str).collect::<Vec<_>>().join(" ");
        circles(&all).iter().map(names).collect()
    }

    #[test]
    fn units_that_wait_for_each_other_are_found_and_others_are_not() {
        assert_eq!(circles_of(&[("a", &["a"])]), ["a"], "for itself");
        let round = circles_of(&[("a", &["b"]), ("b", &["x", "c"]), ("c", &["b"]), ("x", &["x"])]);
        assert_eq!(round, ["x", "b c"], "each of them");
        let two_ways: &[(&str, &[&str])] =
            &[("a", &["b", "c"]), ("b", &["d"]), ("c", &["d"]), ("d", &["nobody"])];
        assert_eq!(circles_of(two_ways), [""; 0]);
        assert_eq!(circles_of(&[("done-1", &["b"]), ("b", &["done-1"])]), [""; 0], "it is done");
    }

    #[test]
    fn a_long_chain_takes_no_time() {
        let names: Vec<String> = (0..20_000).map(|n| format!("u-{n}")).collect();
        let needs: Vec<[&str; 1]> = names.iter().skip(1).map(|name| [name.as_str()]).collect();
        let chain: Vec<(&str, &[&str])> =
            names.iter().map(String::as_str).zip(needs.iter().map(|need| &need[..])).collect();
        assert_eq!(circles_of(&chain), [""; 0]);
    }
}

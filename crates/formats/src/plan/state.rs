//! `.gsd/STATE.md`: the `loop:` in its front matter, and the few other keys that sprag maintains.
//!
//! Reading accepts a value with only one possible meaning and refuses any other: a corrupt state
//! never counts as missing, and is never overwritten. The body never contains state. Writing
//! changes only keys whose values differ; all other bytes stay. §6 of opti-gsd.

mod phases;
mod write;

use std::collections::BTreeMap;

use sprag_core::Time;
use sprag_core::plan::{Awaiting, LoopKind, LoopState, Round};

use super::loose::{self, Loose};
use crate::document::{Document, Format};
use crate::fault::{Fault, FaultKind};
use crate::field::Field;
use crate::value::Value;

pub use self::phases::{Counter, beside, counter, phases};
pub use self::write::{PhaseLists, TopKeys, initial, splices};

/// The loop in a STATE.md, with warnings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateFile {
    pub found: LoopFile,
    /// Values that were accepted although they were written in another form.
    pub warnings: Vec<Fault>,
}

/// The loop, or why there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoopFile {
    /// The file has no front matter.
    NoFrontMatter,
    /// The front matter has no `loop`.
    NoLoop,
    /// The loop, with defaults for missing keys.
    Loop(Box<LoopState>),
}

/// Reads the loop of a STATE.md, or `None` if it has none. A fault means a corrupt state.
pub fn read(text: &str) -> Result<Option<LoopState>, Fault> {
    Ok(match open(text)?.found {
        LoopFile::NoFrontMatter | LoopFile::NoLoop => None,
        LoopFile::Loop(state) => Some(*state),
    })
}

/// Reads a STATE.md with its warnings.
pub fn open(text: &str) -> Result<StateFile, Fault> {
    let document = Document::parse(Format::FrontMatter, text)?;
    let none = |found: LoopFile| Ok(StateFile { found, warnings: Vec::new() });
    if !document.has_front_matter() {
        return none(LoopFile::NoFrontMatter);
    }
    let top = document.top();
    if top.is_null() {
        return none(LoopFile::NoLoop);
    }
    top.entries()?;
    let Some(field) = top.optional(&["loop"]) else { return none(LoopFile::NoLoop) };
    field.entries()?;
    let mut reader = StateReader { field, warnings: Vec::new() };
    let found = LoopFile::Loop(Box::new(reader.state()?));
    Ok(StateFile { found, warnings: reader.warnings })
}

struct StateReader<'d> {
    field: Field<'d>,
    warnings: Vec<Fault>,
}

impl<'d> StateReader<'d> {
    fn state(&mut self) -> Result<LoopState, Fault> {
        Ok(LoopState {
            active: self.flag("active")?,
            kind: self.text("type").map_or(LoopKind::Other, |word| LoopKind::parse(&word)),
            phase: self.text("phase"),
            iteration: self.count("iteration")?.unwrap_or(0),
            max_iterations: self.count("max_iterations")?.unwrap_or(LoopState::MAX_ITERATIONS),
            task_retries: self.task_retries()?,
            gaps_remaining: self.count("gaps_remaining")?.unwrap_or(0),
            started: self.text("started"),
            last_iteration: self.text("last_iteration"),
            paused: self.flag("paused")?,
            pause_reason: self.text("pause_reason"),
            history: self.history(),
            last_error: self.text("last_error"),
            completed: self.flag("completed")?,
            final_iteration: self.count("final_iteration")?,
            session_id: self.text("session_id").filter(|id| !id.is_empty()),
            awaiting: self.awaiting(),
            resume_after: self.resume_after(),
        })
    }

    fn value(&self, key: &str) -> Option<Field<'d>> {
        self.field.optional(&[key])
    }

    fn take<T>(&mut self, loose: Loose<T>) -> T {
        self.warnings.extend(loose.odd);
        loose.value
    }

    fn flag(&mut self, key: &str) -> Result<bool, Fault> {
        match self.value(key) {
            None => Ok(false),
            Some(field) => loose::flag(&field).map(|loose| self.take(loose)),
        }
    }

    fn count(&mut self, key: &str) -> Result<Option<u32>, Fault> {
        match self.value(key) {
            None => Ok(None),
            Some(field) => loose::count(&field).map(|loose| Some(self.take(loose))),
        }
    }

    /// Reads a text that affects no decision. A value of another type is ignored with a warning.
    fn text(&mut self, key: &str) -> Option<String> {
        let field = self.value(key)?;
        let found = loose::text(&field);
        if found.is_none() {
            self.ignore(&field);
        }
        found
    }

    fn ignore(&mut self, field: &Field<'_>) {
        let what =
            format!("`{}` is ignored: it is {}", field.path(), field.node().value.type_name());
        self.warnings.push(field.fault(FaultKind::Type, what));
    }

    fn task_retries(&mut self) -> Result<BTreeMap<String, u32>, Fault> {
        let Some(field) = self.value("task_retries") else { return Ok(BTreeMap::new()) };
        let mut found = BTreeMap::new();
        for (key, field) in field.entries()? {
            if !field.is_null() {
                let count = loose::count(&field)?;
                found.insert(key.to_owned(), self.take(count));
            }
        }
        Ok(found)
    }

    /// Reads the valid rounds. The history does not affect a stop.
    fn history(&mut self) -> Vec<Round> {
        let Some(field) = self.value("history") else { return Vec::new() };
        let Ok(items) = field.items() else {
            self.ignore(&field);
            return Vec::new();
        };
        let mut rounds = Vec::new();
        for item in items {
            match round(&item) {
                Some(round) => rounds.push(round),
                None => self.ignore(&item),
            }
        }
        rounds
    }

    fn awaiting(&mut self) -> Option<Awaiting> {
        let word = self.text("awaiting").filter(|word| !word.is_empty())?;
        Some(Awaiting::parse(&word))
    }

    fn resume_after(&mut self) -> Option<Time> {
        let field = self.value("resume_after")?;
        let time = loose::text(&field).and_then(|text| Time::parse(&text));
        if time.is_none() {
            self.ignore(&field);
        }
        time
    }
}

fn round(field: &Field<'_>) -> Option<Round> {
    field.entries().ok()?;
    let iteration = loose::count(&field.optional(&["iteration"])?).ok()?.value;
    let text = |key: &str| field.optional(&[key]).and_then(|field| loose::text(&field));
    let gaps = field.optional(&["gaps"]).map(|gaps| gaps.items().unwrap_or_default());
    // The original also writes `from→to`.
    let gap = |gap: &Field<'_>| match &gap.node().value {
        Value::String(name) => Some(name.replace('→', "->")),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::List(_) | Value::Map(_) => None,
    };
    Some(Round {
        iteration,
        kind: text("type").map(|word| LoopKind::parse(&word)),
        result: text("result").unwrap_or_default(),
        gaps: gaps.unwrap_or_default().iter().filter_map(gap).collect(),
    })
}

#[cfg(test)]
mod tests;

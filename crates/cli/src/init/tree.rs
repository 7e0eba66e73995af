//! The milestone tree that `init` found, before anything is written.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sprag_core::gsd::{Count, DispatchOutcome, Dispatched, Quirk};
use sprag_engine::gsd::{Era, NoTree, Other, Telling, tell};

use super::text::line;
use crate::env;
use crate::next::dispatched;
use crate::style::{StreamStyle, count};

/// The result of reading the tree.
pub(super) struct TreeRead(Result<Telling, NoTree>);

impl TreeRead {
    /// Reads the tree both ways: for sprag's next unit, and for the points where GSD would differ.
    pub(super) fn of(root: &Path) -> Self {
        let home = env::get(env::HOME).map(PathBuf::from);
        Self(tell(root, home.as_deref()))
    }

    pub(super) fn text(&self, look: StreamStyle) -> String {
        match &self.0 {
            Ok(telling) => lines(look, telling),
            Err(NoTree::Absent) => String::new(),
            Err(error @ (NoTree::Flat | NoTree::OnlyDatabase | NoTree::Unreadable(_))) => {
                line(look, "Cannot", &error.to_string())
            }
        }
    }

    /// Returns the tree as JSON; null if there is none.
    pub(super) fn object(&self) -> Value {
        let told = match &self.0 {
            Ok(told) => told,
            Err(NoTree::Absent) => return Value::Null,
            Err(error @ NoTree::Flat) => {
                return json!({ "era": Era::Flat.name(), "error": error.to_string() });
            }
            Err(error @ NoTree::OnlyDatabase) => {
                return json!({ "era": Era::Database.name(), "error": error.to_string() });
            }
            Err(error @ NoTree::Unreadable(_)) => {
                return json!({ "era": null, "error": error.to_string() });
            }
        };
        let quirk = |(quirk, place): &(Quirk, String)| json!({ "name": quirk.name(), "at": place });
        let original = told.other.as_ref().map(|other| {
            let why = other.why.iter().map(quirk).collect::<Vec<_>>();
            json!({ "next": dispatched(&other.next), "why": why })
        });
        json!({
            "era": told.era.name(),
            "milestones": told.milestones,
            "slices": told.slices,
            "tasks": told.tasks,
            "next": dispatched(&told.next),
            "original": original,
            "problems": told.problems,
        })
    }
}

fn lines(look: StreamStyle, telling: &Telling) -> String {
    let of = |one: Count, noun: &str| format!("{}, {} done", count(one.total, noun), one.done);
    let read = format!(
        ".gsd ({}): {}; {}; {}",
        telling.era.says(),
        of(telling.milestones, "milestone"),
        of(telling.slices, "slice"),
        of(telling.tasks, "task"),
    );
    let mut out = line(look, "Read", &read);
    out.push_str(&line(look, "Next", &said(&telling.next)));
    if let Some(other) = &telling.other {
        out.push_str(&line(look, "Note", &instead(other)));
    }
    if telling.problems > 0 {
        let about = format!("{} in the tree: sprag check", count(telling.problems, "problem"));
        out.push_str(&line(look, "Note", &about));
    }
    out
}

fn said(found: &Dispatched) -> String {
    match &found.decision {
        DispatchOutcome::Dispatch { kind, at } => format!("{kind} {at}"),
        DispatchOutcome::Stop { why, .. } | DispatchOutcome::Skip { why, .. } => why.clone(),
    }
}

/// Describes what GSD would do instead, and because of which quirk.
fn instead(other: &Other) -> String {
    let next = said(&other.next);
    match other.why.first() {
        None => format!("GSD would do this instead: {next}"),
        Some((quirk, place)) => format!(
            "GSD would do this instead: {next}; at {place} it {}, and sprag will {}",
            quirk.theirs(),
            quirk.ours(),
        ),
    }
}

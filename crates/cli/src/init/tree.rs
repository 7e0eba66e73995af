//! What `init` read of a milestone tree, before anything is written.

use std::path::{Path, PathBuf};

use sprag_core::gsd::{Count, Decision, Dispatched};
use sprag_engine::gsd::{NoTree, Other, Telling, tell};

use super::text::line;
use crate::env;
use crate::look::{Look, count};

/// Tells what the tree of a project holds, what comes next, and where GSD would do something else.
pub(super) fn told(look: Look, root: &Path) -> String {
    let home = env::get(env::HOME).map(PathBuf::from);
    match tell(root, home.as_deref()) {
        Ok(telling) => lines(look, &telling),
        Err(NoTree::Absent) => String::new(),
        Err(error @ (NoTree::Flat | NoTree::Unreadable(_))) => {
            line(look, "Cannot", &error.to_string())
        }
    }
}

fn lines(look: Look, telling: &Telling) -> String {
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
        Decision::Dispatch { kind, at } => format!("{kind} {at}"),
        Decision::Stop { why, .. } | Decision::Skip { why, .. } => why.clone(),
    }
}

/// Says what GSD would do, and by which of its mistakes.
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

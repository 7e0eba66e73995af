//! The status as one JSON object.

use serde_json::{Value, json};
use sprag_core::reporting::Limited;
use sprag_engine::status::{Note, Unknown};
use sprag_engine::waits::{ListedRun, Wait};
use sprag_world::git::GitHead;

use super::{ProjectStatus, Unmerged, board, is_off, name, next};

pub(super) fn object(seen: Option<&ProjectStatus>) -> Value {
    let Some(seen) = seen else {
        return json!({ "ok": true, "project": null, "next": next(None) });
    };
    let found = &seen.status;
    let (branch, commit) = match &found.head {
        Some(GitHead::Branch { name, commit }) => (Some(name), commit.as_ref()),
        Some(GitHead::Detached { commit }) => (None, Some(commit)),
        Some(GitHead::Unknown) | None => (None, None),
    };
    let unknown = |one: &Unknown| {
        let (line, column) = one.at.as_ref().map(|at| (at.line, at.column)).unzip();
        json!({ "path": one.path, "why": one.why, "line": line, "column": column })
    };
    let note = |one: &Note| json!({ "path": one.path, "why": one.at.why, "line": one.at.line });
    let mut object = json!({
        "ok": found.unknown.is_empty() && seen.trouble.is_empty(),
        "project": {
            "name": name(found),
            "path": found.root.display().to_string(),
            "branch": branch,
            "commit": commit,
        },
        "guard": found.guard.iter().map(sprag_core::Name::as_str).collect::<Vec<_>>(),
        "unheld": seen.unheld.iter().map(unheld_object).collect::<Vec<_>>(),
        "seq": found.last,
        "runs": found.last.map(|_| seen.runs.iter().map(run_object).collect::<Vec<_>>()),
        "waits": seen.waits().enumerate().map(wait_object).collect::<Vec<_>>(),
        "unmerged": seen.unmerged.iter().map(unmerged_object).collect::<Vec<_>>(),
        "trouble": seen.trouble,
        "free": seen.free.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "unknown": found.unknown.iter().map(unknown).collect::<Vec<_>>(),
        "notes": found.notes.iter().map(note).collect::<Vec<_>>(),
        "pending": found.pending,
        "foreign": found.foreign,
        "redone": found.redone,
        "leftovers": found.leftovers,
        "busy": found.busy,
        "let_go": { "count": found.let_go.len(), "last": found.let_go.last() },
        "off": is_off(),
        "next": next(Some(seen)),
    });
    if let Some(board) = &found.board {
        object["inbox"] = board::object(board);
    }
    object
}

fn unmerged_object(one: &Unmerged) -> Value {
    json!({ "run": one.run, "branch": one.branch, "command": one.command })
}

fn unheld_object((host, why): &(sprag_hosts::Host, String)) -> Value {
    json!({ "host": host.name(), "why": why })
}

fn run_object(run: &ListedRun) -> Value {
    json!({
        "id": run.id,
        "source": run.source.to_string(),
        "task": run.task,
        "life": run.life.as_str(),
        "at": run.at,
        "session": run.owner.as_ref().map(sprag_core::SessionId::as_str),
        "started": run.started,
        "ended": run.ended,
        "gates": run.gates,
        "stale": run.stale,
        "limits": limits_object(&run.limits),
    })
}

/// Returns the host limits that a run waits for.
pub(crate) fn limits_object(all: &[Limited]) -> Value {
    let one = |one: &Limited| json!({ "host": one.host, "until": one.until, "why": one.why });
    all.iter().map(one).collect()
}

fn wait_object((at, wait): (usize, &Wait)) -> Value {
    json!({
        "number": at + 1,
        "run": wait.run,
        "unit": wait.unit.as_ref().map(sprag_core::UnitId::as_str),
        "why": wait.hold.to_string(),
        "command": wait.command,
    })
}

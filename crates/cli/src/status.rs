//! `sprag`: what is going on here, what waits for you, and the one next command.

use std::fmt::Write as _;

use serde_json::{Value, json};
use sprag_engine::git::Head;
use sprag_engine::status::{Note, Status, Unknown, What};

use crate::call::{Answer, Call};
use crate::env;
use crate::exit::Exit;
use crate::fault::{Next, Stop};
use crate::look::{Look, Tone, WIDTH, count};
use crate::screen;

/// Lists longer than this are cut, and the rest is counted.
const SHOWN: usize = 10;

/// Shows the project this is in.
pub(crate) fn show(call: &Call) -> Result<Exit, Stop> {
    let status = call.place()?.map(|place| Status::of(&place)).transpose()?;
    match (&status, call.answer) {
        (None, Answer::Text) => screen::print(&nothing(call))?,
        (Some(status), Answer::Text) => screen::print(&text(call.look, status))?,
        (status, Answer::Json) => screen::print_json(&object(status.as_ref()))?,
    }
    Ok(match status {
        Some(status) if !status.unknown.is_empty() => Exit::Unreadable,
        Some(_) | None => Exit::Done,
    })
}

fn nothing(call: &Call) -> String {
    let folder = call.look.clip(&call.folder.display().to_string(), WIDTH - 20);
    format!("no project here: {folder}\nNext: sprag demo\n")
}

/// Says what anybody, or only a person, can do next; the first of all is the one that is shown.
fn next(status: Option<&Status>) -> Next {
    let one = |command: &str| vec![command.to_owned()];
    match status {
        None => Next { safe: one("sprag demo"), human: vec![] },
        Some(status) if status.unknown.iter().any(|one| one.what == What::Journal) => {
            Next { safe: one("sprag doctor"), human: one("sprag doctor --fix") }
        }
        Some(status)
            if !status.unknown.is_empty()
                || !status.notes.is_empty()
                || !status.pending.is_empty()
                || !status.let_go.is_empty() =>
        {
            Next { safe: one("sprag doctor"), human: vec![] }
        }
        Some(_) => Next { safe: one("sprag log"), human: vec![] },
    }
}

fn object(status: Option<&Status>) -> Value {
    let Some(found) = status else {
        return json!({ "ok": true, "project": null, "next": next(None) });
    };
    let (branch, commit) = match &found.head {
        Some(Head::Branch { name, commit }) => (Some(name), commit.as_ref()),
        Some(Head::Detached { commit }) => (None, Some(commit)),
        Some(Head::Unknown) | None => (None, None),
    };
    let unknown = |one: &Unknown| {
        let (line, column) = one.at.as_ref().map(|at| (at.line, at.column)).unzip();
        json!({ "path": one.path, "why": one.why, "line": line, "column": column })
    };
    let note = |one: &Note| json!({ "path": one.path, "why": one.at.why, "line": one.at.line });
    json!({
        "ok": found.unknown.is_empty(),
        "project": {
            "name": name(found),
            "path": found.root.display().to_string(),
            "branch": branch,
            "commit": commit,
        },
        "seq": found.last,
        "runs": found.last.map(|_| found.runs.iter().map(|id| json!({ "id": id })).collect::<Vec<_>>()),
        "unknown": found.unknown.iter().map(unknown).collect::<Vec<_>>(),
        "notes": found.notes.iter().map(note).collect::<Vec<_>>(),
        "pending": found.pending,
        "foreign": found.foreign,
        "redone": found.redone,
        "leftovers": found.leftovers,
        "busy": found.busy,
        "let_go": { "count": found.let_go.len(), "last": found.let_go.last() },
        "off": is_off(),
        "next": next(status),
    })
}

fn text(look: Look, status: &Status) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{}", summary(look, status));
    if !status.unknown.is_empty() {
        heading(&mut out, look, "CANNOT BE READ, SO TAKEN FOR UNKNOWN");
        let items = status.unknown.iter().map(|one| {
            let cross = look.paint(Tone::Bad, look.sign("✗", "x"));
            let at =
                one.at.as_ref().map_or(String::new(), |at| format!(":{}:{}", at.line, at.column));
            let path = look.clip(&format!("{}{at}", one.path), WIDTH - 4);
            format!("  {cross} {path}\n    {}\n", look.clip(&one.why, WIDTH - 4))
        });
        list(&mut out, items);
    }
    if !status.notes.is_empty() {
        heading(&mut out, look, "LOOKS LIKE A MISTAKE");
        let note = look.paint(Tone::Note, "!");
        let items = status.notes.iter().map(|one| {
            let line = format!("{}:{}: {}", one.path, one.at.line, one.at.why);
            format!("  {note} {}\n", look.clip(&line, WIDTH - 4))
        });
        list(&mut out, items);
    }
    if !status.runs.is_empty() {
        heading(&mut out, look, "RUNS");
        list(&mut out, status.runs.iter().map(|id| format!("  {id}\n")));
    }
    documents(&mut out, look, "COMMITTED, NOT YET WRITTEN", &status.pending);
    documents(&mut out, look, "CHANGED BY SOMEBODY ELSE, LATELY", &status.foreign);
    documents(
        &mut out,
        look,
        "BROUGHT FORWARD AGAIN AFTER A KILL OR REBOOT, LATELY",
        &status.redone,
    );
    host_hooks(&mut out, look, status);
    let all = next(Some(status));
    if let Some(command) = all.safe.first() {
        let _ = write!(out, "\nNext: {command}\n");
    }
    out
}

/// `shop · main @ 9f3c1e2 · event 412 · 2 runs · 1 cannot be read`
fn summary(look: Look, status: &Status) -> String {
    let mut parts = vec![look.paint(Tone::Strong, &look.clip(&name(status), WIDTH / 2))];
    let short = |commit: &str| commit.chars().take(7).collect::<String>();
    match &status.head {
        Some(Head::Branch { name, commit }) => {
            let at = commit.as_deref().map_or("no commit yet".to_owned(), short);
            parts.push(format!("{} @ {at}", look.clip(name, WIDTH / 2)));
        }
        Some(Head::Detached { commit }) => parts.push(format!("detached @ {}", short(commit))),
        Some(Head::Unknown) | None => {}
    }
    if let Some(last) = status.last {
        parts.push(format!("event {last}"));
        parts.push(count(status.runs.len(), "run"));
    }
    if !status.unknown.is_empty() {
        let bad = format!("{} cannot be read", status.unknown.len());
        parts.push(look.paint(Tone::Bad, &bad));
    }
    if status.busy {
        parts.push("being written".to_owned());
    }
    parts.join(look.sign(" · ", " - "))
}

fn documents(out: &mut String, look: Look, title: &str, docs: &[String]) {
    if docs.is_empty() {
        return;
    }
    heading(out, look, title);
    let note = look.paint(Tone::Note, "!");
    list(out, docs.iter().map(|doc| format!("  {note} {}\n", look.clip(doc, WIDTH - 4))));
}

fn host_hooks(out: &mut String, look: Look, status: &Status) {
    let last = status.let_go.last();
    if last.is_none() && !is_off() {
        return;
    }
    heading(out, look, "HOST HOOKS");
    let note = look.paint(Tone::Note, "!");
    if is_off() {
        let _ = writeln!(out, "  {note} SPRAG=off is set here: they let every session go");
    }
    if let Some(last) = last {
        let _ = writeln!(out, "  {note} {} let go, the last one:", status.let_go.len());
        let _ = writeln!(out, "    {}", look.clip(last, WIDTH - 4));
    }
}

fn is_off() -> bool {
    env::get(env::SWITCH).is_some_and(|value| value == "off")
}

fn heading(out: &mut String, look: Look, title: &str) {
    let _ = writeln!(out, "\n {}", look.paint(Tone::Quiet, title));
}

fn list(out: &mut String, items: impl ExactSizeIterator<Item = String>) {
    let more = items.len().saturating_sub(SHOWN);
    out.extend(items.take(SHOWN));
    if more > 0 {
        let _ = writeln!(out, "  and {more} more");
    }
}

fn name(status: &Status) -> String {
    let name = status.root.file_name().unwrap_or(status.root.as_os_str());
    name.to_string_lossy().into_owned()
}

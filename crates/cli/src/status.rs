//! `sprag`: what is going on here, what waits for you, and the one next command.

use std::fmt::Write as _;

use serde_json::{Value, json};
use sprag_core::Time;
use sprag_engine::clock;
use sprag_engine::engine::Engine;
use sprag_engine::git::Head;
use sprag_engine::run_file::Source;
use sprag_engine::status::{Note, Status, Unknown, What};
use sprag_engine::waits::{Shown, Wait};
use sprag_store::Place;

use crate::call::{Answer, Call};
use crate::env;
use crate::exit::Exit;
use crate::fault::{Next, Stop};
use crate::look::{Look, Tone, WIDTH, age, columns, count};
use crate::screen;

/// Lists longer than this are cut, and the rest is counted.
const SHOWN: usize = 10;

/// Shows the project this is in.
pub(crate) fn show(call: &Call) -> Result<Exit, Stop> {
    let Some(place) = call.place()? else {
        match call.answer {
            Answer::Text => screen::print(&nothing(call))?,
            Answer::Json => screen::print_json(&object(None))?,
        }
        return Ok(Exit::Done);
    };
    let status = Status::of(&place)?;
    let seen = Seen::of(status, &place);
    match call.answer {
        Answer::Text => screen::print(&text(call.look, &seen))?,
        Answer::Json => screen::print_json(&object(Some(&seen)))?,
    }
    let is_bad = !seen.status.unknown.is_empty() || !seen.trouble.is_empty();
    Ok(if is_bad { Exit::Unreadable } else { Exit::Done })
}

/// The project and the runs in it.
struct Seen {
    status: Status,
    runs: Vec<Shown>,
    /// Runs that cannot be used, though their files can be read.
    trouble: Vec<String>,
}

impl Seen {
    fn of(status: Status, place: &Place) -> Self {
        if status.last.is_none() || status.runs.is_empty() {
            return Self { status, runs: Vec::new(), trouble: Vec::new() };
        }
        let environment = env::all();
        let shown = Engine::open(place, &environment).and_then(|engine| engine.shown());
        let (runs, trouble) = shown.unwrap_or_else(|error| (vec![], vec![error.to_string()]));
        // What cannot be read is already said, with its place.
        let is_new = |line: &String| !status.unknown.iter().any(|one| line.contains(&one.path));
        let trouble = trouble.into_iter().filter(is_new).collect();
        Self { status, runs, trouble }
    }

    fn waits(&self) -> impl Iterator<Item = &Wait> {
        self.runs.iter().flat_map(|run| &run.waits)
    }

    fn live(&self) -> impl Iterator<Item = &Shown> {
        self.runs.iter().filter(|run| run.ended.is_none())
    }
}

fn nothing(call: &Call) -> String {
    let folder = call.look.clip(&call.folder.display().to_string(), WIDTH - 20);
    format!("no project here: {folder}\nNext: sprag demo\n")
}

/// Says what anybody, or only a person, can do next; the first of all is the one that is shown.
fn next(seen: Option<&Seen>) -> Next {
    let one = |command: &str| vec![command.to_owned()];
    let human: Vec<String> =
        seen.iter().flat_map(|seen| seen.waits()).map(|wait| wait.command.clone()).collect();
    match seen.map(|seen| &seen.status) {
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
            Next { safe: one("sprag doctor"), human }
        }
        Some(_) if !human.is_empty() => Next { safe: one("sprag why"), human },
        Some(_) => Next { safe: one("sprag log"), human },
    }
}

fn object(seen: Option<&Seen>) -> Value {
    let Some(seen) = seen else {
        return json!({ "ok": true, "project": null, "next": next(None) });
    };
    let found = &seen.status;
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
        "ok": found.unknown.is_empty() && seen.trouble.is_empty(),
        "project": {
            "name": name(found),
            "path": found.root.display().to_string(),
            "branch": branch,
            "commit": commit,
        },
        "seq": found.last,
        "runs": found.last.map(|_| seen.runs.iter().map(run_object).collect::<Vec<_>>()),
        "waits": seen.waits().enumerate().map(wait_object).collect::<Vec<_>>(),
        "trouble": seen.trouble,
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
    })
}

fn run_object(run: &Shown) -> Value {
    json!({
        "id": run.id,
        "source": source(run),
        "task": run.task,
        "life": run.life.as_str(),
        "at": run.at,
        "session": run.owner.as_ref().map(sprag_core::Session::as_str),
        "started": run.started,
        "ended": run.ended,
        "gates": run.gates,
        "stale": run.stale,
    })
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

fn source(run: &Shown) -> String {
    match &run.source {
        Source::Guard => "guard".to_owned(),
        Source::Workflow(key) => format!("workflow:{key}"),
    }
}

fn text(look: Look, seen: &Seen) -> String {
    let status = &seen.status;
    let mut out = String::new();
    let _ = writeln!(out, "{}", summary(look, seen));
    needs_you(&mut out, look, seen);
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
    documents(&mut out, look, "CANNOT BE USED", &seen.trouble);
    if seen.live().next().is_some() {
        heading(&mut out, look, "RUNS");
        let now = clock::now();
        list(
            &mut out,
            seen.live().map(|run| run_line(look, run, now)).collect::<Vec<_>>().into_iter(),
        );
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
    let all = next(Some(seen));
    if let Some(command) = all.human.first().or(all.safe.first()) {
        let _ = write!(out, "\nNext: {command}\n");
    }
    out
}

/// `shop · main @ 9f3c1e2 · event 412 · 2 runs · 1 cannot be read`
fn summary(look: Look, seen: &Seen) -> String {
    let status = &seen.status;
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
    match seen.waits().count() {
        0 => {}
        1 => parts.push(look.paint(Tone::Note, "1 needs you")),
        more => parts.push(look.paint(Tone::Note, &format!("{more} need you"))),
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

/// Numbers what waits for a person, with the one command that answers it.
fn needs_you(out: &mut String, look: Look, seen: &Seen) {
    let waits: Vec<&Wait> = seen.waits().collect();
    if waits.is_empty() {
        return;
    }
    heading(out, look, "NEEDS YOU");
    let items = waits.iter().enumerate().map(|(at, wait)| {
        let head = format!("  {}  {}  {}", at + 1, wait.run, wait.hold);
        format!("{}\n     {}\n", look.clip(&head, WIDTH), look.clip(&wait.command, WIDTH - 5))
    });
    list(out, items);
}

fn run_line(look: Look, run: &Shown, now: Time) -> String {
    let owner = run.owner.as_ref().map_or("nobody", sprag_core::Session::as_str);
    let owner: String = owner.chars().take(15).collect();
    let age = age(now.since(run.started));
    let at = look.clip(&run.at, 34);
    let pad = " ".repeat(34_usize.saturating_sub(columns(&at)));
    let life = run.life.as_str();
    let mut line = format!("  {}  {at}{pad}  {owner:<15}  {life:<7}  {age}\n", run.id);
    for gate in &run.stale {
        let said = format!("{gate}: passed on other files than there are now");
        let _ = writeln!(line, "          {}", look.clip(&said, WIDTH - 10));
    }
    line
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

//! `sprag doctor`: shows what sprag depends on, what it cannot read, and a fix for each problem.

use std::fmt::Write as _;

use serde_json::{Value, json};
use sprag_core::Seq;
use sprag_engine::engine::Engine;
use sprag_engine::latency;
use sprag_engine::retention::{DAYS, Old};
use sprag_engine::status::{Status, What};
use sprag_engine::validate::Pointed;
use sprag_store::{Place, Store};
use sprag_world::trust::Belongs;
use sprag_world::{clock, process};

use crate::codes::Code;
use crate::context::{CommandContext, OutputFormat};
use crate::diagnostic::{Diagnostic, Level, Location, Spot};
use crate::exit::Exit;
use crate::fault::{EarlyExit, Next};
use crate::style::{StreamStyle, Tone, WIDTH, count, size};
use crate::{belongs, env, fix, screen};

mod hosts;
mod matrix;
mod trees;

/// The result of one check.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Check {
    mark: CheckMark,
    said: String,
    /// Details or reasons, one per line.
    more: Vec<String>,
    /// The position in a file.
    shown: Option<Diagnostic>,
    fix: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CheckMark {
    Good,
    Note,
    Bad,
}

impl Check {
    fn new(mark: CheckMark, said: impl Into<String>) -> Self {
        Self { mark, said: said.into(), more: Vec::new(), shown: None, fix: None }
    }

    fn more(mut self, line: impl Into<String>) -> Self {
        self.more.push(line.into());
        self
    }

    fn shown(mut self, path: &str, at: &Pointed) -> Self {
        let spot = Spot { line: at.line, column: at.column, text: at.text.clone() };
        self.shown = Some(Diagnostic {
            level: if self.mark == CheckMark::Bad { Level::Error } else { Level::Warning },
            code: if self.mark == CheckMark::Bad { Code::Document } else { Code::UnknownKey },
            message: at.why.clone(),
            at: Some(Location { file: path.to_owned(), spot: Some(spot) }),
            help: at.help.clone(),
        });
        self
    }

    fn fix(mut self, fix: impl Into<String>) -> Self {
        self.fix = Some(fix.into());
        self
    }
}

/// Performs all checks and prints them.
pub(crate) fn show(call: &CommandContext) -> Result<Exit, EarlyExit> {
    let (place, belongs) = call.shown()?.unzip();
    let status = place.as_ref().map(Status::of).transpose()?;
    let (old, unusable) = match (&place, &status) {
        (Some(place), Some(status)) => (old_runs(place, status)?, unusable(place, status)),
        _ => (Old::default(), Vec::new()),
    };
    let known = status.as_ref().is_none_or(|status| status.unknown.is_empty());
    let unreadable = !known || !unusable.is_empty();
    let mut checks = vec![binary(), git()];
    match &status {
        None => checks.push(Check::new(CheckMark::Note, "no project here")),
        Some(status) => checks.extend(project(status)),
    }
    checks.extend(place.as_ref().and_then(writing));
    checks.extend(place.as_ref().and_then(links));
    checks.extend(unusable);
    checks.extend(place.as_ref().and_then(repository));
    checks.extend(place.as_ref().and_then(|place| receipts(place, status.as_ref())));
    checks.extend(retention(&old));
    let hosts = place.as_ref().map(hosts::find).unwrap_or_default();
    if let Some(place) = &place {
        checks.extend(trees::look(place));
        checks.extend(hosts::look(place, &hosts, clock::now()));
    }
    match call.answer {
        OutputFormat::Text => {
            let table = matrix::text(call.look, &hosts);
            screen::print(&text(call.look, &checks, &table))?;
        }
        OutputFormat::Json => {
            let fixable = status.as_ref().is_some_and(|status| fix::is_needed(status, &old));
            let mut object = object(&checks, fixable);
            if let Some(belongs) = &belongs {
                belongs::mark(&mut object, belongs);
            }
            object["hosts"] = matrix::object(&hosts);
            let measured = place.as_ref().and_then(latency::read);
            object["latency"] = measured.map_or(Value::Null, |measured| {
                json!({ "count": measured.count, "p50_us": measured.p50, "p99_us": measured.p99 })
            });
            screen::print_json(&object)?;
        }
    }
    let bad = checks.iter().any(|check| check.mark == CheckMark::Bad);
    Ok(match (unreadable, bad) {
        (true, _) => Exit::Unreadable,
        (false, true) => Exit::Failed,
        (false, false) => Exit::Done,
    })
}

fn binary() -> Check {
    let version = concat!("sprag ", env!("CARGO_PKG_VERSION"));
    match std::env::current_exe() {
        Ok(path) => Check::new(CheckMark::Good, format!("{version} at {}", path.display())),
        Err(error) => {
            Check::new(CheckMark::Note, format!("{version}, and its place is hidden: {error}"))
        }
    }
}

fn git() -> Check {
    match process::git_version(&env::all()) {
        Some(version) => Check::new(CheckMark::Good, format!("git {version}")),
        None => Check::new(CheckMark::Bad, "git cannot be started").fix("install git"),
    }
}

fn project(status: &Status) -> Vec<Check> {
    let mut checks =
        vec![Check::new(CheckMark::Good, format!("project {}", status.root.display()))];
    let is_good = |what| status.unknown.iter().all(|one| one.what != what);
    if is_good(What::Journal) && is_good(What::State) {
        checks.push(journal(status));
    }
    for one in &status.unknown {
        let (said, fix) = match one.what {
            What::Journal => ("the journal cannot be read", "sprag doctor --fix sets it aside"),
            What::State => ("the state cannot be read", "make it readable, then sprag doctor"),
            What::Document if one.path.starts_with(".chipset/state/") => {
                ("cannot be read", "sprag doctor --fix sets it aside")
            }
            What::Document => ("cannot be read", "mend or remove it, then sprag doctor"),
        };
        let bad = match one.what {
            What::Document => Check::new(CheckMark::Bad, format!("{} {said}", one.path)),
            What::Journal | What::State => Check::new(CheckMark::Bad, said).more(one.path.clone()),
        };
        checks.push(match &one.at {
            Some(at) => bad.shown(&one.path, at),
            None => bad.more(one.why.clone()).fix(fix),
        });
    }
    for note in &status.notes {
        let said = format!("{} has an unknown key", note.path);
        checks.push(Check::new(CheckMark::Note, said).shown(&note.path, &note.at));
    }
    checks.extend(leftovers(status));
    checks
}

/// Reports state that cannot be written: host hooks then allow every stop, and record nothing.
fn writing(place: &Place) -> Option<Check> {
    // Another check reports why it cannot be opened.
    let refused =
        Store::open(place, clock::first()).and_then(|store| store.unwritable()).unwrap_or_default();
    let mut check = Check::new(CheckMark::Bad, "the state cannot be written");
    check.more.extend(refused.iter().map(|path| path.display().to_string()));
    (!refused.is_empty()).then(|| check.fix("let your user write there, then sprag doctor"))
}

/// Lists the symbolic links in the state; their targets are ignored.
fn links(place: &Place) -> Option<Check> {
    let found = place.links();
    let said = format!(
        "{} in the state, which sprag does not follow",
        count(found.len(), "symbolic link")
    );
    let mut check = Check::new(CheckMark::Bad, said);
    check.more.extend(found.iter().map(|path| path.display().to_string()));
    (!found.is_empty()).then(|| check.fix("put what belongs there in its place, then sprag doctor"))
}

fn journal(status: &Status) -> Check {
    let runs = count(status.runs.len(), "run");
    let last = status.last.unwrap_or_default();
    if last == Seq(0) {
        return Check::new(CheckMark::Good, format!("no journal yet, {runs}"));
    }
    Check::new(CheckMark::Good, format!("journal readable, last event {last}, {runs}"))
}

/// Reports facts that are no problems but worth knowing.
fn leftovers(status: &Status) -> Vec<Check> {
    let mut checks = Vec::new();
    if !status.pending.is_empty() {
        let said =
            format!("{} committed, not yet written", count(status.pending.len(), "document"));
        let mut check = Check::new(CheckMark::Note, said);
        check.more.clone_from(&status.pending);
        checks.push(check.fix("the next command that writes completes it"));
    }
    if !status.leftovers.is_empty() {
        let left = count(status.leftovers.len(), "file");
        let said = format!("{left} left behind by a killed process");
        checks.push(Check::new(CheckMark::Note, said).fix("sprag doctor --fix removes it"));
    }
    if status.busy {
        checks.push(Check::new(CheckMark::Note, "another sprag command is writing here just now"));
    }
    if let Some(last) = status.let_go.last() {
        let said = format!("{} let go, the last one:", count(status.let_go.len(), "host hook"));
        checks.push(Check::new(CheckMark::Note, said).more(last.clone()));
    }
    checks
}

/// Reports other unusable state, such as a run's session or the user's approvals.
fn unusable(place: &Place, status: &Status) -> Vec<Check> {
    let environment = env::all();
    // Another check reports why it cannot be opened.
    let Ok(engine) = Engine::open(place, &environment) else { return Vec::new() };
    let mut lines = match engine.shown() {
        _ if status.unknown.iter().any(|one| one.what != What::Document) => Vec::new(),
        Ok((_, trouble)) => trouble,
        Err(error) => vec![error.to_string()],
    };
    lines.retain(|line| !status.unknown.iter().any(|one| line.contains(&one.path)));
    if let Belongs::Unknown { why } = engine.belongs() {
        lines.push(why);
    }
    let bad = |line| Check::new(CheckMark::Bad, "something cannot be used").more(line);
    lines.into_iter().map(|line| bad(line).fix("mend or remove it, then sprag doctor")).collect()
}

/// Reports a broken git repository: without it sprag cannot list files or judge anything.
fn repository(place: &Place) -> Option<Check> {
    let environment = env::all();
    let why = Engine::open(place, &environment).ok()?.broken_repository()?;
    let bad = Check::new(CheckMark::Bad, "the git repository cannot be used").more(why);
    Some(bad.fix("mend it, or put it back from a clone or a copy; then sprag doctor"))
}

/// Reports receipts that differ from their journal entries.
fn receipts(place: &Place, status: Option<&Status>) -> Option<Check> {
    if !status?.unknown.is_empty() {
        return None;
    }
    let environment = env::all();
    let doubts = Engine::open(place, &environment).ok()?.doubtful_receipts().ok()?;
    let said = format!("{} unlike the journal's record", count(doubts.len(), "receipt"));
    let mut check = Check::new(CheckMark::Bad, said);
    for (run, doubt) in doubts.iter().take(10) {
        check = check.more(format!("{} of {run}: {}", doubt.id, doubt.wrong.as_str()));
    }
    (!doubts.is_empty()).then(|| check.fix("they count for nothing; sprag report --verify"))
}

/// Finds the old runs, if the state is readable.
pub(crate) fn old_runs(place: &Place, status: &Status) -> Result<Old, EarlyExit> {
    if status.unknown.iter().any(|one| one.what != What::Document) {
        return Ok(Old::default());
    }
    Ok(Old::find(place, clock::now())?)
}

/// Reports how many runs may be forgotten.
fn retention(old: &Old) -> Option<Check> {
    let runs = count(old.runs.len(), "run");
    let said = format!("{runs} ended more than {DAYS} days ago ({})", size(old.bytes));
    let fix = if old.runs.len() == 1 {
        "sprag doctor --fix forgets it"
    } else {
        "sprag doctor --fix forgets them"
    };
    (!old.runs.is_empty()).then(|| Check::new(CheckMark::Note, said).fix(fix))
}

fn text(look: StreamStyle, checks: &[Check], table: &str) -> String {
    let mut out = String::new();
    for check in checks {
        let mark = match check.mark {
            CheckMark::Good => look.paint(Tone::Good, look.sign("✓", "+")),
            CheckMark::Note => look.paint(Tone::Note, "!"),
            CheckMark::Bad => look.paint(Tone::Bad, look.sign("✗", "x")),
        };
        for (at, line) in look.wrap(&check.said, WIDTH - 3).iter().enumerate() {
            let mark = if at == 0 { mark.as_str() } else { " " };
            let _ = writeln!(out, " {mark} {line}");
        }
        for line in check.more.iter().flat_map(|line| look.wrap(line, WIDTH - 3)) {
            let _ = writeln!(out, "   {line}");
        }
        let drawn = check.shown.as_ref().map(|shown| shown.draw(look, WIDTH - 3));
        for line in drawn.iter().flat_map(|drawn| drawn.lines()) {
            let _ = writeln!(out, "   {line}");
        }
        if let Some(fix) = &check.fix {
            let _ = writeln!(out, "   fix: {fix}");
        }
    }
    out.push_str(table);
    let of = |mark| checks.iter().filter(|check| check.mark == mark).count();
    let notes = count(of(CheckMark::Note), "note");
    let problems = count(of(CheckMark::Bad), "problem");
    let counts = [format!("{} ok", of(CheckMark::Good)), notes, problems];
    let _ = writeln!(out, " {}", counts.join(look.sign(" · ", " - ")));
    out
}

fn object(checks: &[Check], fixable: bool) -> Value {
    let one = |check: &Check| {
        let mark = match check.mark {
            CheckMark::Good => "ok",
            CheckMark::Note => "note",
            CheckMark::Bad => "problem",
        };
        let error = check.shown.as_ref().map(Diagnostic::json);
        let Check { said, more, fix, .. } = check;
        json!({ "mark": mark, "said": said, "more": more, "fix": fix, "error": error })
    };
    let human = if fixable { vec!["sprag doctor --fix".to_owned()] } else { vec![] };
    json!({
        "ok": checks.iter().all(|check| check.mark != CheckMark::Bad),
        "checks": checks.iter().map(one).collect::<Vec<_>>(),
        "next": Next { safe: vec![], human },
    })
}

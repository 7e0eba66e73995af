//! Units of work, entered by hand or imported from beads.

use std::fmt::Write as _;
use std::io::Read as _;
use std::path::Path;

use serde_json::{Value, json};
use sprag_core::UnitId;
use sprag_engine::engine::EngineError;
use sprag_engine::inbox::units::{circles, never_assigned};
use sprag_formats::chipset::WorkFile;

use super::{AgentCall, read_unit};
use crate::args::agent::WorkCommand;
use crate::codes::Code;
use crate::context::OutputFormat;
use crate::exit::Exit;
use crate::fault::{EarlyExit, Fault};
use crate::screen;

/// The largest file of issues, in bytes.
const MOST: u64 = 64 << 20;

pub(super) fn work(desk: &AgentCall<'_>, asked: &WorkCommand) -> Result<Exit, EarlyExit> {
    match asked {
        WorkCommand::Add { id, title, about, priority, needs } => {
            let id = id.as_deref().map(read_unit).transpose()?;
            let needs: Vec<UnitId> =
                needs.iter().map(|unit| read_unit(unit)).collect::<Result<_, _>>()?;
            let mut work = WorkFile::new(UnitId::literal("new"), title);
            (work.about, work.priority, work.needs) =
                (about.clone().unwrap_or_default(), priority.clone(), needs);
            let unit = desk.engine.work_add(id.as_ref(), &work, &desk.who()?)?;
            let object = json!({ "ok": true, "unit": unit.as_str() });
            desk.answer(&format!("{unit}: open"), object)
        }
        WorkCommand::Ls => list(desk),
        WorkCommand::Show { unit } => {
            let work = desk.engine.work_of(&read_unit(unit)?)?;
            let who = work.assignee.as_deref().unwrap_or("nobody");
            let head = desk.one_line(&format!("{}: {} ({who})", work.unit, work.work));
            let mut text = format!("{head}\n{}", desk.one_line(&work.title));
            if !work.needs.is_empty() {
                let names: Vec<_> = work.needs.iter().map(UnitId::as_str).collect();
                let _ = write!(text, "\nneeds {}", names.join(", "));
            }
            if !work.about.is_empty() {
                let _ = write!(text, "\n{}", work.about);
            }
            desk.answer(&text, object(&work))
        }
    }
}

/// Lists the units; unreadable ones are reported.
fn list(desk: &AgentCall<'_>) -> Result<Exit, EarlyExit> {
    let (all, trouble) = desk.engine.work()?;
    let mut text = String::new();
    for work in &all {
        let who = work.assignee.as_deref().unwrap_or("-");
        let (unit, status) = (work.unit.as_str(), work.work.as_str());
        let (priority, title) = (&work.priority, &work.title);
        let line = format!("{unit:<14}  {status:<11}  {priority}  {who:<18}  {title}");
        let _ = writeln!(text, "{}", desk.one_line(&line));
    }
    let circles = circles(&all);
    for line in trouble.iter().cloned().chain(circles.iter().map(|one| never_assigned(one))) {
        let _ = writeln!(text, "{line}");
    }
    if text.is_empty() {
        text.push_str("no units of work yet; sprag agent work add TITLE");
    }
    let units: Vec<Value> = all.iter().map(object).collect();
    let ok = trouble.is_empty();
    let circles = names(&circles);
    let whole = json!({ "ok": ok, "units": units, "trouble": trouble, "circles": circles });
    desk.answer(text.trim_end(), whole)?;
    Ok(if ok { Exit::Done } else { Exit::Unreadable })
}

/// Returns the ids of units that block each other in a cycle.
fn names(circles: &[Vec<UnitId>]) -> Vec<Vec<&str>> {
    circles.iter().map(|circle| circle.iter().map(UnitId::as_str).collect()).collect()
}

fn object(work: &WorkFile) -> Value {
    json!({
        "ok": true,
        "unit": work.unit.as_str(),
        "title": work.title,
        "description": work.about,
        "status": work.work.as_str(),
        "assignee": work.assignee,
        "assignment": work.hook.as_str(),
        "priority": work.priority,
        "needs": work.needs.iter().map(UnitId::as_str).collect::<Vec<_>>(),
    })
}

/// Imports beads issues as units of work.
pub(super) fn import(desk: &AgentCall<'_>, file: &Path) -> Result<Exit, EarlyExit> {
    let at = file.display().to_string();
    let unread = |message: String| Fault::new(Exit::NotFound, Code::NoPath, message).at(&at);
    let wrong = |message: String| {
        let help = "nothing of it was imported: mend it and try again";
        Fault::new(Exit::Invalid, Code::Document, message).at(&at).help(help)
    };
    let mut source = String::new();
    let opened = std::fs::File::open(file);
    match opened.and_then(|file| file.take(MOST + 1).read_to_string(&mut source)) {
        Err(error) if error.kind() == std::io::ErrorKind::InvalidData => {
            return Err(wrong("it is not UTF-8".to_owned()).into());
        }
        Err(error) => return Err(unread(format!("cannot read it: {error}")).into()),
        Ok(bytes) if bytes as u64 > MOST => {
            return Err(wrong(format!("it has more than {MOST} bytes")).into());
        }
        Ok(_) => {}
    }
    let done = match desk.engine.import(&source, &desk.who()?) {
        Err(EngineError::Invalid { problem }) => return Err(wrong(problem).into()),
        done => done?,
    };
    let mut said =
        format!("{} new, {} changed, {} as they were", done.new, done.changed, done.same);
    for (unit, conflict) in &done.conflicts {
        let _ = write!(said, "\n{unit} is {conflict}: it stays as it is here");
    }
    for circle in &done.circles {
        let _ = write!(said, "\n{}", never_assigned(circle));
    }
    let conflicts = done.conflicts.iter().map(|(unit, conflict)| {
        let (unit, why) = (unit.as_str(), conflict.to_string());
        json!({ "unit": unit, "why": why })
    });
    let object = json!({
        "ok": true,
        "new": done.new,
        "changed": done.changed,
        "same": done.same,
        "conflicts": conflicts.collect::<Vec<_>>(),
        "circles": names(&done.circles),
    });
    desk.answer(&said, object)
}

/// Prints units of work as beads issues, one per line.
pub(super) fn export(desk: &AgentCall<'_>) -> Result<Exit, EarlyExit> {
    let lines = desk.engine.export()?;
    match desk.call.answer {
        OutputFormat::Text => screen::print(&lines)?,
        OutputFormat::Json => {
            let issues: Vec<&str> = lines.lines().collect();
            screen::print_json(&json!({ "ok": true, "issues": issues }))?;
        }
    }
    Ok(Exit::Done)
}

//! `sprag log`: one line per event, or with `--at` one full journal entry.

use std::fmt::Write as _;
use std::time::Duration;

use serde_json::Value;
use sprag_core::{RunId, Seq, Time};
use sprag_engine::engine::Engine;
use sprag_engine::status::Status;
use sprag_store::{Event, Place, Record, Store, StoreError};
use sprag_world::{clock, process};

use crate::args::LogArgs;
use crate::codes::Code;
use crate::context::{CommandContext, OutputFormat};
use crate::exit::Exit;
use crate::fault::{EarlyExit, Fault};
use crate::style::{StreamStyle, Tone, WIDTH};
use crate::{env, screen};

#[cfg(test)]
mod tests;

/// The polling interval of `--follow`.
const PAUSE: Duration = Duration::from_millis(200);

pub(crate) fn show(call: &CommandContext, asked: &LogArgs) -> Result<Exit, EarlyExit> {
    let (place, _) = call.project_to_show()?;
    let store = Store::open(&place, clock::first())?;
    if let Some(seq) = asked.at.map(Seq) {
        return whole(call, &store, seq);
    }
    let run = match &asked.run {
        Some(typed) => Some(which(&Status::of(&place)?, typed)?),
        None => None,
    };
    let (mut last, lines) = newest(&store, asked.last as usize, run.as_deref())?;
    if let Some(run) = run.as_deref().filter(|_| lines.is_empty() && !asked.follow) {
        return Err(no_run(run).into());
    }
    if lines.is_empty() && call.answer == OutputFormat::Text && !asked.follow {
        screen::print("nothing has happened here yet\n")?;
    }
    print(call, &lines)?;
    let mut looked = None;
    while asked.follow && !process::nobody_reads() {
        // A run can end only through a write, and its last events must still be shown.
        let end = store.last()?;
        let is_over = looked.replace(end) != Some(end) && is_over(&place, run.as_deref())?;
        let (now, lines) = since(&store, last, run.as_deref())?;
        print(call, &lines)?;
        if is_over {
            break;
        }
        last = now;
        std::thread::sleep(PAUSE);
    }
    Ok(Exit::Done)
}

/// Returns whether no more events of a run will come.
fn is_over(place: &Place, run: Option<&str>) -> Result<bool, EarlyExit> {
    let Some(run) = run.and_then(|run| RunId::parse(run).ok()) else { return Ok(false) };
    Ok(Engine::open(place, &env::all())?.is_over(&run)?)
}

/// Finds a run by its full name, or by a unique prefix.
fn which(status: &Status, typed: &str) -> Result<String, EarlyExit> {
    let known = || status.runs.iter().map(RunId::as_str);
    let mut matching = known().filter(|id| id.starts_with(typed));
    match (matching.next(), matching.next()) {
        (Some(first), Some(second)) if !known().any(|id| id == typed) => {
            let message = format!("`{typed}` may be `{first}` or `{second}`");
            Err(Fault::new(Exit::NotFound, Code::NoRun, message)
                .help("type more of the name")
                .into())
        }
        (Some(only), None) => Ok(only.to_owned()),
        // The journal also contains runs that no longer exist.
        (Some(_), Some(_)) | (None, _) => Ok(typed.to_owned()),
    }
}

fn no_run(run: &str) -> Fault {
    Fault::new(Exit::NotFound, Code::NoRun, format!("the journal knows no run `{run}`"))
        .help("`sprag` lists the runs")
        .safe("sprag")
}

/// Returns the last position and up to `count` entries before it, oldest first.
fn newest(store: &Store, count: usize, run: Option<&str>) -> Result<(Seq, Vec<Record>), EarlyExit> {
    let mut last = None;
    let mut lines = Vec::new();
    for record in store.history()? {
        let record = record?;
        last.get_or_insert(record.seq);
        if lines.len() == count {
            break;
        }
        lines.extend(Some(record).filter(|record| about(record, run)));
    }
    lines.reverse();
    Ok((last.unwrap_or(Seq(0)), lines))
}

/// Returns the last position and the entries after `seen`, oldest first.
pub(crate) fn since(
    store: &Store,
    seen: Seq,
    run: Option<&str>,
) -> Result<(Seq, Vec<Record>), EarlyExit> {
    // The last position is cheap to read, so polling costs next to nothing.
    if store.last()? == seen {
        return Ok((seen, Vec::new()));
    }
    let new = |record: &Result<Record, StoreError>| {
        record.as_ref().map_or(true, |record| record.seq > seen)
    };
    let mut lines = store.history()?.take_while(new).collect::<Result<Vec<_>, _>>()?;
    lines.reverse();
    let last = lines.last().map_or(seen, |record| record.seq);
    lines.retain(|record| about(record, run));
    Ok((last, lines))
}

fn about(record: &Record, run: Option<&str>) -> bool {
    let is = |event: &Event| event.run.as_ref().map(RunId::as_str) == run;
    run.is_none() || record.events.iter().any(is)
}

fn print(call: &CommandContext, lines: &[Record]) -> Result<(), EarlyExit> {
    match call.answer {
        OutputFormat::Json => lines.iter().try_for_each(screen::print_json),
        OutputFormat::Text if lines.is_empty() => Ok(()),
        OutputFormat::Text => {
            screen::print(&lines.iter().map(|record| rows(call.look, record)).collect::<String>())
        }
    }
}

/// `#388 2026-03-05 10:41:07 r-7k2m   stop.refused  gate=tests retry=2`
fn rows(look: StreamStyle, record: &Record) -> String {
    let mut out = String::new();
    let number = record.seq.0.to_string();
    let head = format!("#{number:<5} {}", moment(record.at));
    // Long entry numbers widen the line, so that the event stays readable.
    let width = WIDTH + number.len().saturating_sub(5);
    let mut row = |run: &str, kind: &str, rest: &str| {
        let run = look.clip(run, 10);
        let line = format!("{head} {run:<8} {:<16} {rest}", look.clip(kind, 30));
        let _ = writeln!(out, "{}", look.clip(line.trim_end(), width));
    };
    for event in &record.events {
        let run = event.run.as_ref().map_or("-", |id| id.as_str());
        row(run, event.kind.as_str(), &pairs(&event.data));
    }
    if record.events.is_empty() {
        let docs: Vec<_> = record.edits.iter().map(|edit| edit.doc.as_str()).collect();
        row("-", "edit", &docs.join(" "));
    }
    out
}

/// Formats a time in UTC: `2026-03-05 10:41:07`.
fn moment(at: Time) -> String {
    at.to_string().replacen('T', " ", 1).chars().take(19).collect()
}

/// The keys to show first, in this order; the others follow, and hashes come last.
const FIRST: [&str; 8] = ["source", "unit", "gate", "verdict", "how", "host", "task", "why"];

/// Formats an event's data as `key=value`. Nested values are only counted; `--at` shows them.
fn pairs(data: &Value) -> String {
    let is_hash =
        |text: &str| text.len() >= 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let rank = |(key, value): &(&String, &Value)| match value.as_str() {
        Some(text) if is_hash(text) => usize::MAX,
        _ => FIRST.iter().position(|first| key == first).unwrap_or(FIRST.len()),
    };
    let short = |value: &Value| match value {
        Value::String(text) if is_hash(text) => text[..7].to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(items) => format!("[{}]", items.len()),
        Value::Object(keys) => format!("{{{}}}", keys.len()),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.to_string(),
    };
    match data {
        Value::Null => String::new(),
        Value::Object(keys) => {
            let mut filled: Vec<_> = keys.iter().filter(|(_, value)| !value.is_null()).collect();
            filled.sort_by_key(rank);
            let pairs = filled.into_iter().map(|(key, value)| format!("{key}={}", short(value)));
            pairs.collect::<Vec<_>>().join(" ")
        }
        Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => short(data),
    }
}

fn whole(call: &CommandContext, store: &Store, seq: Seq) -> Result<Exit, EarlyExit> {
    let found = store.record(seq)?.ok_or_else(|| {
        Fault::new(Exit::NotFound, Code::NoEvent, format!("the journal has no event {seq}"))
            .help("`sprag log` shows the last ones")
            .safe("sprag log")
    })?;
    match call.answer {
        OutputFormat::Json => screen::print_json(&found)?,
        OutputFormat::Text => screen::print(&sheet(call.look, &found))?,
    }
    Ok(Exit::Done)
}

/// Draws one full journal entry.
fn sheet(look: StreamStyle, record: &Record) -> String {
    let title = format!("event {}", record.seq);
    let actor = look.clean(&record.actor);
    let mut out = format!("{}  {}  by {actor}\n", look.paint(Tone::Strong, &title), record.at);
    for event in &record.events {
        let run = event.run.as_ref().map_or(String::new(), |id| format!("  {id}"));
        let _ = writeln!(out, "  {}{run}", look.clean(event.kind.as_str()));
        let data = serde_json::to_string_pretty(&event.data).unwrap_or_default();
        for line in data.lines().filter(|_| !event.data.is_null()) {
            let _ = writeln!(out, "    {}", look.clean(line));
        }
    }
    for edit in &record.edits {
        let version = |hash: Option<sprag_core::Hash>| {
            hash.map_or_else(|| "none".to_owned(), |hash| hash.short(8))
        };
        let (before, after) = (version(edit.before), version(edit.after));
        let arrow = look.sign("→", "->");
        let _ = writeln!(out, "  edited {}  {before} {arrow} {after}", look.clean(&edit.doc));
    }
    out
}

//! The status as text: one screen.

use std::fmt::Write as _;

use sprag_core::{Name, SessionId, Time};
use sprag_engine::status::Status;
use sprag_engine::waits::{ListedRun, Wait};
use sprag_world::clock;
use sprag_world::git::GitHead;

use super::{ProjectStatus, Unmerged, board, is_off, name, next};
use crate::style::{StreamStyle, Tone, WIDTH, age, columns, count};

/// The most entries per list; the rest is counted.
pub(super) const SHOWN: usize = 10;

pub(super) fn text(look: StreamStyle, seen: &ProjectStatus) -> String {
    let status = &seen.status;
    let mut out = String::new();
    let _ = writeln!(out, "{}", summary(look, seen));
    guard(&mut out, look, seen);
    needs_you(&mut out, look, seen);
    if !status.unknown.is_empty() {
        heading(&mut out, look, "UNREADABLE: FIX THESE FIRST");
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
    unmerged(&mut out, look, &seen.unmerged);
    if let Some(board) = &status.board {
        board::text(&mut out, look, board);
    }
    if !seen.free.is_empty() {
        heading(&mut out, look, "SET FREE BY A PERSON");
        let line = |id: &SessionId| format!("  {id}\n     sprag resume {id}\n");
        list(&mut out, seen.free.iter().map(line));
    }
    documents(&mut out, look, "COMMITTED, NOT YET WRITTEN", &status.pending);
    documents(&mut out, look, "EDITED OUTSIDE SPRAG", &status.foreign);
    documents(&mut out, look, "RESTORED AFTER A KILL OR REBOOT", &status.redone);
    host_hooks(&mut out, look, status);
    let all = next(Some(seen));
    if let Some(command) = all.human.first().or(all.safe.first()) {
        let _ = write!(out, "\nNext: {command}\n");
    }
    out
}

/// `shop · main @ 9f3c1e2 · event 412 · 2 runs · 1 cannot be read`
fn summary(look: StreamStyle, seen: &ProjectStatus) -> String {
    let status = &seen.status;
    let mut parts = vec![look.paint(Tone::Strong, &look.clip(&name(status), WIDTH / 2))];
    let short = |commit: &str| commit.chars().take(7).collect::<String>();
    match &status.head {
        Some(GitHead::Branch { name, commit }) => {
            let at = commit.as_deref().map_or("no commit yet".to_owned(), short);
            parts.push(format!("{} @ {at}", look.clip(name, WIDTH / 2)));
        }
        Some(GitHead::Detached { commit }) => parts.push(format!("detached @ {}", short(commit))),
        Some(GitHead::Unknown) | None => {}
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

/// Shows the gates that hold sessions, and the hosts whose sessions are not held.
fn guard(out: &mut String, look: StreamStyle, seen: &ProjectStatus) {
    if seen.status.guard.is_empty() {
        return;
    }
    let gates: Vec<&str> = seen.status.guard.iter().map(Name::as_str).collect();
    let whose = if seen.unheld.is_empty() { "every session here is" } else { "sessions here are" };
    let line = format!("{whose} held to: {}", gates.join(", "));
    let _ = writeln!(out, "{}", look.clip(&line, WIDTH));
    let cross = look.paint(Tone::Bad, look.sign("✗", "x"));
    for (host, why) in &seen.unheld {
        let line = format!("but not in {}: {why}", host.name());
        let _ = writeln!(out, "  {cross} {}", look.clip(&line, WIDTH - 4));
    }
}

/// Numbers the waits for the user, with the command that answers each.
fn needs_you(out: &mut String, look: StreamStyle, seen: &ProjectStatus) {
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

fn run_line(look: StreamStyle, run: &ListedRun, now: Time) -> String {
    let owner = run.owner.as_ref().map_or("nobody", SessionId::as_str);
    let owner: String = owner.chars().take(15).collect();
    let age = age(now.since(run.started));
    let at = look.clip(&run.at, 34);
    let pad = " ".repeat(34_usize.saturating_sub(columns(&at)));
    let life = run.life.as_str();
    let mut shown = format!("  {}  {at}{pad}  {owner:<15}  {life:<7}  {age}\n", run.id);
    for gate in &run.stale {
        let said = format!("{gate}: passed on other files than there are now");
        let _ = writeln!(shown, "          {}", look.clip(&said, WIDTH - 10));
    }
    for limit in &run.limits {
        let said = format!("{limit}: {}", limit.why);
        let _ = writeln!(shown, "          {}", look.clip(&said, WIDTH - 10));
    }
    shown
}

/// Names the branches to take over; `sprag doctor` shows the commands for the others.
pub(super) fn unmerged(out: &mut String, look: StreamStyle, all: &[Unmerged]) {
    if all.is_empty() {
        return;
    }
    heading(out, look, "WORK IN A BRANCH, NOT MERGED");
    let mut older = 0;
    for one in all {
        let Some(command) = &one.command else {
            older += 1;
            continue;
        };
        let (branch, command) = (look.clip(&one.branch, WIDTH - 2), look.clean(command));
        let _ = write!(out, "  {branch}\n     {command}\n");
    }
    if older > 0 {
        let _ = writeln!(out, "  and {older} older: sprag doctor");
    }
}

fn documents(out: &mut String, look: StreamStyle, title: &str, docs: &[String]) {
    if docs.is_empty() {
        return;
    }
    heading(out, look, title);
    let note = look.paint(Tone::Note, "!");
    list(out, docs.iter().map(|doc| format!("  {note} {}\n", look.clip(doc, WIDTH - 4))));
}

fn host_hooks(out: &mut String, look: StreamStyle, status: &Status) {
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

pub(super) fn heading(out: &mut String, look: StreamStyle, title: &str) {
    let _ = writeln!(out, "\n {}", look.paint(Tone::Quiet, title));
}

pub(super) fn list(out: &mut String, items: impl ExactSizeIterator<Item = String>) {
    let more = items.len().saturating_sub(SHOWN);
    out.extend(items.take(SHOWN));
    if more > 0 {
        let _ = writeln!(out, "  and {more} more");
    }
}

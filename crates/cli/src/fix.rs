//! `sprag doctor --fix`: repairs what can be repaired without losing anything. Only a person may
//! use it: it rejects agents, and shows each repair before it performs any.

use std::fmt::Write as _;
use std::time::Duration;

use serde_json::json;
use sprag_engine::engine::Engine;
use sprag_engine::inbox::mend::{ASIDE, Mend};
use sprag_engine::retention::{AT_ONCE, DAYS, Old};
use sprag_engine::status::{Status, Unknown, What};
use sprag_store::{Restarted, Store};
use sprag_world::clock;

use crate::codes::Code;
use crate::context::{CommandContext, OutputFormat};
use crate::diff;
use crate::env;
use crate::exit::Exit;
use crate::fault::{EarlyExit, Fault, Next};
use crate::style::{StreamStyle, count, size};
use crate::{doctor, person, question, screen};

/// How long to wait for another command's lock.
const WAIT: Duration = Duration::from_secs(5);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Repair {
    /// Nothing can be committed after a journal that cannot be read.
    RestartJournal,
    /// Documents and files that a killed process left half done.
    Tidy { pending: usize, leftovers: usize },
    /// Runs that ended long ago.
    Forget(Old),
    /// An inbox document that cannot be read.
    SetAside(Mend),
}

impl Repair {
    fn said(&self) -> String {
        match self {
            Self::RestartJournal => {
                "set .sprag/journal aside and begin a new one from the documents as they are"
                    .to_owned()
            }
            Self::Tidy { pending, leftovers } => format!(
                "write {} that {} committed, and remove {} left behind",
                count(*pending, "document"),
                if *pending == 1 { "is" } else { "are" },
                count(*leftovers, "file"),
            ),
            Self::Forget(Old { runs, bytes, .. }) => {
                let (all, now) = (runs.len(), runs.len().min(AT_ONCE));
                let part = if now < all { format!("{now} of ") } else { String::new() };
                let (runs, bytes) = (count(all, "run"), size(*bytes));
                format!("forget {part}{runs} that ended more than {DAYS} days ago ({bytes})")
            }
            Self::SetAside(mend) => {
                let path = &mend.path;
                match (&mend.before, &mend.after) {
                    (Some(_), Some(_)) => format!("keep {path} aside and put back what is known"),
                    (Some(_), None) => format!("keep {path} aside and remove it"),
                    (None, _) => format!("put back what is known of {path}"),
                }
            }
        }
    }
}

pub(crate) fn mend(call: &CommandContext, yes: bool) -> Result<Exit, EarlyExit> {
    person::only("doctor --fix")?;
    let place = call.project()?;
    let status = Status::of(&place)?;
    let mut repairs = repairs(&status, &doctor::old_runs(&place, &status)?);
    let environment = env::all();
    let engine = Engine::open(&place, &environment)?;
    if status.board.as_ref().is_some_and(|board| !board.unknown.is_empty()) {
        repairs.extend(engine.mends()?.into_iter().map(Repair::SetAside));
    }
    let mended = |path: &str| {
        repairs
            .iter()
            .any(|one| matches!(one, Repair::SetAside(mend) if mend.path.as_str() == path))
    };
    // Problems that only an editor can fix, or that cannot be fixed here.
    let left = status.unknown.iter().find(|one| one.what != What::Journal && !mended(&one.path));
    if let Some(left) = left.filter(|_| repairs.is_empty()) {
        return Err(beyond(left).into());
    }
    if call.answer == OutputFormat::Text {
        screen::print(&plan(&repairs))?;
    }
    if !repairs.is_empty() {
        question::agreed(yes, "Apply?", "sprag doctor --fix --yes")?;
    }
    let kept = carry_out(&engine, &Store::open(&place, clock::first())?, &repairs)?;
    match call.answer {
        OutputFormat::Json => screen::print_json(&json!({
            "ok": left.is_none(),
            "left": left.map(|left| &left.path),
            "kept": kept,
            "mended": repairs.iter().map(Repair::said).collect::<Vec<_>>(),
            "next": Next { safe: vec!["sprag doctor".to_owned()], human: vec![] },
        }))?,
        OutputFormat::Text if repairs.is_empty() => {}
        OutputFormat::Text => {
            let kept = kept.map_or(String::new(), |path| format!(" The old journal is {path}."));
            let is_aside =
                |one: &Repair| matches!(one, Repair::SetAside(mend) if mend.before.is_some());
            let aside = if repairs.iter().any(is_aside) {
                format!(" The earlier file is kept in {ASIDE}/.")
            } else {
                String::new()
            };
            screen::print(&format!("Mended.{kept}{aside} Next: sprag doctor\n"))?;
        }
    }
    match (left, call.answer) {
        (None, _) => Ok(Exit::Done),
        (Some(_), OutputFormat::Json) => Ok(Exit::Unreadable),
        (Some(left), OutputFormat::Text) => Err(beyond(left).into()),
    }
}

/// Performs the repairs; returns the path of the old journal, if it was set aside.
fn carry_out(
    engine: &Engine<'_>,
    store: &Store,
    repairs: &[Repair],
) -> Result<Option<String>, EarlyExit> {
    let mut kept = None;
    for repair in repairs {
        match repair {
            Repair::RestartJournal => {
                let done = store.restart_journal(clock::now(), "person", WAIT);
                let Restarted { aside, unsynced } = done.map_err(unwritten)?;
                kept = Some(format!(".sprag/{aside}"));
                if let Some(error) = unsynced {
                    let message = format!("done, but the disk did not confirm it: {error}");
                    return Err(Fault::new(Exit::Failed, Code::NotWritten, message).into());
                }
            }
            Repair::Tidy { .. } => store.tidy(WAIT).map_err(unwritten)?,
            Repair::Forget(old) => {
                old.forget(store, (clock::now(), "person"), WAIT).map_err(unwritten)?;
            }
            Repair::SetAside(mend) => {
                engine.set_aside(mend, "person")?;
            }
        }
    }
    Ok(kept)
}

fn beyond(left: &Unknown) -> Fault {
    let message = format!("`doctor --fix` cannot mend this: {}", left.why);
    Fault::new(Exit::Unreadable, Code::State, message)
        .at(left.path.clone())
        .help("`sprag doctor` says more")
        .safe("sprag doctor")
}

/// Returns whether anything needs repair.
pub(crate) fn is_needed(status: &Status, old: &Old) -> bool {
    let inbox = status.board.as_ref().is_some_and(|board| !board.unknown.is_empty());
    inbox || !repairs(status, old).is_empty()
}

fn repairs(status: &Status, old: &Old) -> Vec<Repair> {
    if status.unknown.iter().any(|one| one.what == What::Journal) {
        return vec![Repair::RestartJournal];
    }
    let (pending, leftovers) = (status.pending.len(), status.leftovers.len());
    let tidy = (pending + leftovers > 0).then_some(Repair::Tidy { pending, leftovers });
    let forget = (!old.runs.is_empty()).then(|| Repair::Forget(old.clone()));
    tidy.into_iter().chain(forget).collect()
}

fn plan(repairs: &[Repair]) -> String {
    if repairs.is_empty() {
        return "nothing that --fix can mend\n".to_owned();
    }
    let mut text = String::new();
    for repair in repairs {
        let _ = writeln!(text, "will {}", repair.said());
        if let Repair::SetAside(mend) = repair {
            let [before, after] =
                [&mend.before, &mend.after].map(|text| text.as_deref().unwrap_or_default());
            for line in diff::changes(before, after) {
                let _ = writeln!(text, "  {}", StreamStyle::PLAIN.clean(&line));
            }
        }
    }
    text
}

/// Reports a failed repair as a failure and not as unreadable state, which was known before.
fn unwritten(error: sprag_store::StoreError) -> Fault {
    let mut fault = Fault::from(error);
    if fault.exit == Exit::Unreadable {
        fault.exit = Exit::Failed;
        fault.diagnostic.code = Code::NotWritten;
    }
    fault
}

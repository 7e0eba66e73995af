//! Notifies an absent person with the command of `notify:`.

use std::time::Duration;

use serde_json::json;
use sprag_core::{Facts, Hold, RunId, Signal, typed};
use sprag_store::View;
use sprag_world::process::{self, Command, Exit};
use sprag_world::{clock, ids};

use super::end::forget_agents;
use crate::agents_file::{AgentsFile, told_key};
use crate::conclude::Concluded;
use crate::draft::Draft;
use crate::engine::kind::Kinds;
use crate::engine::{Engine, EngineError};
use crate::inbox;
use crate::open_run::OpenRun;

/// The time limit of the command.
const LIMIT: Duration = Duration::from_secs(10);

/// The kind of notice for a hold that waits for a person.
pub const NEEDS_YOU: &str = "needs-you";

/// A notice to a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct News<'a> {
    /// The kind: [`NEEDS_YOU`], `done` or `failed`.
    pub what: &'a str,
    /// The unit it is about, if any. The same text about another unit is another notice.
    pub unit: Option<&'a str>,
    /// The text for people. A notice about a hold ends with the reason, on one line.
    pub text: &'a str,
    /// The command to type.
    pub command: &'a str,
}

pub fn in_a_line(hold: &Hold) -> String {
    first_line(&hold.to_string()).to_owned()
}

pub fn first_line(text: &str) -> &str {
    text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default()
}

/// Records a person's answer in a run and the attempts that ended by it. A hold that occurs again
/// from now on is announced again.
pub(crate) fn answered(
    view: &View<'_>,
    case: &OpenRun,
    (signal, concluded): (&Signal, &Concluded),
    facts: &Facts,
    draft: &mut Draft,
) -> Result<(), EngineError> {
    let own = case.run.id();
    let is_assigned = case.run.live.info().is_assigned;
    let inbox = is_assigned.then(inbox::run).transpose()?;
    let still = case.run.live.waiting(facts);
    for run in std::iter::once(own.clone()).chain(inbox) {
        let before = AgentsFile::read(view, &run)?;
        let mut ledger = before.clone();
        if run == *own {
            concluded.count(&mut ledger.tally);
            forget_agents(&mut ledger, &*case.run.live);
            for (fence, unit) in &concluded.judged {
                let working = ledger.working.entry(fence.0.0).or_default();
                working.unit = unit.to_string();
                working.said.get_or_insert_default();
            }
            for working in ledger.working.values_mut() {
                working.waived.extend(concluded.waived.iter().cloned());
            }
        }
        ledger.forget_told(&run, &still);
        if matches!(signal, Signal::Answered { .. }) {
            ledger.forget_asked(&*case.run.live);
        }
        if ledger != before {
            draft.edit(ledger.edit(&run)?);
        }
    }
    Ok(())
}

/// Formats the notice that a run waits for a person.
pub fn needs_you(run: &RunId, why: &str) -> String {
    format!("{run} needs you: {why}")
}

/// Records a hold as known, because the person set it.
pub(crate) fn knows(
    kinds: Kinds,
    view: &View<'_>,
    run: &RunId,
    hold: &Hold,
    draft: &mut Draft,
) -> Result<(), EngineError> {
    let is_assigned = OpenRun::open(kinds, view, run)?.run.live.info().is_assigned;
    let inbox = is_assigned.then(inbox::run).transpose()?;
    for run in std::iter::once(run.clone()).chain(inbox) {
        let mut ledger = AgentsFile::read(view, &run)?;
        if ledger.how.is_some() {
            ledger.told.insert(told_key(NEEDS_YOU, None, &needs_you(&run, &in_a_line(hold))));
            draft.edit(ledger.edit(&run)?);
        }
    }
    Ok(())
}

/// The result of a notice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoticeResult {
    /// The command accepted it.
    Sent,
    /// No command is set, or the notice was sent before.
    Silent,
    /// Sending failed, for this reason.
    Failed(String),
}

impl Engine<'_> {
    /// Notifies a person once that a run needs them, is done or failed: the command of `notify:`
    /// reads one JSON object and gets the text as its last argument. A failure of the command does
    /// not affect the run.
    pub fn drive_notify(&self, run: &RunId, news: &News<'_>) -> Result<NoticeResult, EngineError> {
        let News { what, unit, text, command } = *news;
        if !self.drive_tell(run, news)? {
            return Ok(NoticeResult::Silent);
        }
        let config = self.drive_config()?;
        let Some(argv) = config.notify.command else { return Ok(NoticeResult::Silent) };
        let deed = self.deed();
        if !self.bench(&deed, config.checks).may_run(&argv) {
            let why = format!("`{}` is not allowed here; `sprag run` asks for it", typed(&argv));
            return Ok(NoticeResult::Failed(why));
        }
        let event = json!({
            "v": 1, "what": what, "run": run.as_str(), "unit": unit, "text": text,
            "command": command,
            "root": self.place.root.display().to_string(), "at": clock::now().to_string(),
        });
        let mut words = argv;
        words.push(format!("{text}; type: {command}"));
        let told = self.tell_by(words, &format!("{event}\n"));
        Ok(told.map_or_else(NoticeResult::Failed, |()| NoticeResult::Sent))
    }

    fn tell_by(&self, argv: Vec<String>, event: &str) -> Result<(), String> {
        let command = Command {
            argv,
            folder: self.place.root.clone(),
            environment: process::clean(self.environment.iter().cloned()),
            effect: ids::effect().map_err(|bad| bad.to_string())?,
            limit: LIMIT,
        };
        let asked = command.ask(event.as_bytes().to_vec());
        let (ran, complaint) = asked.map_err(|bad| bad.to_string())?;
        let said = if complaint.is_empty() { String::new() } else { format!(": {complaint}") };
        match ran.exit {
            Exit::Code(0) => Ok(()),
            Exit::Code(code) => Err(format!("it exited with {code}{said}")),
            Exit::Signal(signal) => Err(format!("signal {signal} ended it{said}")),
            Exit::TimedOut | Exit::Idle | Exit::Flooded | Exit::Stopped => {
                Err(format!("it took longer than {} s", LIMIT.as_secs()))
            }
        }
    }
}

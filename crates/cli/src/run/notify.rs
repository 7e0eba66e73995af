//! Notifies an absent user through the command in `notify:`, once per event.

use sprag_core::{Hold, Outcome, RunId, UnitId};
use sprag_engine::drive::{self, NEEDS_YOU, News, NoticeResult, in_a_line, is_inbox};
use sprag_engine::engine::Engine;
use sprag_engine::waits::Wait;
use sprag_run::RunEnd;

use super::summary::again;
use crate::fault::EarlyExit;

/// Notifies of the end of a run.
pub(super) fn end(
    engine: &Engine<'_>,
    run: &RunId,
    end: &RunEnd,
    outcome: Outcome,
) -> Result<NoticeResult, EarlyExit> {
    match end {
        RunEnd::Done => {
            let (text, command) =
                (format!("{run} is {}", outcome.as_str()), format!("sprag report {run}"));
            let news = News { what: outcome.as_str(), unit: None, text: &text, command: &command };
            Ok(engine.drive_notify(run, &news)?)
        }
        RunEnd::Held(hold) => needs_you(engine, run, None, hold),
        RunEnd::Spent(used) => {
            tell(engine, run, None, &Hold::Budget(used.clone()), &used.to_string())
        }
        // The user did that.
        RunEnd::Cancelled | RunEnd::Paused => Ok(NoticeResult::Silent),
    }
}

/// Notifies that a run, or one of its units, waits for a person.
pub(super) fn needs_you(
    engine: &Engine<'_>,
    run: &RunId,
    unit: Option<&UnitId>,
    hold: &Hold,
) -> Result<NoticeResult, EarlyExit> {
    tell(engine, run, unit, hold, &in_a_line(hold))
}

fn tell(
    engine: &Engine<'_>,
    run: &RunId,
    unit: Option<&UnitId>,
    hold: &Hold,
    why: &str,
) -> Result<NoticeResult, EarlyExit> {
    let waits = engine.waits()?;
    // In the inbox, the run of an assignment waits.
    let is_it = |wait: &&Wait| (wait.run == *run || is_inbox(run)) && wait.hold == *hold;
    let all: Vec<&Wait> = waits.iter().filter(is_it).collect();
    let own = all.iter().find(|wait| unit.is_some() && wait.unit.as_ref() == unit);
    let found = own.or(all.first());
    let command = found.map_or_else(|| again(run), |wait| wait.command.clone());
    let unit = found.and_then(|wait| wait.unit.as_ref()).map(UnitId::as_str);
    let text = drive::needs_you(run, why);
    Ok(engine.drive_notify(run, &News { what: NEEDS_YOU, unit, text: &text, command: &command })?)
}

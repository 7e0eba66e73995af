//! What holds one session, in a few words: the read model behind a host's status line.
//!
//! A host asks for it every few seconds, so nothing is looked at but the session's own documents:
//! not the files, not the receipts, not the other sessions.

use sprag_core::{Facts, Hold, SessionId, Time};

use crate::engine::{Engine, EngineError};
use crate::live::Live;
use crate::run_file::{RunFile, Source};
use crate::session::{self, Known};
use crate::sitting::{Law, Now, Sitting};

/// How a session stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// sprag stays out of this project.
    Off,
    /// A person set it free, for so long.
    Free {
        /// Until when, where the person said so.
        until: Option<Time>,
    },
    /// It is held to these; none where nothing is to be held to.
    Held(Vec<Part>),
}

/// One thing that a session is held to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What it is: `guard: npm test`, where a workflow stands, or what cannot be read.
    pub at: String,
    /// The gate that failed last.
    pub failed: Option<String>,
    /// How many retries are used, of how many.
    pub retry: Option<(u32, u32)>,
    /// What waits for a person.
    pub waits: Option<Hold>,
}

impl Engine<'_> {
    /// Returns how a session stands.
    pub fn line(&self, id: &SessionId) -> Result<Line, EngineError> {
        let now = Now::new(self);
        self.look(|view| {
            let known = session::read(view, id)?;
            if matches!(known, Known::New) {
                let (law, _) = Law::of(view, None)?;
                let gates = law.config.guard.as_ref().map_or(&[][..], |guard| &guard.gates);
                let part = (!gates.is_empty()).then(|| Part::guard(gates));
                return Ok(if law.config.off {
                    Line::Off
                } else {
                    Line::Held(Vec::from_iter(part))
                });
            }
            let sitting = Sitting::load(view, id, &now)?;
            let paused = sitting.file.paused.as_ref().filter(|_| sitting.file.is_paused(now.at));
            if sitting.law.config.off {
                return Ok(Line::Off);
            }
            if let Some(paused) = paused {
                return Ok(Line::Free { until: paused.until });
            }
            let facts = Facts::new(now.at, view.seq(), sitting.file.tree);
            let live = sitting.runs.iter().filter(|run| run.header.ended.is_none());
            let unread = sitting.trouble.iter().map(|why| Part::unreadable(why));
            let mut parts: Vec<Part> =
                unread.chain(live.map(|run| Part::of(run, &facts))).collect();
            let guarded = sitting.runs.iter().any(|run| run.header.source == Source::Guard);
            if let (false, Some(guard)) = (guarded, sitting.guard()) {
                parts.push(Part::guard(&guard.gates));
            }
            Ok(Line::Held(parts))
        })
    }
}

impl Part {
    /// Returns a guard that has not begun.
    fn guard(gates: &[sprag_core::GateSpec]) -> Self {
        let names: Vec<_> = gates.iter().map(|spec| spec.gate.name.as_str()).collect();
        let at = format!("guard: {}", names.join(", "));
        Self { at, failed: None, retry: None, waits: None }
    }

    /// Returns what cannot be read, and may be what holds it.
    fn unreadable(why: &str) -> Self {
        Self { at: format!("cannot be read: {why}"), failed: None, retry: None, waits: None }
    }

    fn of(run: &RunFile, facts: &Facts) -> Self {
        let at = run.at();
        let waits = run.live.waiting(facts).into_iter().next().map(|waiting| waiting.hold);
        let working = !run.live.attempts().is_empty();
        let red = run.live.failed().filter(|_| working);
        let failed = red.map(|red| red.receipt.gate.to_string());
        let retry = match &run.live {
            Live::Guard(held) => held.run.bounds().values().next(),
            // Which of several bounds is spent here is the machine's to know.
            Live::Workflow(_) | Live::Plan(_) | Live::Loop(_) | Live::Gsd(_) | Live::Pr(_) => None,
        };
        let retry = retry.filter(|_| failed.is_some()).map(|bound| (bound.used(), bound.max()));
        Self { at, failed, retry, waits }
    }
}

//! A short summary of what holds a session, for the status line of a host.
//!
//! A host requests it every few seconds, so only the session's own documents are read: no files,
//! receipts or other sessions.

use sprag_core::{Facts, Hold, SessionId, Time};

use crate::engine::{Engine, EngineError};
use crate::now::Now;
use crate::run_file::RunFile;
use crate::session::{self, LoadedSession};
use crate::snapshot::{ConfigSnapshot, Snapshot};

/// The state of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SessionLine {
    /// sprag is off in this project.
    Off,
    /// A person set the session free.
    Free {
        /// The end of the freedom, if it has one.
        until: Option<Time>,
    },
    /// The session is held to these; possibly none.
    Held(Vec<HoldingRun>),
}

/// One run that holds a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HoldingRun {
    /// A summary: `guard: npm test`, the position of a workflow, or an error.
    pub at: String,
    /// The gate that failed last.
    pub failed: Option<String>,
    /// Retries used and allowed.
    pub retry: Option<(u32, u32)>,
    /// The hold that waits for a person.
    pub waits: Option<Hold>,
}

impl Engine<'_> {
    pub fn line(&self, id: &SessionId) -> Result<SessionLine, EngineError> {
        let now = Now::new(self);
        self.look(|view| {
            let known = session::read(view, id)?;
            if matches!(known, LoadedSession::New) {
                let (law, _) = ConfigSnapshot::of(view, None)?;
                let gates = law.config.guard.as_ref().map_or(&[][..], |guard| &guard.gates);
                let part = (!gates.is_empty()).then(|| HoldingRun::guard(gates));
                return Ok(if law.config.off {
                    SessionLine::Off
                } else {
                    SessionLine::Held(Vec::from_iter(part))
                });
            }
            let sitting = Snapshot::load(view, id, &now)?;
            let paused = sitting.file.paused.as_ref().filter(|_| sitting.file.is_paused(now.at));
            if sitting.law.config.off {
                return Ok(SessionLine::Off);
            }
            if let Some(paused) = paused {
                return Ok(SessionLine::Free { until: paused.until });
            }
            let facts = Facts::new(now.at, view.seq(), sitting.file.tree);
            let live = sitting.runs.iter().filter(|run| run.header.ended.is_none());
            let unread = sitting.trouble.iter().map(|why| HoldingRun::unreadable(why));
            let mut parts: Vec<HoldingRun> =
                unread.chain(live.map(|run| HoldingRun::of(run, &facts))).collect();
            let guarded = sitting.runs.iter().any(|run| run.live.info().is_automatic);
            if let (false, Some(guard)) = (guarded, sitting.guard()) {
                parts.push(HoldingRun::guard(&guard.gates));
            }
            Ok(SessionLine::Held(parts))
        })
    }
}

impl HoldingRun {
    /// Describes a guard that has not begun.
    fn guard(gates: &[sprag_core::GateSpec]) -> Self {
        let names: Vec<_> = gates.iter().map(|spec| spec.gate.name.as_str()).collect();
        let at = format!("guard: {}", names.join(", "));
        Self { at, failed: None, retry: None, waits: None }
    }

    /// Describes a document that cannot be read and may hold the session.
    fn unreadable(why: &str) -> Self {
        Self { at: format!("cannot be read: {why}"), failed: None, retry: None, waits: None }
    }

    fn of(run: &RunFile, facts: &Facts) -> Self {
        let at = run.at();
        let waits = run.live.waiting(facts).into_iter().next().map(|waiting| waiting.hold);
        let working = !run.live.attempts().is_empty();
        let red = run.live.failed().filter(|_| working);
        let failed = red.map(|red| red.receipt.gate.to_string());
        let retry = run.live.retries().filter(|_| failed.is_some());
        Self { at, failed, retry, waits }
    }
}

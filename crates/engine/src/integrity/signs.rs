//! The signs of life of a turn's agent: when it was last active, and which of its processes remain.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use sprag_core::Time;
use sprag_core::basis::{
    Attribution, ChangeFacts, Origin, Others, OwnCalls, Processes, Tool, TurnExtent, whose,
};
use sprag_world::process::{self, Life};

use super::Baseline;
use super::turns::{Holder, OpenTurn, TurnState};
use crate::driver_sign::SIGN;
use crate::now::Now;
use crate::session;

/// How long a host whose process is unknown may be silent and still count as active, in
/// milliseconds.
const SILENT: i64 = 10 * 60 * 1000;
/// The same while one of its tools runs.
const LONGEST: i64 = 8 * 60 * 60 * 1000;
/// A killed driver gave its last sign at most this many times [`SIGN`] before.
const SIGNS: u32 = 3;

/// The time span of the changes to attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Span {
    /// Since the unit first began.
    Unit,
    /// Since the turn was judged; earlier changes were attributed then.
    SinceJudged,
}

/// The facts about the turn in which changes may have been made.
#[derive(Debug)]
pub(crate) struct TurnFacts {
    pub(crate) turn: TurnExtent,
    /// Whether another agent worked in the same files.
    pub(crate) others: bool,
    /// The files that tools of this session wrote by name.
    pub(crate) touched: BTreeSet<String>,
    /// The inputs at the beginning of the turn; `None` stands for those of the unit.
    pub(crate) found: Option<Baseline>,
    pub(crate) span: Span,
    /// Processes that agents may have left running.
    pub(crate) processes: LeftRunning,
}

impl TurnFacts {
    /// The facts of an open turn with a single agent.
    pub(crate) fn alone() -> Self {
        Self {
            turn: TurnExtent::Open,
            others: false,
            touched: BTreeSet::new(),
            found: None,
            span: Span::Unit,
            processes: LeftRunning::nothing(),
        }
    }

    /// Attributes the change of a file.
    pub(crate) fn whose(&self, path: &str, now: &Now<'_>) -> Attribution {
        let own = if self.touched.contains(path) { OwnCalls::Touched } else { OwnCalls::Left };
        let processes = match self.turn {
            TurnExtent::Open => Processes::Gone,
            TurnExtent::None | TurnExtent::Stopped | TurnExtent::Interrupted { .. } => {
                self.processes.look(now.at)
            }
        };
        whose(&ChangeFacts {
            origin: Origin::Here,
            turn: self.turn,
            processes,
            others: if self.others { Others::Open { own } } else { Others::None },
            modified: changed_at(&now.engine.files.root, path),
            now: now.at,
        })
    }
}

/// The processes that an agent may have left running. The search runs once, and only if a change
/// has to be attributed.
#[derive(Debug)]
pub(crate) struct LeftRunning {
    marks: Vec<String>,
    begun_by: Time,
    found: OnceCell<Processes>,
}

impl LeftRunning {
    pub(crate) fn nothing() -> Self {
        Self { marks: Vec::new(), begun_by: Time::from_millis(0), found: OnceCell::new() }
    }

    fn of(holder: &Holder, begun_by: Time) -> Self {
        Self { marks: holder.marks.clone(), begun_by, found: OnceCell::new() }
    }

    fn look(&self, now: Time) -> Processes {
        *self.found.get_or_init(|| {
            let is_any =
                !self.marks.is_empty() && process::is_marked_alive(&self.marks, self.begun_by, now);
            if is_any { Processes::Living } else { Processes::Gone }
        })
    }
}

impl OpenTurn {
    /// Returns the last sign of life of its agent.
    fn last_sign(&self, now: &Now<'_>) -> Time {
        let engine = now.engine;
        let heard = if let Some(session) = &self.holder.session {
            let doc = session::named(session).and_then(|id| session::path(&id).ok());
            doc.and_then(|doc| engine.store.seen_at(&doc).ok().flatten())
        } else {
            let sign = self.unit.run.as_ref().and_then(|run| engine.last_sign(run));
            let between = i64::try_from((SIGN * SIGNS).as_millis()).unwrap_or(0);
            sign.map(|sign| sign.plus_millis(between))
        };
        // If unknown, it may be working right now.
        heard.unwrap_or(now.at)
    }

    /// Returns when its agent could act for the last time.
    pub(crate) fn until(&self, now: &Now<'_>) -> Time {
        let (last, tool) = match self.state {
            TurnState::Open if self.is_gone(now) => (self.last_sign(now), self.tool(now)),
            TurnState::Open => return now.at,
            TurnState::Ended { at, in_tool: true } => (at, Tool::Open),
            TurnState::Ended { at, .. } | TurnState::Stopped { at, .. } => (at, Tool::Closed),
        };
        if tool == Tool::Open || self.has_processes(now) { now.at } else { last }
    }

    fn tool(&self, now: &Now<'_>) -> Tool {
        let session = self.holder.session.as_deref();
        session.map_or(Tool::Closed, |session| now.engine.open_tool(session))
    }

    /// Returns whether its host is gone, as far as can be determined.
    pub(crate) fn is_gone(&self, now: &Now<'_>) -> bool {
        match self.holder.process.as_deref().map(process::life) {
            Some(Life::Alive) => false,
            Some(Life::Gone) => true,
            Some(Life::Unknown) | None => {
                let most = match self.tool(now) {
                    Tool::Open => LONGEST,
                    Tool::Closed => SILENT,
                };
                now.at.since(self.last_sign(now)) > most
            }
        }
    }

    /// Returns whether its agent is working. An agent without a host is not.
    pub(crate) fn is_at_work(&self, now: &Now<'_>) -> bool {
        match self.state {
            TurnState::Open => !self.is_gone(now),
            TurnState::Ended { .. } | TurnState::Stopped { .. } => false,
        }
    }

    /// Returns the facts for its own judgement: every change since it began is its agent's,
    /// including those made by gates.
    pub(crate) fn own_facts(&self, now: &Now<'_>) -> TurnFacts {
        let found = Baseline::kept(now.engine, self.found);
        TurnFacts { others: self.shared, found, ..TurnFacts::alone() }
    }

    /// Returns the facts about its changes. `is_over` means that its agent no longer works.
    pub(crate) fn facts(&self, is_over: bool, now: &Now<'_>) -> TurnFacts {
        let (turn, found, span, ended) = match self.state {
            TurnState::Open if !is_over => (TurnExtent::Open, self.found, Span::Unit, now.at),
            TurnState::Open => {
                let last_call = self.last_sign(now);
                let turn = TurnExtent::Interrupted { last_call, tool: self.tool(now) };
                (turn, self.found, Span::Unit, last_call)
            }
            TurnState::Ended { at, in_tool } => {
                let tool = if in_tool { Tool::Open } else { Tool::Closed };
                let turn = TurnExtent::Interrupted { last_call: at, tool };
                (turn, self.found, Span::Unit, at)
            }
            TurnState::Stopped { left, at, .. } => {
                (TurnExtent::Stopped, left, Span::SinceJudged, at)
            }
        };
        TurnFacts {
            turn,
            others: self.shared,
            touched: BTreeSet::new(),
            found: Baseline::kept(now.engine, found),
            span,
            processes: LeftRunning::of(&self.holder, ended),
        }
    }

    /// Returns the facts of changes for the units of others. Those of work that a gate refused were
    /// never weighed, so they count from the beginning of the turn to its end.
    pub(crate) fn facts_for_others(&self, is_over: bool, now: &Now<'_>) -> TurnFacts {
        match self.state {
            TurnState::Stopped { at, refused: true, .. } => {
                let state = TurnState::Ended { at, in_tool: false };
                Self { state, ..self.clone() }.facts(is_over, now)
            }
            TurnState::Open | TurnState::Ended { .. } | TurnState::Stopped { .. } => {
                self.facts(is_over, now)
            }
        }
    }

    /// Returns whether a process that its agent started is alive.
    pub(crate) fn has_processes(&self, now: &Now<'_>) -> bool {
        let begun_by = match self.state {
            TurnState::Open | TurnState::Ended { .. } => now.at,
            TurnState::Stopped { at, .. } => at,
        };
        LeftRunning::of(&self.holder, begun_by).look(now.at) == Processes::Living
    }
}

/// Returns when a file changed, by the timestamp that programs cannot set.
pub(crate) fn changed_at(root: &Path, path: &str) -> Option<Time> {
    let found = root.join(path).symlink_metadata().ok()?;
    let millis = found.ctime().saturating_mul(1000).saturating_add(found.ctime_nsec() / 1_000_000);
    Some(Time::from_millis(millis))
}

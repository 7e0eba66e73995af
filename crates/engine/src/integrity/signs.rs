//! What is known of the agent of a turn: when it was heard last, and what of it is still there.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use sprag_core::Time;
use sprag_core::basis::{
    Attribution, ChangeFacts, Origin, Others, OwnCalls, Processes, Tool, Turn, whose,
};

use super::Baseline;
use super::turns::{Holder, OpenTurn, TurnState};
use crate::drive::SIGN;
use crate::process::{self, Life};
use crate::session;
use crate::sitting::Now;

/// How long a host that cannot be looked for may be silent and still be at work, in milliseconds.
const SILENT: i64 = 10 * 60 * 1000;
/// The same while one of its tools runs.
const LONGEST: i64 = 8 * 60 * 60 * 1000;
/// A driver that is killed gave its last sign at most so many times [`SIGN`] before.
const SIGNS: u32 = 3;

/// Which changes an attribution is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Span {
    /// All since the unit first began.
    Unit,
    /// Those since the turn was judged: the others have their answer.
    SinceJudged,
}

/// What is known of the turn in which changes may have been made.
#[derive(Debug)]
pub(crate) struct TurnFacts {
    /// How far it came.
    pub(crate) turn: Turn,
    /// Whether another agent had the turn in the same files.
    pub(crate) others: bool,
    /// The files that tools of this session named to write.
    pub(crate) touched: BTreeSet<String>,
    /// The inputs as the turn found them; those of the unit where nothing else is known.
    pub(crate) found: Option<Baseline>,
    /// Which changes are attributed.
    pub(crate) span: Span,
    /// What agents may have left running.
    pub(crate) processes: LeftRunning,
}

impl TurnFacts {
    /// The agent that is judged has the turn, and is alone.
    pub(crate) fn alone() -> Self {
        Self {
            turn: Turn::Open,
            others: false,
            touched: BTreeSet::new(),
            found: None,
            span: Span::Unit,
            processes: LeftRunning::nothing(),
        }
    }

    /// Returns whose change of a file it is.
    pub(super) fn whose(&self, path: &str, now: &Now<'_>) -> Attribution {
        let own = if self.touched.contains(path) { OwnCalls::Touched } else { OwnCalls::Left };
        let processes = match self.turn {
            Turn::Open => Processes::Gone,
            Turn::None | Turn::Stopped | Turn::Interrupted { .. } => self.processes.look(now.at),
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

/// The processes that an agent may have left running. They are looked for once, and only where a change
/// is to be attributed.
#[derive(Debug)]
pub(crate) struct LeftRunning {
    marks: Vec<String>,
    begun_by: Time,
    found: OnceCell<Processes>,
}

impl LeftRunning {
    pub(super) fn nothing() -> Self {
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
    /// Returns when its agent was heard last.
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
        // Where nobody can tell, it may be at work to this moment.
        heard.unwrap_or(now.at)
    }

    fn tool(&self, now: &Now<'_>) -> Tool {
        let session = self.holder.session.as_deref();
        session.map_or(Tool::Closed, |session| now.engine.open_tool(session))
    }

    /// Returns whether its host is gone, as far as can be told.
    pub(super) fn is_gone(&self, now: &Now<'_>) -> bool {
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

    /// Returns whether its agent is at work. One whose host is gone is not.
    pub(super) fn is_at_work(&self, now: &Now<'_>) -> bool {
        match self.state {
            TurnState::Open => !self.is_gone(now),
            TurnState::Ended { .. } | TurnState::Stopped { .. } => false,
        }
    }

    /// Returns what is known of its changes while it is judged itself: whatever changed since it began,
    /// also by what the gates run, is its agent's.
    pub(super) fn own_facts(&self, now: &Now<'_>) -> TurnFacts {
        let found = Baseline::kept(now.engine, self.found);
        TurnFacts { others: self.shared, found, ..TurnFacts::alone() }
    }

    /// Returns what is known of its changes. `is_over` tells whether its agent is at work no more.
    pub(super) fn facts(&self, is_over: bool, now: &Now<'_>) -> TurnFacts {
        let (turn, found, span, ended) = match self.state {
            TurnState::Open if !is_over => (Turn::Open, self.found, Span::Unit, now.at),
            TurnState::Open => {
                let last_call = self.last_sign(now);
                let turn = Turn::Interrupted { last_call, tool: self.tool(now) };
                (turn, self.found, Span::Unit, last_call)
            }
            TurnState::Ended { at, in_tool } => {
                let tool = if in_tool { Tool::Open } else { Tool::Closed };
                let turn = Turn::Interrupted { last_call: at, tool };
                (turn, self.found, Span::Unit, at)
            }
            TurnState::Stopped { left, at } => (Turn::Stopped, left, Span::SinceJudged, at),
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

    /// Returns whether something that its agent started is alive.
    pub(super) fn has_processes(&self, now: &Now<'_>) -> bool {
        let begun_by = match self.state {
            TurnState::Open | TurnState::Ended { .. } => now.at,
            TurnState::Stopped { at, .. } => at,
        };
        LeftRunning::of(&self.holder, begun_by).look(now.at) == Processes::Living
    }
}

/// Returns when a file changed, by the time that no program can set.
pub(super) fn changed_at(root: &Path, path: &str) -> Option<Time> {
    let found = root.join(path).symlink_metadata().ok()?;
    let millis = found.ctime().saturating_mul(1000).saturating_add(found.ctime_nsec() / 1_000_000);
    Some(Time::from_millis(millis))
}

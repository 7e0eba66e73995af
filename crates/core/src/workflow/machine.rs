//! A workflow as a machine of the kernel: one unit at a time, that of the current phase.
//!
//! A phase with gates ends at a stop and is left when they pass; a phase without gates is left on
//! the agent's word; a phase with a review is left when that review passes. Everything else, from
//! counting to refusing, is done by the kernel.

use super::advance::enter;
use super::reviewing::{self, Came};
use super::{
    Active, Definitions, OrderEntry, Phase, Position, Review, Reviewing, SessionRecord, View,
    advance, back, start,
};
use crate::event::ReviewEnded;
use crate::{
    Call, Closes, Counts, Denied, DocPath, Event, Facts, Gate, Hash, Hold, KernelDecision, Machine,
    Move, Name, Next, Prompt, Rank, Run, Unit, UnitId, Wall, Word,
};

/// The machine of a workflow.
#[derive(Clone, Copy, Debug)]
pub struct Workflow;

/// A started workflow with its task.
#[derive(Clone, Debug, PartialEq)]
pub struct Started {
    pub definitions: Definitions,
    /// The key of the started workflow.
    pub key: String,
    pub task_id: String,
    /// The task, as a person wrote it.
    pub task: String,
}

impl Started {
    /// The default number of retries of a phase.
    pub const RETRY: u32 = 3;
    /// How many times an agent may go back to the first phase.
    pub const LOOPS: u32 = 20;

    /// Returns the position at which its run begins.
    pub fn begin(&self) -> Position {
        start(&self.definitions, &self.key)
    }

    /// Returns the agent's view at a position.
    pub fn view(&self, position: &Position) -> Option<View> {
        View::of(&self.definitions, &self.state(position))
    }

    /// Returns the current phase.
    pub fn phase(&self, position: &Position) -> Option<&Phase> {
        if position.done {
            return None;
        }
        let mut entered = position.clone();
        enter(&self.definitions, &mut entered.path);
        let entry = super::advance::entry_at(&self.definitions, &entered.path)?;
        self.definitions.first_phase(entry)
    }

    /// Returns every reachable phase, including those of subworkflows.
    pub fn phases(&self) -> impl Iterator<Item = &Phase> {
        let reached = self.definitions.reached(&self.key).into_iter();
        let known = reached.filter_map(|key| self.definitions.get(key));
        known.flat_map(|known| &known.phases).filter_map(|entry| match entry {
            OrderEntry::Phase(phase) => Some(&**phase),
            OrderEntry::Workflow(_) => None,
        })
    }

    /// Returns why a tool is blocked in the current phase; `None` if it is allowed.
    pub fn blocked(&self, position: &Position, call: &Call) -> Option<String> {
        if position.done {
            return None;
        }
        super::tools::blocked_call(&self.definitions, Some(&self.state(position)), call)
    }

    /// Returns the line that shows the state of the run.
    pub fn status_line(&self, position: &Position) -> Option<String> {
        let line = super::status_line(&self.definitions, Some(&self.state(position)))?;
        Some(match self.reviewing(position) {
            Some((review, reviewing)) => format!("{line} · {}", reviewing.at(&review.terms())),
            None => line,
        })
    }

    /// Returns the review of the current phase, once its own work is done.
    pub fn reviewing<'a>(&'a self, position: &'a Position) -> Option<(&'a Review, &'a Reviewing)> {
        self.phase(position)?.review.as_ref().zip(position.review.as_deref())
    }

    /// Returns the notice at the end of the run.
    pub fn notice(&self, position: &Position, cancelled: bool) -> Option<String> {
        let state = SessionRecord { cancelled: Some(cancelled), ..self.state(position) };
        super::session::notice(&self.definitions, &state)
    }

    /// Returns the first message to the agent.
    pub fn first_message(&self) -> String {
        super::session::first_message(&self.definitions, &self.key, &self.task)
    }

    /// Returns the workflow's name for people.
    pub fn name(&self) -> &str {
        self.definitions.get(&self.key).map_or(&self.key, |known| &known.name)
    }

    fn state(&self, position: &Position) -> SessionRecord {
        SessionRecord::new(&self.key, position.clone(), self.task_id.clone(), &self.task, 0)
    }
}

impl Machine for Workflow {
    type Definition = Started;
    type Position = Position;
    const RANK: Rank = Rank::Phase;

    fn limits(started: &Started) -> Vec<(Name, u32)> {
        let mut limits = vec![(Name::literal("loop"), Self::Definition::LOOPS)];
        for key in started.definitions.reached(&started.key) {
            for entry in started.definitions.get(key).map_or(&[][..], |known| &known.phases) {
                if let OrderEntry::Phase(phase) = entry {
                    let max = phase.retry.unwrap_or(Started::RETRY);
                    limits.push((retry(key, phase), max));
                }
            }
        }
        limits
    }

    fn next(started: &Started, run: &Run<Position>, facts: &Facts) -> Next {
        let position = run.position();
        if position.done {
            return Next::Done;
        }
        // A position written by the original may be before a workflow; its first phase is the
        // current one.
        let mut entered = position.clone();
        enter(&started.definitions, &mut entered.path);
        let Some(active) = Active::at(&started.definitions, &entered) else {
            return Next::Held(gone(&started.key));
        };
        let key = active.crumbs.last().map_or("", |(key, _)| key);
        let at = PhaseKey { key, phase: active.phase };
        let review = started.reviewing(position);
        let due = review.map(|(_, stand)| reviewing::due(&at, stand, run, facts.tree));
        match due.transpose() {
            Err(hold) => Next::Held(hold),
            Ok(due) => Next::Units(vec![due.flatten().unwrap_or_else(|| unit(&at))]),
        }
    }

    fn prompt(started: &Started, run: &Run<Position>, unit: &Unit, _: &Facts) -> Prompt {
        let position = run.position();
        let mut entered = position.clone();
        enter(&started.definitions, &mut entered.path);
        let Some(view) = started.view(&entered) else { return Prompt::default() };
        let reviewed = started.reviewing(position).filter(|_| unit.kind != PHASE);
        Prompt::of(match reviewed {
            Some((review, stand)) if unit.kind == FIX => {
                reviewing::words::fix(&view, &review.terms(), stand)
            }
            Some((review, stand)) => reviewing::words::review(&view, &review.terms(), stand),
            None => view.reminder(),
        })
    }

    fn step(
        started: &Started,
        run: &Run<Position>,
        heard: &KernelDecision<'_>,
        facts: &Facts,
    ) -> Result<Move<Position>, Denied> {
        let position = run.position();
        let refused = |why: String| Denied::Refused { why };
        match heard {
            KernelDecision::Passed { unit, word, .. } => {
                passed(started, position, unit, word, facts.tree)
            }
            KernelDecision::Began { unit } => Ok(Move::to(began(position, unit, facts.tree))),
            KernelDecision::Resumed => Ok(Move::to(resumed(started, position))),
            KernelDecision::Answered { text } => answered(started, position, text),
            KernelDecision::Do { verb: "loop" } => {
                let looped = back(&started.definitions, position);
                let looped = looped.map_err(|why| refused(why.to_string()))?;
                Ok(Move { counts: left(started, position), ..Move::to(looped.position) })
            }
            KernelDecision::Do { verb } => {
                Err(refused(format!("a workflow has no verb `{}`", verb.escape_debug())))
            }
            KernelDecision::Failed { .. }
            | KernelDecision::Gone { .. }
            | KernelDecision::Lost { .. }
            | KernelDecision::Look => Ok(Move::to(position.clone())),
        }
    }
}

/// A phase and the key of its workflow.
pub(super) struct PhaseKey<'a> {
    pub(super) key: &'a str,
    pub(super) phase: &'a Phase,
}

/// Handles the successful end of a unit.
fn passed(
    started: &Started,
    position: &Position,
    unit: &Unit,
    word: &Word,
    tree: Hash,
) -> Result<Move<Position>, Denied> {
    let Some(review) = started.phase(position).and_then(|phase| phase.review.as_ref()) else {
        return leave(started, position);
    };
    let terms = review.terms();
    let mut to = Move::to(position.clone());
    let Some(stand) = to.position.review.as_deref_mut().filter(|_| unit.kind != PHASE) else {
        let before = to.position.review.take().map(|stand| *stand);
        to.position.review = Some(Box::new(reviewing::worked(before, tree)));
        return Ok(to);
    };
    if unit.kind == FIX {
        reviewing::fixed(stand, word, tree, &terms);
        return Ok(to);
    }
    let (came, ended) = reviewing::reviewed(stand, (word, tree), &terms);
    match came {
        Came::Clean => to = leave(started, position)?,
        // The findings are new work with its own retries.
        Came::On => to.counts = Counts::Forget(unit.retries.clone()),
    }
    to.events.push(of_phase(ended, started, position));
    Ok(to)
}

/// Adds the reviewed phase to the end of a review.
fn of_phase(ended: ReviewEnded, started: &Started, position: &Position) -> Event {
    let phase = started.phase(position).map(|phase| phase.id.clone());
    ReviewEnded { phase, ..ended }.into()
}

/// Moves to the next phase.
fn leave(started: &Started, position: &Position) -> Result<Move<Position>, Denied> {
    let mut entered = position.clone();
    enter(&started.definitions, &mut entered.path);
    let moved = advance(&started.definitions, &entered);
    let to = moved.map(|moved| Move::to(moved.position));
    let mut to = to.ok_or_else(|| Denied::Held(gone(&started.key)))?;
    to.counts = left(started, position);
    Ok(to)
}

/// Returns the treatment of the counters when the current phase is left: its time limit is dropped.
fn left(started: &Started, position: &Position) -> Counts {
    let mut entered = position.clone();
    enter(&started.definitions, &mut entered.path);
    let active = Active::at(&started.definitions, &entered);
    let wall = active.and_then(|active| wall(active.crumbs.last()?.0, active.phase));
    wall.map_or(Counts::Keep, |wall| Counts::Forget(vec![wall.name]))
}

fn began(position: &Position, unit: &Unit, tree: Hash) -> Position {
    let mut to = position.clone();
    if let Some(stand) = to.review.as_deref_mut().filter(|_| unit.kind == REVIEW) {
        reviewing::began(stand, tree);
    }
    to
}

fn resumed(started: &Started, position: &Position) -> Position {
    let mut to = position.clone();
    let terms = started.reviewing(position).map(|(review, _)| review.terms());
    if let (Some(stand), Some(terms)) = (to.review.as_deref_mut(), terms) {
        reviewing::resumed(stand, &terms);
    }
    to
}

/// Handles a person's answer: an acceptance ends a waiting review with the work as it is.
fn answered(started: &Started, position: &Position, text: &str) -> Result<Move<Position>, Denied> {
    let waits = started.reviewing(position).filter(|(_, stand)| stand.waits());
    let Some((review, stand)) = waits.filter(|_| crate::review::accepts(text)) else {
        return Ok(Move::to(resumed(started, position)));
    };
    let mut to = leave(started, position)?;
    let ended = reviewing::accept(stand, &review.terms());
    to.events.push(of_phase(ended, started, position));
    Ok(to)
}

const PHASE: Name = Name::literal("phase");
/// The kind of a review's unit.
pub const REVIEW: Name = Name::literal("review");
/// The kind of the unit that fixes a review's findings.
pub const FIX: Name = Name::literal("fix");

fn unit(at: &PhaseKey<'_>) -> Unit {
    let id = text(&format!("{}/{}", at.key, at.phase.id));
    let id = UnitId::parse(&id).unwrap_or(UnitId::literal("phase"));
    let mut unit = Unit::new(id, PHASE, retry(at.key, at.phase));
    unit.gates = gates(at.phase);
    unit.closes = closes(at.phase);
    unit.wall = wall(at.key, at.phase);
    unit
}

/// Returns the gates that must pass before a phase is left.
pub(super) fn gates(phase: &Phase) -> Vec<Gate> {
    phase.gates.iter().map(|guarded| guarded.gate.clone()).collect()
}

/// Returns the way the work on a phase ends.
pub(super) const fn closes(phase: &Phase) -> Closes {
    if phase.gates.is_empty() { Closes::Claim } else { Closes::Stop }
}

/// Returns the bound that a phase's retries spend.
pub(super) fn retry(key: &str, phase: &Phase) -> Name {
    let name = text(&format!("retry {key}/{}", phase.id));
    Name::parse(&name).unwrap_or(Name::literal("retry"))
}

/// Returns the time limit of a phase, which includes its reviews.
pub(super) fn wall(key: &str, phase: &Phase) -> Option<Wall> {
    Some(Wall::of(&text(&format!("{key}/{}", phase.id)), phase.limits.wall?))
}

/// Makes a text fit for a name: without control characters, and not too long.
pub(super) fn text(text: &str) -> String {
    let visible = text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c });
    visible.take(250).collect()
}

/// Returns the hold for a position that names something missing.
fn gone(key: &str) -> Hold {
    let path = DocPath::parse(&format!("workflows/{key}/workflow.yaml"));
    let what = format!("the workflow `{}` is not there any more", key.escape_debug());
    path.map_or(Hold::Asked { what }, |path| Hold::Unreadable { path })
}

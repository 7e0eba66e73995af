//! A workflow as a machine of the kernel: one unit at a time, the phase at hand.
//!
//! A phase with gates is ended by a stop and left when they pass; one without is left when the
//! agent says so. Everything else, from counting to refusing, is the kernel's.

use super::advance::enter;
use super::{Active, Definitions, Entry, Phase, Position, State, View, advance, back, start};
use crate::{
    Call, Closes, Denied, DocPath, Facts, Heard, Hold, Machine, Move, Name, Next, Rank, Run, Unit,
    UnitId,
};

/// The machine of a workflow.
#[derive(Clone, Copy, Debug)]
pub struct Workflow;

/// A workflow that was started, with the task it was started for.
#[derive(Clone, Debug, PartialEq)]
pub struct Started {
    /// The workflows there are.
    pub definitions: Definitions,
    /// Which of them was started.
    pub key: String,
    /// The id of the task.
    pub task_id: String,
    /// The task, as a person wrote it.
    pub task: String,
}

impl Started {
    /// The number of retries of a phase that says nothing about it.
    pub const RETRY: u32 = 3;
    /// How often an agent may go back to the first phase.
    pub const LOOPS: u32 = 20;

    /// Returns where its run begins.
    pub fn begin(&self) -> Position {
        start(&self.definitions, &self.key)
    }

    /// Returns what the agent sees at a position.
    pub fn view(&self, position: &Position) -> Option<View> {
        View::of(&self.definitions, &self.state(position))
    }

    /// Returns the phase at hand.
    pub fn phase(&self, position: &Position) -> Option<&Phase> {
        if position.done {
            return None;
        }
        let mut entered = position.clone();
        enter(&self.definitions, &mut entered.path);
        let entry = super::advance::entry_at(&self.definitions, &entered.path)?;
        self.definitions.first_phase(entry)
    }

    /// Returns why a tool may not be used in the phase at hand, or nothing when it may.
    pub fn blocked(&self, position: &Position, call: &Call) -> Option<String> {
        if position.done {
            return None;
        }
        super::tools::blocked_call(&self.definitions, Some(&self.state(position)), call)
    }

    /// Returns the line that shows where the run stands.
    pub fn status_line(&self, position: &Position) -> Option<String> {
        super::status_line(&self.definitions, Some(&self.state(position)))
    }

    /// Returns what is said when the run is over.
    pub fn notice(&self, position: &Position, cancelled: bool) -> Option<String> {
        let state = State { cancelled: Some(cancelled), ..self.state(position) };
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

    fn state(&self, position: &Position) -> State {
        State::new(&self.key, position.clone(), self.task_id.clone(), &self.task, 0)
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
                if let Entry::Phase(phase) = entry {
                    let max = phase.retry.unwrap_or(Started::RETRY);
                    limits.push((retry(key, phase), max));
                }
            }
        }
        limits
    }

    fn next(started: &Started, run: &Run<Position>, _: &Facts) -> Next {
        let position = run.position();
        if position.done {
            return Next::Done;
        }
        // A state of the original may stand before a workflow; its first phase is at hand.
        let mut entered = position.clone();
        enter(&started.definitions, &mut entered.path);
        let active = Active::at(&started.definitions, &entered);
        match (active, started.view(&entered)) {
            (Some(active), Some(view)) => {
                let key = active.crumbs.last().map_or("", |(key, _)| key);
                Next::Units(vec![unit(key, active.phase, &view)])
            }
            (Some(_) | None, Some(_) | None) => Next::Held(gone(&started.key)),
        }
    }

    fn step(
        started: &Started,
        run: &Run<Position>,
        heard: &Heard<'_>,
        _: &Facts,
    ) -> Result<Move<Position>, Denied> {
        let position = run.position();
        let refused = |why: String| Denied::Refused { why };
        match heard {
            Heard::Passed { .. } => {
                let mut entered = position.clone();
                enter(&started.definitions, &mut entered.path);
                let moved = advance(&started.definitions, &entered);
                let moved = moved.map(|moved| Move::to(moved.position));
                moved.ok_or_else(|| Denied::Held(gone(&started.key)))
            }
            Heard::Do { verb: "loop" } => back(&started.definitions, position)
                .map(|looped| Move::to(looped.position))
                .map_err(|why| refused(why.to_string())),
            Heard::Do { verb } => {
                Err(refused(format!("a workflow has no verb `{}`", verb.escape_debug())))
            }
            Heard::Began { .. }
            | Heard::Failed { .. }
            | Heard::Gone { .. }
            | Heard::Lost { .. }
            | Heard::Look
            | Heard::Resumed
            | Heard::Answered { .. } => Ok(Move::to(position.clone())),
        }
    }
}

fn unit(key: &str, phase: &Phase, view: &View) -> Unit {
    let id = text(&format!("{key}/{}", phase.id));
    let id = UnitId::parse(&id).unwrap_or(UnitId::literal("phase"));
    let mut unit = Unit::new(id, Name::literal("phase"), retry(key, phase));
    unit.prompt = view.reminder();
    unit.gates = phase.gates.iter().map(|guarded| guarded.gate.clone()).collect();
    unit.closes = if phase.gates.is_empty() { Closes::Claim } else { Closes::Stop };
    unit
}

/// Returns the name of the bound that a phase's retries spend.
fn retry(key: &str, phase: &Phase) -> Name {
    let name = text(&format!("retry {key}/{}", phase.id));
    Name::parse(&name).unwrap_or(Name::literal("retry"))
}

/// Returns a text that can be a name: no control characters, and not too long.
fn text(text: &str) -> String {
    let visible = text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c });
    visible.take(250).collect()
}

/// Says that what the position names is not there.
fn gone(key: &str) -> Hold {
    let path = DocPath::parse(&format!("workflows/{key}/workflow.yaml"));
    let what = format!("the workflow `{}` is not there any more", key.escape_debug());
    path.map_or(Hold::Asked { what }, |path| Hold::Unreadable { path })
}

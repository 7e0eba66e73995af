//! The machine behind an assignment: one unit and the state in its own document.

use super::job::ending;
use super::{Job, Work};
use crate::{Closes, Denied, Facts, Heard, Machine, Move, Name, Next, Prompt, Rank, Run, Unit};

/// The inbox of one agent with one unit.
#[derive(Clone, Copy, Debug)]
pub struct Inbox;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The unit; `None` if the agent has none and is given none.
    pub job: Option<Job>,
    /// How often the unit is retried after an agent reported that it cannot be done.
    pub retry: u32,
}

impl Definition {
    /// The default number of retries; further ones need a person.
    pub const RETRY: u32 = 3;
}

/// The state of the unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The state in its document.
    pub work: Work,
}

const RETRY: Name = Name::literal("retry");

impl Machine for Inbox {
    type Definition = Definition;
    type Position = Position;
    const RANK: Rank = Rank::Assignment;

    fn limits(definition: &Definition) -> Vec<(Name, u32)> {
        vec![(RETRY, definition.retry)]
    }

    fn next(definition: &Definition, run: &Run<Position>, _: &Facts) -> Next {
        let nothing = || Next::Wait { on: "work".to_owned(), until: None };
        let Some(job) = &definition.job else { return nothing() };
        let begun = run.attempt_of(&job.unit);
        let ready = run.position().work == Work::Open && job.waits_for.is_empty();
        if begun.is_none() && !ready {
            return nothing();
        }
        let mut unit = Unit::new(job.unit.clone(), Name::literal("assignment"), RETRY);
        unit.closes = Closes::Claim;
        Next::Units(vec![unit])
    }

    fn prompt(definition: &Definition, run: &Run<Position>, unit: &Unit, _: &Facts) -> Prompt {
        let job = definition.job.as_ref().filter(|job| job.unit == unit.id);
        let said = job.map_or_else(String::new, Job::unfinished);
        let begun = run.attempt_of(&unit.id).and_then(|one| Some((one.agent()?, one.fence())));
        let text = begun.map_or_else(String::new, |(agent, fence)| {
            format!("Continue it now. {}", ending(agent, Some(fence)))
        });
        Prompt { said, text, ..Prompt::default() }
    }

    fn step(
        _: &Definition,
        run: &Run<Position>,
        heard: &Heard<'_>,
        _: &Facts,
    ) -> Result<Move<Position>, Denied> {
        let mut to = Move::to(run.position().clone());
        match heard {
            Heard::Began { .. } => to.position.work = Work::Hooked,
            Heard::Passed { .. } if to.position.work.is_done() => {}
            Heard::Passed { .. } => to.position.work = Work::Done,
            // A state set by another system in the meantime takes precedence.
            Heard::Failed { .. } | Heard::Lost { .. } => match to.position.work {
                Work::Open | Work::Hooked | Work::InProgress => to.position.work = Work::Open,
                Work::Done | Work::Merged | Work::Other(_) => {}
            },
            Heard::Do { verb } => {
                let why = format!("an inbox has no verb `{}`", verb.escape_debug());
                return Err(Denied::Refused { why });
            }
            Heard::Gone { .. } | Heard::Look | Heard::Resumed | Heard::Answered { .. } => {}
        }
        Ok(to)
    }
}

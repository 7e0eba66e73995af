//! The machine behind an assignment: one unit and the state in its own document.

use super::job::ending;
use super::{Job, WorkState};
use crate::{
    Closes, Denied, Facts, KernelDecision, Machine, Move, Name, Next, Prompt, Rank, Run, Unit,
};

/// The inbox of one agent with one unit.
#[derive(Clone, Copy, Debug)]
pub struct Inbox;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InboxDefinition {
    /// The unit; `None` if the agent has none and is given none.
    pub job: Option<Job>,
    /// How often the unit is retried after an agent reported that it cannot be done.
    pub retry: u32,
}

impl InboxDefinition {
    /// The default number of retries; further ones need a person.
    pub const RETRY: u32 = 3;
}

/// The state of the unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The state in its document.
    pub work: WorkState,
}

const RETRY: Name = Name::literal("retry");

impl Machine for Inbox {
    type Definition = InboxDefinition;
    type Position = Position;
    const RANK: Rank = Rank::Assignment;

    fn limits(definition: &InboxDefinition) -> Vec<(Name, u32)> {
        vec![(RETRY, definition.retry)]
    }

    fn next(definition: &InboxDefinition, run: &Run<Position>, _: &Facts) -> Next {
        let nothing = || Next::Wait { on: "work".to_owned(), until: None };
        let Some(job) = &definition.job else { return nothing() };
        let begun = run.attempt_of(&job.unit);
        let ready = run.position().work == WorkState::Open && job.waits_for.is_empty();
        if begun.is_none() && !ready {
            return nothing();
        }
        let mut unit = Unit::new(job.unit.clone(), Name::literal("assignment"), RETRY);
        unit.closes = Closes::Claim;
        Next::Units(vec![unit])
    }

    fn prompt(definition: &InboxDefinition, run: &Run<Position>, unit: &Unit, _: &Facts) -> Prompt {
        let job = definition.job.as_ref().filter(|job| job.unit == unit.id);
        let said = job.map_or_else(String::new, Job::unfinished);
        let begun = run.attempt_of(&unit.id).and_then(|one| Some((one.agent()?, one.fence())));
        let text = begun.map_or_else(String::new, |(agent, fence)| {
            format!("Continue it now. {}", ending(agent, Some(fence)))
        });
        Prompt { said, text, ..Prompt::default() }
    }

    fn step(
        _: &InboxDefinition,
        run: &Run<Position>,
        heard: &KernelDecision<'_>,
        _: &Facts,
    ) -> Result<Move<Position>, Denied> {
        let mut to = Move::to(run.position().clone());
        match heard {
            KernelDecision::Began { .. } => to.position.work = WorkState::Hooked,
            KernelDecision::Passed { .. } if to.position.work.is_done() => {}
            KernelDecision::Passed { .. } => to.position.work = WorkState::Done,
            // A state set by another system in the meantime takes precedence.
            KernelDecision::Failed { .. } | KernelDecision::Lost { .. } => match to.position.work {
                WorkState::Open | WorkState::Hooked | WorkState::InProgress => {
                    to.position.work = WorkState::Open;
                }
                WorkState::Done | WorkState::Merged | WorkState::Other(_) => {}
            },
            KernelDecision::Do { verb } => {
                let why = format!("an inbox has no verb `{}`", verb.escape_debug());
                return Err(Denied::Refused { why });
            }
            KernelDecision::Gone { .. }
            | KernelDecision::Look
            | KernelDecision::Resumed
            | KernelDecision::Answered { .. } => {}
        }
        Ok(to)
    }
}

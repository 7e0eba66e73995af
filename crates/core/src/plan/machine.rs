use super::position::Closed;
use super::question::{Answer, Question, question};
use super::{CiStage, Plan, Position, Settings, Stage, TaskState, execute, gates, verify};
use crate::{
    Denied, Facts, Gate, Heard, Hold, Machine, Move, Name, Next, Proof, Ran, Rank, Run, UnitId,
};

/// A plan that is worked through task by task and then verified.
#[derive(Clone, Copy, Debug)]
pub struct Loop;

/// What a run of a plan is judged by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Definition {
    /// The plan.
    pub plan: Plan,
    /// How it is worked through.
    pub settings: Settings,
    /// The commands of CI, as words.
    pub ci: Vec<(CiStage, Vec<String>)>,
}

impl Definition {
    /// The bound of all retries of all tasks.
    pub const EXECUTE: Name = Name::literal("execute");
    /// The bound of the rounds of fixes.
    pub const VERIFY: Name = Name::literal("verify");

    /// Returns the bound of the retries of a task: its key in `task_retries`.
    pub fn retries(&self, task: &str) -> Option<Name> {
        Name::parse(&self.plan.task(task)?.retry_key()).ok()
    }

    /// Returns every gate: those of CI and of all tasks.
    pub fn gates(&self) -> Vec<Gate> {
        gates::of_all(self)
    }

    /// Returns how many retries all tasks have together.
    pub fn max_retries(&self) -> u32 {
        let tasks = u32::try_from(self.plan.tasks.len()).unwrap_or(u32::MAX);
        tasks.saturating_mul(self.settings.execute_max_retries)
    }

    /// Returns what is going on: a plan without an open task is verified.
    pub fn stage(&self, position: &Position) -> Stage {
        let is_over = |id: &str| position.task(id).is_some_and(TaskState::is_over);
        match position.stage {
            Stage::Execute if self.plan.tasks.iter().all(|task| is_over(&task.id)) => Stage::Verify,
            stage @ (Stage::Execute | Stage::Verify | Stage::Done) => stage,
        }
    }
}

impl Machine for Loop {
    type Definition = Definition;
    type Position = Position;
    const RANK: Rank = Rank::Loop;

    fn limits(definition: &Definition) -> Vec<(Name, u32)> {
        let retries = definition.settings.execute_max_retries;
        let tasks = definition.plan.tasks.iter();
        let mut limits: Vec<_> = tasks
            .filter_map(|task| Some((Name::parse(&task.retry_key()).ok()?, retries)))
            .collect();
        limits.push((Definition::EXECUTE, definition.max_retries()));
        limits.push((Definition::VERIFY, definition.settings.verify_max_iterations));
        limits
    }

    fn next(definition: &Definition, run: &Run<Position>, _: &Facts) -> Next {
        let position = run.position();
        if let Some(hold) = &position.hold {
            return Next::Held(hold.clone());
        }
        if let Some(question) = question(definition, run) {
            return Next::Held(Hold::Asked { what: question.text(definition, run) });
        }
        match definition.stage(position) {
            Stage::Execute => execute::next(definition, run),
            Stage::Verify => verify::next(definition, run),
            Stage::Done => Next::Done,
        }
    }

    fn step(
        definition: &Definition,
        run: &Run<Position>,
        heard: &Heard<'_>,
        facts: &Facts,
    ) -> Result<Move<Position>, Denied> {
        let mut position = run.position().clone();
        match heard {
            Heard::Began { unit } => began(definition, &mut position, &unit.id),
            Heard::Passed { unit, proof, .. } => {
                passed(definition, run, &mut position, &unit.id, proof, facts)?;
            }
            Heard::Failed { unit, red, .. } => {
                position.decisions.remove(&unit.id);
                if unit.id == verify::VERIFY {
                    let report = verify::report(&position, facts)?;
                    let own = Some(&red.receipt);
                    verify::verified(definition, run, &mut position, report, own);
                } else if let Some(task) = execute::task_of(definition, &unit.id) {
                    execute::fails(definition, &mut position, task);
                } else {
                    verify::fixed(&mut position, &unit.id, Closed::No);
                }
            }
            Heard::Lost { unit, ran: Ran::No } => verify::never_ran(&mut position, unit),
            Heard::Lost { ran: Ran::Yes, .. } | Heard::Gone { .. } | Heard::Look => {}
            Heard::Do { verb } => {
                let why = format!("a plan has no verb `{}`", verb.escape_debug());
                return Err(Denied::Refused { why });
            }
            Heard::Resumed => resumed(definition, run, &mut position),
            Heard::Answered { text } => answered(definition, run, &mut position, text),
        }
        position.stage = definition.stage(&position);
        Ok(Move::to(position))
    }
}

fn began(definition: &Definition, position: &mut Position, unit: &UnitId) {
    if let Some(task) = execute::task_of(definition, unit) {
        position.tasks.remove(&task.id);
    } else {
        verify::begins(position, unit);
    }
}

fn passed(
    definition: &Definition,
    run: &Run<Position>,
    position: &mut Position,
    unit: &UnitId,
    proof: &Proof,
    facts: &Facts,
) -> Result<(), Denied> {
    position.decisions.remove(unit);
    if *unit == verify::VERIFY {
        let report = verify::report(position, facts)?;
        verify::verified(definition, run, position, report, None);
    } else if let Some(task) = execute::task_of(definition, unit) {
        let state = if proof.is_claim() { TaskState::Claimed } else { TaskState::Complete };
        position.tasks.insert(task.id.clone(), state);
    } else {
        verify::fixed(position, unit, Closed::Yes);
    }
    Ok(())
}

/// Lets everything go on that a person's command lets go on.
fn resumed(definition: &Definition, run: &Run<Position>, position: &mut Position) {
    let held = position.hold.take();
    for state in position.tasks.values_mut().filter(|state| **state == TaskState::Failed) {
        *state = TaskState::Again;
    }
    position.rounds = 0;
    position.asked_again = false;
    if held.is_none() && run.attempts().is_empty() {
        match question(definition, run) {
            Some(Question::Wave(wave)) => position.agreed = Some(wave),
            Some(Question::Fix) => position.consent = true,
            // What a person sees only a person can say; a task was let go on above.
            Some(Question::Human | Question::Retry(_)) | None => {}
        }
    }
}

fn answered(definition: &Definition, run: &Run<Position>, position: &mut Position, text: &str) {
    // Agents' questions come first: the kernel shows ours only when nothing is begun.
    if !run.attempts().is_empty() {
        for attempt in run.attempts() {
            position.decisions.insert(attempt.unit().clone(), text.to_owned());
        }
        return;
    }
    let answer = Answer::parse(text);
    match question(definition, run) {
        None => {}
        Some(Question::Human) => verify::looked(definition, run, position, answer),
        Some(Question::Fix) => verify::answered(position, &answer),
        Some(Question::Retry(task)) => execute::answered(position, &task, &answer),
        Some(Question::Wave(wave)) => match answer {
            Answer::Yes => position.agreed = Some(wave),
            Answer::No | Answer::Issues(_) => {
                position.hold = Some(Hold::Person { why: "user declined to go on".to_owned() });
            }
        },
    }
}

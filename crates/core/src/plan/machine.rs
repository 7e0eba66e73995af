use super::position::Closed;
use super::question::{GapAnswer, Question, question};
use super::{
    CiStage, FileAction, Plan, Position, Settings, Stage, Task, TaskState, claims, execute, gates,
    prompt, verify,
};
use crate::basis::Consent;
use crate::{
    Denied, Facts, Gate, Glob, Hold, KernelDecision, Machine, Move, Name, Next, Prompt, Proof, Ran,
    Rank, Run, Unit, UnitId,
};

/// The machine of a plan: executes the tasks and then verifies the whole.
#[derive(Clone, Copy, Debug)]
pub struct PlanMachine;

/// The documents that a run of a plan is judged by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Definition {
    pub plan: Plan,
    pub settings: Settings,
    /// The commands of CI, split into words.
    pub ci: Vec<(CiStage, Vec<String>)>,
}

impl Definition {
    /// The bound on the retries of all tasks together.
    pub const EXECUTE: Name = Name::literal("execute");
    /// The bound on the rounds of fixes.
    pub const VERIFY: Name = Name::literal("verify");

    pub fn retries(task: &Task) -> Name {
        let unit = execute::unit_id(task);
        // Every unit id is a valid bound name.
        Name::parse(unit.as_str()).unwrap_or(Self::EXECUTE)
    }

    /// Returns the files that a task declares to be modified or deleted: the plan is a person's
    /// consent to that.
    pub fn may_change(&self, unit: &UnitId) -> Vec<Consent> {
        let tasks = self.plan.tasks.iter().filter(|task| execute::unit_id(task) == *unit);
        let files = tasks.flat_map(|task| &task.files);
        let changes = files.filter(|file| match file.action {
            FileAction::Create => false,
            FileAction::Modify | FileAction::Delete => true,
        });
        changes
            .filter_map(|file| Glob::parse(file.path.as_str()).ok())
            .map(Consent::Beforehand)
            .collect()
    }

    /// Returns the gates of CI and of all tasks.
    pub fn gates(&self) -> Vec<Gate> {
        gates::of_all(self)
    }

    /// Returns the maximum number of retries of all tasks together.
    pub fn max_retries(&self) -> u32 {
        let tasks = u32::try_from(self.plan.tasks.len()).unwrap_or(u32::MAX);
        tasks.saturating_mul(self.settings.execute_max_retries)
    }

    /// Returns the current stage: a plan without open tasks is in verification.
    pub fn stage(&self, position: &Position) -> Stage {
        let is_over = |id: &str| position.task(id).is_some_and(TaskState::is_over);
        match position.stage {
            Stage::Execute if self.plan.tasks.iter().all(|task| is_over(&task.id)) => Stage::Verify,
            stage @ (Stage::Execute | Stage::Verify | Stage::Done) => stage,
        }
    }
}

impl Machine for PlanMachine {
    type Definition = Definition;
    type Position = Position;
    const RANK: Rank = Rank::Loop;

    fn limits(definition: &Definition) -> Vec<(Name, u32)> {
        let retries = definition.settings.execute_max_retries;
        let tasks = definition.plan.tasks.iter();
        let mut limits: Vec<_> = tasks.map(|task| (Definition::retries(task), retries)).collect();
        limits.push((Definition::EXECUTE, definition.max_retries()));
        limits.push((Definition::VERIFY, definition.settings.verify_max_iterations));
        limits
    }

    fn next(definition: &Definition, run: &Run<Position>, _: &Facts) -> Next {
        let position = run.position();
        if let Some(hold) = &position.hold {
            return Next::Held(hold.clone());
        }
        let question = question(definition, run);
        if let Some(question) = question.as_ref().filter(|_| run.attempts().is_empty()) {
            return Next::Held(Hold::Asked { what: question.text(definition, run) });
        }
        let mut next = match definition.stage(position) {
            Stage::Execute => execute::next(definition, run),
            Stage::Verify => verify::next(definition, run),
            Stage::Done => Next::Done,
        };
        if let (Next::Units(units), Some(_)) = (&mut next, &question) {
            // Units that began before the question continue, and no other unit begins.
            units.retain(|unit| run.attempt_of(&unit.id).is_some());
        }
        next
    }

    fn prompt(definition: &Definition, run: &Run<Position>, unit: &Unit, _: &Facts) -> Prompt {
        let position = run.position();
        Prompt::of(match work(definition, position, &unit.id) {
            Some(UnitRole::Task(task)) => {
                prompt::task(&definition.plan, task, position.decisions.get(&unit.id))
            }
            Some(UnitRole::Fix) => verify::fix_prompt(run, &unit.id),
            Some(UnitRole::Whole) => prompt::verification(definition, position),
            None => String::new(),
        })
    }

    fn step(
        definition: &Definition,
        run: &Run<Position>,
        heard: &KernelDecision<'_>,
        facts: &Facts,
    ) -> Result<Move<Position>, Denied> {
        let mut position = run.position().clone();
        match heard {
            KernelDecision::Began { unit } => match work(definition, &position, &unit.id) {
                Some(UnitRole::Task(task)) => {
                    position.tasks.remove(&task.id);
                }
                Some(UnitRole::Fix) => verify::begins(&mut position, &unit.id),
                Some(UnitRole::Whole) => verify::sees(&mut position, facts),
                None => {}
            },
            KernelDecision::Passed { unit, proof, .. } => {
                return passed(definition, run, position, (&unit.id, proof), facts);
            }
            KernelDecision::Failed { unit, receipts, .. } => {
                position.decisions.remove(&unit.id);
                match work(definition, &position, &unit.id) {
                    Some(UnitRole::Task(task)) => execute::fails(definition, &mut position, task),
                    Some(UnitRole::Fix) => verify::fixed(&mut position, &unit.id, Closed::No),
                    Some(UnitRole::Whole) => {
                        let report = verify::report(&position, facts)?;
                        let own = verify::failures(unit, receipts, facts)?;
                        verify::verified(definition, run, &mut position, report, &own);
                    }
                    None => {}
                }
            }
            KernelDecision::Lost { unit, ran: Ran::No | Ran::Returned } => {
                verify::never_ran(&mut position, unit);
            }
            KernelDecision::Lost { ran: Ran::Yes, .. }
            | KernelDecision::Gone { .. }
            | KernelDecision::Look => {}
            KernelDecision::Do { verb } => {
                let why = format!("a plan has no verb `{}`", verb.escape_debug());
                return Err(Denied::Refused { why });
            }
            KernelDecision::Resumed => resumed(definition, run, &mut position),
            KernelDecision::Answered { text } => answered(definition, run, &mut position, text),
        }
        Ok(to(definition, position))
    }
}

fn to(definition: &Definition, mut position: Position) -> Move<Position> {
    position.stage = definition.stage(&position);
    Move::to(position)
}

/// The role of a unit in the current stage: a plan may have a task with the id of a fix.
enum UnitRole<'a> {
    Task(&'a Task),
    Fix,
    Whole,
}

fn work<'a>(
    definition: &'a Definition,
    position: &Position,
    unit: &UnitId,
) -> Option<UnitRole<'a>> {
    match definition.stage(position) {
        Stage::Execute => execute::task_of(definition, unit).map(UnitRole::Task),
        Stage::Verify if *unit == verify::VERIFY => Some(UnitRole::Whole),
        Stage::Verify => Some(UnitRole::Fix),
        Stage::Done => None,
    }
}

fn passed(
    definition: &Definition,
    run: &Run<Position>,
    mut position: Position,
    (unit, proof): (&UnitId, &Proof),
    facts: &Facts,
) -> Result<Move<Position>, Denied> {
    position.decisions.remove(unit);
    let mut claims = Vec::new();
    match work(definition, &position, unit) {
        Some(UnitRole::Task(task)) => {
            claims.extend(claims::of_task(task).map(|check| check.text.clone()));
            let state = if proof.is_claim() { TaskState::Claimed } else { TaskState::Complete };
            position.tasks.insert(task.id.clone(), state);
        }
        Some(UnitRole::Fix) => verify::fixed(&mut position, unit, Closed::Yes),
        Some(UnitRole::Whole) => {
            let report = verify::report(&position, facts)?;
            claims = claims::of_whole(&definition.plan, &report);
            verify::verified(definition, run, &mut position, report, &[]);
        }
        None => {}
    }
    Ok(Move { claims, ..to(definition, position) })
}

/// Releases everything that a person's resume command can release. Open questions are not answered
/// by it: they are asked again.
fn resumed(definition: &Definition, run: &Run<Position>, position: &mut Position) {
    let held = position.hold.take();
    if held.is_none() && run.attempts().is_empty() && question(definition, run).is_some() {
        return;
    }
    for state in position.tasks.values_mut().filter(|state| **state == TaskState::Failed) {
        *state = TaskState::Again;
    }
    position.rounds = 0;
    position.asked_again = false;
}

fn answered(definition: &Definition, run: &Run<Position>, position: &mut Position, text: &str) {
    // Agents' questions come first: the kernel shows the machine's own only when no attempt is in
    // progress.
    if !run.attempts().is_empty() {
        for attempt in run.attempts() {
            position.decisions.insert(attempt.unit().clone(), text.to_owned());
        }
        return;
    }
    let answer = GapAnswer::parse(text);
    match question(definition, run) {
        None => {}
        Some(Question::Human) => verify::looked(definition, run, position, answer),
        Some(Question::Fix) => verify::answered(position, &answer),
        Some(Question::Retry(task)) => execute::answered(position, &task, &answer),
        Some(Question::Wave(wave)) => match answer {
            GapAnswer::Yes => position.agreed = Some(wave),
            GapAnswer::No | GapAnswer::Issues(_) => {
                position.hold = Some(Hold::Person { why: "user declined to go on".to_owned() });
            }
        },
    }
}

//! The review loop as a machine of the kernel: one unit at a time, that of the current turn.
//!
//! `metadata.yaml` is the state, read anew each time; a run adds the ledger, its waits and the
//! reason of a stop. Agents leave texts and commits; their effect is decided here: a review by its
//! findings, an answer by its changes and refusals, checks by the forge's data about the head
//! commit.

use super::decide::effective;
use super::step::Step;
use super::words::prompt;
use super::{
    CheckLog, End, Metadata, Position, Prompts, PullRecord, ReviewTurn, Trust, TurnAction,
    TurnRole, decide,
};
use crate::review::{ReviewEnd, RoundEnd, Subject};
use crate::{
    Denied, Effect, Facts, Hold, KernelDecision, Machine, Move, Name, Next, Prompt, Rank, Role,
    Run, Unit, UnitId,
};

/// The machine of a pull request's review loop.
#[derive(Clone, Copy, Debug)]
pub struct Pr;

/// The documents of a review loop.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    /// The state of the pull request and its loop.
    pub metadata: Metadata,
    /// A person's additions to the prompts.
    pub prompts: Prompts,
    /// The outputs of failed checks.
    pub logs: Vec<CheckLog>,
}

const RETRY: Name = Name::literal("retry");
const FIXES: Name = Name::literal("ci-fix");
const CHECKS: Name = Name::literal("ci-check");
/// Maximum number of retries per round after a failure.
const RETRIES: u32 = 3;
/// Maximum number of fixes of failing checks per round.
const FIXED: u32 = 3;
/// Maximum number of agents sent to watch the checks per round.
const CHECKED: u32 = 5;
/// The awaited event while effects or questions for the forge are open.
const FORGE: &str = "the forge";
/// Consecutive failures to reach the forge after which the loop stops.
pub(super) const OUTAGES: u32 = 2;

impl Definition {
    /// Returns the content of the file, or its content after the current step; `None` if it is
    /// about another pull request.
    fn known<'a>(&'a self, position: &'a Position) -> Option<&'a PullRecord> {
        let known = position.after.as_deref().or_else(|| self.metadata.known())?;
        position.pull.is_none_or(|own| own == known.pull.number).then_some(known)
    }

    /// Returns a hold if the file is about another pull request.
    fn elsewhere(&self, position: &Position) -> Option<Hold> {
        let (own, here) = (position.pull?, self.metadata.known()?.pull.number);
        let why = format!("this is the loop of #{own}, and this folder is at #{here} now");
        (own != here).then(|| unclear(why))
    }
}

impl Position {
    /// Returns whether the stored turn is the loop's own.
    pub(super) fn trust(&self, known: &PullRecord) -> Trust {
        if self.wrote.is_some() && self.wrote == known.stored_turn() {
            Trust::Stored
        } else {
            Trust::Computed
        }
    }
}

impl Machine for Pr {
    type Definition = Definition;
    type Position = Position;
    const RANK: Rank = Rank::Review;

    fn limits(_: &Definition) -> Vec<(Name, u32)> {
        vec![(RETRY, RETRIES), (FIXES, FIXED), (CHECKS, CHECKED)]
    }

    fn next(definition: &Definition, run: &Run<Position>, facts: &Facts) -> Next {
        let position = run.position();
        if let Some(exit) = &position.exit {
            return Next::Held(exit.hold());
        }
        if let Some(hold) = definition.elsewhere(position) {
            return Next::Held(hold);
        }
        let known = definition.known(position);
        let metadata = known.map(|known| Metadata::Known(Box::new(known.clone())));
        let trust = known.map_or(Trust::Computed, |known| position.trust(known));
        let decision = decide(metadata.as_ref().unwrap_or(&definition.metadata), trust);
        let (Some(known), Some(computed)) = (known, &decision.computed) else {
            return Next::Held(stands(&decision.action));
        };
        let waits = effective(known, trust, computed) == Some(ReviewTurn::CiPending);
        let begun = run.attempts().first().and_then(|attempt| part_of(attempt.unit()));
        if let Some(hold) = late(known, position, facts).filter(|_| waits && begun.is_none()) {
            return Next::Held(hold);
        }
        let until = Some(facts.now.plus_millis(known.patience().poll));
        let poll = |on: &str| Next::Wait { on: on.to_owned(), until };
        let units = |part| Next::Units(vec![unit(known, position, part)]);
        match (&decision.action, begun) {
            // A begun unit ends first, whatever was written or pushed meanwhile.
            (
                TurnAction::Run { .. }
                | TurnAction::Wait { .. }
                | TurnAction::Stop(End::CiFailed { .. })
                | TurnAction::Error(_),
                Some(part),
            ) => units(part),
            // No agent is sent to work on old data of an unreachable forge, nor while it is unknown
            // whether the forge has the changes of an answer.
            (TurnAction::Run { .. }, None) if position.outages > 0 || position.answer.is_some() => {
                poll(FORGE)
            }
            // A passed review waits for the forge's approval or its checks.
            (TurnAction::Run { part: TurnRole::Reviewer | TurnRole::Developer, .. }, None)
                if position.passed =>
            {
                poll(FORGE)
            }
            (TurnAction::Run { part, .. }, None) => units(*part),
            (TurnAction::Wait { .. }, None) => poll("CI"),
            // A loop whose last comment is not posted yet is not over.
            (TurnAction::Stop(End::Approved | End::Completed), _) if speaks(run) => poll(FORGE),
            (TurnAction::Stop(End::Approved | End::Completed), _) => Next::Done,
            (TurnAction::Stop(_) | TurnAction::Error(_), _) => Next::Held(stands(&decision.action)),
        }
    }

    fn prompt(definition: &Definition, run: &Run<Position>, unit: &Unit, _: &Facts) -> Prompt {
        let position = run.position();
        let work = part_of(&unit.id).zip(definition.known(position));
        let text = work.map(|(part, known)| prompt(part, known, position, definition));
        Prompt::of(text.unwrap_or_default())
    }

    fn step(
        definition: &Definition,
        run: &Run<Position>,
        heard: &KernelDecision<'_>,
        facts: &Facts,
    ) -> Result<Move<Position>, Denied> {
        let known = definition.known(run.position()).cloned();
        let mut to = Move::to(run.position().clone());
        to.position.pull = to.position.pull.or(known.as_ref().map(|known| known.pull.number));
        let step = Step { run, facts, to };
        match (heard, known) {
            (KernelDecision::Do { verb: "outage" }, _) => Ok(step.outage()),
            (KernelDecision::Do { verb }, _) => {
                let why = format!("a review loop has no verb `{}`", verb.escape_debug());
                Err(Denied::Refused { why })
            }
            (KernelDecision::Failed { .. } | KernelDecision::Gone { .. }, _) | (_, None) => {
                Ok(step.ended().to)
            }
            (KernelDecision::Look, Some(known)) => step.look(&known),
            (KernelDecision::Began { unit }, Some(known)) => Ok(step.began(unit, &known)),
            (KernelDecision::Passed { unit, word, .. }, Some(known)) => {
                step.ended().passed(unit, word, known)
            }
            (KernelDecision::Lost { unit, ran }, Some(_)) => Ok(step.ended().lost(unit, *ran)),
            (KernelDecision::Resumed | KernelDecision::Answered { .. }, Some(known)) => {
                Ok(step.resumed(known))
            }
        }
    }
}

/// Returns the hold of a loop that its file stops.
fn stands(action: &TurnAction) -> Hold {
    match action {
        TurnAction::Stop(End::MaxRounds { max }) => {
            ReviewEnd::Round(RoundEnd::RoundsOver { rounds: *max }).hold(Subject::Pull)
        }
        TurnAction::Stop(End::Paused { .. }) => Hold::Person { why: action.reason() },
        TurnAction::Stop(End::CiFailed { .. }) => {
            let flag = TurnRole::CiFixer.flag();
            let help = format!("mend it and push, or `sprag pr resume {flag} NAME` names one");
            unclear(format!("{}; {help}", action.reason()))
        }
        TurnAction::Stop(End::NoPr | End::NoLoop | End::Approved | End::Completed)
        | TurnAction::Run { .. }
        | TurnAction::Wait { .. }
        | TurnAction::Error(_) => unclear(action.reason()),
    }
}

/// Returns a hold that no answer releases: its reason must be removed first.
const fn unclear(why: String) -> Hold {
    Hold::Unproven { gate: Name::literal("pr"), why }
}

/// Returns whether a comment is still to be posted.
fn speaks(run: &Run<Position>) -> bool {
    run.outbox().iter().any(|effect| matches!(effect, Effect::Post { .. }))
}

/// Returns a hold if checks take too long or can never come.
fn late(known: &PullRecord, position: &Position, facts: &Facts) -> Option<Hold> {
    let wait = position.ci.as_ref()?;
    let patience = known.patience();
    let is_over = facts.now.since(wait.since) >= patience.most;
    if known.pull.is_of_head() {
        let minutes = patience.most / 60_000;
        let what = format!("CI has not ended for {minutes} min: wait longer, or look there?");
        return is_over.then_some(Hold::Asked { what });
    }
    // A pushed commit appears on the forge with a short delay.
    let is_seen = facts.now.since(wait.moved) >= patience.grace.max(patience.poll);
    let why = "the forge has another commit than this folder: push, or take over what somebody \
               else pushed";
    (is_over || is_seen).then(|| unclear(why.to_owned()))
}

const fn kind(part: TurnRole) -> &'static str {
    match part {
        TurnRole::Reviewer => "review",
        TurnRole::Developer => "response",
        TurnRole::CiChecker => "ci-check",
        TurnRole::CiFixer => "ci-fix",
    }
}

/// Builds the unit of a turn.
fn unit(known: &PullRecord, position: &Position, part: TurnRole) -> Unit {
    let id = match part {
        TurnRole::Reviewer | TurnRole::Developer => {
            UnitId::parse(&format!("{}/{}", kind(part), position.round(known, part)))
        }
        TurnRole::CiChecker | TurnRole::CiFixer => UnitId::parse(kind(part)),
    };
    let id = id.unwrap_or(UnitId::literal("review"));
    let mut unit = Unit::new(id, Name::literal(kind(part)), RETRY);
    unit.role = Some(Role::literal(part.as_str()));
    unit.spends = match part {
        TurnRole::Reviewer | TurnRole::Developer => Vec::new(),
        TurnRole::CiChecker => vec![CHECKS],
        TurnRole::CiFixer => vec![FIXES],
    };
    unit.locks = vec![Name::literal("worktree")];
    unit
}

/// Returns the part that a unit belongs to.
pub(super) fn part_of(unit: &UnitId) -> Option<TurnRole> {
    let kind_of = unit.as_str().split('/').next()?;
    TurnRole::ALL.into_iter().find(|part| kind(*part) == kind_of)
}

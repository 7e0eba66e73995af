//! The review loop as a machine of the kernel: one unit at a time, the turn at hand.
//!
//! `metadata.yaml` is the state, read anew each time; a run adds the ledger, what it waits for and
//! why it stands. Agents leave texts and commits; what those come to is decided here: a review by
//! its findings, an answer by what it changed or refused, checks by what the forge says of the
//! head commit.

use super::decide::effective;
use super::merge::{Ci, ci, merge, recompute};
use super::position::{CiWait, Exit};
use super::round::{Reviewed, respond, review};
use super::words::{Marker, prompt, response_post, review_post};
use super::{
    Action, End, Known, Loop, Metadata, Part, Position, Prompts, Pull, RESPONSE_FILE, REVIEW_FILE,
    Trust, Turn, compute, decide,
};
use crate::{
    Ask, Counts, Denied, DocPath, Effect, Facts, Heard, Hold, Machine, Move, Name, Next, Plain,
    Ran, Rank, Role, Run, Stored as _, Unit, UnitId,
};

/// The review loop of a pull request.
#[derive(Clone, Copy, Debug)]
pub struct Pr;

/// What the documents say.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    /// The state of the pull request and its loop.
    pub metadata: Metadata,
    /// What a person wants said to the agents.
    pub prompts: Prompts,
    /// How long checks are waited for.
    pub patience: Patience,
}

/// How long checks are waited for, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// How long no checks at all may mean that they have not begun.
    pub grace: i64,
    /// After what time a person is asked.
    pub most: i64,
    /// When to look again.
    pub poll: i64,
}

impl Default for Patience {
    fn default() -> Self {
        Self { grace: 60_000, most: 30 * 60_000, poll: 10_000 }
    }
}

const RETRY: Name = Name::literal("retry");
const FIXES: Name = Name::literal("ci-fix");
const CHECKS: Name = Name::literal("ci-check");
const ROUNDS: Name = Name::literal("rounds");
/// How often one round may be tried again after a failure.
const RETRIES: u32 = 3;
/// How often failing checks may be mended in one round.
const FIXED: u32 = 3;
/// How often somebody may be sent to watch the checks in one round.
const CHECKED: u32 = 5;
/// How often in a row the forge may not be reached.
const OUTAGES: u32 = 2;

impl Definition {
    /// Returns what the file says, or is to say after the step at hand.
    fn known<'a>(&'a self, position: &'a Position) -> Option<&'a Known> {
        position.after.as_deref().or_else(|| self.metadata.known())
    }

    /// Returns how many begins and ends a loop can have before it stands, whatever anybody does.
    pub fn most_steps(&self) -> u32 {
        let known = self.metadata.known();
        let review_loop = known.and_then(|known| known.review_loop.as_ref());
        let rounds = review_loop.map_or(0, Loop::rounds);
        let left = rounds.saturating_sub(known.map_or(0, Known::round)).saturating_add(1);
        // A review that is asked for twice, a response, and what the bounds allow; each may be
        // lost twice before it ends, and begins and ends.
        let units = 3 + FIXED + CHECKED + RETRIES;
        left.saturating_mul(units).saturating_mul(2 * 3)
    }
}

impl Position {
    /// Returns whether the turn that is written is the loop's own.
    fn trust(&self, known: &Known) -> Trust {
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
        let known = definition.known(position);
        let metadata = known.map(|known| Metadata::Known(Box::new(known.clone())));
        let trust = known.map_or(Trust::Computed, |known| position.trust(known));
        let decision = decide(metadata.as_ref().unwrap_or(&definition.metadata), trust);
        let (Some(known), Some(computed)) = (known, &decision.computed) else {
            return Next::Held(Hold::Asked { what: decision.action.reason() });
        };
        let waits = effective(known, trust, computed) == Some(Turn::CiPending);
        if let Some(hold) = late(definition, position, facts).filter(|_| waits) {
            return Next::Held(hold);
        }
        match decision.action {
            Action::Run { part, .. } => Next::Units(vec![unit(definition, known, position, part)]),
            Action::Wait { .. } => {
                let until = facts.now.plus_millis(definition.patience.poll);
                Next::Wait { on: "CI".to_owned(), until: Some(until) }
            }
            Action::Stop(End::Approved | End::Completed) => Next::Done,
            Action::Stop(End::MaxRounds { max }) => {
                Next::Held(Hold::Exhausted { bound: ROUNDS, used: max })
            }
            Action::Stop(End::Paused { .. }) => {
                Next::Held(Hold::Person { why: decision.action.reason() })
            }
            Action::Stop(End::NoPr | End::NoLoop | End::CiFailed { .. }) | Action::Error(_) => {
                Next::Held(Hold::Asked { what: decision.action.reason() })
            }
        }
    }

    fn step(
        definition: &Definition,
        run: &Run<Position>,
        heard: &Heard<'_>,
        facts: &Facts,
    ) -> Result<Move<Position>, Denied> {
        let known = definition.known(run.position()).cloned();
        let to = Move::to(run.position().clone());
        let step = Step { definition, run, facts, to };
        match (heard, known) {
            (Heard::Do { verb: "outage" }, _) => Ok(step.outage()),
            (Heard::Do { verb }, _) => {
                let why = format!("a review loop has no verb `{}`", verb.escape_debug());
                Err(Denied::Refused { why })
            }
            (_, None) => Ok(step.to),
            (Heard::Look, Some(known)) => step.look(&known),
            (Heard::Began { unit }, Some(known)) => Ok(step.began(unit, &known)),
            (Heard::Passed { unit, .. }, Some(known)) => step.passed(unit, known),
            (Heard::Lost { unit, ran }, Some(_)) => Ok(step.lost(unit, *ran)),
            (Heard::Resumed | Heard::Answered { .. }, Some(known)) => Ok(step.resumed(known)),
            (Heard::Failed { .. } | Heard::Gone { .. }, Some(_)) => Ok(step.to),
        }
    }
}

/// Returns the question for a person when checks take too long.
fn late(definition: &Definition, position: &Position, facts: &Facts) -> Option<Hold> {
    let wait = position.ci.as_ref()?;
    let most = definition.patience.most;
    let what = format!("CI has not ended for {} min: wait longer, or look there?", most / 60_000);
    (facts.now.since(wait.since) >= most).then_some(Hold::Asked { what })
}

const fn kind(part: Part) -> &'static str {
    match part {
        Part::Reviewer => "review",
        Part::Developer => "response",
        Part::CiChecker => "ci-check",
        Part::CiFixer => "ci-fix",
    }
}

/// Makes the unit of a turn.
fn unit(definition: &Definition, known: &Known, position: &Position, part: Part) -> Unit {
    let id = match part {
        Part::Reviewer | Part::Developer => {
            UnitId::parse(&format!("{}/{}", kind(part), position.round(known, part)))
        }
        Part::CiChecker | Part::CiFixer => UnitId::parse(kind(part)),
    };
    let id = id.unwrap_or(UnitId::literal("review"));
    let mut unit = Unit::new(id, Name::literal(kind(part)), RETRY);
    unit.role = Some(Role::literal(part.as_str()));
    unit.prompt = prompt(part, known, position, &definition.prompts);
    unit.spends = match part {
        Part::Reviewer | Part::Developer => Vec::new(),
        Part::CiChecker => vec![CHECKS],
        Part::CiFixer => vec![FIXES],
    };
    unit.locks = vec![Name::literal("worktree")];
    unit
}

/// Returns whose unit it is.
fn part_of(unit: &UnitId) -> Option<Part> {
    let kind_of = unit.as_str().split('/').next()?;
    Part::ALL.into_iter().find(|part| kind(*part) == kind_of)
}

/// One step on its way.
struct Step<'a> {
    definition: &'a Definition,
    run: &'a Run<Position>,
    facts: &'a Facts,
    to: Move<Position>,
}

impl Step<'_> {
    /// The forge could not be asked; twice in a row a person must know.
    fn outage(mut self) -> Move<Position> {
        let position = &mut self.to.position;
        position.outages = position.outages.saturating_add(1);
        if position.outages >= OUTAGES && position.exit.is_none() {
            let why = "it could not be asked, twice in a row".to_owned();
            position.exit = Some(Exit::Forge { why });
        }
        self.to
    }

    /// Takes what the forge says now.
    fn look(mut self, known: &Known) -> Result<Move<Position>, Denied> {
        let Some(answer) = self.facts.answers.get(&Ask::Pull) else {
            return Err(Denied::Needs(vec![Ask::Pull]));
        };
        let pull = Pull::lift(answer).map_err(|bad| Denied::Refused { why: bad.to_string() })?;
        let after = merge(known, pull);
        let now = self.facts.now;
        let position = &mut self.to.position;
        position.outages = 0;
        position.exit.take_if(|exit| matches!(exit, Exit::Forge { .. }));
        position.has_ci |= !after.pull.checks.is_empty();
        if let Some(wait) = position.ci.as_mut().filter(|wait| wait.head != after.pull.head) {
            *wait = CiWait { head: after.pull.head.clone(), since: now };
        }
        let checks = ci(&after.pull, position.ci.as_ref(), &self.definition.patience, now);
        let turn = match (position.trust(known), position.wrote, checks) {
            (Trust::Computed, ..) | (Trust::Stored, None, _) => recompute(&after),
            (Trust::Stored, Some(Turn::Response), _) => Turn::Response,
            (Trust::Stored, Some(_), Ci::Pending) => Turn::CiPending,
            (Trust::Stored, Some(_), Ci::Failing) => Turn::CiReview,
            (Trust::Stored, Some(Turn::Review), Ci::Green) => Turn::Review,
            (Trust::Stored, Some(Turn::CiPending | Turn::CiReview), Ci::Green) => {
                position.due.unwrap_or_else(|| compute(&after.pull).turn)
            }
        };
        self.turn(after, turn);
        Ok(self.to)
    }

    /// Goes to a turn and has the file say so.
    fn turn(&mut self, mut after: Known, turn: Turn) {
        let position = &mut self.to.position;
        position.author |= after.turn.as_deref() == Some(Turn::AUTHOR);
        let before = position.author.then_some(Turn::AUTHOR);
        after.turn = Some(turn.spelled(before).to_owned());
        match (turn, position.wrote) {
            (Turn::CiPending | Turn::CiReview, Some(Turn::Review)) => {
                position.due = Some(Turn::Review);
            }
            (Turn::Review | Turn::Response, _) => position.due = None,
            (Turn::CiPending | Turn::CiReview, _) => {}
        }
        if turn != Turn::CiPending {
            position.ci = None;
        } else if position.ci.is_none() {
            let head = after.pull.head.clone();
            position.ci = Some(CiWait { head, since: self.facts.now });
        }
        position.wrote = Some(turn);
        position.after = Some(Box::new(after));
    }

    /// Remembers the number of the round, and the files that an answer begins with.
    fn began(mut self, unit: &Unit, known: &Known) -> Move<Position> {
        let position = &mut self.to.position;
        match part_of(&unit.id) {
            Some(part @ Part::Reviewer) => position.number = Some(position.round(known, part)),
            Some(part @ Part::Developer) => {
                position.number = Some(position.round(known, part));
                position.reviewed = position.reviewed.or(Some(self.facts.tree));
            }
            Some(Part::CiChecker | Part::CiFixer) | None => {}
        }
        self.to
    }

    fn passed(mut self, unit: &Unit, known: Known) -> Result<Move<Position>, Denied> {
        match part_of(&unit.id) {
            Some(Part::Reviewer) => self.reviewed(known),
            Some(Part::Developer) => self.responded(known),
            Some(Part::CiFixer) => {
                self.pushed(known);
                Ok(self.to)
            }
            // What it says is a word; the forge is asked.
            Some(Part::CiChecker) | None => Ok(self.to),
        }
    }

    fn reviewed(mut self, mut known: Known) -> Result<Move<Position>, Denied> {
        let text = self.left(REVIEW_FILE)?.unwrap_or_default();
        let came = review(&mut self.to.position, &known, &text, self.facts.tree);
        match came {
            Reviewed::Again => return Ok(self.to),
            Reviewed::Exit(exit @ Exit::Unclear { .. }) => {
                self.to.position.exit = Some(exit);
                return Ok(self.to);
            }
            Reviewed::Exit(exit) => self.to.position.exit = Some(exit),
            Reviewed::Approved => approve(&mut known),
            Reviewed::Issues => {}
        }
        let (marker, round) = self.marker(Part::Reviewer, &known);
        let body = review_post(&text, round, &marker);
        self.post(marker, body);
        self.turn(known, Turn::Response);
        Ok(self.to)
    }

    fn responded(mut self, mut known: Known) -> Result<Move<Position>, Denied> {
        let text = self.left(RESPONSE_FILE)?.unwrap_or_default();
        let moved = respond(&mut self.to.position, &known, &text, self.facts.tree);
        let (marker, round) = self.marker(Part::Developer, &known);
        if let Some(review_loop) = &mut known.review_loop {
            review_loop.round = round;
        }
        self.to.position.number = None;
        if !moved {
            let what = "the developer changed nothing and refused nothing".to_owned();
            self.to.position.exit = Some(Exit::NoProgress { what });
            // The round is spent, and the next one begins with the same answer due.
            self.turn(known, Turn::Response);
            return Ok(self.to);
        }
        let body = response_post(&text, round, &marker);
        self.post(marker, body);
        self.to.counts = Counts::Renew;
        let checker = known.review_loop.as_ref().is_some_and(|one| one.ci_checker.is_some());
        if checker || self.to.position.has_ci {
            self.pushed(known);
        } else {
            self.turn(known, Turn::Review);
        }
        Ok(self.to)
    }

    /// Waits for the checks of what was pushed; those there were say nothing about it.
    fn pushed(&mut self, mut known: Known) {
        known.pull.checks.clear();
        self.to.position.ci = None;
        self.turn(known, Turn::CiPending);
        self.to.position.due = Some(Turn::Review);
    }

    /// Whoever worked is gone. What an answer left half done is not gone over blindly.
    fn lost(mut self, unit: &UnitId, ran: Ran) -> Move<Position> {
        if self.run.outbox().is_empty() {
            self.to.position.wrote = None;
        }
        let position = &mut self.to.position;
        let changed = position.reviewed.is_some_and(|tree| tree != self.facts.tree);
        if ran == Ran::Yes && part_of(unit) == Some(Part::Developer) && changed {
            let what = "the developer is gone and left work half done".to_owned();
            position.exit = Some(Exit::NoProgress { what });
        }
        self.to
    }

    /// A person lets it go on: what was disputed is settled, what was used up gets more.
    fn resumed(mut self, mut known: Known) -> Move<Position> {
        let position = &mut self.to.position;
        position.outages = 0;
        if let Some(wait) = &mut position.ci {
            wait.since = self.facts.now;
        }
        match position.exit.take() {
            Some(Exit::Disputed { .. }) => {
                approve(&mut known);
                position.after = Some(Box::new(known));
            }
            Some(
                Exit::Converged { .. }
                | Exit::NoProgress { .. }
                | Exit::Unclear { .. }
                | Exit::Forge { .. },
            ) => {}
            None => {
                let round = known.round();
                let used_up = known.review_loop.as_mut().filter(|one| round >= one.rounds());
                if let Some(review_loop) = used_up {
                    review_loop.max_rounds = round.saturating_add(Loop::MORE);
                    position.after = Some(Box::new(known));
                }
            }
        }
        self.to
    }

    /// Returns what an agent left in a file, which is then taken away.
    fn left(&mut self, file: &'static str) -> Result<Option<String>, Denied> {
        let path = DocPath::parse(file).map_err(|bad| Denied::Refused { why: bad.to_string() })?;
        let ask = Ask::Text(path);
        match self.facts.answers.get(&ask) {
            Some(Plain::Text(text)) => {
                self.to.position.taken.push(file);
                Ok(Some(text.clone()))
            }
            Some(_) => Ok(None),
            None => Err(Denied::Needs(vec![ask])),
        }
    }

    fn marker(&self, part: Part, known: &Known) -> (Marker, u32) {
        let round = self.run.position().round(known, part);
        let head = known.pull.head.as_deref();
        (Marker::new(part, self.run.id(), self.facts.seq, round, head), round)
    }

    fn post(&mut self, marker: Marker, body: String) {
        self.to.effects.push(Effect::Post { marker: marker.as_str().to_owned(), body });
    }
}

/// Ends a loop well.
fn approve(known: &mut Known) {
    known.approved = true;
    if let Some(review_loop) = &mut known.review_loop {
        review_loop.active = false;
    }
}

//! A milestone tree as a machine of the kernel: one unit at a time, rules around each.
//!
//! The tree and its front matter are the state; a run adds only the progress of the rules with the
//! last ended unit. A unit that was begun stays unchanged until it ends, whatever the tree contains
//! meanwhile: the work itself changes the tree.

use super::look::{TreeLook, again, keeps, told};
use super::{
    DispatchOutcome, DispatchedUnit, NextStep, Position, SliceProgress, State, Stopped, Tree,
    derive, dispatch, instruction, kernel_id,
};
use crate::rules::{Chain, End, EndedUnit, Following, How, Wording};
use crate::{
    Ask, Attempt, Counts, Denied, Facts, KernelDecision, Machine, Move, Name, Next, Plain, Prompt,
    Rank, Run, Stored as _, Unit, UnitId,
};

#[derive(Clone, Copy, Debug)]
pub struct Gsd;

/// A tree, its state, and the rules around its units.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    pub tree: Tree,
    pub state: State,
    pub rules: Chain,
}

/// The part of a unit that remains a claim even if its gates pass.
const CLAIM: &str = "the work behind its papers";
/// Why a review does not count.
const VOID: &str = "the files changed while they were reviewed";
const RETRY: Name = Name::literal("retry");
/// Number of retries after the first try.
const TRIES: u32 = 3;
/// Number of repetitions of a rule's unit, for each of its cycles.
const AGAIN: u32 = 3;
/// Number of units that rules may skip before the run lacks bounds for the next.
const CANDIDATES: usize = 8;

impl Definition {
    pub fn new(tree: Tree, rules: Chain) -> Self {
        Self { state: derive(&tree), tree, rules }
    }

    /// Computes the next step of a run as if no unit were begun.
    pub fn look(&self, run: &Run<Position>, facts: &Facts) -> NextStep {
        TreeLook { definition: self, run, facts }.next()
    }

    /// Returns the instruction of a unit, with the rules' changes.
    pub fn worded(&self, unit: &Unit) -> String {
        unit.wording.apply(|| {
            let (kind, at) =
                parts(&unit.id).unwrap_or_else(|| (unit.kind.clone(), unit.id.clone()));
            instruction(&kind, &at, &self.tree).unwrap_or_default()
        })
    }

    /// Returns the units that the table could begin and every known task: rules may have business
    /// with a finished task.
    fn candidates(&self) -> Vec<(Name, UnitId)> {
        let mut found: Vec<(Name, UnitId)> = Vec::new();
        for _ in 0..CANDIDATES {
            let taken = |kind: &Name, at: &UnitId| {
                found.iter().any(|(k, a)| k == kind && a == at).then(String::new)
            };
            match dispatch(&self.tree, &self.state, &taken).decision {
                DispatchOutcome::Dispatch { kind, at } => found.push((kind, at)),
                DispatchOutcome::Stop { .. } | DispatchOutcome::Skip { .. } => break,
            }
        }
        let task = Name::literal("execute-task");
        for at in self.tree.tasks() {
            if !found.iter().any(|(kind, known)| *kind == task && *known == at) {
                found.push((task.clone(), at));
            }
        }
        found
    }
}

impl Machine for Gsd {
    type Definition = Definition;
    type Position = Position;
    const RANK: Rank = Rank::Loop;

    fn limits(definition: &Definition) -> Vec<(Name, u32)> {
        let mut limits = vec![(RETRY, TRIES)];
        for (kind, at) in definition.candidates() {
            let rules = definition.rules.rules().iter().filter(|rule| rule.after.has(&kind));
            for rule in rules {
                let Some(bound) = rule.bound(&kind, &at) else { continue };
                limits.extend(again(&bound).map(|again| (again, rule.max.saturating_mul(AGAIN))));
                limits.push((bound, rule.max));
            }
        }
        limits
    }

    fn next(definition: &Definition, run: &Run<Position>, facts: &Facts) -> Next {
        let look = TreeLook { definition, run, facts };
        if run.attempts().is_empty() {
            return look.next().next;
        }
        let begun = run.attempts().iter().filter_map(|attempt| begun(&look, attempt));
        Next::Units(begun.collect())
    }

    fn prompt(definition: &Definition, _: &Run<Position>, unit: &Unit, _: &Facts) -> Prompt {
        Prompt::of(definition.worded(unit))
    }

    fn step(
        definition: &Definition,
        run: &Run<Position>,
        heard: &KernelDecision<'_>,
        facts: &Facts,
    ) -> Result<Move<Position>, Denied> {
        let turn = Transition {
            look: TreeLook { definition, run, facts },
            to: Move::to(run.position().clone()),
        };
        match heard {
            KernelDecision::Began { unit } => Ok(turn.began(unit)),
            KernelDecision::Passed { unit, .. } if turn.is_void(&unit.id) => {
                let to = turn.ended(&unit.id, How::Failed)?;
                Ok(Move { claims: vec![VOID.to_owned()], ..to })
            }
            KernelDecision::Passed { unit, .. } => {
                let (claims, altered) = (turn.claims(&unit.id), turn.altered(&unit.id));
                let mut to = turn.ended(&unit.id, How::Passed)?;
                to.position.open.clear();
                to.position.altered.extend(altered);
                Ok(Move { claims, ..to })
            }
            KernelDecision::Failed { unit, .. } => turn.ended(&unit.id, How::Failed),
            KernelDecision::Lost { unit, .. } => turn.ended(unit, How::Lost),
            KernelDecision::Gone { .. } => Ok(turn.forgotten()),
            KernelDecision::Resumed => turn.person(How::Resumed, None),
            KernelDecision::Answered { text } => {
                turn.person(How::Answered, Some((*text).to_owned()))
            }
            KernelDecision::Look => turn.looked(),
            KernelDecision::Do { verb } => {
                let why = format!("a milestone tree has no verb `{}`", verb.escape_debug());
                Err(Denied::Refused { why })
            }
        }
    }
}

/// Rebuilds a unit that was begun; `None` if its subject is gone.
fn begun(look: &TreeLook<'_>, attempt: &Attempt) -> Option<Unit> {
    let (kind, at) = parts(attempt.unit())?;
    let given = look.run.position().given.as_ref().filter(|given| given.unit == *attempt.unit());
    match (look.run.position().is_due(&kind, &at), given) {
        (true, _) => match look.next().next {
            Next::Units(units) => units.into_iter().find(|unit| unit.id == *attempt.unit()),
            Next::Wait { .. } | Next::Held(_) | Next::Done | Next::Cancelled | Next::Ask(_) => None,
        },
        (false, Some(given)) => {
            look.given(&given.derived, &kind, &at, Wording::whole(given.prompt.clone()))
        }
        (false, None) => super::unit(&kind, &at, &look.definition.tree),
    }
}

/// Splits `execute-task M001/S01/T01` into kind and id.
pub(super) fn parts(unit: &UnitId) -> Option<(Name, UnitId)> {
    let (kind, at) = unit.as_str().split_once(' ')?;
    Some((Name::parse(kind).ok()?, UnitId::parse(at).ok()?))
}

impl Position {
    /// Returns whether this is the unit that a rule asked for.
    fn is_due(&self, kind: &Name, at: &UnitId) -> bool {
        let following = self.following.as_ref().filter(|following| following.id == *at);
        following.and_then(Following::due_kind).is_some_and(|due| due == *kind)
    }
}

/// A transition in progress.
struct Transition<'a> {
    look: TreeLook<'a>,
    to: Move<Position>,
}

impl Transition<'_> {
    /// Records that a rule holds the next unit.
    fn looked(mut self) -> Result<Move<Position>, Denied> {
        let NextStep { next, stopped, .. } = self.look.next();
        if let Next::Ask(asks) = next {
            return Err(Denied::Needs(asks));
        }
        let position = &mut self.to.position;
        if !position.stopped.as_ref().is_some_and(|known| known.allowed) {
            position.stopped = stopped;
        }
        Ok(self.to)
    }

    /// Returns the claims of a passed unit: its own work, and tasks that became done meanwhile.
    fn claims(&self, unit: &UnitId) -> Vec<String> {
        let (tree, open) = (&self.look.definition.tree, &self.look.run.position().open);
        let about = parts(unit).map(|(_, at)| at);
        let more = about.iter().flat_map(|about| tree.unbegun(open, about));
        std::iter::once(CLAIM.to_owned()).chain(more).collect()
    }

    /// Returns whether a passed unit is a review during which the files changed.
    fn is_void(&self, unit: &UnitId) -> bool {
        let began = self.look.run.position().reviewed.as_ref();
        let (Some(began), Some(Plain::Text(now))) = (began, self.look.files()) else {
            return false;
        };
        self.is_review(unit) && began != now
    }

    fn is_review(&self, unit: &UnitId) -> bool {
        let (Some((kind, at)), position) = (parts(unit), &self.to.position) else { return false };
        let due = position.following.as_ref().filter(|_| position.is_due(&kind, &at));
        let rule = due.and_then(|following| following.due.as_ref()).map(|due| &due.rule);
        let rule = rule.and_then(|name| self.look.definition.rules.rule(name));
        rule.is_some_and(|rule| rule.is_review(&kind))
    }

    /// Returns improper changes that a passed unit made to the tree.
    fn altered(&self, unit: &UnitId) -> Vec<String> {
        let (tree, open) = (&self.look.definition.tree, &self.look.run.position().open);
        let parts = parts(unit);
        parts.map_or_else(Vec::new, |(kind, at)| tree.altered(open, &kind, &at))
    }

    /// Records the begun unit and the rules' answers about it.
    fn began(mut self, unit: &Unit) -> Move<Position> {
        let NextStep { derived, following, keeps, events, .. } = self.look.next();
        let position = &mut self.to.position;
        let Definition { tree, state, .. } = self.look.definition;
        // A failed unit may have ticked boxes, too.
        if let Some(milestone) = state.milestone.as_ref().filter(|_| position.open.is_empty()) {
            position.open = tree.open(&milestone.id);
        }
        if let Some(following) = &following {
            position.account(&following.id);
        } else if self.look.sent_back().is_none() {
            // By now the rules know of everything that is done.
            position.seen = SliceProgress::now(self.look.definition);
        }
        position.given = derived.map(|derived| DispatchedUnit {
            unit: unit.id.clone(),
            derived,
            prompt: self.look.definition.worded(unit),
        });
        position.following = following;
        position.stopped = None;
        position.keeps.extend(keeps);
        self.to.events = events;
        let work = self.look.files().filter(|_| self.is_review(&unit.id));
        self.to.position.reviewed = work.and_then(|work| match work {
            Plain::Text(work) => Some(work.clone()),
            Plain::Null
            | Plain::Bool(_)
            | Plain::Int(_)
            | Plain::Other(_)
            | Plain::List(_)
            | Plain::Map(_) => None,
        });
        self.to
    }

    /// Asks the rules about an ended unit.
    fn ended(mut self, unit: &UnitId, how: How) -> Result<Move<Position>, Denied> {
        let Some((kind, at)) = parts(unit) else { return Ok(self.to) };
        let position = self.look.run.position();
        let following = position.following.clone().filter(|_| position.is_due(&kind, &at));
        let given = position.given.as_ref().filter(|given| given.unit == *unit);
        // Whatever a rule called the unit, its work was that of the derived kind.
        let derived = given.map_or_else(|| kind.clone(), |given| given.derived.clone());
        let (following, kind) = match (following, how) {
            (Some(following), _) => (following, kind),
            (None, How::Passed) => {
                self.to.position.given = None;
                self.to.position.pass(&kernel_id(&derived, &at));
                self.to.counts = Counts::Forget(vec![RETRY]);
                (Following::new(derived.clone(), at.clone()), derived)
            }
            // The kernel retries it.
            (None, How::Failed | How::Lost | How::Resumed | How::Answered) => return Ok(self.to),
        };
        let text = self.left(&following, how)?;
        self.tell(&following, &EndedUnit { kind, how, text })
    }

    /// Returns the text that a unit left in its answer file.
    fn left(&self, following: &Following, how: How) -> Result<Option<String>, Denied> {
        let wish = following.due.as_ref().map(|due| &due.wish);
        let file = wish.and_then(|wish| wish.file.as_deref().or(wish.reply.as_deref()));
        let path = file.and_then(|file| self.look.definition.tree.beside(&following.id, file));
        let Some(path) = path.filter(|_| how == How::Passed) else { return Ok(None) };
        let ask = Ask::Text(path);
        match self.look.facts.answers.get(&ask) {
            Some(Plain::Text(text)) => Ok(Some(text.clone())),
            Some(_) => Ok(None),
            None => Err(Denied::Needs(vec![ask])),
        }
    }

    fn tell(mut self, following: &Following, ended: &EndedUnit) -> Result<Move<Position>, Denied> {
        let Some((decided, after)) = self.look.hear(following, Some(ended)) else {
            return Ok(self.forgotten());
        };
        if let End::Ask(asks) = decided.end {
            return Err(Denied::Needs(asks));
        }
        self.to.position.keeps.extend(keeps(&following.id, &decided));
        self.to.events = told(&following.kind, &following.id, &decided);
        self.to.position.account(&following.id);
        if after.is_none() {
            self.forget(following);
        }
        self.to.position.following = after;
        Ok(self.to)
    }

    /// Forgets the counters of a unit that is over.
    fn forget(&mut self, over: &Following) {
        let mut names = match std::mem::replace(&mut self.to.counts, Counts::Keep) {
            Counts::Forget(names) => names,
            Counts::Keep | Counts::Renew => Vec::new(),
        };
        for rule in self.look.definition.rules.rules() {
            let bound = rule.bound(&over.kind, &over.id);
            names.extend(bound.as_ref().and_then(again));
            names.extend(bound);
        }
        self.to.counts = Counts::Forget(names);
    }

    /// Resumes work that a rule holds, on behalf of a person.
    fn person(mut self, how: How, text: Option<String>) -> Result<Move<Position>, Denied> {
        self.to.position.lately.clear();
        if !std::mem::take(&mut self.to.position.altered).is_empty() {
            return Ok(self.to);
        }
        // An answer lets the unit begin; a mere resume asks the rule again.
        let stopped = self.to.position.stopped.take();
        self.to.position.stopped = stopped
            .filter(|stopped| how == How::Answered || stopped.allowed)
            .map(|stopped| Stopped { allowed: true, ..stopped });
        let NextStep { following, next, .. } = self.look.next();
        let (Some(following), Next::Held(_)) = (following, next) else { return Ok(self.to) };
        let ended = EndedUnit { kind: following.kind.clone(), how, text };
        let mut to = self.to.clone();
        match self.tell(&following, &ended) {
            // The decision needs the answer of a command, which is run at the next look.
            Err(Denied::Needs(_)) => {
                let told = Some(ended);
                to.position.account(&following.id);
                to.position.following =
                    Some(Following { hold: None, due: None, told, ..following });
                Ok(to)
            }
            other => other,
        }
    }

    /// Drops a unit that is no longer in the tree. If rules still follow it, or if it was begun, a
    /// person decides about its disappearance.
    fn forgotten(mut self) -> Move<Position> {
        let given = self.to.position.given.as_ref().and_then(|given| parts(&given.unit));
        let begun = given.map(|(_, at)| at);
        let followed = self.to.position.following.as_ref().map(|following| following.id.clone());
        let gone = followed.or(begun).map(|at| format!("{at} is gone from the tree"));
        let altered = &mut self.to.position.altered;
        altered.extend(gone.filter(|line| !altered.contains(line)).into_iter().collect::<Vec<_>>());
        self.to.position.following = None;
        self.to.position.given = None;
        self.to
    }
}

impl State {
    /// Returns the part of the state that rules may see.
    pub fn plain(&self) -> Plain {
        let id = |found: &Option<super::Ref>| found.as_ref().map(|found| found.id.clone()).lower();
        Plain::map([
            ("phase", self.phase.to_string().into()),
            ("milestone", id(&self.milestone)),
            ("slice", id(&self.slice)),
            ("task", id(&self.task)),
            ("nextAction", self.next_action.lower()),
        ])
    }
}

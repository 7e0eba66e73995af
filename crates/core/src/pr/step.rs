//! The loop's response to decisions of the kernel: its next turn, its posts, and the reason of a
//! stop.

use super::machine::{OUTAGES, part_of};
use super::merge::{Ci, ci, merge, recompute};
use super::pending::{Folder, Pending, PendingGap};
use super::position::{CiWait, LoopExit};
use super::requested::{self, is_requested};
use super::round::{ReviewOrigin, Reviewed, respond, review};
use super::words::{Marker, response_post, review_post};
use super::{
    Own, Position, Pull, PullRecord, RESPONSE_FILE, REVIEW_FILE, ReviewTurn, Trust, TurnRole,
    compute,
};
use crate::{
    Ask, Counts, Denied, DocPath, Effect, Facts, Fields, Hash, Move, Plain, Ran, Run, Stored as _,
    Unit, UnitId, Unreadable, Word,
};

/// A transition in progress.
pub(super) struct Step<'a> {
    pub(super) run: &'a Run<Position>,
    pub(super) facts: &'a Facts,
    pub(super) to: Move<Position>,
}

impl Step<'_> {
    /// Records that the forge could not be reached; after several failures in a row a person must
    /// know.
    pub(super) fn outage(mut self) -> Move<Position> {
        let position = &mut self.to.position;
        position.outages = position.outages.saturating_add(1);
        if position.outages >= OUTAGES && position.exit.is_none() {
            let why = "it could not be reached, twice in a row".to_owned();
            position.exit = Some(LoopExit::Forge { why });
        }
        self.to
    }

    /// Applies fresh data of the forge.
    pub(super) fn look(mut self, known: &PullRecord) -> Result<Move<Position>, Denied> {
        let (pull, folder) = self.seen()?;
        let mut after = merge(known, pull);
        let position = &mut self.to.position;
        position.outages = 0;
        position.exit.take_if(|exit| matches!(exit, LoopExit::Forge { .. }));
        position.has_ci |= !after.pull.checks.is_empty();
        position.loose = position.loose.or(Some(Hash::of(&folder.loose)));
        let mut trust = position.trust(known);
        if let Some(answer) = position.answer.clone() {
            let (patience, now) = (after.patience(), self.facts.now);
            match answer.gap(position, (&after.pull, &folder), &patience, now) {
                PendingGap::None => after = self.answered(after, &answer.text),
                gap @ (PendingGap::Young | PendingGap::Open(_)) => {
                    self.give_back(gap);
                    self.turn(after, ReviewTurn::Response);
                    return Ok(self.to);
                }
            }
            trust = Trust::Stored;
        }
        let unpushed = folder.unpushed(&after.pull);
        if self.to.position.passed && self.run.attempts().is_empty() {
            self.grant(after, trust);
        } else {
            self.go_on(after, trust);
        }
        self.wait_for_nothing(unpushed);
        Ok(self.to)
    }

    /// Grants the approval of a review that found nothing, if the forge does not object; else
    /// passes the turn to the part that can resolve the objection.
    fn grant(&mut self, mut after: PullRecord, trust: Trust) {
        let position = &self.to.position;
        let same = position.commit == after.pull.head;
        let began = position.pushed.map(|at| CiWait { head: None, since: at, moved: at });
        let wait = position.ci.as_ref().or(began.as_ref());
        let checks = ci(&after.pull, wait, &after.patience(), self.facts.now);
        match (same, checks) {
            (true, Ci::Green) if is_requested(&after) => {
                let position = &mut self.to.position;
                position.passed = false;
                position.ledger.note(&requested::findings(&after), after.level);
                self.turn(after, ReviewTurn::Response);
            }
            (true, Ci::Green) => {
                self.to.position.passed = false;
                approve(&mut after);
                self.turn(after, ReviewTurn::Response);
            }
            (true, Ci::Pending) => self.turn(after, ReviewTurn::CiPending),
            (true, Ci::Failing) => {
                // The fix needs a review.
                self.to.position.passed = false;
                self.turn(after, ReviewTurn::CiReview);
                self.to.position.due = Some(ReviewTurn::Review);
            }
            (false, _) => {
                self.to.position.passed = false;
                self.go_on(after, trust);
            }
        }
    }

    /// Stops a loop that would wait for the checks of a commit that was never pushed.
    fn wait_for_nothing(&mut self, unpushed: Option<String>) {
        let position = &mut self.to.position;
        position.exit.take_if(|exit| matches!(exit, LoopExit::Unpushed { .. }));
        let waits = position.wrote == Some(ReviewTurn::CiPending) && self.run.attempts().is_empty();
        if position.exit.is_none() && waits {
            position.exit = unpushed.map(|why| LoopExit::Unpushed { why });
        }
    }

    /// Returns the forge's data, and the folder's state that the forge lacks.
    fn seen(&self) -> Result<(Pull, Folder), Denied> {
        let Some(answer) = self.facts.answers.get(&Ask::Pull) else {
            return Err(Denied::Needs(vec![Ask::Pull]));
        };
        let read = || {
            let fields = Fields::of(answer)?;
            let loose = fields.get::<Option<String>>(Pull::LOOSE)?.unwrap_or_default();
            let folder = Folder { loose, pushed: fields.get(Pull::PUSHED)? };
            Ok((Pull::lift(answer)?, folder))
        };
        read().map_err(|bad: Unreadable| Denied::Refused { why: bad.to_string() })
    }

    /// Moves to the turn that follows from the forge's data.
    fn go_on(&mut self, after: PullRecord, trust: Trust) {
        let now = self.facts.now;
        let position = &mut self.to.position;
        if let Some(wait) = position.ci.as_mut().filter(|wait| wait.head != after.pull.head) {
            wait.head.clone_from(&after.pull.head);
            wait.moved = now;
        }
        let checks = ci(&after.pull, position.ci.as_ref(), &after.patience(), now);
        let turn = match (trust, position.wrote, checks) {
            (Trust::Computed, ..) | (Trust::Stored, None, _) => recompute(&after),
            (Trust::Stored, Some(ReviewTurn::Response), _) => ReviewTurn::Response,
            (Trust::Stored, Some(_), Ci::Pending) => ReviewTurn::CiPending,
            (Trust::Stored, Some(_), Ci::Failing) => ReviewTurn::CiReview,
            (Trust::Stored, Some(ReviewTurn::Review), Ci::Green) => ReviewTurn::Review,
            (Trust::Stored, Some(ReviewTurn::CiPending | ReviewTurn::CiReview), Ci::Green) => {
                position.due.unwrap_or_else(|| compute(&after.pull).turn)
            }
        };
        let turn = self.not_again(&after, turn);
        self.turn(after, turn);
    }

    /// Posts an answer whose changes the forge has, and moves on to its checks or its review.
    fn answered(&mut self, mut known: PullRecord, text: &str) -> PullRecord {
        let (marker, round) = self.marker(TurnRole::Developer, &known);
        let body = response_post(text, round, &marker);
        self.post(&marker, body);
        self.to.counts = Counts::Renew;
        let checker = known.review_loop.as_ref().is_some_and(|one| one.ci_checker.is_some());
        if let Some(review_loop) = &mut known.review_loop {
            review_loop.round = round;
        }
        let position = &mut self.to.position;
        (position.answer, position.missing, position.number) = (None, None, None);
        if position.commit != known.pull.head {
            position.pushed = Some(self.facts.now);
        }
        position.exit.take_if(|exit| matches!(exit, LoopExit::Unpushed { .. }));
        let checks = checker || position.has_ci;
        self.turn(known.clone(), if checks { ReviewTurn::CiPending } else { ReviewTurn::Review });
        self.to.position.due = checks.then_some(ReviewTurn::Review);
        known
    }

    /// Gives an answer back to the developer, once; after that it waits for a person.
    fn give_back(&mut self, gap: PendingGap) {
        let PendingGap::Open(why) = gap else { return };
        let position = &mut self.to.position;
        match (&position.exit, position.missing.take()) {
            (Some(_), _) => {}
            (None, Some(_)) => position.exit = Some(LoopExit::Unpushed { why }),
            (None, None) => (position.answer, position.missing) = (None, Some(why)),
        }
    }

    /// Returns the turn for unchanged files: their findings are still there, so it is the
    /// developer's.
    fn not_again(&self, after: &PullRecord, turn: ReviewTurn) -> ReviewTurn {
        let position = &self.to.position;
        let same = position.judged == Some(self.facts.tree);
        let open = position.ledger.blocking(after.level).next().is_some();
        let works = !self.run.attempts().is_empty();
        match turn {
            ReviewTurn::Review if same && open && !works => ReviewTurn::Response,
            ReviewTurn::CiPending
            | ReviewTurn::CiReview
            | ReviewTurn::Review
            | ReviewTurn::Response => turn,
        }
    }

    /// Moves to a turn and records it in the file.
    fn turn(&mut self, mut after: PullRecord, turn: ReviewTurn) {
        let position = &mut self.to.position;
        position.author |= after.turn.as_deref() == Some(ReviewTurn::AUTHOR);
        let before = position.author.then_some(ReviewTurn::AUTHOR);
        after.turn = Some(turn.spelled(before).to_owned());
        match (turn, position.wrote) {
            (ReviewTurn::CiPending | ReviewTurn::CiReview, Some(ReviewTurn::Review)) => {
                position.due = Some(ReviewTurn::Review);
            }
            (ReviewTurn::Review | ReviewTurn::Response, _) => position.due = None,
            (ReviewTurn::CiPending | ReviewTurn::CiReview, _) => {}
        }
        if turn != ReviewTurn::CiPending {
            position.ci = None;
        } else if position.ci.is_none() {
            let head = after.pull.head.clone();
            position.ci = Some(CiWait { head, since: self.facts.now, moved: self.facts.now });
        }
        position.wrote = Some(turn);
        position.after = Some(Box::new(after));
    }

    /// Ends the agent's turn.
    pub(super) fn ended(mut self) -> Self {
        self.to.position.kept = None;
        self
    }

    /// Records the number of the round, and the files at the start of a review or an answer.
    pub(super) fn began(mut self, unit: &Unit, known: &PullRecord) -> Move<Position> {
        let position = &mut self.to.position;
        position.kept = Some(Own::of(known));
        position.passed = false;
        match part_of(&unit.id) {
            Some(part @ TurnRole::Reviewer) => {
                position.number = Some(position.round(known, part));
                // After an invalid review, the next one must not pass what the reviewer changed.
                let kept = position.reviewed.filter(|_| position.unclear.is_some());
                position.reviewed = kept.or(Some(self.facts.tree));
            }
            Some(part @ TurnRole::Developer) => {
                position.number = Some(position.round(known, part));
                position.reviewed = position.reviewed.or(Some(self.facts.tree));
            }
            Some(TurnRole::CiChecker | TurnRole::CiFixer) | None => {}
        }
        self.to
    }

    pub(super) fn passed(
        mut self,
        unit: &Unit,
        word: &Word,
        known: PullRecord,
    ) -> Result<Move<Position>, Denied> {
        match part_of(&unit.id) {
            Some(TurnRole::Reviewer) => self.reviewed(known, word),
            Some(TurnRole::Developer) => self.responded(known),
            Some(TurnRole::CiFixer) => {
                self.pushed(known);
                Ok(self.to)
            }
            // Its report is only a claim; the forge is asked.
            Some(TurnRole::CiChecker) | None => Ok(self.to),
        }
    }

    /// Applies a review from its file, else from the last message.
    fn reviewed(mut self, known: PullRecord, word: &Word) -> Result<Move<Position>, Denied> {
        let left = self.left(REVIEW_FILE)?.filter(|text| !text.trim().is_empty());
        let place = if left.is_some() { ReviewOrigin::File } else { ReviewOrigin::Message };
        let text = left.unwrap_or_else(|| match word {
            Word::Said { text } => text.clone(),
            Word::None | Word::Done | Word::Failed { .. } | Word::Question { .. } => String::new(),
        });
        let came = review(&mut self.to.position, &known, (&text, place), self.facts.tree);
        match came {
            Reviewed::Again => return Ok(self.to),
            Reviewed::Exit(exit @ LoopExit::Unclear { .. }) => {
                self.to.position.exit = Some(exit);
                return Ok(self.to);
            }
            Reviewed::Exit(exit) => self.to.position.exit = Some(exit),
            Reviewed::Approved => self.to.position.passed = true,
            Reviewed::Issues => {}
        }
        let (marker, round) = self.marker(TurnRole::Reviewer, &known);
        let body = review_post(&text, round, &marker);
        self.post(&marker, body);
        self.turn(known, ReviewTurn::Response);
        Ok(self.to)
    }

    /// Keeps an answer until the forge has its changes.
    fn responded(mut self, mut known: PullRecord) -> Result<Move<Position>, Denied> {
        let text = self.left(RESPONSE_FILE)?.unwrap_or_default();
        if respond(&mut self.to.position, &known, &text, self.facts.tree) {
            self.to.position.answer = Some(Pending { text, since: self.facts.now });
        } else {
            let round = self.run.position().round(&known, TurnRole::Developer);
            self.to.position.exit = Some(LoopExit::FindingsLeft { round });
            if let Some(review_loop) = &mut known.review_loop {
                review_loop.round = round;
            }
            // The round is spent, and the next one begins with the same answer due.
            self.to.position.number = None;
        }
        self.turn(known, ReviewTurn::Response);
        Ok(self.to)
    }

    /// Waits for the checks of a push; the previous checks do not apply to it.
    fn pushed(&mut self, mut known: PullRecord) {
        known.pull.checks.clear();
        self.to.position.ci = None;
        self.to.position.pushed = Some(self.facts.now);
        self.turn(known, ReviewTurn::CiPending);
        self.to.position.due = Some(ReviewTurn::Review);
    }

    /// Handles a lost agent. A half-finished answer is not repeated blindly.
    pub(super) fn lost(mut self, unit: &UnitId, ran: Ran) -> Move<Position> {
        if self.run.outbox().is_empty() {
            self.to.position.wrote = None;
        }
        let position = &mut self.to.position;
        let changed = position.reviewed.is_some_and(|tree| tree != self.facts.tree);
        if ran == Ran::Yes && part_of(unit) == Some(TurnRole::Developer) && changed {
            let what = "the developer is gone and left work half done".to_owned();
            position.exit = Some(LoopExit::NoProgress { what });
        }
        self.to
    }

    /// Resumes the loop for a person: a disputed finding is settled, and an exhausted limit is
    /// raised.
    pub(super) fn resumed(mut self, mut known: PullRecord) -> Move<Position> {
        let position = &mut self.to.position;
        position.outages = 0;
        if let Some(wait) = &mut position.ci {
            wait.since = self.facts.now;
        }
        match position.exit.take() {
            // The person has decided the dispute; the forge may still object.
            Some(LoopExit::Disputed { .. }) => position.passed = true,
            Some(
                LoopExit::Converged { .. }
                | LoopExit::NotFewer { .. }
                | LoopExit::FindingsLeft { .. }
                | LoopExit::NoProgress { .. }
                | LoopExit::Unclear { .. }
                | LoopExit::Unpushed { .. }
                | LoopExit::Forge { .. },
            ) => {}
            None => {
                let round = known.round();
                let used_up = known.review_loop.as_mut().filter(|one| round >= one.rounds());
                if let Some(review_loop) = used_up {
                    review_loop.extend(round);
                    position.after = Some(Box::new(known));
                }
            }
        }
        self.to
    }

    /// Returns the text that an agent left in a file, and marks the file for removal.
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

    fn marker(&self, part: TurnRole, known: &PullRecord) -> (Marker, u32) {
        let round = self.run.position().round(known, part);
        let head = known.pull.head.as_deref();
        (Marker::new(part, self.run.id(), self.facts.seq, round, head), round)
    }

    fn post(&mut self, marker: &Marker, body: String) {
        self.to.effects.push(Effect::Post { marker: marker.as_str().to_owned(), body });
    }
}

/// Ends a loop with an approval.
fn approve(known: &mut PullRecord) {
    known.approved = true;
    if let Some(review_loop) = &mut known.review_loop {
        review_loop.active = false;
    }
}

//! The review of a task, as a rule: review, fix, review again, until nothing is found.
//!
//! It uses only the interface of rules, as any user's rule would. Its state is under `extensions:
//! review-loop:` in the front matter of the task, in GSD's own keys, and it continues from that
//! alone. `Reviewing(c)` is `pending_review` with `cycle: c`, `Fixing(c)` is `fixing` with it. A
//! review that does not pass ends held, never passed: exhausted, going in circles, or unclear. A
//! person resumes it or accepts the work as it is.

mod state;
#[cfg(test)]
mod tests;
mod words;

use state::{Active, HeldReview, HoldReason, ReviewState, ReviewStatus};

use crate::review::{RoundEnd, RoundResult, Terms, Threshold, Unclear, accepts, read};
use crate::rules::{Do, EndedUnit, Hold, How, Name, Plain, Question, RequestedUnit, RuleDecision};

/// The shipped rule that reviews tasks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReviewLoop {
    /// The level of findings that must be fixed before a review passes.
    pub level: Threshold,
}

const REVIEW: &str = ReviewLoop::REVIEW;
const FIX: &str = "fix-task";
/// Number of lost or unclear reviews that are repeated, per cycle.
const REVIEWS: u32 = 1;
/// Number of failed fixes that are repeated, per cycle.
const FIXES: u32 = 2;

impl ReviewLoop {
    pub const NAME: &'static str = "review-loop";
    /// The kind of its review units.
    pub const REVIEW: &'static str = "review-task";
    /// The default number of cycles.
    pub const MAX: u32 = 5;

    /// Returns whether a review is active or held; an unreadable state counts as open.
    pub fn is_open(&self, kept: &Plain) -> bool {
        ReviewState::read(kept).map_or(true, |state| state.active.is_some() || state.held.is_some())
    }

    pub fn answer(&self, question: &Question) -> RuleDecision {
        let [_, _, task] = question.unit.parts();
        match ReviewState::read(&question.kept).and_then(|state| state.of(task)) {
            Ok(state) => PendingAnswer { rule: self, question, state }.take(),
            Err(bad) => {
                let why = format!("`extensions.{}` is not understood: {bad}", Self::NAME);
                let gate = Name::literal(Self::NAME);
                RuleDecision::only(Do::Hold(Hold::Unproven { gate, why }))
            }
        }
    }
}

/// An answer in progress.
struct PendingAnswer<'a> {
    rule: &'a ReviewLoop,
    question: &'a Question,
    state: ReviewState,
}

impl PendingAnswer<'_> {
    fn take(self) -> RuleDecision {
        let ended = self.question.result.as_ref();
        if let Some(held) = self.state.held.clone() {
            return self.held(held, ended);
        }
        let Some(active) = self.state.active.clone() else { return self.idle(ended) };
        match (active.status, ended) {
            (ReviewStatus::Reviewing, Some(ended)) if ended.kind.as_str() == REVIEW => {
                self.reviewed(active, ended)
            }
            (ReviewStatus::Fixing, Some(ended)) if ended.kind.as_str() == FIX => {
                self.fixed(active, ended)
            }
            (ReviewStatus::Reviewing, _) => self.review(active),
            (ReviewStatus::Fixing, _) => self.fix(active),
        }
    }

    /// Answers when no review is known to be active.
    fn idle(mut self, ended: Option<&EndedUnit>) -> RuleDecision {
        let [_, _, task] = self.question.unit.parts();
        let Some(ended) = ended else { return RuleDecision::only(Do::Pass) };
        // A unit that the rule requested has ended, so a review was active: if its state was
        // removed from the front matter, the rule continues from the framework's count.
        let was = Active { cycle: self.question.cycle.max(1), ..Active::new(task) };
        match (ended.kind.as_str(), ended.how) {
            (REVIEW, _) => self.reviewed(was, ended),
            (FIX, _) => self.fixed(Active { status: ReviewStatus::Fixing, ..was }, ended),
            (_, How::Answered) if ended.text.as_deref().is_some_and(accepts) => {
                self.state.accept(&was, &HoldReason::Lost);
                self.keep(Do::Pass)
            }
            // A rule is asked only after the work has ended and passed.
            (_, How::Passed | How::Failed | How::Lost | How::Resumed | How::Answered) => {
                self.review_anew(Active::new(task))
            }
        }
    }

    /// Handles the end of a review.
    fn reviewed(self, mut active: Active, ended: &EndedUnit) -> RuleDecision {
        if ended.how != How::Passed {
            active.tries += 1;
            let is_void = ended.how == How::Failed;
            if active.tries > REVIEWS {
                let why = if is_void { HoldReason::Void } else { HoldReason::Lost };
                return self.hold(active, why);
            }
            if is_void {
                active.advice = Some(words::VOID.to_owned());
            }
            return self.review_anew(active);
        }
        let found = match read(ended.text.as_deref().unwrap_or_default()) {
            Ok(answer) => answer.findings,
            Err(unclear) => return self.unclear(active, &unclear),
        };
        active.path = words::path(self.question, &active);
        active.ledger.note(&found, self.rule.level);
        let terms = Terms::new(self.rule.level, self.question.max);
        match active.ledger.result(active.cycle, &terms) {
            RoundResult::Clean => self.passed(&active),
            RoundResult::Issues => {
                active.status = ReviewStatus::Fixing;
                active.tries = 0;
                self.fix(active)
            }
            RoundResult::Ends(RoundEnd::RoundsOver { .. }) => self.exhausted(active),
            RoundResult::Ends(RoundEnd::Repeats { what }) => {
                self.hold(active, HoldReason::Repeats(what))
            }
            RoundResult::Ends(RoundEnd::NotFewer { rounds }) => {
                self.hold(active, HoldReason::NoProgress(rounds))
            }
            RoundResult::Ends(RoundEnd::Disputed { what }) => {
                self.hold(active, HoldReason::Disputed(what))
            }
        }
    }

    fn passed(mut self, active: &Active) -> RuleDecision {
        self.state.complete(active, true);
        self.state.active = None;
        self.keep(Do::Pass)
    }

    /// Handles an unclear review: it is requested once more; after that, a person is asked.
    fn unclear(self, mut active: Active, unclear: &Unclear) -> RuleDecision {
        active.tries += 1;
        if active.tries > REVIEWS {
            return self.hold(active, HoldReason::Unclear(unclear.to_string()));
        }
        active.advice = Some(format!("Your review was not understood: {unclear}."));
        self.review_anew(active)
    }

    /// Handles the end of a fix.
    fn fixed(self, mut active: Active, ended: &EndedUnit) -> RuleDecision {
        if ended.how != How::Passed {
            active.tries += 1;
            if active.tries > FIXES {
                return self.hold(active, HoldReason::NotFixed);
            }
            return self.fix(active);
        }
        let reply = ended.text.as_deref().unwrap_or_default();
        active.ledger.take_refusals(reply, self.rule.level);
        if active.cycle >= self.question.max {
            return self.exhausted(active);
        }
        active.cycle += 1;
        active.status = ReviewStatus::Reviewing;
        active.tries = 0;
        active.advice = None;
        self.review_anew(active)
    }

    /// Answers for a held review: only a person can resume it.
    fn held(mut self, held: HeldReview, ended: Option<&EndedUnit>) -> RuleDecision {
        let person = ended.filter(|one| matches!(one.how, How::Resumed | How::Answered));
        let Some(ended) = person else {
            let what = words::hold(self.question, &held, self.rule.level);
            return self.keep(Do::Hold(what));
        };
        let said = ended.text.clone().filter(|_| ended.how == How::Answered);
        let HeldReview { review: mut active, why } = held;
        self.state.held = None;
        if said.as_deref().is_some_and(accepts) {
            self.state.accept(&active, &why);
            return self.keep(Do::Pass);
        }
        active.tries = 0;
        active.advice = said;
        match why {
            HoldReason::Unclear(_) | HoldReason::Void | HoldReason::Lost => {
                self.review_anew(active)
            }
            HoldReason::Repeats(_)
            | HoldReason::NoProgress(_)
            | HoldReason::Disputed(_)
            | HoldReason::NotFixed
            | HoldReason::Exhausted => {
                active.status = ReviewStatus::Fixing;
                active.begin_anew(self.rule.level, self.question.max);
                self.fix(active)
            }
        }
    }

    fn exhausted(mut self, active: Active) -> RuleDecision {
        self.state.complete(&active, false);
        self.hold(active, HoldReason::Exhausted)
    }

    fn hold(mut self, active: Active, why: HoldReason) -> RuleDecision {
        let held = HeldReview { review: active, why };
        let what = words::hold(self.question, &held, self.rule.level);
        self.state.active = None;
        self.state.held = Some(held);
        self.keep(Do::Hold(what))
    }

    /// Requests a review that has not begun yet.
    fn review_anew(self, mut active: Active) -> RuleDecision {
        active.renumber(|number| self.question.unit.has(&words::named(number)));
        self.review(active)
    }

    fn review(mut self, active: Active) -> RuleDecision {
        let wish = RequestedUnit {
            kind: Some(Name::literal(REVIEW)),
            prompt: words::review(self.question, &active),
            cycle: Some(active.cycle),
            file: Some(words::file(&active)),
            reply: None,
        };
        self.state.active = Some(active);
        self.keep(Do::Rework(wish))
    }

    fn fix(mut self, active: Active) -> RuleDecision {
        let wish = RequestedUnit {
            kind: Some(Name::literal(FIX)),
            prompt: words::fix(self.question, &active, self.rule.level),
            cycle: Some(active.cycle),
            file: None,
            reply: Some(words::reply(&active)),
        };
        self.state.active = Some(active);
        self.keep(Do::Rework(wish))
    }

    fn keep(self, what: Do) -> RuleDecision {
        let kept = self.state.lower();
        RuleDecision { what, keep: (kept != self.question.kept).then_some(kept) }
    }
}

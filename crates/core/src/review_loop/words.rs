//! The texts for reviewer, fixer and person.

use super::state::{Active, HeldReview, HoldReason};
use crate::review::{FindingStatus, LedgerEntry, ReviewEnd, RoundEnd, Subject, Threshold};
use crate::rules::{Hold, Question, short};

/// Maximum length of a finding in an instruction.
const FINDING: usize = 400;
/// Maximum number of findings in an instruction.
const MOST: usize = 40;
/// Maximum number of findings in a hold.
const SHOWN: usize = 5;

/// The message to a reviewer whose last review did not count.
pub(super) const VOID: &str =
    "Your last review did not count: write its file, and change no other.";

/// Returns the name of this cycle's review file, next to the task.
pub(super) fn file(active: &Active) -> String {
    named(active.number())
}

/// Returns the name of a review file by its number.
pub(super) fn named(number: u32) -> String {
    match number {
        1 => "CODE-REVIEW.md".to_owned(),
        number => format!("CODE-REVIEW-{number}.md"),
    }
}

/// Returns the name of the file, next to the task, in which the fixer may refuse findings.
pub(super) fn reply(active: &Active) -> String {
    file(active).replace(".md", "-REPLY.md")
}

/// Returns the path of the review file, relative to the folder of the slice.
pub(super) fn path(question: &Question, active: &Active) -> String {
    let [_, _, task] = question.unit.parts();
    format!("tasks/{task}-{}", file(active))
}

/// Returns the reviewer's instruction.
pub(super) fn review(question: &Question, active: &Active) -> String {
    let (unit, cycle, max) = (&question.unit.id, active.cycle, question.max);
    let path = path(question, active);
    let mut lines = vec![
        format!("Review the work on {unit} (review {cycle} of {max}). Change no code."),
        format!(
            "Write your review to `{path}`: one line `VERDICT: pass` or `VERDICT: issues`, then \
             one list item for each finding:"
        ),
        "`- [critical|important|minor] path:line: what is wrong. Fix: what to do.`".to_owned(),
    ];
    lines.extend(active.advice.as_deref().map(|advice| short(advice, FINDING)));
    let known = active.ledger.entries();
    if !known.is_empty() {
        let again = "Look first whether these were dealt with, and report what was not. Then look \
                     at what changed since. Do not report again what was refused with a reason.";
        lines.push(again.to_owned());
        lines.extend(known.iter().rev().take(MOST).map(|entry| format!("- {}", told(entry))));
    }
    lines.join("\n")
}

/// Returns the fixer's instruction.
pub(super) fn fix(question: &Question, active: &Active, level: Threshold) -> String {
    let (unit, cycle, max) = (&question.unit.id, active.cycle, question.max);
    let mut lines = vec![format!("Fix what the review of {unit} found (cycle {cycle} of {max}).")];
    if !active.path.is_empty() {
        lines.push(format!("The review is in `{}`.", short(&active.path, FINDING)));
    }
    lines.extend(active.advice.as_deref().map(|advice| short(advice, FINDING)));
    let open: Vec<_> = active.ledger.blocking(level).take(MOST).collect();
    if !open.is_empty() {
        let [_, _, task] = question.unit.parts();
        let reply = reply(active);
        lines.push(format!(
            "A finding that is none is not fixed but refused with a reason: a line `REFUSE 2: why` \
             in `tasks/{task}-{reply}`. The reviewer reads it."
        ));
    }
    for (at, entry) in open.into_iter().enumerate() {
        let number = at + 1;
        let severity = entry.finding.severity.as_str();
        lines.push(format!("{number}. [{severity}] {}", entry.finding.advised(FINDING)));
    }
    lines.join("\n")
}

fn told(entry: &LedgerEntry) -> String {
    let line = short(&entry.finding.line(), FINDING);
    match &entry.status {
        FindingStatus::Open => format!("open since review {}: {line}", entry.since),
        FindingStatus::Fixed => format!("fixed: {line}"),
        FindingStatus::Refused { why } => format!("refused ({}): {line}", short(why, FINDING)),
    }
}

/// Returns the hold of a review that waits, with its open findings.
pub(super) fn hold(question: &Question, held: &HeldReview, level: Threshold) -> Hold {
    let what = sentence(question, held);
    let open: Vec<_> = held.review.ledger.blocking(level).collect();
    let shown = open.iter().take(SHOWN).map(|entry| short(&entry.finding.line(), 120));
    let mut list = shown.collect::<Vec<_>>().join("; ");
    if open.len() > SHOWN {
        list = format!("{list}; and {} more", open.len() - SHOWN);
    }
    let what = if list.is_empty() || is_unread(&held.why) {
        what
    } else {
        format!("{what}; open: {list}")
    };
    end(question, &held.why).hold(Subject::Task).said_by(|_| what.clone())
}

fn sentence(question: &Question, held: &HeldReview) -> String {
    let cycle = held.review.cycle;
    match &held.why {
        HoldReason::Exhausted => format!("gave up after {} review rounds", question.max),
        HoldReason::Repeats(what) => {
            format!("review {cycle} only repeats: {}", short(what, FINDING))
        }
        HoldReason::NoProgress(what) => format!("the findings do not get fewer ({what})"),
        HoldReason::Disputed(what) => {
            format!("the fixer refused what review {cycle} finds again: {}", short(what, FINDING))
        }
        HoldReason::Unclear(what) => {
            let path = path(question, &held.review);
            format!("review {cycle} in `{path}` was not understood twice: {what}")
        }
        HoldReason::Void => {
            let path = path(question, &held.review);
            format!(
                "review {cycle} does not count, twice: the reviewer did not write `{path}`, or \
                 changed another file"
            )
        }
        HoldReason::Lost => format!("review {cycle} was lost, or did not count, twice"),
        HoldReason::NotFixed => format!("the fix of cycle {cycle} failed three times"),
    }
}

/// Returns whether there is no review to show findings of.
const fn is_unread(why: &HoldReason) -> bool {
    matches!(why, HoldReason::Unclear(_) | HoldReason::Void)
}

/// Returns the row of the table that all reviews share.
fn end(question: &Question, why: &HoldReason) -> ReviewEnd {
    let failed = |what: &str| ReviewEnd::Failed { what: what.to_owned() };
    match why.clone() {
        HoldReason::Exhausted => ReviewEnd::Round(RoundEnd::RoundsOver { rounds: question.max }),
        HoldReason::Repeats(what) => ReviewEnd::Round(RoundEnd::Repeats { what }),
        HoldReason::NoProgress(rounds) => ReviewEnd::Round(RoundEnd::NotFewer { rounds }),
        HoldReason::Disputed(what) => ReviewEnd::Round(RoundEnd::Disputed { what }),
        HoldReason::Unclear(why) => ReviewEnd::NotCounted { why },
        HoldReason::Void => ReviewEnd::NotCounted { why: VOID.to_owned() },
        HoldReason::Lost => failed("lost"),
        HoldReason::NotFixed => failed("not fixed"),
    }
}

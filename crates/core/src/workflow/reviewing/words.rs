//! The texts for reviewer and fixer. Findings are foreign text: shortened, and between tags.

use super::Reviewing;
use crate::prompt::{short, tagged};
use crate::review::{LedgerEntry, REFUSE, Terms};
use crate::workflow::View;

/// Maximum length of the task and of the phase's instructions in a reviewer's prompt.
const TOLD: usize = 4000;
/// Maximum length of the findings in a prompt.
const FOUND: usize = 12_000;
/// Maximum number of earlier findings in a prompt; the newest are kept.
const MOST: usize = 60;

/// Returns the reviewer's instruction.
pub(in crate::workflow) fn review(view: &View, terms: &Terms, reviewing: &Reviewing) -> String {
    let (round, max) = (reviewing.round(), terms.max);
    let mut lines = vec![
        format!(
            "Review the work that was done in the phase \"{}\" (review {round} of {max}). You did \
             not do it yourself. Change no file: a review that changes files does not count.",
            view.phase
        ),
        tagged("task", &view.task, TOLD),
        tagged("what-was-to-be-done", &view.instructions(), TOLD),
        "Your last message is the review, and only it is read. It begins with one line `VERDICT: \
         pass` or `VERDICT: issues`; each finding is a list item such as `- [critical] \
         src/a.rs:12: what is wrong. Fix: what to do`, with critical, important or minor."
            .to_owned(),
    ];
    let again = reviewing.again.as_deref();
    lines.extend(again.map(|why| format!("The last review does not count: {}.", short(why, 500))));
    let known: Vec<_> =
        reviewing.ledger.entries().iter().rev().take(MOST).map(LedgerEntry::standing).collect();
    if !known.is_empty() {
        lines.push(
            "Look first whether these were dealt with, and report what was not. Then look at what \
             changed since. Do not report again what was refused with a good reason."
                .to_owned(),
        );
        lines.push(tagged("findings", &known.join("\n"), FOUND));
    }
    lines.join("\n\n")
}

/// Returns the fixer's instruction.
pub(in crate::workflow) fn fix(view: &View, terms: &Terms, reviewing: &Reviewing) -> String {
    let (round, max) = (reviewing.round(), terms.max);
    let found = reviewing.ledger.to_answer(terms.level);
    [
        format!(
            "A reviewer looked at the work of the phase \"{}\" (review {round} of {max}) and found \
             this. Fix it, then stop. A finding that is none is refused by a line {REFUSE} in your \
             last message.",
            view.phase
        ),
        tagged("findings", &found.join("\n"), FOUND),
    ]
    .join("\n\n")
}

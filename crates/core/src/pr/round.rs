//! Evaluates the two texts of a round: a review yields findings and a verdict; a response refuses
//! findings or reports that they were fixed.

use super::PullRecord;
use super::position::{LoopExit, Position};
use crate::Hash;
use crate::review::{Finding, RoundResult, Severity, Terms, read};

/// The file in which a reviewer leaves the review.
pub const REVIEW_FILE: &str = ".thoughts/pr/review.md";
/// The file in which a developer leaves the answer.
pub const RESPONSE_FILE: &str = ".thoughts/pr/response.md";

/// The result of a review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reviewed {
    /// No blocking findings are left.
    Approved,
    /// The developer must answer.
    Issues,
    /// The review was invalid and is requested once more.
    Again,
    /// The loop stops.
    Exit(LoopExit),
}

/// The source of a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReviewOrigin {
    /// Its file.
    File,
    /// The reviewer's last message, because there is no file.
    Message,
}

impl std::fmt::Display for ReviewOrigin {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::File => write!(out, "`{REVIEW_FILE}`"),
            Self::Message => write!(out, "there is no `{REVIEW_FILE}`, and the last message"),
        }
    }
}

/// Adds a review to the ledger and returns the result.
///
/// Unresolved inline threads are findings too; they count at the level `all`. A person's request
/// counts at every level. A review during which the files changed is invalid.
pub(super) fn review(
    position: &mut Position,
    known: &PullRecord,
    (text, place): (&str, ReviewOrigin),
    tree: Hash,
) -> Reviewed {
    if position.reviewed.is_some_and(|begun| begun != tree) {
        return misread(position, "the files changed while they were reviewed".to_owned());
    }
    let answer = match read(text) {
        Ok(answer) => answer,
        Err(unclear) => return misread(position, format!("{place} could not be read: {unclear}")),
    };
    position.unclear = None;
    let mut findings = answer.findings;
    let open = known.pull.threads.iter().filter(|thread| !thread.resolved);
    findings.extend(open.map(|thread| Finding {
        file: thread.path.clone(),
        line: thread.line,
        category: "thread".to_owned(),
        ..Finding::new(Severity::Minor, thread.first.body.lines().next().unwrap_or_default())
    }));
    findings.extend(super::requested::findings(known));
    position.ledger.note(&findings, known.level);
    position.judged = Some(tree);
    position.commit.clone_from(&known.pull.head);
    // The file limits the number of rounds.
    let terms = Terms::new(known.level, 0);
    match position.ledger.result(position.ledger.round(), &terms) {
        RoundResult::Clean => Reviewed::Approved,
        RoundResult::Issues => Reviewed::Issues,
        RoundResult::Ends(end) => match LoopExit::of(end) {
            Some(exit) => Reviewed::Exit(exit),
            None => Reviewed::Issues,
        },
    }
}

/// Handles an invalid review: it is requested once more.
fn misread(position: &mut Position, why: String) -> Reviewed {
    if position.unclear.replace(why.clone()).is_some() {
        position.unclear = None;
        return Reviewed::Exit(LoopExit::Unclear { why });
    }
    Reviewed::Again
}

/// Applies a response with its refusals. Returns whether it changed anything.
pub(super) fn respond(position: &mut Position, known: &PullRecord, text: &str, tree: Hash) -> bool {
    let refused = position.ledger.take_refusals(text, known.level);
    if refused {
        position.judged = None;
    }
    refused || position.reviewed.is_none_or(|reviewed| reviewed != tree)
}

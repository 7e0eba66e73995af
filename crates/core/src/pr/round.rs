//! What the two texts of a round mean: a review makes findings and a verdict, a response takes
//! findings back or says that they were mended.

use super::Known;
use super::position::{Exit, Position};
use crate::Hash;
use crate::review::{Finding, Severity, Terms, Verdict, read, verdict};

/// Where a reviewer leaves the review.
pub const REVIEW_FILE: &str = ".thoughts/pr/review.md";
/// Where a developer leaves the answer.
pub const RESPONSE_FILE: &str = ".thoughts/pr/response.md";

/// What a review came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reviewed {
    /// Nothing is left that stands in the way.
    Approved,
    /// The developer is to answer.
    Issues,
    /// It could not be read, and is asked for once more.
    Again,
    /// The loop stands.
    Exit(Exit),
}

/// Where a review was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// In its file.
    File,
    /// In what the reviewer said last: there is no file.
    Message,
}

impl std::fmt::Display for Place {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::File => write!(out, "`{REVIEW_FILE}`"),
            Self::Message => write!(out, "there is no `{REVIEW_FILE}`, and the last message"),
        }
    }
}

/// Takes a review into the ledger, and returns what that comes to.
///
/// Inline threads that nobody resolved are findings too; they count at the level `all`. What a person
/// requested is one that counts at every level.
/// A review of files that changed meanwhile, by whomever, is a review of nothing.
pub(super) fn review(
    position: &mut Position,
    known: &Known,
    (text, place): (&str, Place),
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
    // How many rounds there are is the file's business.
    let terms = Terms::new(known.level, 0);
    match verdict(&position.ledger, position.ledger.round(), &terms) {
        Verdict::Pass => match disputed(position, known) {
            Some(what) => Reviewed::Exit(Exit::Disputed { what }),
            None => Reviewed::Approved,
        },
        // Without a number of rounds there is none to exhaust.
        Verdict::Issues { .. } | Verdict::Exhausted { .. } => Reviewed::Issues,
        Verdict::Repeats { what } => Reviewed::Exit(Exit::Converged { what }),
        Verdict::NoProgress { what } => {
            let what = format!("findings round by round: {what}");
            Reviewed::Exit(Exit::NoProgress { what })
        }
    }
}

/// Returns what becomes of a review that does not count: it is asked for once more.
fn misread(position: &mut Position, why: String) -> Reviewed {
    if position.unclear.replace(why.clone()).is_some() {
        position.unclear = None;
        return Reviewed::Exit(Exit::Unclear { why });
    }
    Reviewed::Again
}

/// Returns what the developer refused and this round found again: nobody but a person decides it.
fn disputed(position: &Position, known: &Known) -> Option<String> {
    position.ledger.disputed(known.level).next().map(|entry| entry.finding.line())
}

/// Takes a response: what it refuses is refused. Returns whether it moved anything.
pub(super) fn respond(position: &mut Position, known: &Known, text: &str, tree: Hash) -> bool {
    let refused = position.ledger.take_refusals(text, known.level);
    if refused {
        position.judged = None;
    }
    refused || position.reviewed.is_none_or(|reviewed| reviewed != tree)
}

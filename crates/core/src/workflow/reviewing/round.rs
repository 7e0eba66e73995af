//! The evaluation of a review's results.

use super::{ReviewStep, Reviewing};
use crate::event::{ReviewEnded, ReviewVerdict};
use crate::review::{Finding, LedgerEntry, ReviewEnd, RoundEnd, RoundResult, Subject, Terms, read};
use crate::{Hash, Word};

/// Maximum number of consecutive gate runs before a review can begin.
const PROOFS: u32 = 3;
/// Maximum number of findings kept per round; the most severe are kept.
const FOUND: usize = 40;
/// Maximum number of findings kept over all rounds.
const KEPT: usize = 200;
/// Maximum length of a stored text of a finding.
const TEXT: usize = 400;
/// Maximum number of findings in the journal.
const SHOWN: usize = 10;
/// Maximum length of a finding in the journal and in holds.
const LINE: usize = 200;

/// The result of a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::workflow) enum Came {
    /// No blocking findings: the phase is left.
    Clean,
    /// The review continues or waits for a person.
    On,
}

/// Handles the phase's own work, which was just proven on these files.
pub(in crate::workflow) fn worked(reviewing: Option<Reviewing>, tree: Hash) -> Reviewing {
    let Some(mut reviewing) = reviewing else { return Reviewing::new(tree) };
    reviewing.proven = tree;
    reviewing.proofs = reviewing.proofs.saturating_add(1);
    if reviewing.proofs > PROOFS {
        reviewing.held = Some(ReviewEnd::FilesMove.hold(Subject::Phase));
    }
    reviewing
}

/// Records the files at the start of a review.
pub(in crate::workflow) fn began(reviewing: &mut Reviewing, tree: Hash) {
    if reviewing.stage == ReviewStep::Review {
        reviewing.began = Some(tree);
        reviewing.proofs = 0;
    }
}

/// Handles a review and returns its result.
pub(in crate::workflow) fn reviewed(
    reviewing: &mut Reviewing,
    (word, tree): (&Word, Hash),
    terms: &Terms,
) -> (Came, ReviewEnded) {
    let round = reviewing.round();
    let (came, how) = judge(reviewing, word, tree, terms);
    (came, ended(reviewing, round, how, terms))
}

fn judge(
    reviewing: &mut Reviewing,
    word: &Word,
    tree: Hash,
    terms: &Terms,
) -> (Came, ReviewVerdict) {
    if reviewing.began.take().is_some_and(|began| began != tree) {
        again(reviewing, "the reviewer changed files");
        return (Came::On, ReviewVerdict::ChangedFiles);
    }
    let answer = match read(said(word)) {
        Ok(answer) => answer,
        Err(unclear) => {
            again(reviewing, &unclear.to_string());
            return (Came::On, ReviewVerdict::Unclear);
        }
    };
    reviewing.again = None;
    reviewing.reviewed = Some(tree);
    let ledger = &mut reviewing.ledger;
    ledger.note(&kept(answer.findings), terms.level);
    ledger.forget(KEPT);
    let end = match ledger.result(ledger.round(), terms) {
        RoundResult::Clean => return (Came::Clean, ReviewVerdict::Pass),
        RoundResult::Issues => None,
        RoundResult::Ends(end) => Some(end),
    };
    let how = end.as_ref().map_or(ReviewVerdict::Issues, named);
    reviewing.stage = ReviewStep::Fix;
    reviewing.held = end.map(|end| ReviewEnd::Round(end).hold(Subject::Phase));
    (Came::On, how)
}

/// Returns the word of the journal for a review that ends.
const fn named(end: &RoundEnd) -> ReviewVerdict {
    match end {
        RoundEnd::RoundsOver { .. } => ReviewVerdict::Exhausted,
        RoundEnd::Repeats { .. } => ReviewVerdict::Repeats,
        RoundEnd::NotFewer { .. } => ReviewVerdict::NoProgress,
        RoundEnd::Disputed { .. } => ReviewVerdict::Disputed,
    }
}

/// Requests an invalid review once more; after that it waits for a person, who resumes it or
/// accepts the work without it.
fn again(reviewing: &mut Reviewing, why: &str) {
    if reviewing.again.replace(why.to_owned()).is_some() {
        let why = format!("review {} does not count, twice: {why}", reviewing.round());
        reviewing.held = Some(ReviewEnd::NotCounted { why }.hold(Subject::Phase));
    }
}

/// Handles a fix with its refusals. A fix without any change or refusal is held instead of
/// reviewed.
pub(in crate::workflow) fn fixed(
    reviewing: &mut Reviewing,
    word: &Word,
    tree: Hash,
    terms: &Terms,
) {
    let refused = reviewing.ledger.take_refusals(said(word), terms.level);
    if !refused && reviewing.reviewed == Some(tree) {
        reviewing.held = Some(ReviewEnd::FindingsLeft.hold(Subject::Phase));
        return;
    }
    reviewing.stage = ReviewStep::Review;
    reviewing.proven = tree;
}

/// Resumes for a person, with fresh rounds.
pub(in crate::workflow) fn resumed(reviewing: &mut Reviewing, terms: &Terms) {
    if reviewing.held.take().is_none() {
        return;
    }
    reviewing.again = None;
    reviewing.proofs = 0;
    if reviewing.stage == ReviewStep::Fix {
        reviewing.ledger.begin_anew(terms.level);
    }
}

/// Records that a person accepts the work as it is; that is not a pass.
pub(in crate::workflow) fn accept(reviewing: &Reviewing, terms: &Terms) -> ReviewEnded {
    ended(reviewing, reviewing.round(), ReviewVerdict::Accepted, terms)
}

fn said(word: &Word) -> &str {
    match word {
        Word::Said { text } => text,
        Word::None | Word::Done | Word::Failed { .. } | Word::Question { .. } => "",
    }
}

/// Returns the findings of a round to keep.
fn kept(mut findings: Vec<Finding>) -> Vec<Finding> {
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    findings.truncate(FOUND);
    findings.iter().map(|finding| finding.shortened(TEXT)).collect()
}

fn ended(reviewing: &Reviewing, round: u32, verdict: ReviewVerdict, terms: &Terms) -> ReviewEnded {
    let open = || reviewing.ledger.blocking(terms.level);
    let line = |entry: &LedgerEntry| {
        let severity = entry.finding.severity.as_str();
        format!("[{severity}] {}", entry.finding.advised(LINE))
    };
    ReviewEnded {
        phase: None,
        round: round.into(),
        of: terms.max.into(),
        verdict,
        open: open().count() as u64,
        findings: open().take(SHOWN).map(line).collect(),
        refused: reviewing.ledger.refused(terms.level).take(SHOWN).collect(),
        why: reviewing.again.clone(),
    }
}

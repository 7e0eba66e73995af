//! What a review makes of what it heard.

use super::{Reviewing, Stage};
use crate::event::{ReviewEnded, ReviewVerdict};
use crate::prompt::short;
use crate::review::{Entry, Finding, Terms, Verdict, read, verdict};
use crate::workflow::REVIEW;
use crate::{Hash, Hold, Name, Stuck, Word};

/// How often in a row the gates are asked again before a review can begin.
const PROOFS: u32 = 3;
/// How many findings of one round are kept, the worst first.
const FOUND: usize = 40;
/// How many findings are kept over all rounds.
const KEPT: usize = 200;
/// How much of one text of a finding is kept.
const TEXT: usize = 400;
/// How many findings the journal tells of.
const SHOWN: usize = 10;
/// How much of one finding the journal and a hold tell of.
const LINE: usize = 200;

/// What became of a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::workflow) enum Came {
    /// Nothing stands in the way: the phase is left.
    Clean,
    /// It goes on, or waits for a person.
    On,
}

/// Takes the phase's own work, which was just proven on these files.
pub(in crate::workflow) fn worked(reviewing: Option<Reviewing>, tree: Hash) -> Reviewing {
    let Some(mut reviewing) = reviewing else { return Reviewing::new(tree) };
    reviewing.proven = tree;
    reviewing.proofs = reviewing.proofs.saturating_add(1);
    if reviewing.proofs > PROOFS {
        reviewing.held = Some(Hold::NoProgress { what: Stuck::FilesMove });
    }
    reviewing
}

/// Takes note of the files that a review begins with.
pub(in crate::workflow) fn began(reviewing: &mut Reviewing, tree: Hash) {
    if reviewing.stage == Stage::Review {
        reviewing.began = Some(tree);
        reviewing.proofs = 0;
    }
}

/// Takes a review, and returns what it came to.
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
    let rounds = ledger.round();
    let disputed = ledger.disputed(terms.level).next().map(|entry| entry.finding.line());
    let (hold, how) = match (verdict(ledger, rounds, terms), disputed) {
        (Verdict::Pass, None) => return (Came::Clean, ReviewVerdict::Pass),
        (Verdict::Pass, Some(what)) => {
            let what = format!("what was refused is found again: {}", short(&what, LINE));
            (Some(Hold::Asked { what }), ReviewVerdict::Disputed)
        }
        (Verdict::Issues { .. }, _) => (None, ReviewVerdict::Issues),
        (Verdict::Exhausted { rounds }, _) => {
            let bound = Name::literal("review rounds");
            (Some(Hold::Exhausted { bound, used: rounds }), ReviewVerdict::Exhausted)
        }
        (Verdict::Repeats { what }, _) => {
            let what = Stuck::ReviewRepeats { what: short(&what, LINE) };
            (Some(Hold::NoProgress { what }), ReviewVerdict::Repeats)
        }
        (Verdict::NoProgress { what }, _) => {
            let what = Stuck::NotFewer { rounds: what };
            (Some(Hold::NoProgress { what }), ReviewVerdict::NoProgress)
        }
    };
    reviewing.stage = Stage::Fix;
    reviewing.held = hold;
    (Came::On, how)
}

/// Asks for a review that does not count once more; then it waits for a person, who has it done
/// anew, or accepts the work without one.
fn again(reviewing: &mut Reviewing, why: &str) {
    if reviewing.again.replace(why.to_owned()).is_some() {
        let why = format!("review {} does not count, twice: {why}", reviewing.round());
        reviewing.held = Some(Hold::Unproven { gate: REVIEW, why });
    }
}

/// Takes a fix: what it refuses is refused. Whoever changes nothing and refuses nothing is not
/// reviewed again.
pub(in crate::workflow) fn fixed(
    reviewing: &mut Reviewing,
    word: &Word,
    tree: Hash,
    terms: &Terms,
) {
    let refused = reviewing.ledger.take_refusals(said(word), terms.level);
    if !refused && reviewing.reviewed == Some(tree) {
        reviewing.held = Some(Hold::NoProgress { what: Stuck::FindingsLeft });
        return;
    }
    reviewing.stage = Stage::Review;
    reviewing.proven = tree;
}

/// Goes on because a person said so, with fresh rounds.
pub(in crate::workflow) fn resumed(reviewing: &mut Reviewing, terms: &Terms) {
    if reviewing.held.take().is_none() {
        return;
    }
    reviewing.again = None;
    reviewing.proofs = 0;
    if reviewing.stage == Stage::Fix {
        reviewing.ledger.begin_anew(terms.level);
    }
}

/// Tells that a person accepts the work as it is; that is no pass.
pub(in crate::workflow) fn accept(reviewing: &Reviewing, terms: &Terms) -> ReviewEnded {
    ended(reviewing, reviewing.round(), ReviewVerdict::Accepted, terms)
}

fn said(word: &Word) -> &str {
    match word {
        Word::Said { text } => text,
        Word::None | Word::Done | Word::Failed { .. } | Word::Question { .. } => "",
    }
}

/// Returns what is kept of what a round found.
fn kept(mut findings: Vec<Finding>) -> Vec<Finding> {
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    findings.truncate(FOUND);
    findings.iter().map(|finding| finding.shortened(TEXT)).collect()
}

fn ended(reviewing: &Reviewing, round: u32, verdict: ReviewVerdict, terms: &Terms) -> ReviewEnded {
    let open = || reviewing.ledger.blocking(terms.level);
    let line = |entry: &Entry| {
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

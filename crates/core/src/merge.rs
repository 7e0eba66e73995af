//! Combines the votes of all runs of a session into one answer to a stop.
//!
//! A question outranks refusals: holding a session that waits for a person helps no one. Refusals
//! are joined in the order of their ranks. A session that changes nothing is refused a few times,
//! fewer than its host tolerates, and may then stop, its attempts held. A session that changes
//! something each time is refused more often, but not without limit.

use crate::prompt::{EVIDENCE, INSTRUCTION, evidence, headline, sent_back, short};
use crate::{Hash, Hold, Prompt, Rank, Receipt, StopCounter, Stuck, Time, Unit, Vote};

/// The facts about a stop besides the votes.
#[derive(Clone, Copy, Debug)]
pub struct StopFacts {
    /// Maximum number of consecutive refusals that the host tolerates, if it has such a cap.
    pub cap: Option<u32>,
    /// Maximum number of refusals without progress, if the project sets one.
    pub limit: Option<u32>,
    /// Maximum number of refusals in all, if the project sets one.
    pub refusals: Option<u32>,
    /// The state of the work: a hash of the tree, the completed units, the open findings.
    pub mark: Hash,
    /// The time of the stop.
    pub now: Time,
}

impl StopFacts {
    /// The default maximum number of refusals in all.
    pub const REFUSALS: u32 = 25;

    /// Returns the maximum number of refusals in all, after which the session may stop.
    pub fn most(&self) -> u32 {
        self.refusals.unwrap_or(Self::REFUSALS)
    }

    /// Returns the maximum number of refusals without progress, after which the session may stop.
    pub const fn patience(&self) -> u32 {
        /// This part of the host's cap is left for other hooks that refuse.
        const LEFT: u32 = 2;
        let most = match self.limit {
            Some(limit) => limit,
            None => 2,
        };
        match self.cap {
            Some(cap) if cap.saturating_sub(LEFT) < most => cap.saturating_sub(LEFT),
            Some(_) | None => most,
        }
    }
}

/// The answer to a stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// The session may stop.
    Allow {
        /// Questions that wait for a person, if those are the reason.
        why: Vec<String>,
    },
    /// The session may not stop.
    Refused {
        /// The message to the agent.
        message: String,
    },
    /// The session may stop without having made progress, and its attempts are held.
    Stalled {
        /// The hold for its attempts.
        hold: Hold,
        /// The message about the unfinished work.
        message: String,
    },
}

/// Returns the answer to a stop and the updated counter; `prompt` makes the prompt for the unit of
/// a refusing vote, given the index of the vote.
pub fn merge(
    desk: &StopCounter,
    stop: &StopFacts,
    votes: &[(Rank, Vote)],
    prompt: impl Fn(usize, &Unit) -> Prompt,
) -> (StopCounter, Reply) {
    let mut questions = Vec::new();
    let mut refusals = Vec::new();
    for (at, (rank, vote)) in votes.iter().enumerate() {
        match vote {
            Vote::Silent => {}
            Vote::Yield { why } => questions.push((*rank, why)),
            Vote::Refuse { unit } => refusals.push((at, *rank, unit.as_ref())),
        }
    }
    let mut desk = desk.clone();
    if !questions.is_empty() || refusals.is_empty() {
        desk.idle = 0;
        if refusals.is_empty() {
            // All refusals are settled: later states do not count as going back to earlier ones.
            desk.before.clear();
        }
        questions.sort();
        questions.dedup();
        return (
            desk,
            Reply::Allow { why: questions.into_iter().map(|(_, why)| why.clone()).collect() },
        );
    }
    let shown = refusals.into_iter().map(|(at, rank, unit)| (rank, unit, prompt(at, unit)));
    let message = join(&in_order(shown.collect()), stop.now);
    let reply = match count(&mut desk, stop) {
        None => Reply::Refused { message },
        Some(what) => Reply::Stalled { hold: Hold::NoProgress { what }, message },
    };
    (desk, reply)
}

/// Counts a refusal; returns why it must be the last, if so.
fn count(desk: &mut StopCounter, stop: &StopFacts) -> Option<Stuck> {
    if stop.mark != desk.mark {
        let turns = desk.before == [desk.mark, stop.mark];
        desk.before.push(desk.mark);
        let old = desk.before.len().saturating_sub(2);
        desk.before.drain(..old);
        desk.mark = stop.mark;
        desk.idle = 0;
        if turns {
            desk.before.clear();
            return Some(Stuck::BackAndForth);
        }
    }
    if desk.idle >= stop.patience() {
        return Some(Stuck::Unheeded { times: std::mem::take(&mut desk.idle) });
    }
    if desk.refused >= stop.most() {
        return Some(Stuck::Refused { times: desk.refused });
    }
    desk.idle += 1;
    desk.refused += 1;
    None
}

/// A refusal with its rank and prompt.
type Shown<'a> = (Rank, &'a Unit, Prompt);

/// Sorts refusals for display and drops duplicates.
fn in_order(mut shown: Vec<Shown<'_>>) -> Vec<Shown<'_>> {
    shown.sort_by(|one, other| order(one).cmp(&order(other)));
    shown.dedup();
    shown
}

/// Returns the sort key of a refusal: rank, name and texts, then everything else.
fn order<'a>((rank, unit, prompt): &'a Shown<'_>) -> impl Ord + use<'a> {
    let Unit { id, kind, role, .. } = unit;
    (*rank, id, kind, role, &prompt.said, &prompt.text, *unit, prompt)
}

/// Joins the messages of all machines; the output of the first failing gate is shown once.
fn join(refusals: &[Shown<'_>], now: Time) -> String {
    let mut talking = refusals.iter().filter(|(_, _, prompt)| !prompt.text.is_empty());
    let shown = talking.find_map(|(_, _, prompt)| prompt.evidence.as_ref());
    let mut paragraphs: Vec<String> = Vec::new();
    let mut told: Vec<&Receipt> = Vec::new();
    for (_, unit, prompt) in refusals {
        let mut lines = Vec::new();
        if !prompt.said.is_empty() {
            lines.push(prompt.said.clone());
        }
        if !prompt.sent_back.is_empty() {
            lines.push(sent_back(unit, &prompt.sent_back));
        } else if !prompt.text.is_empty() {
            let news = prompt.evidence.as_ref().filter(|receipt| !told.contains(receipt));
            if let Some(receipt) = news {
                lines.push(headline(receipt, now));
                let output = evidence(&receipt.tail, EVIDENCE);
                if shown == Some(receipt) && !output.is_empty() {
                    lines.push(output);
                }
                told.push(receipt);
            }
            lines.push(instruction(prompt));
        }
        if lines.is_empty() {
            lines.push(format!("Not finished: `{}`", unit.id));
        }
        paragraphs.push(lines.join("\n"));
    }
    paragraphs.join("\n\n")
}

fn instruction(prompt: &Prompt) -> String {
    let text = short(&prompt.text, INSTRUCTION);
    match prompt.retry {
        Some(retry) => format!("Retry {} of {}. {text}", retry.number, retry.max),
        None => text,
    }
}

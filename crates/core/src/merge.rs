//! Makes one answer to a stop from the votes of all runs of a session.
//!
//! A question outranks refusals: holding a session that waits for a person helps nobody. Refusals
//! are joined in the order of their ranks. A session that changes nothing is refused a few times,
//! fewer than its host endures, and is then let go, its attempts held. One that changes something
//! each time is refused more often, but not without end.

use crate::prompt::{EVIDENCE, INSTRUCTION, evidence, headline, sent_back, short};
use crate::{Desk, Hash, Hold, Prompt, Rank, Receipt, Stuck, Time, Unit, Vote};

/// What is known about a stop besides the votes.
#[derive(Clone, Copy, Debug)]
pub struct Stop {
    /// How many refusals in a row the host endures, where it has such a cap.
    pub cap: Option<u32>,
    /// How many refusals without progress the project wants, where it says so.
    pub limit: Option<u32>,
    /// How many refusals in all the project wants, where it says so.
    pub refusals: Option<u32>,
    /// How far the work is: a hash of the tree, the completed units, the open findings.
    pub mark: Hash,
    /// When.
    pub now: Time,
}

impl Stop {
    /// How often a stop is refused in all when the project says nothing.
    pub const REFUSALS: u32 = 25;

    /// Returns how many refusals there are in all before the session is let go, whatever changes.
    pub fn most(&self) -> u32 {
        self.refusals.unwrap_or(Self::REFUSALS)
    }

    /// Returns how many refusals without progress are said before the session is let go.
    pub const fn patience(&self) -> u32 {
        /// So many of what the host endures are left for others who refuse.
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
        /// What waits for a person, if that is why.
        why: Vec<String>,
    },
    /// The session may not stop.
    Refused {
        /// What the agent is told.
        message: String,
    },
    /// The session may stop, and its attempts are held: it got nowhere.
    Stalled {
        /// What they are held for.
        hold: Hold,
        /// What could not be finished.
        message: String,
    },
}

/// Returns the answer to a stop, and the desk with this stop counted; `prompt` makes the prompt of
/// the unit that the vote at a place refuses for.
pub fn merge(
    desk: &Desk,
    stop: &Stop,
    votes: &[(Rank, Vote)],
    prompt: impl Fn(usize, &Unit) -> Prompt,
) -> (Desk, Reply) {
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
            // Nothing is left to refuse: what comes later does not go back to before this.
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

/// Counts a refusal; returns why there will be no more of them.
fn count(desk: &mut Desk, stop: &Stop) -> Option<Stuck> {
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

/// A refusal with what is shown of it.
type Shown<'a> = (Rank, &'a Unit, Prompt);

/// Puts refusals in the order in which they are said, each once.
fn in_order(mut shown: Vec<Shown<'_>>) -> Vec<Shown<'_>> {
    shown.sort_by(|one, other| order(one).cmp(&order(other)));
    shown.dedup();
    shown
}

/// Returns what refusals are ordered by: rank, name and texts, then everything else.
fn order<'a>((rank, unit, prompt): &'a Shown<'_>) -> impl Ord + use<'a> {
    let Unit { id, kind, role, .. } = unit;
    (*rank, id, kind, role, &prompt.said, &prompt.text, *unit, prompt)
}

/// Joins what each machine has to say; the output of the first failing gate is shown once.
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

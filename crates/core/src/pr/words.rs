//! The texts for agents and the pull request. Foreign text is shortened and never interpreted.

use super::requested::requested;
use super::{CheckLog, Definition, Position, PullRecord, RESPONSE_FILE, REVIEW_FILE, TurnRole};
use crate::prompt::{cut, short};
use crate::review::LedgerEntry;
use crate::{RunId, Seq};

/// The line by which sprag recognizes its own post.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marker(String);

/// Maximum length of a quoted foreign text.
const QUOTED: usize = 4000;
/// Maximum number of quoted foreign texts.
const SHOWN: usize = 20;
/// Maximum length of a post: the forge's own limit is 65,536.
const POST: usize = 60_000;

impl Marker {
    /// The prefix of every review's marker.
    pub const REVIEW: &'static str = "<!-- sprag-review:v=1:";
    /// The prefix of every response's marker.
    pub const RESPONSE: &'static str = "<!-- sprag-response:v=1:";

    /// Creates the marker for a post that a commit decides.
    pub(super) fn new(
        part: TurnRole,
        run: &RunId,
        seq: Seq,
        round: u32,
        head: Option<&str>,
    ) -> Self {
        let kind = match part {
            TurnRole::Reviewer => Self::REVIEW,
            TurnRole::Developer | TurnRole::CiChecker | TurnRole::CiFixer => Self::RESPONSE,
        };
        let head = head.filter(|head| head.bytes().all(|byte| byte.is_ascii_alphanumeric()));
        let head = head.unwrap_or("unknown");
        Self(format!("{kind}run={run}:seq={seq}:round={round}:head={head} -->"))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the round of a posted review, if the text is a review of this run.
    pub(super) fn round_of_review(text: &str, run: &RunId) -> Option<u32> {
        let start = format!("{}run={run}:", Self::REVIEW);
        let (_, rest) = text.rsplit_once(&start)?;
        let (_, rest) = rest.split_once("-->")?.0.split_once(":round=")?;
        rest.split_once(':')?.0.parse().ok()
    }

    /// Returns whether a marker belongs to a review.
    pub fn is_review(marker: &str) -> bool {
        marker.starts_with(Self::REVIEW)
    }
}

/// Returns the body of a review's post.
pub(super) fn review_post(text: &str, round: u32, marker: &Marker) -> String {
    let head = format!("# Round {round}");
    posted(text, &head, marker)
}

/// Returns a text below its heading, with its marker at the end; markers that an agent wrote are
/// defused.
fn posted(text: &str, head: &str, marker: &Marker) -> String {
    let text = text.trim();
    let text = text.strip_prefix(head).unwrap_or(text).trim_start();
    let text = cut(text, POST).replace("<!-- sprag-", "<!-- ");
    format!("{head}\n\n{text}\n\n{}\n", marker.as_str())
}

/// Returns the body of an answer's post.
pub(super) fn response_post(text: &str, round: u32, marker: &Marker) -> String {
    let head = format!("# Addressed PR feedback Review Round {round}");
    let text = if text.trim().is_empty() { "The changes are in the branch." } else { text };
    posted(text, &head, marker)
}

/// Returns the instruction for the agent of a part.
pub(super) fn prompt(
    part: TurnRole,
    known: &PullRecord,
    position: &Position,
    definition: &Definition,
) -> String {
    let prompts = &definition.prompts;
    let own = prompts.of(part).map(str::trim).filter(|text| !text.is_empty());
    let round = position.round(known, part);
    let mut said = vec![task(part, known, round)];
    said.extend(own.map(str::to_owned));
    match part {
        TurnRole::Reviewer => {
            said.extend(
                position
                    .unclear
                    .iter()
                    .map(|why| format!("Your last review does not count: {why}. Write it again.")),
            );
            let requested = requested(known).into_iter();
            said.extend(requested.map(|said| tagged("requested-changes", &said.body)));
            if !prompts.no_handing_over {
                said.extend(handed_over(known, position, round));
            }
        }
        TurnRole::Developer => {
            said.extend(position.missing.iter().map(|why| {
                format!(
                    "Your last answer does not count: {why}. Commit, push, and write \
                     `{RESPONSE_FILE}` again."
                )
            }));
            said.push(to_answer(known, position));
        }
        TurnRole::CiChecker => said.push(checks(known)),
        TurnRole::CiFixer => {
            said.push(checks(known));
            said.extend(definition.logs.iter().filter_map(failure));
        }
    }
    said.join("\n\n")
}

fn task(part: TurnRole, known: &PullRecord, round: u32) -> String {
    let number = known.pull.number;
    let branch = known.pull.branch.as_deref().unwrap_or("the branch at hand");
    match part {
        TurnRole::Reviewer => format!(
            "Review pull request #{number}, round {round}. Change nothing and post nothing: your \
             last message is the review, or what you write to `{REVIEW_FILE}`, and it is posted for \
             you. One line is `VERDICT: pass` \
             or `VERDICT: issues`; each finding is a list item such as `- [critical] src/a.rs:12: \
             what is wrong. Fix: what to do`, with critical, important or minor."
        ),
        TurnRole::Developer => format!(
            "Answer the review of pull request #{number}, round {round}. Mend what stands below, \
             commit, and push to `{branch}`. Post nothing: write what you did to \
             `{RESPONSE_FILE}`, and it is posted for you. A finding that is none is refused with a \
             line `REFUSE <number>: <reason>` in that file."
        ),
        TurnRole::CiChecker => format!(
            "Watch the checks of pull request #{number} until they have ended, and say what failed."
        ),
        TurnRole::CiFixer => format!(
            "Checks of pull request #{number} fail. Find out why, mend it, commit with \
             `fix: address CI failures`, and push to `{branch}`."
        ),
    }
}

/// Returns the information about earlier rounds for a reviewer.
fn handed_over(known: &PullRecord, position: &Position, round: u32) -> Vec<String> {
    let mut said = vec![format!("<current-round>{round}</current-round>")];
    let reviewed = match (&position.commit, &known.pull.reviewed_commit) {
        (Some(own), _) => Some(format!("Commit {}", short(own, 64))),
        (None, Some(before)) => Some(format!("What came before {}", short(before, 64))),
        (None, None) => None,
    };
    said.extend(reviewed.map(|what| {
        format!(
            "{what} was reviewed: look at what changed since, and at whether the findings below \
             were dealt with. Do not report again what was refused with a reason."
        )
    }));
    let entries = position.ledger.entries().iter().take(SHOWN * 5).map(LedgerEntry::standing);
    let entries: Vec<_> = entries.collect();
    if !entries.is_empty() {
        said.push(tagged("findings", &entries.join("\n")));
    }
    said.extend(known.pull.answers().last().map(|last| tagged("latest-response", &last.body)));
    said
}

/// Returns the text for a developer to answer: the ledger's findings by number, else the reviews
/// themselves.
fn to_answer(known: &PullRecord, position: &Position) -> String {
    let lines = position.ledger.to_answer(known.level);
    if !lines.is_empty() {
        return tagged("findings", &lines.join("\n"));
    }
    let reviews = known.pull.reviews.iter().rev().take(SHOWN);
    let mut said: Vec<_> = reviews.map(|review| tagged("review", &review.body)).collect();
    let threads = known.pull.threads.iter().filter(|thread| !thread.resolved).take(SHOWN);
    said.extend(threads.map(|thread| {
        let place = format!("{}:{}", thread.path, thread.line.unwrap_or_default());
        tagged("thread", &format!("{place}: {}", thread.first.body))
    }));
    said.join("\n")
}

fn checks(known: &PullRecord) -> String {
    let lights = super::Lights::of(&known.pull.checks);
    let line = |what: &str, names: &[String]| match names {
        [] => String::new(),
        names => format!("{what}: {}\n", short(&names.join(", "), QUOTED)),
    };
    let said = line("failing", &lights.failing) + &line("pending", &lights.pending);
    tagged("ci-status", said.trim_end())
}

/// Returns the output of a failed check, with the path of the full log.
fn failure(log: &CheckLog) -> Option<String> {
    let text = log.text.as_deref()?;
    let said = format!("{}; more of it is in `{}`:\n{text}", log.check, log.path);
    Some(tagged("ci-failures", &said))
}

fn tagged(name: &str, text: &str) -> String {
    crate::prompt::tagged(name, text, QUOTED)
}

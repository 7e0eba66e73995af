//! What an event means for a report: the many kinds of the journal as the few that matter here.

use super::{Ending, Reviewed, read};
use crate::{Event, Kind, Time};

/// What happened, as far as a report tells of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Happening<'e> {
    /// A unit was begun.
    Began { fence: u64, unit: &'e str, agent: Option<&'e str> },
    /// An agent was started for it.
    Started { fence: u64, unit: &'e str, host: &'e str },
    /// An agent said its last words.
    Said { unit: Option<&'e str>, words: &'e str },
    /// An attempt ended.
    Ended(Ending<'e>),
    /// An attempt was lost.
    Lost { fence: u64 },
    /// An attempt stands still.
    Stalled { fence: u64, why: &'e str },
    /// The whole run stands still.
    Paused { why: &'e str },
    /// A person set it going, or ended it.
    Released,
    /// A host takes no more work for a time.
    Limited { until: Option<Time>, why: &'e str },
    /// A stop was refused.
    Refused { session: Option<&'e str> },
    /// A gate failed and passed on the same files.
    Flaky { gate: &'e str },
    /// A question was answered without a person.
    Defaulted { question: &'e str, answer: &'e str },
    /// A rule skipped a unit.
    Skipped { unit: &'e str, rule: &'e str },
    /// An agent went beyond its unit.
    Strayed { unit: &'e str, what: Vec<String> },
    /// An agent had to bring its work together with that of others.
    Conflicted { unit: &'e str, what: Vec<String> },
    /// A review ended.
    Reviewed(Reviewed),
    /// Nothing that a report tells of by itself.
    Other,
}

impl<'e> Happening<'e> {
    /// Reads an event.
    pub(super) fn of(event: &'e Event) -> Self {
        let data = &event.data;
        let text = |key| read::text(data, key);
        let word = |key| text(key).unwrap_or_default();
        let fence = read::number(data, "fence").unwrap_or_default();
        match &event.kind {
            Kind::AttemptBegan => Self::Began { fence, unit: word("unit"), agent: text("agent") },
            Kind::AgentStarted => Self::Started { fence, unit: word("unit"), host: word("host") },
            Kind::AgentEnded => Self::Said { unit: text("unit"), words: word("said").trim() },
            Kind::AttemptEnded => Ending::of(event).map_or(Self::Other, Self::Ended),
            Kind::AttemptLost => Self::Lost { fence },
            Kind::AttemptStalled => Self::Stalled { fence, why: word("why") },
            Kind::RunPaused => Self::Paused { why: word("why") },
            Kind::RunResumed | Kind::RunAnswered | Kind::RunCancelled => Self::Released,
            Kind::HostLimited => {
                Self::Limited { until: read::time(data, "until"), why: word("why") }
            }
            Kind::StopRefused => Self::Refused { session: text("session") },
            Kind::GateFlaky => Self::Flaky { gate: word("gate") },
            Kind::QuestionDefaulted => {
                Self::Defaulted { question: word("question"), answer: word("answer") }
            }
            Kind::RuleDecided if text("do") == Some("skip") => {
                Self::Skipped { unit: word("unit"), rule: word("rule") }
            }
            Kind::WorkStrayed => {
                Self::Strayed { unit: word("unit"), what: read::texts(data, "what") }
            }
            Kind::WorkConflicted => {
                Self::Conflicted { unit: word("unit"), what: read::texts(data, "what") }
            }
            Kind::ReviewEnded => Self::Reviewed(Reviewed::of(data)),
            Kind::RuleDecided
            | Kind::ProjectSetUp
            | Kind::ProjectUndone
            | Kind::SessionBegan
            | Kind::SessionPaused
            | Kind::SessionEnded
            | Kind::RunStarted
            | Kind::RunClaimed
            | Kind::RunReleased
            | Kind::RunForgotten
            | Kind::RunDid
            | Kind::RunLooked
            | Kind::AttemptBound
            | Kind::AttemptClaimed
            | Kind::AssignmentAdopted
            | Kind::AssignmentWatched
            | Kind::WorkAdded
            | Kind::MailSent
            | Kind::MailRead
            | Kind::NudgeSent
            | Kind::NudgeAnswered
            | Kind::DocumentSetAside
            | Kind::GateReceipt
            | Kind::GateReused
            | Kind::StopAllowed
            | Kind::EffectPerformed
            | Kind::ForeignEdit
            | Kind::Checkpoint
            | Kind::JournalRestarted
            | Kind::Redone
            | Kind::PullChanged
            | Kind::WorkMerged
            | Kind::PersonTold
            | Kind::Other(_) => Self::Other,
        }
    }
}

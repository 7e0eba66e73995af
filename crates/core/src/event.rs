//! Journal events: each kind has one type, through which it is both written and read.
//!
//! The store keeps a [`Kind`] together with JSON. A writer builds one of the structs here and a
//! reader matches on [`Event`], so the keys of the data appear nowhere else.

mod attempt;
mod document;
mod gate;
mod payload;
mod project;
mod run;
#[cfg(test)]
mod tests;
mod work;

pub use attempt::{
    AttemptBegan, AttemptBound, AttemptClaimed, AttemptEnded, AttemptLost, AttemptStalled,
    EffectPerformed, EndedBy, InputsChanged, Performed,
};
pub use document::{
    Checkpoint, CommitUndone, DocumentSetAside, FieldsPutBack, ForeignEdit, JournalRestarted,
    JournalRestored, Redone,
};
pub use gate::{
    GateFlaky, GateReceipt, GateReused, ReviewEnded, ReviewVerdict, RuleAnswer, RuleDecided,
    SecondLook,
};
pub use project::{
    DoubtsAgreed, PersonTold, ProjectAdopted, ProjectSetUp, ProjectUndone, SessionBegan,
    SessionEnded, SessionPaused, StopAllowed, StopRefused,
};
pub use run::{
    PullChanged, QuestionDefaulted, RunAnswered, RunCancelled, RunClaimed, RunDid, RunForgotten,
    RunLooked, RunPaused, RunReleased, RunResumed, RunStarted,
};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
pub use work::{
    AgentEnded, AgentStarted, AssignmentAdopted, AssignmentPutBack, AssignmentWatched, HostLimited,
    MailRead, MailSent, NudgeAnswered, NudgeSent, WorkAdded, WorkConflicted, WorkMerged,
    WorkMissing, WorkStrayed,
};

use payload::Payload;

/// Generates the kinds and their events. A kind, its variant and its data share one name.
macro_rules! events {
    ($($(#[$doc:meta])* $kind:ident = $text:literal;)*) => {
        /// The kind of an event; a reader keeps unknown kinds.
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Kind {
            $($(#[$doc])* $kind,)*
            /// A kind of a later version, kept verbatim.
            Other(Unknown),
        }

        impl Kind {
            /// All kinds known to this version.
            pub const ALL: &[Self] = &[$(Self::$kind),*];

            /// Returns the text used in the journal.
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$kind => $text,)*
                    Self::Other(Unknown(text)) => text,
                }
            }
        }

        impl From<&str> for Kind {
            fn from(text: &str) -> Self {
                match text {
                    $($text => Self::$kind,)*
                    other => Self::Other(Unknown(other.to_owned())),
                }
            }
        }

        /// One fact for the journal: what happened and its details.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum Event {
            $($(#[$doc])* $kind($kind),)*
            /// An event of a later version, kept verbatim.
            Other {
                kind: Unknown,
                data: Value,
            },
        }

        impl Event {
            /// Reads a journal line. Unreadable fields of a known kind get their defaults, because
            /// another version may have written them.
            pub fn read(kind: &Kind, data: &Value) -> Self {
                match kind {
                    $(Kind::$kind => Self::$kind($kind::read(data)),)*
                    Kind::Other(kind) => Self::Other { kind: kind.clone(), data: data.clone() },
                }
            }

            /// Converts the event to its journal form.
            pub fn write(self) -> (Kind, Value) {
                match self {
                    $(Self::$kind(data) => (Kind::$kind, data.write()),)*
                    Self::Other { kind, data } => (Kind::Other(kind), data),
                }
            }

            pub fn kind(&self) -> Kind {
                match self {
                    $(Self::$kind(_) => Kind::$kind,)*
                    Self::Other { kind, .. } => Kind::Other(kind.clone()),
                }
            }

            /// Returns the session that the event names.
            pub fn session(&self) -> Option<&str> {
                match self {
                    $(Self::$kind(data) => data.session(),)*
                    Self::Other { data, .. } => data.get("session").and_then(Value::as_str),
                }
            }

            /// Generates a random event of a kind.
            #[cfg(test)]
            fn sample(kind: &Kind, dice: &mut tests::Dice) -> Self {
                match kind {
                    $(Kind::$kind => Self::$kind($kind::sample(dice)),)*
                    Kind::Other(kind) => Self::Other { kind: kind.clone(), data: Value::Null },
                }
            }
        }

        $(impl From<$kind> for Event {
            fn from(data: $kind) -> Self {
                Self::$kind(data)
            }
        })*
    };
}

/// The name of a kind unknown to this version; created only by reading.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Unknown(String);

events! {
    /// A person set up sprag in the project or repaired the setup.
    ProjectSetUp = "project.set_up";
    /// A person removed sprag from the project.
    ProjectUndone = "project.undone";
    /// A person adopted a folder that came from elsewhere.
    ProjectAdopted = "project.adopted";
    /// A session was seen for the first time.
    SessionBegan = "session.began";
    /// A person paused or resumed a session.
    SessionPaused = "session.paused";
    SessionEnded = "session.ended";
    RunStarted = "run.started";
    RunPaused = "run.paused";
    RunResumed = "run.resumed";
    RunAnswered = "run.answered";
    RunCancelled = "run.cancelled";
    /// A session became the owner of a run.
    RunClaimed = "run.claimed";
    /// The owner of a run released it.
    RunReleased = "run.released";
    /// An old run was deleted permanently.
    RunForgotten = "run.forgotten";
    /// A machine executed one of its own verbs.
    RunDid = "run.did";
    /// A machine refreshed its view of the outside.
    RunLooked = "run.looked";
    AttemptBegan = "attempt.began";
    /// A session was attached to an attempt.
    AttemptBound = "attempt.bound";
    /// A session reported its attempt done.
    AttemptClaimed = "attempt.claimed";
    /// An attempt ended; the data say how.
    AttemptEnded = "attempt.ended";
    /// Inputs of a pass changed since its unit began; the data name every change.
    InputsChanged = "inputs.changed";
    AttemptLost = "attempt.lost";
    AttemptStalled = "attempt.stalled";
    /// A rule decided about a unit; the data contain the decision and the rules that were not
    /// asked.
    RuleDecided = "rule.decided";
    /// Another program moved an assignment, and sprag adopted the change.
    AssignmentAdopted = "assignment.adopted";
    /// The watch sent a nudge, asked for a restart or notified a person.
    AssignmentWatched = "assignment.watched";
    WorkAdded = "work.added";
    /// A message was delivered to a mailbox.
    MailSent = "mail.sent";
    /// An agent changed a part of an assignment or a unit that only others decide; it was restored.
    AssignmentPutBack = "assignment.put_back";
    /// A message was read, acknowledged or archived.
    MailRead = "mail.read";
    NudgeSent = "nudge.sent";
    NudgeAnswered = "nudge.answered";
    /// An unreadable document was set aside.
    DocumentSetAside = "document.set_aside";
    /// An agent set fields that are not its own, and they were restored; the data list them.
    FieldsPutBack = "document.put_back";
    /// A person approved changes of inputs that agents are judged by; the data name them.
    DoubtsAgreed = "doubts.agreed";
    /// A gate left a receipt.
    GateReceipt = "gate.receipt";
    /// A run reuses the receipt that a gate of another run left for the same files; the data
    /// contain the receipt.
    GateReused = "gate.reused";
    /// A gate was evaluated in a copy of the current code with the earlier tests restored.
    SecondLook = "gate.second_look";
    /// A gate both failed and passed on the same files.
    GateFlaky = "gate.flaky";
    StopRefused = "stop.refused";
    StopAllowed = "stop.allowed";
    EffectPerformed = "effect.performed";
    /// A document was changed by another program or a person.
    ForeignEdit = "foreign.edit";
    /// All documents were known to be on disk.
    Checkpoint = "checkpoint";
    /// A new journal was started.
    JournalRestarted = "journal.restarted";
    /// A commit was undone because another process wrote one of its documents at the last moment.
    CommitUndone = "commit.undone";
    /// The journal was missing and was restored from its copy.
    JournalRestored = "journal.restored";
    /// A document was updated from the journal after a crash.
    Redone = "redone";
    /// A review of a phase ended; the data contain its verdict.
    ReviewEnded = "review.ended";
    /// The state of a pull request was changed; the data contain the verb.
    PullChanged = "pull.changed";
    AgentStarted = "agent.started";
    /// An agent's process ended; the data contain the exit, the last message and the cost.
    AgentEnded = "agent.ended";
    /// A host accepts no more work for a time.
    HostLimited = "host.limited";
    /// A question was answered without a person; the data contain the answer.
    QuestionDefaulted = "question.defaulted";
    /// An agent's work was merged into the branch of its run.
    WorkMerged = "work.merged";
    /// An agent changed files that its unit does not name, or left processes that could not be
    /// ended.
    WorkStrayed = "work.strayed";
    /// Edits or work are missing from the files of a session, or are back.
    WorkMissing = "work.missing";
    /// An agent was given conflicting files, which others had changed too, to resolve.
    WorkConflicted = "work.conflicted";
    /// A person was notified; the data contain the reason.
    PersonTold = "person.told";
}

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        std::borrow::Cow::<'de, str>::deserialize(deserializer).map(|text| Self::from(&*text))
    }
}

impl std::fmt::Display for Kind {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.as_str().fmt(out)
    }
}

//! Journal events: each kind has one type, through which it is both written and read.
//!
//! The store keeps a [`Kind`] with JSON beside it. A writer makes one of the structs here, and a
//! reader matches on [`Event`], so no key of the data is known anywhere else.

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

/// Makes the kinds and their events. A kind, its variant and its data have one name.
macro_rules! events {
    ($($(#[$doc:meta])* $kind:ident = $text:literal;)*) => {
        /// What an event tells of; a reader keeps the kinds that it does not know.
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Kind {
            $($(#[$doc])* $kind,)*
            /// A kind of a later version, kept as it is written.
            Other(Unknown),
        }

        impl Kind {
            /// Every kind that this version knows.
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
            /// An event of a later version, kept as it is written.
            Other {
                /// What happened.
                kind: Unknown,
                /// The details.
                data: Value,
            },
        }

        impl Event {
            /// Reads a line of the journal. What cannot be understood of a known kind is read as its
            /// default, because another version may have written it.
            pub fn read(kind: &Kind, data: &Value) -> Self {
                match kind {
                    $(Kind::$kind => Self::$kind($kind::read(data)),)*
                    Kind::Other(kind) => Self::Other { kind: kind.clone(), data: data.clone() },
                }
            }

            /// Returns the event as the journal has it.
            pub fn write(self) -> (Kind, Value) {
                match self {
                    $(Self::$kind(data) => (Kind::$kind, data.write()),)*
                    Self::Other { kind, data } => (Kind::Other(kind), data),
                }
            }

            /// Returns what happened.
            pub fn kind(&self) -> Kind {
                match self {
                    $(Self::$kind(_) => Kind::$kind,)*
                    Self::Other { kind, .. } => Kind::Other(kind.clone()),
                }
            }

            /// Returns the session that it names.
            pub fn session(&self) -> Option<&str> {
                match self {
                    $(Self::$kind(data) => data.session(),)*
                    Self::Other { data, .. } => data.get("session").and_then(Value::as_str),
                }
            }

            /// Makes up an event of a kind.
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

/// The text of a kind that this version does not know; only reading makes one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Unknown(String);

events! {
    /// A person let sprag into the project, or mended how it is in it.
    ProjectSetUp = "project.set_up";
    /// A person took sprag out of the project.
    ProjectUndone = "project.undone";
    /// A person took a folder that came from elsewhere for their own.
    ProjectAdopted = "project.adopted";
    /// A session was seen for the first time.
    SessionBegan = "session.began";
    /// A session was paused by a person, or set going again.
    SessionPaused = "session.paused";
    /// A session ended.
    SessionEnded = "session.ended";
    /// A run was made.
    RunStarted = "run.started";
    /// A person paused a run.
    RunPaused = "run.paused";
    /// A person let a run go on.
    RunResumed = "run.resumed";
    /// A person answered a question.
    RunAnswered = "run.answered";
    /// A person ended a run.
    RunCancelled = "run.cancelled";
    /// A session became the owner of a run.
    RunClaimed = "run.claimed";
    /// The owner of a run let go.
    RunReleased = "run.released";
    /// An old run was removed for good.
    RunForgotten = "run.forgotten";
    /// A machine took a verb of its own.
    RunDid = "run.did";
    /// A machine looked outside.
    RunLooked = "run.looked";
    /// A unit was begun.
    AttemptBegan = "attempt.began";
    /// A session took up an attempt.
    AttemptBound = "attempt.bound";
    /// A session says that its attempt is done.
    AttemptClaimed = "attempt.claimed";
    /// An attempt ended; the data say how.
    AttemptEnded = "attempt.ended";
    /// What a pass rests on is not as it was when its unit began; the data name every change.
    InputsChanged = "inputs.changed";
    /// An attempt was lost.
    AttemptLost = "attempt.lost";
    /// An attempt was held.
    AttemptStalled = "attempt.stalled";
    /// A rule decided about a unit; the data say how, and who was not asked any more.
    RuleDecided = "rule.decided";
    /// Somebody else took a step with an assignment, and it was taken over.
    AssignmentAdopted = "assignment.adopted";
    /// The watch nudged, asked for a restart or told a person.
    AssignmentWatched = "assignment.watched";
    /// A unit of work was made.
    WorkAdded = "work.added";
    /// A message was put into a mailbox.
    MailSent = "mail.sent";
    /// An agent changed what only others decide about an assignment or a unit; it was put back.
    AssignmentPutBack = "assignment.put_back";
    /// A message was read, acknowledged or put away.
    MailRead = "mail.read";
    /// An agent was nudged.
    NudgeSent = "nudge.sent";
    /// A nudge was answered.
    NudgeAnswered = "nudge.answered";
    /// A document that cannot be read was set aside.
    DocumentSetAside = "document.set_aside";
    /// An agent set fields that are not its own, and they were put back; the data say which.
    FieldsPutBack = "document.put_back";
    /// A person agreed to changes of what agents are judged by; the data name them.
    DoubtsAgreed = "doubts.agreed";
    /// A gate left a receipt.
    GateReceipt = "gate.receipt";
    /// A run relies on what a gate of another run found on the same files; the data are that receipt.
    GateReused = "gate.reused";
    /// A gate was evaluated in a copy, with the earlier tests put back over the code of now.
    SecondLook = "gate.second_look";
    /// A gate failed and passed on the same files.
    GateFlaky = "gate.flaky";
    /// A stop was refused.
    StopRefused = "stop.refused";
    /// A stop was let through.
    StopAllowed = "stop.allowed";
    /// An effect was carried out.
    EffectPerformed = "effect.performed";
    /// A document was changed by somebody else.
    ForeignEdit = "foreign.edit";
    /// The documents were known to be on the disk.
    Checkpoint = "checkpoint";
    /// The journal was begun anew.
    JournalRestarted = "journal.restarted";
    /// A commit was taken back, because somebody else wrote one of its documents in the last moment.
    CommitUndone = "commit.undone";
    /// The journal was gone, and was restored from its copy.
    JournalRestored = "journal.restored";
    /// A document was brought forward after a crash.
    Redone = "redone";
    /// A review of a phase ended; the data say what it came to.
    ReviewEnded = "review.ended";
    /// The state of a pull request was changed; the data say by which verb.
    PullChanged = "pull.changed";
    /// An agent was started for an attempt.
    AgentStarted = "agent.started";
    /// An agent's process ended; the data say how, what it said last and what it cost.
    AgentEnded = "agent.ended";
    /// A host takes no more work for a time.
    HostLimited = "host.limited";
    /// A question was answered without a person; the data say how.
    QuestionDefaulted = "question.defaulted";
    /// An agent's work was merged into the branch of its run.
    WorkMerged = "work.merged";
    /// An agent changed what its unit does not name, or left behind what could not be ended.
    WorkStrayed = "work.strayed";
    /// Edits or work are missing in the files of a session, or are there again.
    WorkMissing = "work.missing";
    /// An agent was given files to bring in order that others had changed, too.
    WorkConflicted = "work.conflicted";
    /// A person was told; the data say what of.
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

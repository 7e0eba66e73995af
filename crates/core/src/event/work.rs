//! Agents at work: their processes, the traces they leave, the inbox, mail and nudges.

use std::collections::BTreeMap;

use super::payload::payloads;
use crate::{DocPath, Fence, Hash, MissingText, Time};

payloads! {
    pub struct AgentStarted {
        /// The attempt.
        pub fence: Fence,
        pub unit: String,
        pub host: String,
        /// The effect id that its processes carry.
        pub effect: String,
        /// The documents that the run is judged by; only older versions recorded them.
        pub law: Option<BTreeMap<DocPath, Hash>>,
        /// The hash of the counters in a plan's own document; only the first release recorded it.
        pub counts: Option<Hash>,
    }

    /// An agent's process ended.
    pub struct AgentEnded {
        /// The attempt.
        pub fence: Fence,
        pub unit: Option<String>,
        pub host: String,
        /// How the process ended: `exit 0`, `signal 9`.
        pub how: String,
        /// The host's own name for the conversation.
        pub session: Option<String>,
        /// The agent's last message, shortened.
        pub said: String,
        /// The cost in millionths of a dollar, if the host reports it.
        pub micro_usd: Option<u64>,
        /// The number of tokens, if the host reports it.
        pub tokens: Option<u64>,
        /// The duration in milliseconds.
        pub ms: u64,
        /// Files that lost the uncommitted edits that the run found.
        pub gone: Vec<MissingText>,
        /// Files among those that git tracked, which older versions listed separately.
        pub reverted: Vec<MissingText> = filled,
        /// Files that lost work done since the run began.
        pub away: Vec<MissingText> = filled,
        /// Changed files that are too large or too many to compare.
        pub unseen: Vec<String> = filled,
        /// Changed files that gates run; only older versions recorded them.
        pub rewritten: Option<Vec<String>>,
    }

    /// The set of missing work in the files of a stopping session changed.
    pub struct WorkMissing {
        /// Files that lost the uncommitted edits that the session found.
        pub gone: Vec<MissingText>,
        /// Files that lost work done since the session began.
        pub away: Vec<MissingText>,
        /// Changed files that are too large or too many to compare.
        pub unseen: Vec<String> = filled,
    }

    /// A host accepts no more work for a time.
    pub struct HostLimited {
        pub host: String,
        /// When it accepts work again.
        pub until: Option<Time>,
        /// The host's message.
        pub why: String,
    }

    /// An agent's work was merged into the branch of its run.
    pub struct WorkMerged {
        /// The attempt.
        pub fence: Fence,
        pub branch: Option<String>,
        /// The merge commit.
        pub commit: Option<String>,
    }

    /// An agent changed files that its unit does not name, or left processes that could not be
    /// ended.
    pub struct WorkStrayed {
        /// The attempt.
        pub fence: Fence,
        pub unit: String,
        /// The files or the processes.
        pub what: Vec<String>,
    }

    /// An agent was given conflicting files, which others had changed too, to resolve.
    pub struct WorkConflicted {
        /// The attempt.
        pub fence: Fence,
        pub unit: String,
        pub what: Vec<String>,
    }

    /// A unit of work was created, or several were imported.
    pub struct WorkAdded {
        pub unit: Option<String> = filled,
        /// How many imported units are new.
        pub new: Option<u64> = filled,
        /// How many known units changed.
        pub changed: Option<u64> = filled,
    }

    /// Another program changed an assignment, and sprag adopted the change.
    pub struct AssignmentAdopted {
        pub agent: String,
        /// The position in which the assignment was found.
        pub found: String,
    }

    /// An agent changed something that only others decide, and sprag restored it.
    pub struct AssignmentPutBack {
        /// The agent that has the assignment, or the unit if no agent has it.
        pub agent: String,
        /// The value that the agent set.
        pub found: String,
        /// The restored value.
        pub restored: String,
    }

    /// The watch sent a nudge, asked for a restart or notified a person.
    pub struct AssignmentWatched {
        /// The silent agent.
        pub agent: String,
        /// The text of the nudge or notification.
        pub said: String,
    }

    /// A message was delivered to a mailbox.
    pub struct MailSent {
        /// The owner of the mailbox.
        pub to: String,
        /// The sender.
        pub from: String,
        /// The name of the message.
        pub name: String,
    }

    /// A message was read, acknowledged or archived.
    pub struct MailRead {
        /// The owner of the mailbox.
        pub to: String,
        /// The name of the message.
        pub name: String,
        /// Whether it was acknowledged.
        pub acked: bool,
    }

    pub struct NudgeSent {
        pub to: String,
        /// The kind of nudge.
        pub kind: String as "type",
        /// The id of the nudge.
        pub id: String,
    }

    pub struct NudgeAnswered {
        pub agent: String,
        /// The id of the nudge.
        pub id: String,
    }
}

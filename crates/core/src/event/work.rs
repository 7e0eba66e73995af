//! Agents at work: their processes, what they leave, the inbox, mail and nudges.

use std::collections::BTreeMap;

use super::payload::payloads;
use crate::{DocPath, Fence, Hash, MissingText, Time};

payloads! {
    /// An agent was started for an attempt.
    pub struct AgentStarted {
        /// The attempt.
        pub fence: Fence,
        /// Its unit.
        pub unit: String,
        /// The host that the agent runs in.
        pub host: String,
        /// The name that its processes carry.
        pub effect: String,
        /// The documents that the run is judged by; only older versions wrote them down.
        pub law: Option<BTreeMap<DocPath, Hash>>,
        /// What a plan counted in its own document; only the first release wrote it down.
        pub counts: Option<Hash>,
    }

    /// An agent's process ended.
    pub struct AgentEnded {
        /// The attempt.
        pub fence: Fence,
        /// Its unit.
        pub unit: Option<String>,
        /// The host that the agent ran in.
        pub host: String,
        /// How the process ended: `exit 0`, `signal 9`.
        pub how: String,
        /// The host's own name for the conversation.
        pub session: Option<String>,
        /// The agent's last words, shortened.
        pub said: String,
        /// The cost in millionths of a dollar, if the host reports it.
        pub micro_usd: Option<u64>,
        /// The number of tokens, if the host reports it.
        pub tokens: Option<u64>,
        /// How long it worked.
        pub ms: u64,
        /// Files without the uncommitted edits that the run found.
        pub gone: Vec<MissingText>,
        /// Those of them that an older version listed apart: the files that git knew.
        pub reverted: Vec<MissingText> = filled,
        /// Files without work that was done since the run began.
        pub away: Vec<MissingText> = filled,
        /// Files that gates run and that are others; only older versions wrote them down.
        pub rewritten: Option<Vec<String>>,
    }

    /// What is missing in the files of a session that stops is not what was missing before.
    pub struct WorkMissing {
        /// Files without the uncommitted edits that the session found.
        pub gone: Vec<MissingText>,
        /// Files without work that was done since the session began.
        pub away: Vec<MissingText>,
    }

    /// A host takes no more work for a time.
    pub struct HostLimited {
        /// The host.
        pub host: String,
        /// When it takes work again.
        pub until: Option<Time>,
        /// What it said.
        pub why: String,
    }

    /// An agent's work was merged into the branch of its run.
    pub struct WorkMerged {
        /// The attempt.
        pub fence: Fence,
        /// The branch.
        pub branch: Option<String>,
        /// The commit that brought it in.
        pub commit: Option<String>,
    }

    /// An agent changed what its unit does not name, or left behind what could not be ended.
    pub struct WorkStrayed {
        /// The attempt.
        pub fence: Fence,
        /// Its unit.
        pub unit: String,
        /// The files, or what was left.
        pub what: Vec<String>,
    }

    /// An agent was given files to bring in order that others had changed, too.
    pub struct WorkConflicted {
        /// The attempt.
        pub fence: Fence,
        /// Its unit.
        pub unit: String,
        /// The files.
        pub what: Vec<String>,
    }

    /// A unit of work was made, or several were imported.
    pub struct WorkAdded {
        /// The unit.
        pub unit: Option<String> = filled,
        /// How many imported units are new.
        pub new: Option<u64> = filled,
        /// How many were there and changed.
        pub changed: Option<u64> = filled,
    }

    /// Another program changed an assignment, and sprag adopted the change.
    pub struct AssignmentAdopted {
        /// The agent that has the assignment.
        pub agent: String,
        /// Where the assignment was found to be.
        pub found: String,
    }

    /// An agent changed what only others decide, and sprag put it back.
    pub struct AssignmentPutBack {
        /// Whose assignment it is, or the unit, where nobody has it.
        pub agent: String,
        /// What was found.
        pub found: String,
        /// What stands there again.
        pub restored: String,
    }

    /// The watch nudged, asked for a restart or told a person.
    pub struct AssignmentWatched {
        /// The agent that is silent.
        pub agent: String,
        /// What was said.
        pub said: String,
    }

    /// A message was put into a mailbox.
    pub struct MailSent {
        /// Whose mailbox.
        pub to: String,
        /// Who sent it.
        pub from: String,
        /// The name of the message.
        pub name: String,
    }

    /// A message was read, acknowledged or put away.
    pub struct MailRead {
        /// Whose mailbox.
        pub to: String,
        /// The name of the message.
        pub name: String,
        /// Whether it was acknowledged.
        pub acked: bool,
    }

    /// An agent was nudged.
    pub struct NudgeSent {
        /// The agent.
        pub to: String,
        /// The kind of nudge.
        pub kind: String as "type",
        /// The name of the nudge.
        pub id: String,
    }

    /// A nudge was answered.
    pub struct NudgeAnswered {
        /// The agent that answered.
        pub agent: String,
        /// The name of the nudge.
        pub id: String,
    }
}

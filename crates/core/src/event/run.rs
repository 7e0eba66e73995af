//! A run as a whole: its start, the actions of persons, and its owner.

use std::collections::BTreeMap;

use super::payload::{bare, payloads};
use crate::{Hash, Time};

payloads! {
    /// A run was created: its source, and the state of the files it found.
    pub struct RunStarted {
        /// The source of the run: `guard`, `plan`, the key of a workflow.
        pub source: String,
        /// The request, shortened.
        pub task: Option<String> = filled,
        /// The command that must pass.
        pub until: Option<String> = filled,
        /// The phase of a plan.
        pub phase: Option<String> = filled,
        /// The unit of an assignment.
        pub unit: Option<String> = filled,
        /// The agent that has the assignment.
        pub agent: Option<String> = filled,
        /// The session that it was started for.
        pub session: Option<String> = filled,
        /// The commit that was checked out.
        pub commit: Option<String> = filled,
        /// The files as one hash.
        pub tree: Option<Hash> = filled,
        /// The files that its gates run, with their content hashes; only older versions recorded
        /// them.
        pub runs: Option<BTreeMap<String, Hash>> = filled,
        /// The files that are in no commit.
        pub loose: Option<Vec<String>> = filled,
        /// The files that differ from their commit, with content hashes; `None` for a removed file.
        pub edited: Option<BTreeMap<String, Option<Hash>>> = filled,
        /// The lines added to those files since their commit, as hashes.
        pub lines: Option<BTreeMap<String, String>> = filled,
        /// The files whose added lines are too many to record, with content hashes.
        pub cut: Option<BTreeMap<String, Hash>> = filled,
        /// The size of HEAD's reflog in bytes.
        pub log: Option<u64> = filled,
        /// The entries of `git stash`.
        pub stashes: Option<Vec<String>> = filled,
        /// How many further uncommitted files are not listed.
        pub more: Option<u64> = filled,
    }

    /// A person paused a run, or a hold applies to the whole run.
    pub struct RunPaused {
        pub why: String,
        /// When the run resumes without a person.
        pub until: Option<Time> = filled,
    }

    pub struct RunResumed {
        /// The unit of the inbox that was reopened, if only that.
        pub unit: Option<String> = filled,
    }

    pub struct RunAnswered {
        pub text: String,
    }

    /// A session became the owner of a run.
    pub struct RunClaimed {
        pub session: String,
    }

    /// The owner of a run released it.
    pub struct RunReleased {
        pub session: String,
    }

    /// A machine executed one of its own verbs.
    pub struct RunDid {
        pub verb: String,
        /// The session whose branch the run follows.
        pub session: Option<String> = filled,
    }

    /// A question was answered without a person.
    pub struct QuestionDefaulted {
        pub question: String,
        /// The assumed answer.
        pub answer: String,
    }

    pub struct PullChanged {
        pub verb: String,
    }
}

impl RunStarted {
    /// Creates the start of a run of `source` with all other fields empty.
    pub fn of(source: &str) -> Self {
        Self { source: source.to_owned(), ..Self::default() }
    }
}

bare! {
    pub struct RunCancelled = {};
    /// A machine refreshed its view of the outside.
    pub struct RunLooked = {};
    /// An old run was deleted permanently.
    pub struct RunForgotten = null;
}

//! A run as a whole: its beginning, what persons do to it, and who owns it.

use std::collections::BTreeMap;

use super::payload::{bare, payloads};
use crate::{Hash, Time};

payloads! {
    /// A run was made, of what, and what it found when it began.
    pub struct RunStarted {
        /// What it is a run of: `guard`, `plan`, the key of a workflow.
        pub source: String,
        /// What was asked, shortened.
        pub task: Option<String> = filled,
        /// The command that must pass.
        pub until: Option<String> = filled,
        /// The phase of a plan.
        pub phase: Option<String> = filled,
        /// The unit of an assignment.
        pub unit: Option<String> = filled,
        /// The agent that has the assignment.
        pub agent: Option<String> = filled,
        /// The session that it was begun for.
        pub session: Option<String> = filled,
        /// The commit that was checked out.
        pub commit: Option<String> = filled,
        /// The files as one hash.
        pub tree: Option<Hash> = filled,
        /// The files that its gates run, and what was in them; only older versions wrote them down.
        pub runs: Option<BTreeMap<String, Hash>> = filled,
        /// The files that are in no commit.
        pub loose: Option<Vec<String>> = filled,
        /// The files that are not as in their commit, and what was in them; nothing where one was
        /// removed.
        pub edited: Option<BTreeMap<String, Option<Hash>>> = filled,
        /// The lines that were added to those files since their commit, as hashes.
        pub lines: Option<BTreeMap<String, String>> = filled,
        /// How long git's log of what is checked out was.
        pub log: Option<u64> = filled,
        /// The entries of `git stash`.
        pub stashes: Option<Vec<String>> = filled,
        /// How many uncommitted files there are beyond those that are listed.
        pub more: Option<u64> = filled,
    }

    /// A person paused a run, or something holds it as a whole.
    pub struct RunPaused {
        /// Why.
        pub why: String,
        /// When the run resumes without a person.
        pub until: Option<Time> = filled,
    }

    /// A person let a run go on.
    pub struct RunResumed {
        /// The unit of the inbox that was opened again, where it was only that.
        pub unit: Option<String> = filled,
    }

    /// A person answered a question.
    pub struct RunAnswered {
        /// The answer.
        pub text: String,
    }

    /// A session became the owner of a run.
    pub struct RunClaimed {
        /// The session.
        pub session: String,
    }

    /// The owner of a run let go.
    pub struct RunReleased {
        /// The session.
        pub session: String,
    }

    /// A machine took a verb of its own.
    pub struct RunDid {
        /// The verb.
        pub verb: String,
        /// The session whose branch the run follows.
        pub session: Option<String> = filled,
    }

    /// A question was answered without a person.
    pub struct QuestionDefaulted {
        /// What was asked.
        pub question: String,
        /// What was taken for the answer.
        pub answer: String,
    }

    /// The state of a pull request was changed.
    pub struct PullChanged {
        /// By which verb.
        pub verb: String,
    }
}

impl RunStarted {
    /// Makes the beginning of a run of `source`, of which nothing more is known yet.
    pub fn of(source: &str) -> Self {
        Self { source: source.to_owned(), ..Self::default() }
    }
}

bare! {
    /// A person ended a run.
    pub struct RunCancelled = {};
    /// A machine looked outside.
    pub struct RunLooked = {};
    /// An old run was removed for good.
    pub struct RunForgotten = null;
}

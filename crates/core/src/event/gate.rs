//! Results of gates, rules and reviews.

use super::payload::{payloads, whole, words};
use crate::review::RefusedFinding;
use crate::{Hash, Verdict};

payloads! {
    /// A gate left a receipt; the hash authenticates it.
    pub struct GateReceipt {
        pub id: String,
        pub gate: String,
        pub verdict: Option<Verdict>,
        /// The exit code, if there was one.
        pub exit: Option<i32>,
        /// The duration in milliseconds.
        pub ms: u64,
        /// The files that the result applies to.
        pub tree: Option<Hash>,
        /// The hash of the receipt's file; older versions recorded none.
        pub hash: Option<Hash>,
    }

    /// A gate was evaluated on the current code with the earlier tests restored.
    pub struct SecondLook {
        /// The key of the look: the files it was evaluated on, and the check.
        pub look: Option<Hash>,
        pub gate: String,
        /// The result; only a pass clears the tests.
        pub verdict: Option<Verdict>,
        /// The exit code, if there was one.
        pub exit: Option<i32> = filled,
        /// A one-line reason.
        pub why: Option<String> = filled,
        /// The duration in milliseconds.
        pub ms: u64,
        /// The tests that were restored.
        pub tests: Vec<String>,
    }

    /// A gate both failed and passed on the same files.
    pub struct GateFlaky {
        pub gate: String,
    }

    pub struct RuleDecided {
        pub unit: String,
        pub rule: String,
        pub what: RuleAnswer as "do",
        /// The rules that changed the instruction.
        pub changed: Vec<String>,
        /// The rules that were not asked.
        pub losers: Vec<String>,
    }

    pub struct ReviewEnded {
        /// The reviewed phase; an older version did not record it.
        pub phase: Option<String> = filled,
        /// The round, counted from 1.
        pub round: u64,
        /// The maximum number of rounds.
        pub of: u64,
        pub verdict: ReviewVerdict,
        /// The number of findings that are open after it.
        pub open: u64,
        /// The most severe open findings.
        pub findings: Vec<String>,
        /// Findings that the agent has refused so far, with reasons.
        pub refused: Vec<RefusedFinding>,
        /// Why the review does not count.
        pub why: Option<String> = filled,
    }
}

whole! {
    /// A run reuses the receipt that a gate of another run left for the same files.
    pub struct GateReused {
        /// A copy of that receipt's file, because its run may be removed later.
        pub receipt
    }
}

words! {
    pub enum RuleAnswer {
        /// No effect.
        Pass = "pass",
        /// Text is added to the instruction.
        Change = "change",
        /// Other work is done instead.
        Replace = "replace",
        /// The unit is not dispatched.
        Skip = "skip",
        /// The previous unit is reworked first.
        Rework = "rework",
        /// The work waits for a person.
        Hold = "hold",
    } else Pass
}

words! {
    /// The result of a review.
    pub enum ReviewVerdict {
        /// No finding that counts.
        Pass = "pass",
        /// There are findings to fix.
        Issues = "issues",
        /// The reviewer repeated a refused finding.
        Disputed = "disputed",
        /// No round is left.
        Exhausted = "exhausted",
        /// The same findings come up again and again.
        Repeats = "repeats",
        /// The number of findings does not decrease.
        NoProgress = "no progress",
        /// The reviewer changed files, so the review does not count.
        ChangedFiles = "changed files",
        /// The answer cannot be parsed.
        Unclear = "unclear",
        /// A person accepted the work as it is; that is not a pass.
        Accepted = "accepted",
    } else Other
}

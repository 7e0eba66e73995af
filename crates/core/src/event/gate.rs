//! What gates, rules and reviews came to.

use super::payload::{payloads, whole, words};
use crate::review::RefusedFinding;
use crate::{Hash, Verdict};

payloads! {
    /// A gate left a receipt; the hash vouches for it.
    pub struct GateReceipt {
        /// The name of the receipt.
        pub id: String,
        /// The gate.
        pub gate: String,
        /// What was decided.
        pub verdict: Option<Verdict>,
        /// The exit code, where there was one.
        pub exit: Option<i32>,
        /// How long it took.
        pub ms: u64,
        /// The files that it is true of.
        pub tree: Option<Hash>,
        /// The hash of the receipt's file; an older version wrote none.
        pub hash: Option<Hash>,
    }

    /// A gate was evaluated with the earlier tests put back over the code of now.
    pub struct SecondLook {
        /// What is known by it: the files it was evaluated on, and the check.
        pub look: Option<Hash>,
        /// The gate.
        pub gate: String,
        /// What was decided; only a pass clears the tests.
        pub verdict: Option<Verdict>,
        /// The exit code, where there was one.
        pub exit: Option<i32> = filled,
        /// One line of reason.
        pub why: Option<String> = filled,
        /// How long it took.
        pub ms: u64,
        /// The tests that it is about.
        pub tests: Vec<String>,
    }

    /// A gate failed and passed on the same files.
    pub struct GateFlaky {
        /// The gate.
        pub gate: String,
    }

    /// A rule decided about a unit.
    pub struct RuleDecided {
        /// The unit.
        pub unit: String,
        /// The rule that decided.
        pub rule: String,
        /// What it decided.
        pub what: RuleAnswer as "do",
        /// The rules that changed the instruction.
        pub changed: Vec<String>,
        /// The rules that were not asked any more.
        pub losers: Vec<String>,
    }

    /// A review of a phase ended.
    pub struct ReviewEnded {
        /// The reviewed phase; an older version did not record it.
        pub phase: Option<String> = filled,
        /// Which round it was.
        pub round: u64,
        /// How many rounds there may be.
        pub of: u64,
        /// What it came to.
        pub verdict: ReviewVerdict,
        /// How many findings are open after it.
        pub open: u64,
        /// The weightiest of them.
        pub findings: Vec<String>,
        /// What its agent refused to take for a finding so far, with the reason.
        pub refused: Vec<RefusedFinding>,
        /// Why it does not count.
        pub why: Option<String> = filled,
    }
}

whole! {
    /// A run relies on what a gate of another run found on the same files.
    pub struct GateReused {
        /// A copy of that receipt's file, because its run may be removed later.
        pub receipt
    }
}

words! {
    /// What a rule answers.
    pub enum RuleAnswer {
        /// Nothing.
        Pass = "pass",
        /// The instruction gets more text.
        Change = "change",
        /// Other work is done in its place.
        Replace = "replace",
        /// The unit is not dispatched.
        Skip = "skip",
        /// Something is done about the unit that ended first.
        Rework = "rework",
        /// Nothing goes on before a person does something.
        Hold = "hold",
    } else Pass
}

words! {
    /// What a review came to.
    pub enum ReviewVerdict {
        /// Nothing that counts was found.
        Pass = "pass",
        /// Something is to be fixed.
        Issues = "issues",
        /// The reviewer found a refused finding again.
        Disputed = "disputed",
        /// There is no round left.
        Exhausted = "exhausted",
        /// The same is found again and again.
        Repeats = "repeats",
        /// The findings do not get fewer.
        NoProgress = "no progress",
        /// The reviewer changed files, so it does not count.
        ChangedFiles = "changed files",
        /// The answer is none that can be read.
        Unclear = "unclear",
        /// A person accepted the work as it is; that is no pass.
        Accepted = "accepted",
    } else Other
}

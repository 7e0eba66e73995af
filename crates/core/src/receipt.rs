use serde::{Deserialize, Serialize};

use crate::{Doubt, Fingerprint, Hash, Name, Time};

/// What a gate left: its verdict, the evidence, and the tree that it is true of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Receipt {
    /// Which gate.
    pub gate: Name,
    /// What it decided.
    pub verdict: Verdict,
    /// The exit code, where there was a process.
    pub exit: Option<i32>,
    /// One line of reason; empty where the exit code says it all.
    pub why: String,
    /// The end of the output, as it came: never trusted.
    pub tail: String,
    /// The files it was true of.
    pub tree: Hash,
    /// When it was decided.
    pub at: Time,
    /// Why a pass did not count; only older versions wrote that into a receipt.
    pub doubt: Option<Doubt>,
}

/// What a gate decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It holds.
    Pass,
    /// It does not hold.
    Fail,
    /// The files changed while it ran, so it says nothing.
    Void,
    /// A person let it through; that is never a proof.
    Waived,
    /// It could not run.
    Unknown,
}

impl Verdict {
    /// Every verdict.
    pub const ALL: [Self; 5] = [Self::Pass, Self::Fail, Self::Void, Self::Waived, Self::Unknown];

    /// Returns the word used in files.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Void => "void",
            Self::Waived => "waived",
            Self::Unknown => "unknown",
        }
    }
}

impl Receipt {
    /// Returns what stays the same when the same failure comes again.
    pub fn fingerprint(&self) -> Fingerprint {
        let exit = self.exit.map_or_else(String::new, |code| code.to_string());
        Fingerprint::of(&[self.gate.as_str(), &exit], &[&self.why, &self.tail])
    }
}

use serde::{Deserialize, Serialize};

use crate::{Doubt, Fingerprint, Hash, Name, Time};

/// The result of a gate: its verdict, the evidence, and the tree that it applies to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Receipt {
    pub gate: Name,
    pub verdict: Verdict,
    /// The exit code, if there was a process.
    pub exit: Option<i32>,
    /// A one-line reason; empty if the exit code says it all.
    pub why: String,
    /// The end of the output, unmodified and never trusted.
    pub tail: String,
    /// The files that the verdict applies to.
    pub tree: Hash,
    /// When it was decided.
    pub at: Time,
    /// Why a pass did not count; only older versions recorded that in a receipt.
    pub doubt: Option<Doubt>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The check holds.
    Pass,
    /// The check does not hold.
    Fail,
    /// The files changed while the gate ran, so its result is meaningless.
    Void,
    /// A person waived it; that is never a proof.
    Waived,
    /// The gate could not run.
    Unknown,
}

impl Verdict {
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
    /// Returns the fingerprint by which a repeated failure is recognized.
    pub fn fingerprint(&self) -> Fingerprint {
        let exit = self.exit.map_or_else(String::new, |code| code.to_string());
        Fingerprint::of(&[self.gate.as_str(), &exit], &[&self.why, &self.tail])
    }
}

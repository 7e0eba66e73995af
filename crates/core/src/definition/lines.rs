use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// The lines of a shell script, without layout and comments.
///
/// A script that stops at the first failure may get more commands: they can only add a failure.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScriptLines {
    /// The options that it sets before its first command: `errexit`.
    pub options: BTreeSet<String>,
    /// The interpreter, if it is not one of the usual shells.
    pub interpreter: Option<String>,
    /// Whether every line is one whole command.
    pub is_flat: bool,
    /// Whether it runs inside its caller, so that a new line may redefine an earlier one.
    pub in_caller: bool,
    pub lines: Vec<ScriptLine>,
}

/// One line of a shell script.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScriptLine {
    /// The beginning of its hash.
    pub hash: String,
    /// Whether it only starts another program, and leaves the state of the shell as it is.
    pub is_plain: bool,
    /// Whether its failure stops a script that sets `errexit`.
    pub is_firm: bool,
}

impl ScriptLines {
    /// Returns whether another version of the script does the same.
    pub fn is_same(&self, other: &Self) -> bool {
        self.options == other.options
            && self.interpreter == other.interpreter
            && self.hashes().eq(other.hashes())
    }

    /// Returns whether a later version of the script only fails more often.
    pub fn only_grew(&self, now: &Self) -> bool {
        let stops = now.options.contains("errexit");
        let is_more = self.lines.len() < now.lines.len();
        !(now.in_caller && is_more)
            && self.interpreter == now.interpreter
            && self.options.is_subset(&now.options)
            && (stops || !is_more)
            && self.is_within(now)
    }

    /// Returns whether all lines are still there in their order, and the other ones change nothing
    /// for them.
    fn is_within(&self, now: &Self) -> bool {
        let mut lines = now.lines.iter();
        for own in &self.lines {
            loop {
                let Some(line) = lines.next() else { return false };
                if line.hash == own.hash {
                    break;
                }
                if !(line.is_plain && self.is_flat) {
                    return false;
                }
            }
        }
        lines.next().is_none() || self.lines.last().is_none_or(|last| last.is_firm)
    }

    fn hashes(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().map(|line| &*line.hash)
    }
}

//! An answer counts once the forge has the changes it describes; until then no part of it is
//! posted.

use super::{Patience, Position, Pull};
use crate::prompt::short;
use crate::{Hash, Time, stored};

/// A developer's answer that does not count yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pending {
    pub text: String,
    /// When it was given.
    pub since: Time,
}

/// The state of this folder at a look, besides the forge's data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Folder {
    /// The uncommitted files, one per line: `M NAME`, and `? NAME` for a new one.
    pub(super) loose: String,
    /// Whether git has pushed the folder's commit to the branch's remote, if known.
    pub(super) pushed: Option<bool>,
}

/// The gap between an answer and the forge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PendingGap {
    None,
    /// The commit may still be on its way.
    Young,
    /// Only a commit or a push can close it.
    Open(String),
}

/// Maximum number of files in the message.
const NAMED: usize = 5;

impl Pending {
    /// Returns the changes of the answer that the forge lacks. New files that existed before the
    /// run are not the developer's.
    pub(super) fn gap(
        &self,
        position: &Position,
        (pull, folder): (&Pull, &Folder),
        patience: &Patience,
        now: Time,
    ) -> PendingGap {
        let loose = folder.loose.as_str();
        let is_changed = |line: &str| !line.starts_with('?');
        let is_new = !loose.is_empty() && position.loose != Some(Hash::of(loose));
        if is_new || loose.lines().any(is_changed) {
            let names = loose.lines().take(NAMED).filter_map(|line| line.get(2..));
            let names: Vec<_> = names.map(|name| short(name, 80)).collect();
            return PendingGap::Open(format!("not committed: {}", names.join(", ")));
        }
        let may_come = now.since(self.since) < patience.grace;
        match (pull.is_of_head(), folder.unpushed(pull)) {
            (true, _) => PendingGap::None,
            (false, None) if may_come => PendingGap::Young,
            (false, why) => PendingGap::Open(why.unwrap_or_else(|| not_pushed(pull))),
        }
    }
}

impl Folder {
    /// Returns why waiting is pointless: the forge has another commit, and git never pushed this
    /// one. A pushed commit may appear with a short delay.
    pub(super) fn unpushed(&self, pull: &Pull) -> Option<String> {
        (!pull.is_of_head() && self.pushed == Some(false)).then(|| not_pushed(pull))
    }
}

fn not_pushed(pull: &Pull) -> String {
    let [theirs, ours] =
        [&pull.forge_head, &pull.head].map(|head| short(head.as_deref().unwrap_or("nothing"), 12));
    format!("not pushed: the forge has {theirs}, and not {ours}")
}

stored!(struct Pending { text, since });

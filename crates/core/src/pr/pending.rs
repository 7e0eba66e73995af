//! An answer counts once the forge has what it speaks of; until then nothing of it is posted.

use super::{Patience, Position, Pull};
use crate::prompt::short;
use crate::{Hash, Time, stored};

/// What a developer answered, until it counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pending {
    /// The answer.
    pub text: String,
    /// Since when it waits.
    pub since: Time,
}

/// What a look says of this folder, beside what the forge says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Folder {
    /// The files that are in no commit, a line each: `M NAME`, and `? NAME` for a new one.
    pub(super) loose: String,
    /// Whether git has sent its commit to the branch's remote; nothing where it does not say.
    pub(super) pushed: Option<bool>,
}

/// What stands between an answer and the forge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Gap {
    /// Nothing does.
    None,
    /// A commit that may still be on its way.
    Young,
    /// Only somebody who commits or pushes can close it.
    Open(String),
}

/// How many files are named.
const NAMED: usize = 5;

impl Pending {
    /// Returns what the forge lacks of it. New files that were here before the run are none of the
    /// developer's.
    pub(super) fn gap(
        &self,
        position: &Position,
        (pull, folder): (&Pull, &Folder),
        patience: &Patience,
        now: Time,
    ) -> Gap {
        let loose = folder.loose.as_str();
        let is_changed = |line: &str| !line.starts_with('?');
        let is_new = !loose.is_empty() && position.loose != Some(Hash::of(loose));
        if is_new || loose.lines().any(is_changed) {
            let names = loose.lines().take(NAMED).filter_map(|line| line.get(2..));
            let names: Vec<_> = names.map(|name| short(name, 80)).collect();
            return Gap::Open(format!("not committed: {}", names.join(", ")));
        }
        let may_come = now.since(self.since) < patience.grace;
        match (pull.is_of_head(), folder.unpushed(pull)) {
            (true, _) => Gap::None,
            (false, None) if may_come => Gap::Young,
            (false, why) => Gap::Open(why.unwrap_or_else(|| not_pushed(pull))),
        }
    }
}

impl Folder {
    /// Returns what nobody needs to wait for: the forge has another commit, and git never sent this
    /// one. What was sent may take a moment to be seen there.
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

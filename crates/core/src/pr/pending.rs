//! An answer counts once the forge has what it speaks of; until then nothing of it is posted.

use super::{Patience, Position, Pull};
use crate::prompt::short;
use crate::{Fields, Hash, Plain, Stored, Time, Unreadable};

/// What a developer answered, until it counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pending {
    /// The answer.
    pub text: String,
    /// Since when it waits.
    pub since: Time,
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
    /// Returns what the forge lacks of it. `loose` are the files that are in no commit, a line
    /// each; new ones (`? NAME`) that were here before the run are none of the developer's.
    pub(super) fn gap(
        &self,
        position: &Position,
        (pull, loose): (&Pull, &str),
        patience: &Patience,
        now: Time,
    ) -> Gap {
        let is_changed = |line: &str| !line.starts_with('?');
        let is_new = !loose.is_empty() && position.loose != Some(Hash::of(loose));
        if is_new || loose.lines().any(is_changed) {
            let names = loose.lines().take(NAMED).filter_map(|line| line.get(2..));
            let names: Vec<_> = names.map(|name| short(name, 80)).collect();
            return Gap::Open(format!("not committed: {}", names.join(", ")));
        }
        let [theirs, ours] = [&pull.forge_head, &pull.head]
            .map(|head| short(head.as_deref().unwrap_or("nothing"), 12));
        match (pull.is_of_head(), now.since(self.since) < patience.grace) {
            (true, _) => Gap::None,
            (false, true) => Gap::Young,
            (false, false) => {
                Gap::Open(format!("not pushed: the forge has {theirs}, and not {ours}"))
            }
        }
    }
}

impl Stored for Pending {
    fn lower(&self) -> Plain {
        Plain::map([("text", self.text.lower()), ("since", self.since.lower())])
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        let fields = Fields::of(plain)?;
        Ok(Self { text: fields.get("text")?, since: fields.get("since")? })
    }
}

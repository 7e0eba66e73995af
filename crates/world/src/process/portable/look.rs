//! One look at all processes, to find those of a family.

use std::collections::{BTreeSet, HashSet};

use rustix::process::{Pid, WaitId, WaitIdOptions, test_kill_process_group, waitid};

use super::orphans;
use super::table::{self, Process};

/// Whether orphans that have ended are ours to reap. They are not, so a group may hold dead
/// processes for a moment, and only the list shows whether a member is alive.
pub(in crate::process) const REAPS_ORPHANS: bool = false;

/// The result of one look at a family.
#[derive(Debug, Default)]
pub(in crate::process) struct Look {
    pub(in crate::process) alive: Vec<Process>,
    /// Always empty: we adopt no orphans.
    pub(in crate::process) over: Vec<Process>,
    /// Groups that have only members of the family.
    pub(in crate::process) groups: HashSet<Pid>,
    /// Whether any member is alive.
    pub(in crate::process) is_anybody: bool,
    /// Always true: a second list takes as long as many commands.
    pub(in crate::process) is_sure: bool,
    /// Always none, as no second look follows.
    pub(in crate::process) newest: Option<()>,
}

/// Finds the processes of these groups and sessions, those with the mark, those that were recorded
/// below the leader, and all their descendants.
pub(in crate::process) fn look(leader: Option<Pid>, known: &HashSet<Pid>, mark: &str) -> Look {
    let was_over = leader.is_none_or(is_over);
    let Some(all) = table::others(&[mark]) else {
        // Without a list only groups can be asked.
        let is_anybody = known.iter().any(|group| test_kill_process_group(*group).is_ok());
        return Look { is_anybody: is_anybody || !was_over, is_sure: true, ..Look::default() };
    };
    let groups: BTreeSet<i32> = known.iter().map(|group| group.as_raw_pid()).collect();
    let recorded = leader.map(orphans::recorded).unwrap_or_default();
    let belongs = |it: &Process| {
        it.is_marked
            || groups.contains(&it.group)
            || groups.contains(&it.session)
            || recorded.contains(&it.birth())
    };
    let found = table::with_children(&all, belongs);
    let (members, others): (Vec<Process>, Vec<Process>) =
        all.into_iter().partition(|it| found.contains(&it.id));
    let shared: BTreeSet<i32> = others.iter().map(|other| other.group).collect();
    let groups = members.iter().map(|it| it.group).filter(|id| !shared.contains(id));
    let groups = groups.filter_map(Pid::from_raw).collect();
    let alive: Vec<Process> = members.into_iter().filter(|it| !it.is_over).collect();
    let is_anybody = !was_over || !alive.is_empty();
    Look { alive, over: Vec::new(), groups, is_anybody, is_sure: true, newest: None }
}

/// Returns whether a child of ours has ended, without reaping it.
fn is_over(child: Pid) -> bool {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    !matches!(waitid(WaitId::Pid(child), options), Ok(None))
}

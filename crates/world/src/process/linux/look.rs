//! One look at all processes of a Linux machine, to find those of a family.

use std::collections::{BTreeSet, HashSet};

use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

use super::orphans::{self, Orphans};
use super::table::{self, Birth, Process};

/// Whether orphans that have ended are ours to reap.
pub(in crate::process) const REAPS_ORPHANS: bool = true;

/// The result of one look at a family.
#[derive(Debug, Default)]
pub(in crate::process) struct Look {
    pub(in crate::process) alive: Vec<Process>,
    /// Ended orphans that we have to reap.
    pub(in crate::process) over: Vec<Process>,
    /// Groups that have only members of the family.
    pub(in crate::process) groups: HashSet<Pid>,
    /// Whether any member existed at the beginning of the look.
    pub(in crate::process) is_anybody: bool,
    /// Whether the look cannot have missed any member.
    pub(in crate::process) is_sure: bool,
    /// The newest orphan that may belong to this family or to another one.
    pub(in crate::process) newest: Option<Birth>,
}

/// Finds the processes of these groups, those with the mark, and all their descendants; if we
/// started the leader, also its orphans.
///
/// A look that knows all orphans is reliable. Follow the parents of a member that is alive at its
/// beginning: the last one before us is our child, and stays listed until we reap it. So it is
/// found, alive or dead, or it is the leader.
pub(in crate::process) fn look(leader: Option<Pid>, known: &HashSet<Pid>, mark: &str) -> Look {
    let was_over = leader.is_none_or(is_over);
    // All processes that a dead leader leaves behind become our children.
    if leader.is_some() && was_over && orphans::is_nobody() {
        return Look { is_sure: true, ..Look::default() };
    }
    let scene = Scene::of(leader, mark);
    let known: BTreeSet<i32> = known.iter().map(|group| group.as_raw_pid()).collect();
    let belongs = |process: &Process| {
        process.is_marked
            || known.contains(&process.group)
            || known.contains(&process.session)
            || (scene.has_all && scene.is_orphan(process))
    };
    let found = with_children(&scene.all, belongs);
    let (members, others): (Vec<&Process>, Vec<&Process>) =
        scene.all.iter().partition(|process| found.contains(&process.id));
    let shared: BTreeSet<i32> = others.iter().map(|other| other.group).collect();
    let groups = members.iter().map(|member| member.group).filter(|id| !shared.contains(id));
    let alive: Vec<Process> = members.iter().filter(|it| !it.is_over).copied().cloned().collect();
    let over = members.iter().filter(|it| it.is_over && scene.is_orphan(it));
    let over: Vec<Process> = over.copied().cloned().collect();
    Look {
        is_anybody: !was_over || !alive.is_empty() || !over.is_empty(),
        is_sure: scene.has_all && leader.is_some_and(orphans::is_alone),
        groups: groups.filter_map(Pid::from_raw).collect(),
        newest: others.iter().filter(|it| scene.is_orphan(it)).map(|it| it.birth()).max(),
        alive,
        over,
    }
}

/// All processes, and those of them that became our orphans.
struct Scene {
    all: Vec<Process>,
    orphans: BTreeSet<i32>,
    /// Whether all orphans belong to the family.
    has_all: bool,
}

impl Scene {
    fn of(leader: Option<Pid>, mark: &str) -> Self {
        let ids = table::ids();
        // Without a leader of ours, orphans are not considered.
        let left = leader.map(|leader| (Orphans::now(), leader));
        let has_all = left.as_ref().is_some_and(|(left, leader)| left.are_all_of(*leader));
        let all: Vec<_> = ids.into_iter().filter_map(|id| table::read(id, mark)).collect();
        let is_left = |it: &&Process| left.as_ref().is_some_and(|(left, _)| left.has(it));
        let orphans = all.iter().filter(is_left).map(|process| process.id).collect();
        Self { all, orphans, has_all }
    }

    fn is_orphan(&self, process: &Process) -> bool {
        self.orphans.contains(&process.id)
    }
}

/// Returns the ids of the matching processes and all their descendants.
fn with_children(all: &[Process], belongs: impl Fn(&Process) -> bool) -> BTreeSet<i32> {
    let own = table::own();
    // Neither the first of all processes nor our own is ever part of a family.
    let candidates: Vec<&Process> =
        all.iter().filter(|process| process.id > 1 && process.id != own).collect();
    let first = candidates.iter().filter(|process| belongs(process));
    let mut found: BTreeSet<i32> = first.map(|process| process.id).collect();
    loop {
        let is_below =
            |process: &&&Process| found.contains(&process.parent) && !found.contains(&process.id);
        let more: Vec<i32> = candidates.iter().filter(is_below).map(|process| process.id).collect();
        if more.is_empty() {
            return found;
        }
        found.extend(more);
    }
}

/// Returns whether a child of ours has ended, without reaping it.
fn is_over(child: Pid) -> bool {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    !matches!(waitid(WaitId::Pid(child), options), Ok(None))
}

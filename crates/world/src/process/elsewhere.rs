//! Replaces the process list on systems other than Linux: only a command's group can be queried,
//! and only until its leader is reaped. Processes outside of it are not found.

pub(super) mod orphans {
    use std::io;
    use std::process::Child;

    use rustix::process::{Pid, Signal};

    /// Starts the leader of a command.
    pub(in super::super) fn start(command: &mut std::process::Command) -> io::Result<Child> {
        command.spawn()
    }

    /// Starts a helper of ours in its own group.
    pub(in super::super) fn beside(command: &mut std::process::Command) -> io::Result<Child> {
        use std::os::unix::process::CommandExt as _;
        command.process_group(0).spawn()
    }

    /// Always releases the leader: on these systems we adopt no orphans.
    pub(in super::super) const fn leave(_: Pid, _: bool) -> bool {
        true
    }

    pub(in super::super) const fn forget(_: Pid) {}

    pub(in super::super) const fn reap() {}

    /// Does nothing, because single processes are not found; the next driver ends them by their
    /// mark.
    pub(in super::super) const fn kill_all() {}

    pub(in super::super) const fn signal(_: Pid, _: Signal) {}
}

pub(super) mod look {
    use std::collections::HashSet;

    use rustix::process::{Pid, Signal, test_kill_process_group};

    /// Single processes are not found here.
    #[derive(Debug)]
    pub(in super::super) enum Process {}

    impl Process {
        pub(in super::super) const fn signal(&self, _: Signal) {
            match *self {}
        }

        pub(in super::super) const fn reap(&self) {
            match *self {}
        }
    }

    /// The result of one look at a family.
    #[derive(Debug, Default)]
    pub(in super::super) struct Look {
        pub(in super::super) alive: Vec<Process>,
        pub(in super::super) over: Vec<Process>,
        pub(in super::super) groups: HashSet<Pid>,
        pub(in super::super) is_anybody: bool,
        pub(in super::super) is_sure: bool,
        pub(in super::super) newest: Option<(u64, i32)>,
    }

    /// Checks whether the groups have any members.
    pub(in super::super) fn look(_: Option<Pid>, known: &HashSet<Pid>, _: &str) -> Look {
        let is_anybody = known.iter().any(|group| test_kill_process_group(*group).is_ok());
        Look { is_anybody, is_sure: true, ..Look::default() }
    }
}

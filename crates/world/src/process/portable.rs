//! The processes of a machine without `/proc` and without a reaper of orphans: a Mac. `ps` lists
//! them.
//!
//! With `--cfg sprag_portable` all of this runs on Linux as well, where the tests are.
//!
//! A process that loses its parent becomes a child of the system's first process and not ours. So
//! while a command runs, the processes below it are recorded four times a second; a process that was
//! recorded once is known later by its id and its start. A process is missed if within that time it
//! leaves group and session, loses its parent and hides its environment. On a Mac the system's own
//! programs always hide theirs.

pub(super) mod look;
pub(super) mod orphans;
pub(super) mod parents;
pub(super) mod table;

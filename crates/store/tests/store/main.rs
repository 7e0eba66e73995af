//! The store as its callers see it. Kills, full disks and rival processes are tested in
//! `crates/proof`, with real processes.

#![expect(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests act by hand")]

mod adversity;
mod commit;
mod copy;
mod folder;
mod foreign;
mod journal;
mod lost;
mod recovery;
mod worktree;

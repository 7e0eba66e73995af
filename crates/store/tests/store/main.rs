//! The store as its callers see it. What a kill, a full disk or a rival does to it is tested in
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

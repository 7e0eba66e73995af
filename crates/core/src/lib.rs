//! The pure half of sprag: what a run is, what may be worked on next, when a session may stop.
//!
//! Nothing here reads a clock, a disk, an environment or a process. Every outside fact arrives as
//! a value, so the same functions serve the host hook, the runner and every test.

mod doc_path;
mod hash;
mod id;
mod seq;
mod splice;
mod time;

pub use doc_path::{BadPath, DocPath};
pub use hash::Hash;
pub use id::{BadId, Id};
pub use seq::Seq;
pub use splice::{BadSplice, Splice, apply, between};
pub use time::Time;

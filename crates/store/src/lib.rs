//! The only door to the disk: documents, the journal behind them, and the commit that changes both.
//!
//! Documents are the state; a person may open and change any of them. The journal is the memory:
//! one line a commit, and the line is the commit. What a kill or a power cut left unwritten in the
//! documents is brought forward from the journal by whoever comes next, so recovery is reading.
//!
//! The way of one commit is [`Store::commit`]; read `commit.rs` first, then `tail.rs` (where the
//! journal ends and what is still to be written), `chain.rs` (where a text stands among its
//! versions) and `line.rs` (the format).

mod append;
mod apply;
mod blob;
mod chain;
mod checkpoint;
mod commit;
mod copy;
mod dir;
mod doc;
mod error;
mod failpoint;
mod foreign;
mod head;
mod health;
mod history;
mod inventory;
mod known;
mod line;
mod links;
mod lock;
mod lost;
mod outside;
mod peek;
mod place;
mod put;
mod rebuild;
mod restart;
mod restore;
mod retain;
mod scan;
mod seen;
mod segment;
mod shelf;
mod sorted;
mod staged;
mod store;
mod sys;
mod tail;
mod temp;
mod together;
mod trace;
mod undo;
mod view;
mod vouch;
mod writer;

pub use commit::{Change, Committed, Edit};
pub use doc::{Doc, Listing, MAX_DOCUMENT, Why};
pub use error::{CommitError, PathError, StoreError};
pub use foreign::Point;
pub use health::{Health, Journal};
pub use history::{History, LoggedEdit, Record};
pub use line::Event;
pub use outside::{Kind, Outside, Reached};
pub use peek::peek;
pub use place::{Place, Worktree};
pub use put::put;
pub use restart::Restarted;
pub use restore::Restored;
pub use shelf::{Lasting, Shelf, Turn, append_to};
pub use store::{Settings, Store};
pub use trace::{Trace, Traced};
pub use view::View;

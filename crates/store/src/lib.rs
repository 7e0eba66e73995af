//! All access to the state on disk: documents, the journal behind them, and the commits that change
//! both.
//!
//! Documents are the state; a person may open and change any of them. The journal is the memory:
//! each commit is one line, and that line is the commit. If a kill or a power cut leaves documents
//! unwritten, the next process brings them forward from the journal, so recovery is reading.
//!
//! Start with [`Store::commit`] in `commit.rs`. Then read `tail.rs` (where the journal ends and
//! which documents lag behind), `chain.rs` (the position of a text among its versions) and
//! `line.rs` (the format).

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
compile_error!("sprag runs on Linux and macOS; on Windows, use WSL 2");

mod append;
mod apply;
mod blob;
mod cache_dir;
mod chain;
mod checkpoint;
mod commit;
mod copy;
mod dir;
mod doc;
mod error;
mod external_files;
mod failpoint;
mod foreign;
mod head;
mod health;
mod history;
mod inventory;
mod journal_contains;
mod known;
mod line;
mod links;
mod lock;
mod lost;
mod open_plain_file;
mod parallel_sync;
mod place;
mod rebuild;
mod restart;
mod restore;
mod retain;
mod scan;
mod search;
mod seen;
mod segment;
mod sorted_index;
mod staged;
mod store;
mod sys;
mod tail;
mod temp;
mod trace;
mod undo;
mod view;
mod write_user_file;
mod writer;

pub use cache_dir::{CacheDir, CacheLock, Lasting, append_to};
pub use commit::{CommitRequest, Committed, Edit};
pub use doc::{Doc, Listing, MAX_DOCUMENT, UnreadableCause};
pub use error::{CommitError, PathError, StoreError};
pub use external_files::{ExternalFiles, ListedKind, Reached};
pub use foreign::Point;
pub use health::{Health, Journal};
pub use history::{History, LoggedEdit, Record};
pub use line::Event;
pub use open_plain_file::peek;
pub use place::{Place, Worktree};
pub use restart::Restarted;
pub use restore::Restored;
pub use store::{Settings, Store};
pub use sys::boot_id;
pub use trace::{Trace, Traced};
pub use view::View;
pub use write_user_file::put;

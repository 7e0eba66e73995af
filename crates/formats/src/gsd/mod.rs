//! The documents of a GSD tree: read tolerantly, written as splices.
//!
//! This module does not access the disk: [`load`] requests names and texts below `.gsd/` from
//! [`Files`], and only those that it needs. Every reader follows the grammar of GSD-2 v3.0.0. Where
//! the original misreads a text, the reader records the [`Quirk`](sprag_core::gsd::Quirk) and its
//! position, so that a text can be read in either way. [`tick`], [`keep`] and [`Summary::write`]
//! produce texts that the original can read.

mod bullets;
mod closing;
mod context;
mod extensions;
mod files;
mod head;
mod item;
mod line;
mod lint;
mod load;
mod milestone;
mod names;
mod overrides;
mod plan;
mod preferences;
mod problems;
mod project;
mod queue;
mod requirements;
mod roadmap;
mod scan;
mod section;
mod slice;
mod summary;
mod task_plan;
mod tick;
mod uat;
mod verdict;

pub use closing::closing;
pub use context::context;
pub use extensions::{extensions, keep};
pub use files::{EntryType, Files, FolderEntry, Memory};
pub use head::{FrontMatter, flat};
pub use load::{Depth, Loaded, load, load_for};
pub use overrides::overrides;
pub use plan::plan;
pub use preferences::preferences;
pub use problems::Noted;
pub use requirements::requirements;
pub use roadmap::{roadmap, slices};
pub use summary::{Changed, Required, Summary};
pub use task_plan::{TaskFiles, task_files};
pub use tick::{NoBox, tick};
pub use verdict::verdict;

//! A GSD milestone tree: what state it is in, and which unit comes next.
//!
//! A [`Tree`] is a snapshot of `.gsd/`, made by `formats`. [`derive`] computes the state of the
//! work. [`dispatch`] evaluates the table of rows and returns the decision with the reasons why
//! earlier rows did not match. [`unit`] turns a decision into a unit for the kernel. States, texts
//! and rows are those of GSD-2 v3.0.0 by its file rules; each mistake of the original is a named
//! [`Quirk`], and a tree can be read both ways.

mod altered;
mod artefact;
mod case;
mod context;
mod decision;
mod derive;
mod dispatch;
mod guards;
mod look;
mod machine;
mod owed;
mod paper;
mod phase;
mod plan;
mod position;
mod preferences;
mod quirk;
mod reactive;
mod registry;
mod requirements;
mod roadmap;
mod rows;
mod settle;
mod setup;
mod state;
mod stuck;
mod tree;
mod unbegun;
mod unit;

#[cfg(test)]
mod tests;

pub use artefact::artefacts;
pub use context::{Closing, Fill, MilestoneContext};
pub use decision::{DispatchOutcome, Dispatched, Passed, StopSeverity};
pub use derive::{Derived, active, derive, derive_as};
pub use dispatch::{Skipped, dispatch, nothing_skipped, table};
pub use guards::prior_slice;
pub use look::NextStep;
pub use machine::{Definition, Gsd};
pub use paper::{Paper, Papers};
pub use phase::Phase;
pub use plan::{Plan, Task};
pub use position::{DispatchedUnit, Keep, Position, SliceProgress, Stopped};
pub use preferences::{Layer, Preferences, Reactive};
pub use quirk::{Quirk, QuirkReader, Reading};
pub use requirements::Requirements;
pub use roadmap::{Boundary, Roadmap, Slice, SliceNotation};
pub use settle::{Homeless, Settled, note_hold, settle};
pub use setup::{Research, Setup};
pub use state::{Count, MilestoneStatus, Ref, RegistryRow, RuleValues, State, TaskCounts};
pub use stuck::{Window, stuck};
pub use tree::{Milestone, SliceFolder, TaskFolder, Tree, Uat, Unread};
pub use unit::{instruction, kernel_id, unit};

//! The workflow machine: phases in order, workflows inside workflows, and what the agent sees.
//!
//! A person writes a [`Definition`]; [`Definitions`] are all of them. A [`Position`] is the state
//! of a run; [`advance`] and [`back`] move it. [`View`] makes the texts. [`Workflow`] is the
//! machine of the kernel, and [`session`] drives a host such as pi, where the session itself stores
//! the position. Definitions, states and texts are those of pi-workflows 1.0.0; docs/differences.md
//! lists the deliberate differences.

mod active;
mod advance;
mod definition;
mod definitions;
pub mod draft;
pub mod graph;
pub mod javascript;
mod machine;
mod position;
pub mod render;
mod reviewing;
pub mod session;
mod state;
mod status;
pub mod template;
pub mod texts;
mod tools;
mod view;

#[cfg(test)]
mod tests;

pub use active::Active;
pub use advance::{Advanced, Looped, NoLoop, advance, back, start};
pub use definition::{Definition, OrderEntry, Phase, Review, Show, Texts, Tools};
pub use definitions::Definitions;
pub use machine::{FIX, REVIEW, Started, Workflow};
pub use position::{Position, Segment};
pub use reviewing::{ReviewStep, Reviewing};
pub use state::{ENTRY, SessionBranch, SessionRecord, reconstruct};
pub use status::status_line;
pub use tools::blocked;
pub use view::View;

//! YAML: read strictly from events with byte spans, edited by splicing those spans.
//!
//! The reader follows the YAML 1.2 core schema (`yes` and `on` are strings) and refuses texts on
//! which readers disagree: duplicate keys, tabs as indentation, merge keys, several documents. The
//! writer quotes a text that a reader of YAML 1.1 or 1.2 could misread.

mod block;
mod errors;
mod layout;
mod locate;
mod read;
mod remove;
mod scalar;
mod schema;
pub(crate) mod simple;
mod write;

pub(crate) use block::change;
pub(crate) use read::read;
pub use write::to_yaml;
pub(crate) use write::{flow, flow_entry};

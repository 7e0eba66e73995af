//! Lossless codecs for the files that sprag reads and edits: YAML, Markdown front matter, JSON.
//!
//! A [`Document`] is a text parsed once into a tree of [`Node`]s, each of which knows its bytes.
//! Reading by path returns typed values, or a [`Fault`] that points at a place in the file. Editing
//! by path returns splices into the original text, so that comments, order, quoting, line ends and
//! unknown keys stay.
//!
//! Every edit is verified: the edited text is parsed again, strictly, and must contain the old tree
//! with exactly the intended change. If it does not, the edit returns a fault instead of splices.
//!
//! ```
//! use sprag_formats::{Document, Edit, Format};
//!
//! let text = "# keep me\nloop:\n  iteration: 1  # and me\n";
//! let doc = Document::parse(Format::Yaml, text)?;
//! assert_eq!(doc.need(&["loop", "iteration"])?.as_u64()?, 1);
//!
//! let splices = doc.edit(&[Edit::set(["loop", "iteration"], 2)])?;
//! let edited = sprag_core::apply(text, &splices)?;
//! assert_eq!(edited, "# keep me\nloop:\n  iteration: 2  # and me\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod budget;
mod change;
pub mod chipset;
mod config;
pub mod definition;
mod document;
mod duration;
mod edit;
mod fault;
mod field;
mod flow;
mod front_matter;
mod gates;
pub mod gsd;
mod json;
pub mod keys;
mod limits;
mod near;
mod number;
mod pieces;
mod place;
pub mod plan;
pub mod pr;
mod rules;
mod schema;
pub mod shell;
mod stored;
mod value;
mod words;
pub mod workflow;
mod worktree;
mod yaml;

pub use budget::{Budget, money};
pub use config::{
    Checks, Config, GuardConfig, HostConfig, limits as read_limits, retry as read_retry,
};
pub use document::{Document, Format};
pub use duration::duration;
pub use edit::Edit;
pub use fault::{Fault, FaultKind};
pub use field::Field;
pub use gates::{Faults, command_gate, gates as read_gates};
pub use json::{json_escape, to_json, to_json_line};
pub use limits::{MAX_BYTES, MAX_DEPTH, MAX_NODES};
pub use near::nearest;
pub use number::Number;
pub use pieces::inverse;
pub use place::{Place, Span};
pub use rules::{preferences as rules_of_preferences, preferences_digest};
pub use schema::Schema;
pub use stored::{StoredFile, new_file, new_json_file, to_plain};
pub use value::{Map, MapEntry, Node, Value};
pub use words::{BadWords, words};
pub use worktree::{NotifyConfig, WorktreeConfig};
pub use yaml::to_yaml;

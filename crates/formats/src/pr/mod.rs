//! The files of a pull request's review loop: `metadata.yaml`, `prompts.yaml`, `config.yaml`.
//!
//! Other tools use these files, too. Every edit changes single values, so comments, order, line
//! ends and unknown keys stay; a refresh replaces only the forge's values.

mod config;
mod field;
mod metadata;
mod prompts;
mod refresh;
#[cfg(test)]
mod tests;

pub use config::{LoopConfig, VERSION as CONFIG_VERSION};
pub use field::{BadField, read as read_field, remove as remove_field, update as update_field};
pub use metadata::MetadataFile;
pub use prompts::{edit as edit_prompts, new as new_prompts, read as read_prompts};
pub use refresh::{Fetched, ForgeMatch, linked_issue};

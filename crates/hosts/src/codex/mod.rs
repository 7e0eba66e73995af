//! Codex CLI: its hooks, its start without a person, and its installation.

pub(crate) mod headless;
pub(crate) mod hooks;

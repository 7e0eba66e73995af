//! Claude Code: its hooks, its start without a person, and its installation.

pub(crate) mod headless;
pub(crate) mod hooks;
pub(crate) mod plugin;

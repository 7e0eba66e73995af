//! Calls that were not meant for the host that makes them.
//!
//! Copilot CLI also reads a project's `.claude/settings.json` and `.claude/settings.local.json` and
//! calls what stands there, beside its own entries; of an entry without a shell it takes the
//! program and leaves the arguments out (observed at 1.0.102). Such a session would be judged twice,
//! and a bare `sprag` that ends with an error would deny its tools.

use std::ffi::OsStr;

use crate::env;

/// Returns whether Copilot CLI makes a call that stands in the settings of Claude Code.
pub(crate) fn is(
    first: Option<&OsStr>,
    second: impl FnOnce() -> Option<std::ffi::OsString>,
) -> bool {
    let by_copilot = || env::get(env::COPILOT_PROJECT_DIR).is_some();
    match first {
        None => by_copilot(),
        Some(word) => {
            word == "hook" && by_copilot() && second().is_some_and(|host| host == "claude")
        }
    }
}

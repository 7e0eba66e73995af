//! Notes of host hooks that could not decide and let the agent go on.

use std::io::Write;

use sprag_core::Time;

use crate::error::{Context, StoreError};
use crate::store::Store;

const NAME: &str = "trace";
const OLD: &str = "trace.old";
const FULL: u64 = 256 << 10;
const LONGEST: usize = 1000;

impl Store {
    /// Appends one line to the trace. Only where there is a `.sprag` already: a host hook makes
    /// no folder to complain in.
    pub fn trace(&self, at: Time, text: &str) -> Result<(), StoreError> {
        let Some(state) = self.state()? else { return Ok(()) };
        if state.stat(NAME)?.is_some_and(|stat| u64::try_from(stat.st_size).is_ok_and(|n| n > FULL))
        {
            state.rename(NAME, OLD)?;
        }
        let plain: String =
            text.chars().take(LONGEST).map(|c| if c.is_control() { ' ' } else { c }).collect();
        let (file, _) = state.open_or_make(NAME)?;
        rustix::fs::fcntl_setfl(&file, rustix::fs::OFlags::APPEND)
            .context("write", state.path_of(NAME))?;
        (&file)
            .write_all(format!("{at} {plain}\n").as_bytes())
            .context("write", state.path_of(NAME))?;
        Ok(())
    }

    /// Returns the last `count` lines of the trace, oldest first.
    pub fn traces(&self, count: usize) -> Result<Vec<String>, StoreError> {
        let Some(state) = self.state()? else { return Ok(Vec::new()) };
        let bytes = state.read(NAME, 2 * FULL)?.unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<_> = text.lines().map(str::to_owned).collect();
        Ok(lines[lines.len().saturating_sub(count)..].to_vec())
    }
}

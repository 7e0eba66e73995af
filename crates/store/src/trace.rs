//! Records host hooks that could not decide and let the agent continue.

use std::fmt;
use std::io::Write;

use sprag_core::Time;

use crate::error::{Context, StoreError};
use crate::store::Store;

const NAME: &str = "trace";
const OLD: &str = "trace.old";
const FULL: u64 = 256 << 10;
const LONGEST: usize = 1000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Traced {
    /// It let the agent continue.
    LetGo,
    /// It refused, but not because of the unreadable state.
    Refused,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    pub what: Traced,
    /// The line as it is in the file.
    pub line: String,
}

/// Marks a refusal, after the time in the line.
const REFUSED: &str = "[refused]";

impl Trace {
    fn read(line: &str) -> Self {
        let text = line.split_once(' ').map_or("", |(_, text)| text);
        let is_refused = text.starts_with(REFUSED) || was_refused(text);
        let what = if is_refused { Traced::Refused } else { Traced::LetGo };
        Self { what, line: line.to_owned() }
    }
}

/// Recognises a refusal in a line of the first release, which had no mark: session, occasion,
/// action.
fn was_refused(text: &str) -> bool {
    let did = text.split_once(' ').map_or("", |(_, did)| did);
    let at = ["at a stop", "before a tool"].iter().find_map(|when| did.strip_prefix(when));
    at.is_some_and(|did| did.starts_with(" refused, and not by: "))
}

impl fmt::Display for Traced {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LetGo => Ok(()),
            Self::Refused => write!(out, "{REFUSED} "),
        }
    }
}

impl Store {
    /// Appends a line to the trace. Does nothing without a `.sprag`: a host hook creates no folder
    /// just to report a problem.
    pub fn trace(&self, at: Time, what: Traced, text: &str) -> Result<(), StoreError> {
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
            .write_all(format!("{at} {what}{plain}\n").as_bytes())
            .context("write", state.path_of(NAME))?;
        Ok(())
    }

    /// Returns the last `count` lines of the trace, oldest first.
    pub fn traces(&self, count: usize) -> Result<Vec<Trace>, StoreError> {
        let Some(state) = self.state()? else { return Ok(Vec::new()) };
        let bytes = state.read(NAME, 2 * FULL)?.unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<_> = text.lines().collect();
        let last = &lines[lines.len().saturating_sub(count)..];
        Ok(last.iter().map(|line| Trace::read(line)).collect())
    }
}

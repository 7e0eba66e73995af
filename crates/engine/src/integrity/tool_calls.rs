//! `.sprag/cache/tools-SESSION`: the beginnings and ends of a session's tool calls that may change
//! files. A host that is killed during a call never reports its end.
//!
//! Each line is appended without a sync or a commit, for which a tool call has no time.

use std::collections::BTreeMap;

use sprag_core::basis::Tool;
use sprag_core::{Hash, Id, SessionId};
use sprag_store::{CacheDir, append_to};

use crate::engine::Engine;

const CACHE: &str = ".sprag/cache";
/// A larger log is replaced by a new one; the previous log is read as well.
const FULL: u64 = 64 << 10;
/// The line for a prompt or a stop, which ends all earlier calls.
const OVER: &str = "=";

/// An event of a call.
enum CallEvent<'c> {
    Began(Option<&'c str>),
    Ended(Option<&'c str>),
    Over,
}

impl CallEvent<'_> {
    fn line(&self) -> String {
        // Hosts without call ids make one call at a time.
        let name = |call: Option<&str>| call.map_or_else(String::new, |id| Hash::of(id).short(12));
        match self {
            Self::Began(call) => format!("+{}\n", name(*call)),
            Self::Ended(call) => format!("-{}\n", name(*call)),
            Self::Over => format!("{OVER}\n"),
        }
    }
}

impl Engine<'_> {
    /// Records that a tool which can change files is about to run.
    pub fn tool_began(&self, session: &SessionId, call: Option<&str>) {
        self.mark_tool(session, &CallEvent::Began(call));
    }

    pub fn tool_ended(&self, session: &SessionId, call: Option<&str>) {
        self.mark_tool(session, &CallEvent::Ended(call));
    }

    /// Records a person's prompt or a stop: all earlier calls have ended, even those whose end the
    /// host did not report.
    pub fn tools_over(&self, session: &SessionId) {
        self.mark_tool(session, &CallEvent::Over);
    }

    /// Returns whether a tool that can change files is running. Its agent may be the one who calls
    /// us then.
    pub fn has_open_tool(&self, session: &SessionId) -> bool {
        self.open_tool(session.as_str()) == Tool::Open
    }

    fn mark_tool(&self, session: &SessionId, mark: &CallEvent<'_>) {
        let Some(file) = file_name(session.as_str()) else { return };
        let line = mark.line();
        if append_to(&self.place.state, &format!("{CACHE}/{file}"), &line, FULL) {
            return;
        }
        // Without the folder nothing is recorded; a session creates it when it begins.
        let Ok(Some(folder)) = CacheDir::open_below(&self.place.state, CACHE) else { return };
        let _ = folder.append(&file, &format!("{file}.old"), &line, FULL);
    }

    /// Returns whether a tool was running at the last sign of a session's host.
    pub(crate) fn open_tool(&self, session: &str) -> Tool {
        let folder = CacheDir::open_below(&self.place.state, CACHE).ok().flatten();
        let (Some(folder), Some(file)) = (folder, file_name(session)) else { return Tool::Closed };
        let text = |name: &str| folder.read(name, 4 * FULL).ok().flatten().unwrap_or_default();
        let log = [text(&format!("{file}.old")), text(&file)].concat();
        read(&String::from_utf8_lossy(&log))
    }
}

/// Returns the name of a session's log; `None` if the session cannot have a file.
fn file_name(session: &str) -> Option<String> {
    Id::parse(session).ok().map(|id| format!("tools-{id}"))
}

/// Returns whether a call in a log has begun and not ended.
fn read(log: &str) -> Tool {
    let mut open: BTreeMap<&str, u32> = BTreeMap::new();
    for line in log.lines() {
        if line == OVER {
            open.clear();
        } else if let Some(call) = line.strip_prefix('+') {
            *open.entry(call).or_default() += 1;
        } else if let Some(call) = line.strip_prefix('-')
            && let Some(count) = open.get_mut(call)
        {
            *count = count.saturating_sub(1);
        }
    }
    if open.values().any(|count| *count > 0) { Tool::Open } else { Tool::Closed }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_open_until_its_own_end_a_prompt_or_a_stop() {
        for (log, is_open) in [
            ("", false),
            ("+a\n", true),
            ("+a\n-a\n", false),
            ("+a\n+b\n-a\n", true),
            ("+a\n+b\n-b\n-a\n", false),
            ("+a\n=\n", false),
            ("+a\n=\n+b\n", true),
            ("-a\n+a\n", true),
            ("+\n+\n-\n", true),
            ("+\n-\n-\n+", true),
            ("noise\n+a\n-a", false),
        ] {
            let expected = if is_open { Tool::Open } else { Tool::Closed };
            assert_eq!(read(log), expected, "{log:?}");
        }
    }
}

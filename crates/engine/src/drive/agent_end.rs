//! How one agent ended: its process, last message, cost, and a limit of its host.

use std::time::Duration;

use sprag_core::{Time, prompt};
use sprag_world::process::Exit;

/// How many bytes of an agent's standard error are searched for its last line.
const COMPLAINT: usize = 8 << 10;
/// How many characters of such a line are shown.
const WHY: usize = 200;

/// How an agent ended. Its last message is only a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentEnd {
    /// How its process ended, or why it never ran.
    pub exit: Result<Exit, String>,
    /// Its last message, or the end of a program's output.
    pub said: String,
    /// The end of its standard error.
    pub complaint: String,
    /// The id of the conversation, with which it can be resumed.
    pub session: Option<String>,
    /// The cost in millionths of a dollar, if the host reports it.
    pub micro_usd: Option<u64>,
    /// Tokens read and written, if the host reports them.
    pub tokens: Option<u64>,
    /// Set if the provider limited its use.
    pub limited: Option<Limited>,
    /// Why its work broke off, if the host gives a reason.
    pub failed: Option<String>,
    pub took: Duration,
    /// Whether a process that it started could not be ended.
    pub left_behind: bool,
}

/// A provider's usage limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limited {
    /// When the limit ends, if the provider named a time.
    pub until: Option<Time>,
    /// The provider's message.
    pub why: String,
}

impl AgentEnd {
    /// Returns whether its process ended on its own and was not ended by us.
    pub const fn is_by_itself(&self) -> bool {
        match self.exit {
            Ok(Exit::Code(_) | Exit::Signal(_)) => true,
            Ok(Exit::TimedOut | Exit::Idle | Exit::Flooded | Exit::Stopped) | Err(_) => false,
        }
    }

    /// Returns whether the agent ended on its own without an error. Only then is its work judged:
    /// an agent that was stopped halfway has claimed nothing.
    pub(super) fn is_well(&self) -> bool {
        self.exit == Ok(Exit::Code(0)) && self.failed.is_none() && self.limited.is_none()
    }

    /// Returns the session to resume next, after a process that resumed `resumed`. `None` if a new
    /// session should begin.
    pub(super) fn session_after<'a>(&'a self, resumed: Option<&'a str>) -> Option<&'a str> {
        // The host may have lost the session, and one without any output never began.
        let is_gone = !self.is_well()
            && self.is_by_itself()
            && self.limited.is_none()
            && (resumed.is_some() || self.said.is_empty());
        self.session.as_deref().or(resumed).filter(|_| !is_gone)
    }

    /// Returns the duration in milliseconds, as the journal records it.
    pub(super) fn millis(&self) -> u64 {
        u64::try_from(self.took.as_millis()).unwrap_or(u64::MAX)
    }

    /// Describes the end in a few words. After a failure it adds the last line of standard error: a
    /// missing login shows up only there.
    pub fn how(&self) -> String {
        let how = match &self.exit {
            Ok(Exit::Code(code)) => format!("exit {code}"),
            Ok(Exit::Signal(signal)) => format!("signal {signal}"),
            Ok(Exit::TimedOut) => "took too long".to_owned(),
            Ok(Exit::Idle) => "was silent for too long".to_owned(),
            Ok(Exit::Flooded) => "said too much".to_owned(),
            Ok(Exit::Stopped) => "stopped".to_owned(),
            Err(_) => "not started".to_owned(),
        };
        let is_bad = self.is_by_itself() && self.exit != Ok(Exit::Code(0));
        let mut lines = self.complaint.lines().rev().map(|line| prompt::evidence(line, COMPLAINT));
        match lines.find(|line| !line.trim().is_empty()).filter(|_| is_bad) {
            Some(line) => format!("{how}: {}", prompt::short(line.trim(), WHY)),
            None => how,
        }
    }
}

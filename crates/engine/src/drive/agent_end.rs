//! How one agent ended: its process, its last words, its cost, and a limit of its host.

use std::time::Duration;

use sprag_core::{Time, prompt};

use crate::process::Exit;

/// No line of what an agent complains of is longer than what is kept of it.
const COMPLAINT: usize = 8 << 10;
/// How much of such a line is shown.
const WHY: usize = 200;

/// How an agent ended. Its last message is only a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentEnd {
    /// How its process ended, or why it never ran.
    pub exit: Result<Exit, String>,
    /// Its last message; of a program the end of its output.
    pub said: String,
    /// The end of its standard error.
    pub complaint: String,
    /// The conversation, by which it can be taken up again.
    pub session: Option<String>,
    /// Money, in millionths of a dollar, where its host reports it.
    pub micro_usd: Option<u64>,
    /// Tokens read and written, where its host reports them.
    pub tokens: Option<u64>,
    /// Set when its provider let it do no more.
    pub limited: Option<Limited>,
    /// Why its work broke off, where the host gives a reason.
    pub failed: Option<String>,
    /// How long it took.
    pub took: Duration,
    /// Whether something that it started could not be ended.
    pub left_behind: bool,
}

/// Why a provider lets an agent do no more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limited {
    /// When it may go on, where that was said.
    pub until: Option<Time>,
    /// What was said.
    pub why: String,
}

impl AgentEnd {
    /// Returns whether its process ended by itself, and we did not end it.
    pub const fn is_by_itself(&self) -> bool {
        match self.exit {
            Ok(Exit::Code(_) | Exit::Signal(_)) => true,
            Ok(Exit::TimedOut | Exit::Idle | Exit::Flooded | Exit::Stopped) | Err(_) => false,
        }
    }

    /// Returns whether the agent ended by itself and well. Its work is judged only then: an agent
    /// that was stopped half way has not claimed anything.
    pub(super) fn is_well(&self) -> bool {
        self.exit == Ok(Exit::Code(0)) && self.failed.is_none() && self.limited.is_none()
    }

    /// Returns the session to go on in, after a process that went on in `resumed`; nothing where a
    /// new one is to be begun.
    pub(super) fn session_after<'a>(&'a self, resumed: Option<&'a str>) -> Option<&'a str> {
        // Its host may no longer have that session, and one in which nothing was said was never
        // begun.
        let is_gone = !self.is_well()
            && self.is_by_itself()
            && self.limited.is_none()
            && (resumed.is_some() || self.said.is_empty());
        self.session.as_deref().or(resumed).filter(|_| !is_gone)
    }

    /// Returns how long it took, as the journal counts it.
    pub(super) fn millis(&self) -> u64 {
        u64::try_from(self.took.as_millis()).unwrap_or(u64::MAX)
    }

    /// Returns how it ended in a few words, with the last line of its standard error where it ended
    /// badly by itself: a login that is missing stands nowhere else.
    pub fn how(&self) -> String {
        let how = match &self.exit {
            Ok(Exit::Code(code)) => format!("exit {code}"),
            Ok(Exit::Signal(signal)) => format!("signal {signal}"),
            Ok(Exit::TimedOut) => "took too long".to_owned(),
            Ok(Exit::Idle) => "said nothing for too long".to_owned(),
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

use sprag_core::Time;

use super::OutputEvent;
use super::line::JsonLine;
use super::stream_state::StreamState;
use crate::{Host, claude, codex, copilot, gemini, opencode, pi};

/// Reads a host's output line by line.
#[derive(Clone, Debug)]
pub struct Stream {
    host: Host,
    talk: StreamState,
}

/// The time at which a line arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    pub now: Time,
    /// The offset of the person's clock from UTC, if known: some hosts report a local time.
    pub offset_minutes: Option<i32>,
}

impl Stream {
    /// Makes the reader for one process of a host.
    pub fn of(host: Host) -> Self {
        Self { host, talk: StreamState::default() }
    }

    pub fn line(&mut self, line: &str, at: Moment) -> Vec<OutputEvent> {
        let Some(line) = JsonLine::read(line) else { return Vec::new() };
        self.talk.at(at);
        match self.host {
            Host::Claude => claude::headless::hear(&line, &mut self.talk),
            Host::Codex => codex::headless::hear(&line, &mut self.talk),
            Host::Gemini => gemini::headless::hear(&line, &mut self.talk),
            Host::Copilot => copilot::headless::hear(&line, &mut self.talk),
            Host::Opencode => opencode::headless::hear(&line, &mut self.talk),
            Host::Pi => pi::headless::hear(&line, &mut self.talk),
        }
        self.talk.take()
    }

    /// Returns the remaining events after the last line; `log` is the host's standard error.
    pub fn end(&mut self, log: &str, at: Moment) -> Vec<OutputEvent> {
        self.talk.at(at);
        self.talk.flush();
        match self.host {
            Host::Opencode => opencode::headless::logged(log, &mut self.talk),
            Host::Claude | Host::Codex | Host::Gemini | Host::Copilot | Host::Pi => {}
        }
        self.talk.take()
    }
}

use sprag_core::Time;

use super::OutputEvent;
use super::line::JsonLine;
use super::stream_state::StreamState;
use crate::Host;

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
        (self.host.row().headless.read)(&line, &mut self.talk);
        self.talk.take()
    }

    /// Returns the remaining events after the last line; `log` is the host's standard error.
    pub fn end(&mut self, log: &str, at: Moment) -> Vec<OutputEvent> {
        self.talk.at(at);
        self.talk.flush();
        if let Some(read) = self.host.row().headless.read_log {
            read(log, &mut self.talk);
        }
        self.talk.take()
    }
}

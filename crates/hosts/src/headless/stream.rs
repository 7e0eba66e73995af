use sprag_core::Time;

use super::Heard;
use crate::Host;

/// Reads what a host says, line by line.
#[derive(Clone, Debug)]
pub struct Stream {
    host: Host,
}

impl Stream {
    /// Makes the reader of one process of a host.
    pub const fn of(host: Host) -> Self {
        Self { host }
    }

    /// Reads a line that came at `now`.
    pub fn line(&mut self, _line: &str, _now: Time) -> Vec<Heard> {
        let _ = self.host;
        Vec::new()
    }

    /// Says what was held back, when there are no more lines.
    pub fn end(&mut self) -> Vec<Heard> {
        Vec::new()
    }
}

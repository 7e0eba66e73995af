//! An agent's declaration that it waits for something.

use std::time::Duration;

use sprag_core::Hold;
use sprag_formats::duration;
use sprag_world::clock;

use crate::args::agent::Waits;
use crate::codes::Code;
use crate::exit::Exit;
use crate::fault::{EarlyExit, Fault};

impl Waits {
    /// Returns a hold until a time, after which the agent continues by itself, or else a question
    /// to a person.
    pub(super) fn read(&self) -> Result<Hold, EarlyExit> {
        let Some(text) = &self.length else { return Ok(Hold::Asked { what: self.on.clone() }) };
        let length = length(text)?;
        let millis = i64::try_from(length.as_millis()).unwrap_or(i64::MAX);
        Ok(Hold::Until { at: clock::now().plus_millis(millis), why: self.on.clone() })
    }
}

pub(super) fn length(text: &str) -> Result<Duration, EarlyExit> {
    duration(text).ok_or_else(|| {
        let message = format!("`{}` is no length of time", text.escape_debug());
        Fault::new(Exit::Usage, Code::Usage, message).help("write `90s`, `10m`, `1h30m`").into()
    })
}

//! Writes to standard output and standard error.

use std::io::{ErrorKind, Write as _};

use crate::codes::Code;
use crate::exit::Exit;
use crate::fault::{EarlyExit, Fault};

/// Writes a text and flushes it.
pub(crate) fn print(text: &str) -> Result<(), EarlyExit> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|error| {
        if error.kind() == ErrorKind::BrokenPipe {
            return EarlyExit::Closed;
        }
        let message = format!("cannot write the output: {error}");
        Fault::new(Exit::Failed, Code::Output, message).into()
    })
}

/// Writes a JSON value as one line.
pub(crate) fn print_json(value: &impl serde::Serialize) -> Result<(), EarlyExit> {
    match serde_json::to_string(value) {
        Ok(text) => print(&(text + "\n")),
        Err(error) => {
            Err(Fault::new(Exit::Failed, Code::Output, format!("cannot write JSON: {error}"))
                .into())
        }
    }
}

/// Writes to standard error. Failures are ignored, since the exit code still reports the error.
pub(crate) fn complain(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

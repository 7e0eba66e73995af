//! `sprag mcp`: a Model Context Protocol server with tools for agents.
//!
//! It speaks JSON-RPC 2.0 over the standard streams, one message per line. It supports both eras of
//! the protocol: older revisions begin with `initialize`, newer ones send their version with each
//! request. The server keeps no state between messages, so both work side by side.

use std::io::{self, BufRead, Write};

use serde_json::Value;

use crate::exit::Exit;
use crate::lines::{self, RawLine};

mod message;
mod methods;
mod tools;
mod version;

/// The longest accepted message; any valid request is far shorter.
const LONGEST: usize = 1 << 20;

/// Serves the client on the standard streams until it closes them.
pub(crate) fn serve() -> Exit {
    let (input, output) = (io::stdin().lock(), io::stdout().lock());
    // If the client is gone, there is nothing left to do.
    let _ = converse(io::BufReader::new(input), output);
    Exit::Done
}

fn converse(mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    while let Some(line) = lines::next(&mut input, LONGEST)? {
        let answer = match line {
            RawLine::Whole(bytes) if bytes.trim_ascii().is_empty() => None,
            RawLine::Whole(bytes) => answer(&String::from_utf8_lossy(&bytes)),
            RawLine::TooLong => {
                let why = format!("the message has more than {LONGEST} bytes");
                Some(message::Wrong::request(&why).answer(&Value::Null))
            }
        };
        if let Some(answer) = answer {
            output.write_all(format!("{answer}\n").as_bytes())?;
            output.flush()?;
        }
    }
    Ok(())
}

/// Answers one line; `None` if it needs no answer.
fn answer(line: &str) -> Option<Value> {
    message::answer(line, methods::call)
}

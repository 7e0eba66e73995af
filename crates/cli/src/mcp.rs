//! `sprag mcp`: agents move their workflow and ask why, as tools of the Model Context Protocol.
//!
//! JSON-RPC 2.0 over the standard streams, one message a line. Both eras of the protocol are
//! spoken: the older revisions begin with `initialize`, the newer ones say their version with each
//! request. Nothing is remembered from one message to the next, so neither needs the other's way.

use std::io::{self, BufRead, Write};

use serde_json::Value;

use crate::exit::Exit;
use crate::lines::{self, Line};

mod message;
mod methods;
mod tools;
mod version;

/// Longer messages are none: everything that can be asked fits on a page.
const LONGEST: usize = 1 << 20;

/// Serves the client at the other end of the standard streams, until it closes them.
pub(crate) fn serve() -> Exit {
    let (input, output) = (io::stdin().lock(), io::stdout().lock());
    // Where nobody listens any more, there is nothing left to say.
    let _ = converse(io::BufReader::new(input), output);
    Exit::Done
}

fn converse(mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    while let Some(line) = lines::next(&mut input, LONGEST)? {
        let answer = match line {
            Line::Whole(bytes) if bytes.trim_ascii().is_empty() => None,
            Line::Whole(bytes) => answer(&String::from_utf8_lossy(&bytes)),
            Line::TooLong => {
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

/// Answers one line; nothing where nothing was asked.
fn answer(line: &str) -> Option<Value> {
    message::answer(line, methods::call)
}

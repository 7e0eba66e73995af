//! The question before a user's files change.

use std::io::{BufRead as _, IsTerminal as _};

use crate::codes::Code;
use crate::exit::Exit;
use crate::fault::{EarlyExit, Fault};
use crate::screen;

/// Requires the user's agreement; `unasked` is the command that does not ask.
pub(crate) fn agreed(yes: bool, question: &str, unasked: &str) -> Result<(), EarlyExit> {
    if yes {
        return Ok(());
    }
    let refused = |message: &str| {
        Fault::new(Exit::NeedsPerson, Code::PersonsOnly, message)
            .help(format!("`{unasked}` does not ask"))
            .human(unasked)
    };
    if !std::io::stdin().is_terminal() {
        return Err(
            refused("this asks before it goes on, and there is no terminal to ask at").into()
        );
    }
    screen::print(&format!("{question} [y/N] "))?;
    let mut said = String::new();
    let heard = std::io::stdin().lock().read_line(&mut said);
    match (heard, said.trim()) {
        (Ok(_), "y" | "Y" | "yes") => Ok(()),
        (Ok(_) | Err(_), _) => Err(refused("nothing was changed").into()),
    }
}

//! The question before `init` writes.

use std::io::IsTerminal as _;

use crate::codes::Code;
use crate::exit::Exit;
use crate::fault::{EarlyExit, Fault};
use crate::screen;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PromptAnswer {
    Yes,
    Diff,
    No,
}

fn read(line: &str) -> PromptAnswer {
    match line.trim().to_ascii_lowercase().as_str() {
        "y" | "yes" => PromptAnswer::Yes,
        "d" | "diff" => PromptAnswer::Diff,
        _ => PromptAnswer::No,
    }
}

/// Requires the user's agreement; `unasked` is the command that does not ask.
pub(super) fn agreed(unasked: &str, diff: impl Fn() -> String) -> Result<(), EarlyExit> {
    let refused = |message: &str| {
        Fault::new(Exit::NeedsPerson, Code::PersonsOnly, message)
            .help(format!("`{unasked}` does not ask"))
            .human(unasked)
    };
    if !std::io::stdin().is_terminal() {
        return Err(refused("no person is there to agree, so nothing was changed").into());
    }
    ask(&mut std::io::stdin().lock(), diff)
        .map_err(|stop| stop.unwrap_or_else(|| refused("nothing was changed").into()))
}

/// Asks until the answer is yes or no. `Err(None)` means no.
fn ask(
    input: &mut impl std::io::BufRead,
    diff: impl Fn() -> String,
) -> Result<(), Option<EarlyExit>> {
    loop {
        screen::print("Apply? [y/N/diff] ").map_err(Some)?;
        let mut line = String::new();
        if input.read_line(&mut line).is_err() {
            return Err(None);
        }
        match read(&line) {
            PromptAnswer::Yes => return Ok(()),
            PromptAnswer::No => return Err(None),
            PromptAnswer::Diff => screen::print(&diff()).map_err(Some)?,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    fn heard(input: &str) -> (bool, u32) {
        let shown = Cell::new(0);
        let diff = || {
            shown.set(shown.get() + 1);
            String::new()
        };
        (ask(&mut input.as_bytes(), diff).is_ok(), shown.get())
    }

    #[test]
    fn only_a_yes_is_one_and_the_change_can_be_seen_first() {
        for yes in ["y\n", "Y\n", " yes \n"] {
            assert_eq!(heard(yes), (true, 0), "{yes:?}");
        }
        for no in ["", "\n", "n\n", "ja\n", "yy\n"] {
            assert_eq!(heard(no), (false, 0), "{no:?}");
        }
        assert_eq!(heard("diff\nd\ny\n"), (true, 2));
        assert_eq!(heard("diff\n\n"), (false, 1));
        assert_eq!(heard("diff\n"), (false, 1), "an end is a no");
    }
}

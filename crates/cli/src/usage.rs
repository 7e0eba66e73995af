//! Converts clap's errors to sprag's diagnostics.

use clap::error::{ContextKind, ContextValue, Error};

use crate::codes::Code;
use crate::exit::Exit;
use crate::fault::Fault;

/// Keeps clap's first sentence and at most one suggestion.
pub(crate) fn fault(error: &Error) -> Fault {
    let text = error.render().to_string();
    // An empty line separates the message from clap's tips and usage.
    let message = text.split("\n\n").next().unwrap_or(&text);
    let message = message.strip_prefix("error: ").unwrap_or(message);
    let message = message.lines().map(str::trim).collect::<Vec<_>>().join(" ");
    let help = suggestion(error).unwrap_or_else(|| "`sprag --help` lists everything".to_owned());
    Fault::new(Exit::Usage, Code::Usage, message.replace('\'', "`")).help(help).safe("sprag --help")
}

fn suggestion(error: &Error) -> Option<String> {
    let kinds =
        [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::SuggestedValue];
    kinds.into_iter().find_map(|kind| match error.get(kind) {
        Some(ContextValue::String(word)) => Some(format!("did you mean `{word}`?")),
        Some(ContextValue::Strings(words)) => {
            words.last().map(|word| format!("did you mean `{word}`?"))
        }
        _ => None,
    })
}

//! Converts clap's errors to sprag's diagnostics.

use clap::error::{ContextKind, ContextValue, Error};
use sprag_formats::nearest;

use crate::args;
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
    let meant = |word: &str| format!("did you mean `{word}`?");
    let kinds =
        [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::SuggestedValue];
    let found = kinds.into_iter().find_map(|kind| match error.get(kind) {
        Some(ContextValue::String(word)) => Some(meant(word)),
        Some(ContextValue::Strings(words)) => words.last().map(|word| meant(word)),
        _ => None,
    });
    found.or_else(|| verb(error).map(|word| meant(&word)))
}

/// Returns the verb that is nearest to a mistyped one. clap does not recognize short words in which
/// two letters changed places.
fn verb(error: &Error) -> Option<String> {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else {
        return None;
    };
    let grammar = args::grammar();
    let text = error.render().to_string();
    // `Usage: sprag agent <COMMAND>` shows which verbs are possible.
    let (_, usage) = text.split_once("Usage: sprag")?;
    let below = |command: &clap::Command, word: &str| command.find_subcommand(word).cloned();
    let mut words = usage.split_whitespace();
    let mut at = grammar;
    while let Some(next) = words.next().and_then(|word| below(&at, word)) {
        at = next;
    }
    let verbs = at.get_subcommands().filter(|verb| !verb.is_hide_set());
    let verbs: Vec<&str> = verbs.map(clap::Command::get_name).collect();
    nearest(word, &verbs).map(str::to_owned)
}

//! pi without a person, as observed at 0.87.1. It never asks for permission.

use crate::Host;
use crate::row::Headless;

use crate::headless::line::JsonLine;
use crate::headless::start::{StartCommand, StartOptions, denied};
use crate::headless::stream_state::{StreamState, tokens};

pub(super) const HEADLESS: Headless = Headless { start, read, read_log: None, local_times: false };

fn start(host: Host, wish: &StartOptions<'_>) -> StartCommand {
    let mut start = StartCommand::of(host, &["--mode", "json", "-p"], wish);
    let names = denied(host, wish.deny);
    if !names.is_empty() {
        start.argv.extend(["--exclude-tools".to_owned(), names.join(",")]);
    }
    if let Some(id) = wish.resume {
        start.argv.extend(["--session".to_owned(), id.to_owned()]);
    }
    start.extra(wish)
}

fn read(line: &JsonLine, talk: &mut StreamState) {
    match line.kind() {
        "session" => talk.session(line.text("id")),
        "tool_execution_start" => talk.tool(line.text("toolName"), line.about("args")),
        "message_end" if line.text("message.role") == Some("assistant") => message(line, talk),
        _ => {}
    }
}

fn message(line: &JsonLine, talk: &mut StreamState) {
    for at in 0.. {
        let path = format!("message.content.{at}");
        match line.text(&format!("{path}.type")) {
            Some("text") => talk.piece(line.text(&format!("{path}.text")).unwrap_or_default()),
            Some(_) => {}
            None => break,
        }
    }
    talk.flush();
    let used = ["message.usage.input", "message.usage.output", "message.usage.cacheWrite"];
    talk.spends(line.number("message.usage.cost.total"), tokens(line, &used));
    if line.text("message.stopReason") == Some("error") {
        talk.trouble(line.text("message.errorMessage"), None, None);
    }
}

//! Copilot CLI without a person, as observed at 1.0.102.

use crate::Host;
use crate::row::Headless;

use crate::headless::line::JsonLine;
use crate::headless::start::{StartCommand, StartOptions, denied};
use crate::headless::stream_state::StreamState;

pub(super) const HEADLESS: Headless = Headless { start, read, read_log: None, local_times: false };

/// Without a person, all tools must be allowed. Files outside the folder stay closed to it, and it
/// may not ask.
const WORDS: [&str; 4] =
    ["--output-format=json", "--allow-all-tools", "--no-ask-user", "--no-color"];

fn start(host: Host, wish: &StartOptions<'_>) -> StartCommand {
    let mut start = StartCommand::of(host, &WORDS, wish);
    start.lists("--excluded-tools=", &denied(host, wish.deny));
    start.word(wish.resume.map(|id| format!("--resume={id}")));
    start.extra(wish)
}

fn read(line: &JsonLine, talk: &mut StreamState) {
    match line.kind() {
        "assistant.message" if line.text("data.parentToolCallId").is_none() => {
            talk.text(line.text("data.content").unwrap_or_default());
        }
        "tool.execution_start" => {
            talk.tool(line.text("data.toolName"), line.about("data.arguments"));
        }
        "session.error" => {
            talk.trouble(line.text("data.message"), line.count("data.statusCode"), None);
        }
        "result" => talk.session(line.text("sessionId")),
        _ => {}
    }
}

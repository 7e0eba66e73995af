//! Codex CLI without a person, as observed at 0.166.0.

use crate::Host;
use crate::row::Headless;

use crate::headless::line::JsonLine;
use crate::headless::start::{StartCommand, StartOptions};
use crate::headless::stream_state::{StreamState, tokens};

pub(super) const HEADLESS: Headless = Headless { start, read, read_log: None, local_times: true };

/// `exec` never asks. Commands run in Codex's own sandbox, which may write in the folder.
const SANDBOX: &str = "--sandbox=workspace-write";

/// The options by which a person chooses another sandbox; Codex accepts only one of them.
const OTHERS: [&str; 4] =
    ["-s", "--sandbox", "--approve-for-me", "--dangerously-bypass-approvals-and-sandbox"];

fn start(host: Host, wish: &StartOptions<'_>) -> StartCommand {
    let mut start = StartCommand::of(host, &["exec", "--json", "--skip-git-repo-check"], wish);
    let is_chosen = wish.extra.iter().any(|word| OTHERS.contains(&word.as_str()));
    start.word((!is_chosen).then(|| SANDBOX.to_owned()));
    let mut start = start.extra(wish);
    if let Some(id) = wish.resume {
        start.argv.extend(["resume".to_owned(), id.to_owned()]);
    }
    start.word(Some("-".to_owned()));
    start
}

fn read(line: &JsonLine, talk: &mut StreamState) {
    match line.kind() {
        "thread.started" => talk.session(line.text("thread_id")),
        "item.started" => tool(line, talk),
        "item.completed" if line.text("item.type") == Some("agent_message") => {
            talk.text(line.text("item.text").unwrap_or_default());
        }
        "turn.completed" => {
            let all = tokens(line, &["usage.input_tokens", "usage.output_tokens"]);
            let cached = line.count("usage.cached_input_tokens").unwrap_or(0);
            talk.spent(None, all.map(|all| all.saturating_sub(cached)));
        }
        // It retries, and reports the retry as an error.
        "error" if line.text("message").is_some_and(|text| text.starts_with("Reconnecting")) => {}
        "error" => talk.trouble(line.text("message"), None, None),
        "turn.failed" => talk.trouble(line.text("error.message"), None, None),
        _ => {}
    }
}

fn tool(line: &JsonLine, talk: &mut StreamState) {
    let about = match line.text("item.type") {
        Some("command_execution") => line.text("item.command"),
        Some("file_change") => line.text("item.changes.0.path"),
        Some("mcp_tool_call") => line.text("item.tool"),
        Some("web_search") => line.text("item.query"),
        Some(_) | None => return,
    };
    talk.tool(line.text("item.type"), about.unwrap_or_default());
}

//! Gemini CLI without a person, as observed at 0.61.0.

use crate::Host;
use crate::row::Headless;

use crate::headless::line::JsonLine;
use crate::headless::start::{StartCommand, StartOptions};
use crate::headless::stream_state::StreamState;

pub(super) const HEADLESS: Headless = Headless { start, read, read_log: None, local_times: false };

/// Without `--skip-trust`, it asks again in a new folder. Without a person, its only choice is
/// between approving every command and none.
const WORDS: [&str; 3] = ["--output-format=stream-json", "--approval-mode=yolo", "--skip-trust"];

fn start(host: Host, wish: &StartOptions<'_>) -> StartCommand {
    let mut start = StartCommand::of(host, &WORDS, wish);
    start.word(wish.resume.map(|id| format!("--resume={id}")));
    start.extra(wish)
}

fn read(line: &JsonLine, talk: &mut StreamState) {
    match line.kind() {
        "init" => talk.session(line.text("session_id")),
        "message" if line.text("role") == Some("assistant") => {
            talk.piece(line.text("content").unwrap_or_default());
            if !line.is_true("delta") {
                talk.flush();
            }
        }
        "tool_use" => {
            talk.flush();
            talk.tool(line.text("tool_name"), line.about("parameters"));
        }
        "result" => {
            talk.flush();
            let cached = line.count("stats.cached").unwrap_or(0);
            let all = line.count("stats.total_tokens");
            talk.spent(None, all.map(|all| all.saturating_sub(cached)));
            if line.text("status") == Some("error") {
                talk.trouble(line.text("error.message"), None, None);
            }
        }
        "error" if line.text("severity") == Some("error") => {
            talk.trouble(line.text("message"), None, None);
        }
        _ => {}
    }
}

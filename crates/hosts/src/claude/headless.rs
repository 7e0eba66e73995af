//! Claude Code without a person, as observed at 2.1.325.

use sprag_core::Time;

use crate::Host;
use crate::row::Headless;

use crate::headless::line::JsonLine;
use crate::headless::start::{StartCommand, StartOptions, denied};
use crate::headless::stream_state::{StreamState, tokens};

pub(super) const HEADLESS: Headless = Headless { start, read, read_log: None, local_times: false };

/// The tools allowed without asking: edit files, run commands, read the web, advance a workflow.
/// Everything else that would ask a person is denied, and the person's own rules also apply.
const ALLOWED: &str = "--allowedTools=Bash,Edit,NotebookEdit,WebFetch,WebSearch,Write,mcp__sprag,mcp__plugin_sprag_sprag";

fn start(host: Host, wish: &StartOptions<'_>) -> StartCommand {
    let words =
        ["-p", "--output-format=stream-json", "--verbose", "--permission-mode=dontAsk", ALLOWED];
    let mut start = StartCommand::of(host, &words, wish);
    start.lists("--disallowedTools=", &denied(host, wish.deny));
    start.word(wish.resume.map(|id| format!("--resume={id}")));
    start.extra(wish)
}

fn read(line: &JsonLine, talk: &mut StreamState) {
    talk.session(line.text("session_id"));
    match line.kind() {
        "assistant" if line.is_true("is_api_error_message") => {
            let why = line.text("message.content.0.text");
            talk.trouble(why, line.count("api_error_status"), None);
        }
        "assistant" => message(line, talk),
        "rate_limit_event" if line.text("rate_limit_info.status") == Some("rejected") => {
            let until = line.count("rate_limit_info.resetsAt").map(seconds);
            let what = line.text("rate_limit_info.rateLimitType").unwrap_or("usage");
            talk.trouble(
                Some(&format!("the {} limit is reached", what.replace('_', " "))),
                Some(429),
                until,
            );
        }
        "system" if line.count("error_status") == Some(429) => {
            // It waits on its own. The limit explains the silence if the process is ended
            // meanwhile.
            let until = talk.after(line.count("retry_delay_ms"));
            talk.trouble(line.text("error"), Some(429), until);
        }
        "result" => result(line, talk),
        _ => {}
    }
}

fn message(line: &JsonLine, talk: &mut StreamState) {
    // A subagent's message is not the agent's.
    let is_own = line.text("parent_tool_use_id").is_none();
    for at in 0.. {
        let path = format!("message.content.{at}");
        match line.text(&format!("{path}.type")) {
            Some("text") if is_own => {
                talk.text(line.text(&format!("{path}.text")).unwrap_or_default());
            }
            Some("tool_use") => {
                talk.tool(line.text(&format!("{path}.name")), line.about(&format!("{path}.input")));
            }
            Some(_) => {}
            None => break,
        }
    }
}

fn result(line: &JsonLine, talk: &mut StreamState) {
    let used = ["usage.input_tokens", "usage.cache_creation_input_tokens", "usage.output_tokens"];
    talk.spent(line.number("total_cost_usd"), tokens(line, &used));
    if line.is_true("is_error") {
        let why = line.text("result").or_else(|| line.text("subtype"));
        talk.trouble(why, line.count("api_error_status"), None);
    }
}

fn seconds(seconds: u64) -> Time {
    Time::from_millis(i64::try_from(seconds).unwrap_or(i64::MAX).saturating_mul(1000))
}

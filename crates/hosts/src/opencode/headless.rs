//! opencode without a person, as observed at 1.18.33.

use sprag_core::Time;

use crate::Host;
use crate::row::Headless;

use crate::headless::limits;
use crate::headless::line::JsonLine;
use crate::headless::start::{StartCommand, StartOptions, denied};
use crate::headless::stream_state::{StreamState, tokens};

pub(super) const HEADLESS: Headless =
    Headless { start, read, read_log: Some(read_log), local_times: false };

/// It reports a limit only in its logs, and waits.
const WORDS: [&str; 4] = ["run", "--format=json", "--print-logs", "--log-level=ERROR"];

fn start(host: Host, wish: &StartOptions<'_>) -> StartCommand {
    let mut start = StartCommand::of(host, &WORDS, wish);
    start.word(wish.resume.map(|id| format!("--session={id}")));
    let names = denied(host, wish.deny);
    if !names.is_empty() {
        let entries: Vec<String> = names.iter().map(|name| format!("{name:?}:\"deny\"")).collect();
        // Read after the person's own files, and merged with them.
        let config = format!("{{\"permission\":{{{}}}}}", entries.join(","));
        start.env.push(("OPENCODE_CONFIG_CONTENT".to_owned(), config));
    }
    start.extra(wish)
}

/// Reads its log at the end: reports the last limit, unless work continued after it.
fn read_log(log: &str, talk: &mut StreamState) {
    let tells = |line: &&str| line.contains(" level=ERROR ") && limits::is_limit(line);
    if let Some(line) = log.lines().rfind(tells) {
        let when = line.strip_prefix("timestamp=").and_then(|rest| rest.split(' ').next());
        let why = line.rsplit_once("error.error=").map_or(line, |(_, why)| why);
        let when = when.and_then(Time::parse);
        if when.is_some_and(|when| talk.has_worked_since(when)) {
            return;
        }
        talk.then(when);
        talk.trouble(Some(why.trim_matches('"')), Some(429), None);
    }
}

fn read(line: &JsonLine, talk: &mut StreamState) {
    talk.session(line.text("sessionID"));
    match line.kind() {
        "text" => talk.text(line.text("part.text").unwrap_or_default()),
        "tool_use" => talk.tool(line.text("part.tool"), line.about("part.state.input")),
        "step_finish" => {
            let used = ["part.tokens.input", "part.tokens.output", "part.tokens.reasoning"];
            talk.spends(line.number("part.cost"), tokens(line, &used));
        }
        "error" => {
            let why = line.text("error.data.message").or_else(|| line.text("error.name"));
            talk.trouble(why, line.count("error.data.statusCode"), None);
        }
        _ => {}
    }
}

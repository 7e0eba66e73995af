//! The expected decoding of a payload, according to specs/hosts.md.

use sprag_conformance::{as_list, as_text, entries, field, is_true};
use sprag_core::Plain;
use sprag_hosts::Host;

#[derive(Debug)]
pub(super) struct Expected {
    pub(super) session: Option<String>,
    pub(super) cwd: Option<String>,
    pub(super) subagent: Option<String>,
    pub(super) plan_mode: bool,
    pub(super) told: String,
}

impl Expected {
    pub(super) fn of(host: Host, event: &str, said: &Plain) -> Self {
        let inner = field(field(field(said, "raw"), "properties"), "sessionID");
        let session = first(said, &["session_id", "sessionId", "thread-id"]);
        Self {
            session: session.or(as_text(inner)).map(str::to_owned),
            cwd: first(said, &["cwd"]).map(str::to_owned),
            subagent: first(said, &["agent_id", "agentName", "agent_name"]).map(str::to_owned),
            plan_mode: first(said, &["permission_mode"]) == Some("plan"),
            told: told(host, event, said),
        }
    }
}

/// Returns the first of these fields that is a text.
fn first<'s>(said: &'s Plain, keys: &[&str]) -> Option<&'s str> {
    keys.iter().find_map(|key| as_text(field(said, key)))
}

/// Maps a host's name for an event to the name in specs/hosts.md §7.
fn abstract_name(host: Host, event: &str) -> Option<&'static str> {
    let claude = [
        ("SessionStart", "start"),
        ("UserPromptSubmit", "prompt"),
        ("PreToolUse", "before"),
        ("PostToolUse", "after"),
        ("PostToolUseFailure", "after failure"),
        ("Stop", "stop"),
        ("SubagentStop", "subagent stop"),
        ("SessionEnd", "end"),
        ("PreCompact", "compact"),
        ("Notification", "notification"),
        ("StopFailure", "failure"),
    ];
    let gemini = [
        ("SessionStart", "start"),
        ("BeforeAgent", "prompt"),
        ("BeforeTool", "before"),
        ("AfterTool", "after"),
        ("AfterAgent", "stop"),
        ("SessionEnd", "end"),
        ("PreCompress", "compact"),
        ("Notification", "notification"),
    ];
    let camel = [
        ("sessionStart", "start"),
        ("userPromptSubmitted", "prompt"),
        ("preToolUse", "before"),
        ("postToolUse", "after"),
        ("postToolUseFailure", "after failure"),
        ("agentStop", "stop"),
        ("subagentStop", "subagent stop"),
        ("sessionEnd", "end"),
        ("preCompact", "compact"),
        ("notification", "notification"),
    ];
    let names: &[(&str, &'static str)] = match host.name() {
        "claude" => &[&claude[..], &[("statusLine", "line")]].concat(),
        "codex" => &[&claude[..], &[("notify", "notification")]].concat(),
        "gemini" => &gemini,
        "copilot" => &[&claude[..10], &camel[..]].concat(),
        "pi" => &[],
        _ => &claude,
    };
    names.iter().find(|(name, _)| *name == event).map(|(_, ours)| *ours)
}

/// Describes the expected event.
fn told(host: Host, event: &str, said: &Plain) -> String {
    let text = |keys: &[&str]| first(said, keys).unwrap_or_default();
    if let Some(error) = failure(host, event, said) {
        return format!("failure {error}");
    }
    let Some(ours) = abstract_name(host, event) else { return format!("ignored {event}") };
    match ours {
        "start" => match text(&["source"]) {
            "new" => "start startup".to_owned(),
            known @ ("startup" | "resume" | "clear" | "compact" | "fork") => {
                format!("start {known}")
            }
            _ => "start other".to_owned(),
        },
        "end" => match text(&["reason"]) {
            kept @ ("clear" | "resume") => format!("end {kept}"),
            _ => "end other".to_owned(),
        },
        "prompt" => prompt(host, text(&["prompt"]), text(&["source"])),
        "before" => format!("before {}", input(said)),
        "after" if failed(host, said) => format!("after failure {}", input(said)),
        "after" => format!("after well {}", input(said)),
        "after failure" if is_true(field(said, "is_interrupt")) => {
            format!("after interrupt {}", input(said))
        }
        "after failure" => format!("after failure {}", input(said)),
        "stop" if first(said, &["agent_id", "agent_name"]).is_some() => "subagent stop".to_owned(),
        "stop" => stop(said),
        // One of Claude Code's own helpers.
        "subagent stop" if host == Host::CLAUDE && text(&["agent_type"]).is_empty() => {
            format!("ignored {event}")
        }
        "notification" => {
            format!("notification {}", text(&["message", "last-assistant-message"]))
        }
        "failure" => format!("failure {}", text(&["error"])),
        other => other.to_owned(),
    }
}

/// Returns the error of an event that reports, in its host's own way, that the model was out of
/// reach.
fn failure<'s>(host: Host, event: &str, said: &'s Plain) -> Option<&'s str> {
    let error = match (host.name(), event) {
        ("copilot", "errorOccurred" | "ErrorOccurred") => {
            let of_model = first(said, &["error_context", "errorContext"]) == Some("model_call");
            let ends = of_model && !is_true(field(said, "recoverable"));
            ends.then(|| field(said, "error"))?
        }
        ("opencode", "event:session.error") => {
            field(field(field(said, "raw"), "properties"), "error")
        }
        _ => return None,
    };
    Some(as_text(error).or_else(|| first(error, &["message", "name"])).unwrap_or_default())
}

/// Only Claude Code's own prompts can be distinguished from a person's. Gemini CLI may put sprag's
/// context before the prompt.
fn prompt(host: Host, text: &str, source: &str) -> String {
    let own = text.trim_start().starts_with("<task-notification>")
        || !["", "user", "sdk"].contains(&source);
    let text = match text.rsplit_once("</hook_context>") {
        Some((context, rest)) if host == Host::GEMINI && context.starts_with("<hook_context>") => {
            rest.trim_start()
        }
        Some(_) | None => text,
    };
    format!("prompt {} {text}", host != Host::CLAUDE || !own)
}

/// Returns whether a tool's result reports a failure, for hosts that do so.
fn failed(host: Host, said: &Plain) -> bool {
    match host.name() {
        "gemini" => {
            let error = field(field(said, "tool_response"), "error");
            !matches!(error, Plain::Null)
        }
        "copilot" => {
            let kind = ["tool_result", "toolResult"].map(|key| field(said, key));
            let kind = kind.iter().find_map(|result| first(result, &["result_type", "resultType"]));
            kind.is_some_and(|kind| kind != "success")
        }
        _ => false,
    }
}

fn stop(said: &Plain) -> String {
    let holds = |task: &&Plain| {
        let is = |key: &str, wanted: &[&str]| {
            as_text(field(task, key)).is_some_and(|text| wanted.contains(&text))
        };
        is("type", &["subagent", "workflow"]) && is("status", &["running"])
    };
    let running = as_list(field(said, "background_tasks")).iter().filter(holds).count();
    let again = is_true(field(said, "stop_hook_active"));
    let message = first(said, &["last_assistant_message", "prompt_response"]).unwrap_or_default();
    format!("stop {again} {running} {message}")
}

fn input(said: &Plain) -> String {
    let given = [field(said, "tool_input"), field(said, "toolArgs")];
    let given = given.into_iter().find(|given| !entries(given).is_empty()).unwrap_or(&Plain::Null);
    let keys = [
        "file_path",
        "filePath",
        "notebook_path",
        "absolute_path",
        "dir_path",
        "path",
        "paths",
        "source",
        "destination",
    ];
    let named = entries(given).iter().filter(|(key, _)| keys.contains(&key.as_str()));
    let texts = |path| as_text(path).into_iter().chain(as_list(path).iter().filter_map(as_text));
    let mut paths: Vec<&str> = named.flat_map(|(_, path)| texts(path)).collect();
    let tool = first(said, &["tool_name", "toolName"]).unwrap_or_default();
    let mut command = first(given, &["command", "cmd"]).unwrap_or_default();
    if tool == "apply_patch" {
        let patch = first(given, &["command", "patchText"]).unwrap_or_default();
        let heads = ["*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "];
        let files = patch.lines().flat_map(|line| heads.map(|head| line.strip_prefix(head)));
        paths.extend(files.flatten());
        command = "";
    }
    let id = first(said, &["tool_use_id"]).unwrap_or_default();
    format!("{tool} {id} {} {command}", paths.join(" "))
}

//! The payloads of real hosts, one file each: `<Event>.<what>.json` in a folder of the host's name.
//!
//! There is no recorded answer; what must be heard follows from the payload, and is worked out
//! here from its fields with another reader of JSON.

use std::path::Path;

use sprag_conformance::{Outcome, Tally, as_list, as_text, entries, field, is_true, read};
use sprag_core::Plain;
use sprag_hosts::{Background, By, Call, Ended, Happening, Heard, Host, Left, Source};

use crate::files;

/// Hears every payload of every host.
pub(crate) fn hear(folder: &Path, tally: &mut Tally) -> Result<(), String> {
    let listing =
        std::fs::read_dir(folder).map_err(|bad| format!("{}: {bad}", folder.display()))?;
    for entry in listing.filter_map(Result::ok).filter(|entry| entry.path().is_dir()) {
        let group = entry.file_name().to_string_lossy().into_owned();
        for (path, text) in files(&entry.path())? {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let outcome = match Host::from_name(&group) {
                Some(host) => outcome(host, &name, &text),
                None => Outcome::NotServed,
            };
            tally.add(&group, &format!("{group}/{name}"), outcome);
        }
    }
    Ok(())
}

fn outcome(host: Host, name: &str, text: &str) -> Outcome {
    let event = name.split('.').next().unwrap_or_default();
    let heard = match host.decode(text.as_bytes(), Some(event)) {
        Ok(heard) => heard,
        Err(why) => return Outcome::Failed(why.to_string()),
    };
    match read(text) {
        Err(why) => Outcome::Failed(why),
        Ok(said) => match expected(host, event, &said).wrong(&heard) {
            None => Outcome::Passed,
            Some(why) => Outcome::Failed(why),
        },
    }
}

/// What must be heard.
struct Expected {
    session: String,
    cwd: Option<String>,
    subagent: Option<String>,
    plan_mode: bool,
    told: String,
}

impl Expected {
    fn wrong(&self, heard: &Heard) -> Option<String> {
        let same = self.session == heard.session.as_str()
            && self.cwd == heard.cwd
            && self.subagent == heard.subagent
            && self.plan_mode == heard.plan_mode
            && self.told == told(&heard.happening);
        (!same).then(|| format!("expected {}\n  heard {heard:?}", self.told))
    }
}

fn text(said: &Plain, key: &str) -> Option<String> {
    as_text(field(said, key)).map(str::to_owned)
}

fn expected(host: Host, event: &str, said: &Plain) -> Expected {
    Expected {
        session: text(said, "session_id").unwrap_or_default(),
        cwd: text(said, "cwd"),
        subagent: text(said, "agent_id"),
        plan_mode: text(said, "permission_mode").as_deref() == Some("plan"),
        told: match host {
            Host::Claude => claude(event, said),
        },
    }
}

/// Says what a payload of Claude Code tells, by specs/hosts.md §1.
fn claude(event: &str, said: &Plain) -> String {
    let text = |key: &str| text(said, key).unwrap_or_default();
    match event {
        "SessionStart" => match text("source").as_str() {
            known @ ("startup" | "resume" | "clear" | "compact" | "fork") => {
                format!("start {known}")
            }
            _ => "start other".to_owned(),
        },
        "SessionEnd" => match text("reason").as_str() {
            kept @ ("clear" | "resume") => format!("end {kept}"),
            _ => "end other".to_owned(),
        },
        "UserPromptSubmit" => {
            let told = text("prompt").trim_start().starts_with("<task-notification>");
            let person = ["", "user", "sdk"].contains(&text("source").as_str()) && !told;
            format!("prompt {person} {}", text("prompt"))
        }
        "PreToolUse" => format!("before {}", input(said)),
        "PostToolUse" => format!("after well {}", input(said)),
        "PostToolUseFailure" if is_true(field(said, "is_interrupt")) => {
            format!("after interrupt {}", input(said))
        }
        "PostToolUseFailure" => format!("after failure {}", input(said)),
        "Stop" => {
            let tasks = as_list(field(said, "background_tasks")).iter();
            let holds = |task: &&Plain| {
                let is = |key: &str, wanted: &[&str]| {
                    as_text(field(task, key)).is_some_and(|text| wanted.contains(&text))
                };
                is("type", &["subagent", "workflow"]) && is("status", &["running"])
            };
            let again = is_true(field(said, "stop_hook_active"));
            stop(again, tasks.filter(holds).count(), &text("last_assistant_message"))
        }
        "SubagentStop" if !text("agent_type").is_empty() => "subagent stop".to_owned(),
        "PreCompact" => "compact".to_owned(),
        "Notification" => format!("notification {}", text("message")),
        "StopFailure" => format!("failure {}", text("error")),
        "statusLine" => "line".to_owned(),
        other => format!("ignored {other}"),
    }
}

fn stop(again: bool, running: usize, message: &str) -> String {
    format!("stop {again} {running} {message}")
}

fn input(said: &Plain) -> String {
    let given = field(said, "tool_input");
    let keys = ["file_path", "notebook_path", "path", "paths", "source", "destination"];
    let named = entries(given).iter().filter(|(key, _)| keys.contains(&key.as_str()));
    let texts = |path| as_text(path).into_iter().chain(as_list(path).iter().filter_map(as_text));
    let paths: Vec<&str> = named.flat_map(|(_, path)| texts(path)).collect();
    let own = |key: &str| text(said, key).unwrap_or_default();
    let command = as_text(field(given, "command")).unwrap_or_default();
    format!("{} {} {} {command}", own("tool_name"), own("tool_use_id"), paths.join(" "))
}

fn call(call: &Call) -> String {
    let Call { name, paths, command, id, .. } = call;
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    format!("{name} {} {} {}", text(id), paths.join(" "), text(command))
}

/// Says what was heard, in the same words.
fn told(happening: &Happening) -> String {
    match happening {
        Happening::SessionStart { source } => format!("start {}", source_name(*source)),
        Happening::Prompt { text, by } => format!("prompt {} {text}", *by == By::Person),
        Happening::BeforeTool(before) => format!("before {}", call(before)),
        Happening::AfterTool { call: after, ended } => {
            let how = match ended {
                Ended::Well => "well",
                Ended::Failed => "failure",
                Ended::Interrupted => "interrupt",
            };
            format!("after {how} {}", call(after))
        }
        Happening::Stop { again, background, message } => {
            let running = background.iter().filter(|task| Background::holds_the_session(task));
            stop(*again, running.count(), message.as_deref().unwrap_or_default())
        }
        Happening::SubagentStop => "subagent stop".to_owned(),
        Happening::SessionEnd { left } => match left {
            Left::Clear => "end clear".to_owned(),
            Left::Resume => "end resume".to_owned(),
            Left::Other => "end other".to_owned(),
        },
        Happening::PreCompact => "compact".to_owned(),
        Happening::Notification { text, .. } => format!("notification {text}"),
        Happening::StopFailure { error } => format!("failure {error}"),
        Happening::StatusLine => "line".to_owned(),
        Happening::Ignored { event } => format!("ignored {event}"),
    }
}

const fn source_name(source: Source) -> &'static str {
    match source {
        Source::Startup => "startup",
        Source::Resume => "resume",
        Source::Clear => "clear",
        Source::Compact => "compact",
        Source::Fork => "fork",
        Source::Other => "other",
    }
}

//! The payloads of real hosts, one file each: `<Event>.<what>.json` in a folder with the host's
//! name, or with its name and a kind of payload: `copilot-camel`.
//!
//! There is no recorded answer. The expected event follows from the payload; `expected.rs` computes
//! it from the fields with a different JSON parser.

mod expected;

use std::path::Path;

use sprag_conformance::{Outcome, Tally, as_text, field, read};
use sprag_core::HostSession;
use sprag_hosts::{
    Background, By, EndReason, HookCall, HookEvent, Host, StartSource, ToolCall, TurnEnd,
};

use crate::files;
use expected::Expected;

/// Decodes every payload of every host.
pub(crate) fn hear(folder: &Path, tally: &mut Tally) -> Result<(), String> {
    let listing =
        std::fs::read_dir(folder).map_err(|bad| format!("{}: {bad}", folder.display()))?;
    for entry in listing.filter_map(Result::ok).filter(|entry| entry.path().is_dir()) {
        let group = entry.file_name().to_string_lossy().into_owned();
        let host = group.split('-').next().and_then(Host::from_name);
        for (path, text) in files(&entry.path())? {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let outcome = match host {
                // pi calls no commands.
                Some(host) if host != Host::PI => outcome(host, &name, &text),
                Some(_) | None => Outcome::NotServed,
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
        Ok(said) => {
            let event = as_text(field(&said, "hook_event_name")).unwrap_or(event);
            match wrong(&Expected::of(host, event, &said), &heard) {
                None => Outcome::Passed,
                Some(why) => Outcome::Failed(why),
            }
        }
    }
}

fn wrong(expected: &Expected, heard: &HookCall) -> Option<String> {
    let same = expected.session.as_deref() == heard.session.as_ref().map(HostSession::as_str)
        && expected.cwd == heard.cwd
        && expected.subagent == heard.subagent
        && expected.plan_mode == heard.plan_mode
        && expected.told == told(&heard.happening);
    (!same).then(|| format!("expected {expected:?}\n  heard {heard:?}"))
}

fn call(call: &ToolCall) -> String {
    let ToolCall { name, paths, command, id, .. } = call;
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    format!("{name} {} {} {}", text(id), paths.join(" "), text(command))
}

/// Describes the decoded event in the words of `expected.rs`.
fn told(happening: &HookEvent) -> String {
    match happening {
        HookEvent::SessionStart { source } => format!("start {}", source_name(*source)),
        HookEvent::Prompt { text, by } => format!("prompt {} {text}", *by == By::Person),
        HookEvent::BeforeTool(before) => format!("before {}", call(before)),
        HookEvent::AfterTool { call: after, ended } => {
            let how = match ended {
                TurnEnd::Well => "well",
                TurnEnd::Failed => "failure",
                TurnEnd::Interrupted => "interrupt",
            };
            format!("after {how} {}", call(after))
        }
        HookEvent::Stop { again, background, message } => {
            let running = background.iter().filter(|task| Background::holds_the_session(task));
            let message = message.as_deref().unwrap_or_default();
            format!("stop {again} {} {message}", running.count())
        }
        HookEvent::SubagentStop => "subagent stop".to_owned(),
        HookEvent::SessionEnd { left } => match left {
            EndReason::Clear => "end clear".to_owned(),
            EndReason::Resume => "end resume".to_owned(),
            EndReason::Other => "end other".to_owned(),
        },
        HookEvent::PreCompact => "compact".to_owned(),
        HookEvent::Notification { text, .. } => format!("notification {text}"),
        HookEvent::StopFailure { error } => format!("failure {error}"),
        HookEvent::StatusLine => "line".to_owned(),
        HookEvent::Ignored { event } => format!("ignored {event}"),
    }
}

const fn source_name(source: StartSource) -> &'static str {
    match source {
        StartSource::Startup => "startup",
        StartSource::Resume => "resume",
        StartSource::Clear => "clear",
        StartSource::Compact => "compact",
        StartSource::Fork => "fork",
        StartSource::Other => "other",
    }
}

//! The payloads of real hosts, one file each: `<Event>.<what>.json` in a folder with the host's
//! name, or with its name and a kind of payload: `copilot-camel`.
//!
//! There is no recorded answer. The expected event follows from the payload; `expected.rs` computes
//! it from the fields with a different JSON parser.

mod expected;

use std::path::Path;

use sprag_conformance::{Outcome, Tally, as_text, field, read};
use sprag_core::HostSession;
use sprag_hosts::{Background, By, Call, Ended, Happening, Heard, Host, Left, Source};

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
                Some(Host::Pi) | None => Outcome::NotServed,
                Some(host) => outcome(host, &name, &text),
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

fn wrong(expected: &Expected, heard: &Heard) -> Option<String> {
    let same = expected.session.as_deref() == heard.session.as_ref().map(HostSession::as_str)
        && expected.cwd == heard.cwd
        && expected.subagent == heard.subagent
        && expected.plan_mode == heard.plan_mode
        && expected.told == told(&heard.happening);
    (!same).then(|| format!("expected {expected:?}\n  heard {heard:?}"))
}

fn call(call: &Call) -> String {
    let Call { name, paths, command, id, .. } = call;
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    format!("{name} {} {} {}", text(id), paths.join(" "), text(command))
}

/// Describes the decoded event in the words of `expected.rs`.
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
            let message = message.as_deref().unwrap_or_default();
            format!("stop {again} {} {message}", running.count())
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

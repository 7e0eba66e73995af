//! Answers to a stop: the sample is the STATE.md, `hook_input` the host's payload.
//!
//! The engine decides in a project of its own; only the word for the reason is computed here. It
//! also checks what a stop must not do: send an unrequested message, or touch another session's
//! state.

use std::ffi::OsString;

use sprag_conformance::{as_list, as_text, field, is_true};
use sprag_core::Plain;
use sprag_core::plan::{self, Stand};
use sprag_engine::attach::HookEnv;
use sprag_engine::engine::Engine;
use sprag_engine::hooks::Beginning;
use sprag_engine::stop::{StopAnswer, Stopping};
use sprag_formats::plan::state::{self, LoopFile};
use sprag_hosts::{Background, HookCall, HookEvent, Host, session_file};
use sprag_store::Place;
use sprag_testkit::TestEnv;
use sprag_world::clock::now;

const STATE: &str = ".gsd/STATE.md";

/// Answers a stop; `input` is the host's payload as JSON.
pub(super) fn answer(expect: &Plain, input: &str, text: Option<&str>) -> Result<Plain, String> {
    let Ok(heard) = Host::CLAUDE.decode(input.as_bytes(), None) else {
        // A payload that is no stop is allowed; its warning is in the trace, not in the answer.
        let warn = field(expect, "warn").clone();
        return Ok(Plain::map([("decision", "allow".into()), ("warn", warn)]));
    };
    let env = TestEnv::new();
    env.write(".sprag/config.yaml", "");
    if let Some(text) = text {
        env.write(STATE, text);
    }
    let said = field(expect, "hook_input");
    let idle = idle_blocks(said);
    let mut last = StopAnswer::Allow { say: Vec::new() };
    for turn in 0..=idle {
        let is_new_turn = turn == idle && idle > 0 && !is_again(&heard);
        last = stop(&env, &heard, is_new_turn)?;
    }
    let made = as_text(field(expect, "must_not_create")).filter(|name| env.read(name).is_some());
    if let Some(name) = made {
        return Err(format!("`{name}` was made"));
    }
    let why = ("why", why(said, text, idle).into());
    match last {
        StopAnswer::Refuse { message, say } => Ok(Plain::map([
            why,
            ("decision", "block".into()),
            ("reason", message.into()),
            ("warn", shown(&say)),
        ])),
        StopAnswer::Allow { say } => {
            let (transition, reason) = transition(text, env.read(STATE).as_deref())?;
            let warn = if transition == Plain::Null { shown(&say) } else { Plain::Null };
            Ok(Plain::map([
                why,
                ("decision", "allow".into()),
                ("transition", transition),
                ("pause_reason", reason),
                ("warn", warn),
            ]))
        }
    }
}

/// Returns how many earlier stops without progress were refused.
fn idle_blocks(input: &Plain) -> usize {
    let blocks = if let Plain::Int(blocks) = field(input, "_idle_blocks") { *blocks } else { 0 };
    usize::try_from(blocks).unwrap_or(0)
}

/// Returns how an allowed stop changed the state, and the reason of a pause.
fn transition(before: Option<&str>, after: Option<&str>) -> Result<(Plain, Plain), String> {
    if before == after {
        return Ok((Plain::Null, Plain::Null));
    }
    let state = after.and_then(|text| state::read(text).ok().flatten()).unwrap_or_default();
    match (state.active, state.completed, state.paused) {
        (true, _, _) => Err("an active loop was left behind".to_owned()),
        (false, true, _) => Ok(("completed".into(), Plain::Null)),
        (false, false, true) => {
            Ok(("paused".into(), state.pause_reason.unwrap_or_default().into()))
        }
        (false, false, false) => Err(format!("the state was changed: {after:?}")),
    }
}

fn shown(say: &[String]) -> Plain {
    if say.is_empty() { Plain::Null } else { Plain::Bool(true) }
}

/// Returns whether a stop follows a refusal, without a prompt in between.
fn is_again(heard: &HookCall) -> bool {
    matches!(heard.happening, HookEvent::Stop { again: true, .. })
}

/// Stops once, as the host hook does.
fn stop(env: &TestEnv, heard: &HookCall, is_new_turn: bool) -> Result<StopAnswer, String> {
    let HookEvent::Stop { background, message, .. } = &heard.happening else {
        return Ok(StopAnswer::Allow { say: Vec::new() });
    };
    let goes_on = background.iter().any(Background::holds_the_session);
    if goes_on || heard.plan_mode || heard.subagent.is_some() {
        return Ok(StopAnswer::Allow { say: Vec::new() });
    }
    let session = heard.session.as_ref().map(|session| session_file(heard.host, session));
    let session = session.ok_or("there is no session")?;
    let place = Place::of(env.project());
    let variables: Vec<(OsString, OsString)> = vec![("HOME".into(), env.home().into_os_string())];
    let engine = Engine::open(&place, &variables).map_err(|bad| bad.to_string())?;
    engine
        .session_begins(&session, Beginning::Plain, None, HookEnv::default())
        .map_err(|bad| bad.to_string())?;
    if is_new_turn {
        let told = HookEnv::default();
        engine.prompted(&session, Some("go on"), told).map_err(|bad| bad.to_string())?;
    }
    let stopping =
        Stopping { cap: heard.host.refusals(), told: HookEnv::default(), said: message.as_deref() };
    engine.stop(&session, stopping).map_err(|bad| bad.to_string())
}

/// Returns the word for the reason; the reasons are checked in this order.
fn why(input: &Plain, text: Option<&str>, idle: usize) -> &'static str {
    let Some(text) = text else { return "missing" };
    let found = match state::open(text).map(|file| file.found) {
        Ok(LoopFile::NoFrontMatter) => return "no_frontmatter",
        Ok(LoopFile::NoLoop) => return "no_loop",
        Ok(LoopFile::Loop(state)) => state,
        Err(_) => return "corrupt",
    };
    let session = as_text(field(input, "session_id")).unwrap_or_default();
    match plan::stands(&found, session, now()) {
        _ if *field(input, "agent_id") != Plain::Null => "subagent",
        Stand::Completed => "completed",
        Stand::Paused => "paused",
        Stand::Inactive => "inactive",
        Stand::Foreign => "foreign_session",
        Stand::Awaiting => "awaiting",
        _ if as_text(field(input, "permission_mode")) == Some("plan") => "plan_mode",
        _ if as_list(field(input, "background_tasks")).iter().any(is_working) => "background",
        Stand::MaxReached => "max_reached",
        Stand::Active if is_true(field(input, "stop_hook_active")) && idle > 1 => "no_progress",
        Stand::Active => "active",
    }
}

fn is_working(task: &Plain) -> bool {
    let is = |key: &str, words: [&str; 2]| {
        as_text(field(task, key)).is_some_and(|word| words.contains(&word))
    };
    is("type", ["subagent", "workflow"]) && is("status", ["running", "pending"])
}

//! What a stop is answered: the sample is the STATE.md, `hook_input` what the host says.
//!
//! The engine decides in a project of its own; only the word for why is made here. What a stop must
//! not do (say something nobody asked for, touch a state that is not this session's) is held too.

use std::ffi::OsString;

use sprag_conformance::{as_list, as_text, field, is_true};
use sprag_core::plan::{self, Stand};
use sprag_core::{Plain, Time};
use sprag_engine::engine::Engine;
use sprag_engine::session::SessionId;
use sprag_engine::stop::{Answer, Stopping};
use sprag_engine::visit::Beginning;
use sprag_engine::whose::Told;
use sprag_formats::plan::state::{self, Found};
use sprag_hosts::{Background, Happening, Heard, Host, session_file};
use sprag_store::Place;
use sprag_testkit::TestEnv;

const STATE: &str = ".gsd/STATE.md";

/// Answers a stop; `input` is what the host says, as JSON.
pub(super) fn answer(expect: &Plain, input: &str, text: Option<&str>) -> Result<Plain, String> {
    let Ok(heard) = Host::Claude.decode(input.as_bytes(), None) else {
        // What is no stop is let go; that it was said stands in the trace, not in the answer.
        let warn = field(expect, "warn").clone();
        return Ok(Plain::map([("decision", "allow".into()), ("warn", warn)]));
    };
    let env = TestEnv::new();
    env.write(".sprag/config.yaml", "");
    if let Some(text) = text {
        env.write(STATE, text);
    }
    let idle = match field(field(expect, "hook_input"), "_idle_blocks") {
        Plain::Int(blocks) => usize::try_from(*blocks).unwrap_or(0),
        Plain::Null
        | Plain::Bool(_)
        | Plain::Other(_)
        | Plain::Text(_)
        | Plain::List(_)
        | Plain::Map(_) => 0,
    };
    let mut last = Answer::Allow { say: Vec::new() };
    for turn in 0..=idle {
        let is_new_turn = turn == idle && idle > 0 && !is_again(&heard);
        last = stop(&env, &heard, is_new_turn)?;
    }
    let after = env.read(STATE);
    let is_touched = after.as_deref() != text;
    let why = why(field(expect, "hook_input"), text, idle);
    let mut said = vec![("why".to_owned(), why.into())];
    let made = as_text(field(expect, "must_not_create")).filter(|name| env.read(name).is_some());
    if let Some(name) = made {
        return Err(format!("`{name}` was made"));
    }
    match last {
        Answer::Refuse { message, say } => {
            said.push(("decision".to_owned(), "block".into()));
            said.push(("reason".to_owned(), message.into()));
            said.push(("warn".to_owned(), shown(&say)));
        }
        Answer::Allow { say } => {
            said.push(("decision".to_owned(), "allow".into()));
            let paused = after
                .as_deref()
                .and_then(|text| state::read(text).ok().flatten())
                .filter(|state| state.paused && is_touched);
            match paused {
                Some(state) if !state.active => {
                    said.push(("transition".to_owned(), "paused".into()));
                    let reason = state.pause_reason.unwrap_or_default();
                    said.push(("pause_reason".to_owned(), reason.into()));
                }
                Some(_) => return Err("an active loop was left behind".to_owned()),
                None if is_touched => return Err(format!("the state was changed: {after:?}")),
                None => said.push(("warn".to_owned(), shown(&say))),
            }
        }
    }
    Ok(Plain::Map(said))
}

fn shown(say: &[String]) -> Plain {
    if say.is_empty() { Plain::Null } else { Plain::Bool(true) }
}

/// Says whether a stop comes after a refusal; else a person has prompted in between.
fn is_again(heard: &Heard) -> bool {
    matches!(heard.happening, Happening::Stop { again: true, .. })
}

/// Stops once, as the host hook does.
fn stop(env: &TestEnv, heard: &Heard, is_new_turn: bool) -> Result<Answer, String> {
    let Happening::Stop { background, message, .. } = &heard.happening else {
        return Ok(Answer::Allow { say: Vec::new() });
    };
    let goes_on = background.iter().any(Background::holds_the_session);
    if goes_on || heard.plan_mode || heard.subagent.is_some() {
        return Ok(Answer::Allow { say: Vec::new() });
    }
    let file = heard.session.as_ref().map(|session| session_file(heard.host, session));
    let session = file.as_deref().and_then(SessionId::parse).ok_or("there is no session")?;
    let place = Place::of(env.project());
    let variables: Vec<(OsString, OsString)> = vec![("HOME".into(), env.home().into_os_string())];
    let engine = Engine::open(&place, &variables).map_err(|bad| bad.to_string())?;
    engine
        .session_begins(&session, Beginning::Plain, None, Told::default())
        .map_err(|bad| bad.to_string())?;
    if is_new_turn {
        let told = Told::default();
        engine.prompted(&session, Some("go on"), told).map_err(|bad| bad.to_string())?;
    }
    let stopping =
        Stopping { cap: heard.host.refusals(), told: Told::default(), said: message.as_deref() };
    engine.stop(&session, stopping).map_err(|bad| bad.to_string())
}

/// Returns the word for why, in the order in which the reasons are looked for.
fn why(input: &Plain, text: Option<&str>, idle: usize) -> &'static str {
    let Some(text) = text else { return "missing" };
    let found = match state::open(text).map(|file| file.found) {
        Ok(Found::NoFrontMatter) => return "no_frontmatter",
        Ok(Found::NoLoop) => return "no_loop",
        Ok(Found::Loop(state)) => state,
        Err(_) => return "corrupt",
    };
    let session = as_text(field(input, "session_id")).unwrap_or_default();
    match plan::stands(&found, session, Time::from_millis(0)) {
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

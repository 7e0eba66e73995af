//! What a stop is answered: the sample is the STATE.md, `hook_input` what the host says.

use sprag_conformance::{as_list, as_text, field, is_true};
use sprag_core::plan::{self, Stand};
use sprag_core::{Plain, Time};
use sprag_formats::plan::state::{self, Found};

/// So many stops without progress are refused, as in every other machine.
const IDLE: i128 = 2;

/// Answers a stop.
pub(super) fn answer(expect: &Plain, text: Option<&str>) -> Plain {
    let input = field(expect, "hook_input");
    let Some(text) = text else { return allow("missing") };
    let state = match state::open(text).map(|file| file.found) {
        Ok(Found::NoFrontMatter) => return allow("no_frontmatter"),
        Ok(Found::NoLoop) => return allow("no_loop"),
        Ok(Found::Loop(state)) => state,
        Err(_) => return warned("corrupt"),
    };
    let session = as_text(field(input, "session_id")).unwrap_or_default();
    match plan::stands(&state, session, Time::from_millis(0)) {
        Stand::Completed => allow("completed"),
        Stand::Paused => allow("paused"),
        Stand::Inactive => allow("inactive"),
        Stand::Foreign => allow("foreign_session"),
        Stand::Awaiting => allow("awaiting"),
        _ if as_text(field(input, "permission_mode")) == Some("plan") => allow("plan_mode"),
        _ if as_list(field(input, "background_tasks")).iter().any(is_working) => {
            allow("background")
        }
        Stand::MaxReached => allow("max_reached"),
        Stand::Active => active(input, plan::refusal(&state)),
    }
}

fn active(input: &Plain, reason: String) -> Plain {
    let idle = if let Plain::Int(number) = field(input, "_idle_blocks") { *number } else { 0 };
    if is_true(field(input, "stop_hook_active")) && idle >= IDLE {
        return allow("no_progress");
    }
    Plain::map([("decision", "block".into()), ("why", "active".into()), ("reason", reason.into())])
}

fn is_working(task: &Plain) -> bool {
    let is = |key: &str, words: [&str; 2]| {
        as_text(field(task, key)).is_some_and(|word| words.contains(&word))
    };
    is("type", ["subagent", "workflow"]) && is("status", ["running", "pending"])
}

fn allow(why: &str) -> Plain {
    Plain::map([("decision", "allow".into()), ("why", why.into())])
}

fn warned(why: &str) -> Plain {
    Plain::map([("decision", "allow".into()), ("why", why.into()), ("warn", Plain::Bool(true))])
}

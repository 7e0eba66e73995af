//! Bridges that send the payloads of `sprag hook HOST` and receive its output, such as that of
//! opencode.

use std::path::Path;

use serde_json::{Value, json};
use sprag_hosts::{HookCall, HookEvent, Reply, session_file};

use super::BridgeAnswer;
use super::request::Happened;
use crate::hook::Finding;
use crate::{env, hook};

/// Answers an event in a session.
pub(super) fn answer(happened: &Happened<'_>) -> BridgeAnswer {
    let place = match hook::find_from(Path::new(&happened.cwd)) {
        Ok(Finding::Ours(place)) => place,
        Ok(Finding::Nothing) => return BridgeAnswer::default(),
        Ok(Finding::Apart { line }) => return apart(happened, &line),
        Err(error) => return BridgeAnswer::let_go(&error.to_string()),
    };
    let host = happened.host;
    let decided = host
        .decode(happened.payload().as_bytes(), None)
        .map_err(|error| error.to_string())
        .and_then(|heard| match hook::decide(&place, &heard) {
            Ok(reply) => Ok((heard, reply)),
            Err(error) => Err(error.to_string()),
        });
    match decided {
        Ok((heard, reply)) => encoded(&heard, &reply),
        Err(why) => {
            let what = format!("{} {}", host.name(), hook::short(&happened.event));
            hook::leave_trace(&place, &what, &why);
            BridgeAnswer::let_go(&why)
        }
    }
}

/// Tells the user at the start of a session that the folder's settings have no effect.
fn apart(happened: &Happened<'_>, line: &str) -> BridgeAnswer {
    let heard = happened.host.decode(happened.payload().as_bytes(), None);
    let begins = heard.is_ok_and(|it| matches!(it.happening, HookEvent::SessionStart { .. }));
    let mut answer = BridgeAnswer::default();
    if begins {
        answer.notify("error", line);
    }
    answer
}

/// Returns the host hook's output. Messages to the user become effects, since the user would not
/// see them in that output.
fn encoded(heard: &HookCall, reply: &Reply) -> BridgeAnswer {
    let output = heard.host.encode(heard, reply);
    // Empty output becomes null.
    let out = serde_json::from_str(&output.stdout).unwrap_or(Value::Null);
    let mut answer = BridgeAnswer { out, effects: vec![] };
    if let Some(effect) = share(heard) {
        answer.effects.push(effect);
    }
    if let Some(said) = &reply.say {
        answer.notify("info", said);
    }
    answer
}

/// Passes the session's name to the commands that the agent starts.
pub(super) fn share(heard: &HookCall) -> Option<Value> {
    let begins = matches!(heard.happening, HookEvent::SessionStart { .. });
    let session = heard.session.as_ref().filter(|_| begins && heard.subagent.is_none())?;
    let value = session_file(heard.host, session);
    Some(json!({ "fx": "set_env", "name": env::SESSION.name, "value": value }))
}

//! `sprag rpc`: the server for bridges inside hosts that cannot call commands.
//!
//! One process serves one bridge for its lifetime and keeps no state between lines. Each request
//! opens the project of its folder anew, and the same functions decide as for a host hook. Each
//! request gets one answer, in order; nothing else is ever printed. docs/rpc.md specifies the
//! protocol.

use std::io::{self, BufRead, Write};
use std::path::Path;

use serde_json::{Value, json};
use sprag_core::plain_json;
use sprag_core::workflow::session;
use sprag_hosts::MAX_BYTES;
use sprag_hosts::install::Slash;
use sprag_hosts::row::BridgeProtocol;

use crate::bridges;
use crate::exit::Exit;
use crate::hook;
use crate::lines::{self, RawLine};

mod hook_payloads;
mod pi;
mod request;

use request::{Request, VERSION};

/// The answer to a bridge.
#[derive(Debug, Default)]
struct BridgeAnswer {
    out: Value,
    /// Actions for the bridge, in order.
    effects: Vec<Value>,
}

impl BridgeAnswer {
    /// Returns an answer that permits the event, and tells the user why nothing was decided.
    fn let_go(why: &str) -> Self {
        let mut answer = Self::default();
        answer.notify("warning", &format!("sprag let go: {why}"));
        answer
    }

    /// Adds a message to the user.
    fn notify(&mut self, level: &str, message: &str) {
        self.effects.push(json!({ "fx": "notify", "message": message, "level": level }));
    }
}

/// Serves the bridge on the standard streams until it closes them.
pub(crate) fn serve() -> Exit {
    let (input, output) = (io::stdin().lock(), io::stdout().lock());
    // If the bridge is gone, there is nothing left to do.
    let _ = converse(io::BufReader::with_capacity(64 << 10, input), output);
    Exit::Done
}

fn converse(mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    say(&mut output, &json!({ "v": VERSION, "hello": hello() }))?;
    while let Some(line) = lines::next(&mut input, MAX_BYTES)? {
        let answer = match line {
            RawLine::Whole(bytes) => reply(&String::from_utf8_lossy(&bytes)),
            RawLine::TooLong => {
                wrong(&Value::Null, &format!("the line has more than {MAX_BYTES} bytes"))
            }
        };
        say(&mut output, &answer)?;
    }
    Ok(())
}

/// Writes one line and flushes it.
fn say(output: &mut impl Write, line: &Value) -> io::Result<()> {
    output.write_all(format!("{line}\n").as_bytes())?;
    output.flush()
}

fn hello() -> Value {
    let hosts = bridges::names();
    json!({ "sprag": env!("CARGO_PKG_VERSION"), "rpc": [VERSION], "hosts": hosts })
}

/// Returns the versions, and in a project of the user's the commands that a bridge is to register.
fn offers(cwd: Option<&str>) -> Value {
    let mut offers = hello();
    // On an error nothing is registered; the first event reports it.
    let place = cwd.and_then(|cwd| match hook::find_from(Path::new(cwd)) {
        Ok(hook::Finding::Ours(place)) => Some(place),
        Ok(hook::Finding::Nothing | hook::Finding::Apart { .. }) | Err(_) => None,
    });
    if place.is_some() {
        let command = |name: &str, about: &str| json!({ "name": name, "description": about });
        let start = "Start a configured workflow. Usage: /workflow {name} {description}";
        offers["tools"] = json!([plain_json::json(&session::contract())]);
        let mut commands = vec![
            command("workflow", start),
            command("cancel-workflow", "Cancel the active workflow"),
        ];
        commands.extend(Slash::ALL.map(|slash| {
            let about = format!("{} ({})", slash.about(), slash.arguments());
            command(&format!("sprag:{}", slash.name()), &about)
        }));
        offers["commands"] = json!(commands);
    }
    offers
}

fn reply(line: &str) -> Value {
    let id = request::id(line);
    let answer = match Request::read(line) {
        Err(why) => return wrong(&id, &why),
        Ok(Request::Hello { cwd }) => BridgeAnswer { out: offers(cwd.as_deref()), effects: vec![] },
        Ok(Request::Happened(happened)) => match happened.protocol {
            BridgeProtocol::HookPayloads => hook_payloads::answer(&happened),
            BridgeProtocol::PiWorkflows => pi::answer(&happened),
        },
    };
    json!({ "v": VERSION, "id": id, "out": answer.out, "effects": answer.effects })
}

/// Answers an invalid line.
fn wrong(id: &Value, why: &str) -> Value {
    json!({ "v": VERSION, "id": id, "out": null, "effects": [], "error": why })
}

//! The protocol methods of a server with tools.

use serde_json::{Map, Value, json};

use super::message::Wrong;
use super::tools;
use super::version::{self, ALL, Era};

/// The description of this server for models.
const INSTRUCTIONS: &str = "sprag holds this project's agents to the job. workflow_step moves the \
    workflow at hand, sprag_why says why a stop was refused or a tool blocked, sprag_status what \
    is going on here and what waits for a person.";
/// How long a client may cache results that never change while the server runs.
const KEPT_MILLIS: u32 = 3_600_000;

pub(super) fn call(method: &str, params: &Map<String, Value>) -> Result<Value, Wrong> {
    let era = version::era(params)?;
    let result = match method {
        "initialize" => initialize(params)?,
        "ping" => json!({}),
        "server/discover" if era == Era::Modern => kept(era, discover()),
        "server/discover" => return Err(Wrong::params("`_meta` has no protocol version")),
        "tools/list" => kept(era, list(params)?),
        "tools/call" => tools::call(params)?,
        other => return Err(Wrong::method(other)),
    };
    Ok(complete(era, result))
}

fn initialize(params: &Map<String, Value>) -> Result<Value, Wrong> {
    let requested = params.get("protocolVersion").and_then(Value::as_str);
    let requested = requested.ok_or_else(|| Wrong::params("no `protocolVersion`"))?;
    Ok(json!({
        "protocolVersion": version::negotiated(requested),
        "capabilities": { "tools": {} },
        "serverInfo": server(),
        "instructions": INSTRUCTIONS,
    }))
}

fn discover() -> Value {
    json!({
        "supportedVersions": ALL,
        "capabilities": { "tools": {} },
        "instructions": INSTRUCTIONS,
    })
}

fn list(params: &Map<String, Value>) -> Result<Value, Wrong> {
    match params.get("cursor") {
        // There is only one page, so no cursor was ever issued.
        Some(_) => Err(Wrong::params("an unknown `cursor`")),
        None => Ok(json!({ "tools": tools::list() })),
    }
}

fn server() -> Value {
    json!({ "name": "sprag", "version": env!("CARGO_PKG_VERSION") })
}

/// Adds the fields that newer revisions require in each result.
fn complete(era: Era, mut result: Value) -> Value {
    match era {
        Era::Legacy => {}
        Era::Modern => {
            result["resultType"] = "complete".into();
            result["_meta"] = json!({ "io.modelcontextprotocol/serverInfo": server() });
        }
    }
    result
}

/// Adds the fields that newer revisions require in a cacheable result.
fn kept(era: Era, mut result: Value) -> Value {
    match era {
        Era::Legacy => {}
        Era::Modern => {
            result["ttlMs"] = KEPT_MILLIS.into();
            result["cacheScope"] = "public".into();
        }
    }
    result
}

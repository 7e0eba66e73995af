//! Which revisions of the protocol are spoken, and how a request says which one it is.

use serde_json::{Map, Value};

use super::message::Wrong;

/// The revision that says its version with each request.
pub(super) const MODERN: &str = "2026-07-28";
/// Those that begin with `initialize`, newest first.
const LEGACY: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
/// All of them, newest first.
pub(super) const ALL: [&str; 5] = [MODERN, LEGACY[0], LEGACY[1], LEGACY[2], LEGACY[3]];

/// How a request is to be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Era {
    /// It stands for itself.
    Modern,
    /// It belongs to a connection that `initialize` began.
    Legacy,
}

/// Tells how a request is to be answered.
pub(super) fn era(params: &Map<String, Value>) -> Result<Era, Wrong> {
    let of = |key: &str| params.get("_meta").and_then(|meta| meta.get(key));
    match of("io.modelcontextprotocol/protocolVersion") {
        None => Ok(Era::Legacy),
        Some(Value::String(version)) if version == MODERN => {
            let capable = of("io.modelcontextprotocol/clientCapabilities");
            let capable = capable.filter(|capabilities| capabilities.is_object());
            capable.map(|_| Era::Modern).ok_or_else(|| {
                Wrong::params("`_meta` has no `io.modelcontextprotocol/clientCapabilities`")
            })
        }
        Some(Value::String(version)) => Err(Wrong::version(version, &ALL)),
        Some(_) => Err(Wrong::params("the protocol version is no text")),
    }
}

/// Returns the version that a connection is to speak: what the client asked for, else our newest.
pub(super) fn negotiated(requested: &str) -> &'static str {
    LEGACY.into_iter().find(|known| *known == requested).unwrap_or(LEGACY[0])
}

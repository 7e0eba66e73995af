//! The supported protocol revisions, and how a request states its revision.

use serde_json::{Map, Value};

use super::message::Wrong;

/// The revision that sends its version with each request.
pub(super) const MODERN: &str = "2026-07-28";
/// The revisions that begin with `initialize`, newest first.
const LEGACY: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
/// All revisions, newest first.
pub(super) const ALL: [&str; 5] = [MODERN, LEGACY[0], LEGACY[1], LEGACY[2], LEGACY[3]];

/// How to answer a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Era {
    /// The request is self-contained.
    Modern,
    /// The request belongs to a connection that began with `initialize`.
    Legacy,
}

/// Determines how to answer a request.
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

/// Returns the version for a connection: the requested one if supported, else the newest legacy
/// one.
pub(super) fn negotiated(requested: &str) -> &'static str {
    LEGACY.into_iter().find(|known| *known == requested).unwrap_or(LEGACY[0])
}

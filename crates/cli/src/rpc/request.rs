//! Parses the requests of a bridge, one per line, as leniently as a host hook parses its payload,
//! so that both give the same answers.

use std::cell::RefCell;
use std::fmt::{self, Write as _};

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;
use sprag_hosts::Host;
use sprag_hosts::row::BridgeProtocol;

use crate::bridges;

pub(super) const VERSION: u32 = 1;
/// Longer ids are rejected.
const LONGEST_ID: usize = 200;

/// A request as it is written.
#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct RawRequest<'l> {
    #[serde(default)]
    v: Option<u32>,
    #[serde(default)]
    host: Option<String>,
    #[serde(default)]
    session: Option<String>,
    #[serde(default)]
    cwd: Option<String>,
    event: String,
    #[serde(default, borrow)]
    data: Option<&'l RawValue>,
}

#[derive(Debug)]
pub(super) enum Request<'l> {
    /// Asks for the versions, and for the commands to register in this folder.
    Hello { cwd: Option<String> },
    /// Asks what to do about an event in a session.
    Happened(Happened<'l>),
}

/// An event in a session.
#[derive(Debug)]
pub(super) struct Happened<'l> {
    pub(super) host: Host,
    pub(super) protocol: BridgeProtocol,
    pub(super) session: String,
    pub(super) cwd: String,
    pub(super) event: String,
    /// A JSON object, verbatim.
    pub(super) data: &'l str,
}

impl<'l> Request<'l> {
    /// Parses a line. An error is one sentence for the bridge's author.
    pub(super) fn read(line: &'l str) -> Result<Self, String> {
        let written: RawRequest<'l> = serde_json::from_str(line)
            .map_err(|error| format!("the line is no request: {error}"))?;
        let version = written.v.unwrap_or(VERSION);
        if version != VERSION {
            return Err(format!("`v` is {version}, and this sprag speaks {VERSION}"));
        }
        if written.event == "hello" {
            return Ok(Self::Hello { cwd: written.cwd });
        }
        let missing = |field: &str| format!("the request has no `{field}`");
        let host = written.host.ok_or_else(|| missing("host"))?;
        let found = bridges::all().find(|(known, _)| known.name() == host);
        let (host, bridge) =
            found.ok_or_else(|| format!("no bridge of `{}` speaks here", host.escape_debug()))?;
        let data = written.data.map_or("{}", RawValue::get);
        if !data.starts_with('{') {
            return Err("`data` is no object".to_owned());
        }
        Ok(Self::Happened(Happened {
            host,
            protocol: bridge.protocol,
            session: written.session.ok_or_else(|| missing("session"))?,
            cwd: written.cwd.ok_or_else(|| missing("cwd"))?,
            event: written.event,
            data,
        }))
    }
}

impl Happened<'_> {
    /// Returns the payload of the matching host hook: the data with the request's other fields.
    ///
    /// Of two equal keys the last one wins, so the data cannot name another session.
    pub(super) fn payload(&self) -> String {
        let mut data = self.data.trim_end().to_owned();
        data.pop();
        let text = |text: &str| Value::from(text);
        let event = ("hook_event_name", text(&self.event));
        let beside = [event, ("session_id", text(&self.session)), ("cwd", text(&self.cwd))];
        for (at, (key, value)) in beside.into_iter().enumerate() {
            let first = at == 0 && data.trim() == "{";
            data.push_str(if first { "" } else { "," });
            // Writing to a string cannot fail.
            let _ = write!(data, "\"{key}\":{value}");
        }
        data.push('}');
        data
    }
}

/// Returns a line's id, if it can be read, even from a truncated line.
pub(super) fn id(line: &str) -> Value {
    let found = RefCell::new(Value::Null);
    // The full parser reports errors in the rest of the line.
    let _ = FindId(&found).deserialize(&mut serde_json::Deserializer::from_str(line));
    found.into_inner()
}

struct FindId<'f>(&'f RefCell<Value>);

impl<'de> DeserializeSeed<'de> for FindId<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for FindId<'_> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            if key != "id" {
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            let id = map.next_value::<Value>()?;
            let fits = id.is_number() || id.as_str().is_some_and(|text| text.len() <= LONGEST_ID);
            self.0.replace(if fits { id } else { Value::Null });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_found_in_whatever_can_still_be_read() {
        for (line, found) in [
            (r#"{"id":7,"event":"Stop"}"#, Value::from(7)),
            (r#"{"v":1,"id":"a-1","event":"#, Value::from("a-1")),
            (r#"{"event":[1,{"id":9}],"id":8}"#, Value::from(8)),
            (r#"{"id":{"a":1}}"#, Value::Null),
            (r#"{"event":"Stop"}"#, Value::Null),
            ("[7]", Value::Null),
            ("id", Value::Null),
            ("", Value::Null),
        ] {
            assert_eq!(id(line), found, "{line}");
        }
        assert_eq!(id(&format!(r#"{{"id":"{}"}}"#, "x".repeat(LONGEST_ID + 1))), Value::Null);
    }

    fn happened(line: &str) -> Happened<'_> {
        match Request::read(line) {
            Ok(Request::Happened(happened)) => happened,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn data_cannot_speak_for_another_session() {
        let line = r#"{"v":1,"id":1,"host":"opencode","session":"s","cwd":"/x","event":"Stop",
            "data":{"session_id":"other","hook_event_name":"PreToolUse","prompt":"\ud800"} }"#;
        let payload = happened(&line.replace('\n', "")).payload();
        let heard = Host::OPENCODE.decode(payload.as_bytes(), None).unwrap();
        assert_eq!(heard.session.unwrap().as_str(), "s");
        assert_eq!(heard.cwd.as_deref(), Some("/x"));
        assert!(matches!(heard.happening, sprag_hosts::HookEvent::Stop { .. }));
    }

    #[test]
    fn no_data_are_no_fields() {
        let line = r#"{"host":"opencode","session":"s","cwd":"/","event":"Stop","data":{ }}"#;
        let expected = r#"{ "hook_event_name":"Stop","session_id":"s","cwd":"/"}"#;
        assert_eq!(happened(line).payload(), expected);
    }

    #[test]
    fn what_is_no_request_is_said_in_one_sentence() {
        for (line, why) in [
            ("", "the line is no request: EOF"),
            ("{}", "the line is no request: missing field `event`"),
            ("null", "the line is no request: invalid type: null, expected an object"),
            (r#"{"event":"Stop"}"#, "the request has no `host`"),
            (r#"{"event":"Stop","host":"claude"}"#, "no bridge of `claude` speaks here"),
            (r#"{"event":"Stop","host":"opencode"}"#, "the request has no `session`"),
            (r#"{"event":"Stop","host":"pi","session":"s"}"#, "the request has no `cwd`"),
            (r#"{"event":"Stop","host":"pi","data":[]}"#, "`data` is no object"),
            (r#"{"event":"hello","v":2}"#, "`v` is 2, and this sprag speaks 1"),
        ] {
            let said = Request::read(line).unwrap_err();
            assert!(said.starts_with(why), "{line}: {said}");
        }
        assert!(matches!(Request::read(r#"{"event":"hello"}"#), Ok(Request::Hello { cwd: None })));
    }
}

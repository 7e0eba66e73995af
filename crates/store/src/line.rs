//! A journal line: `{v,seq,at,actor,events,edits,sum}`, one JSON object.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use serde_json::Value;
use sprag_core::{Hash, Kind, RunId, Seq, Time};

use crate::place::Key;

/// The longest line. Larger texts are stored in blobs.
pub(crate) const MAX_LINE: usize = 64 << 10;
const VERSION: u32 = 1;
/// The length of `,"sum":"` + 16 digits + `"}`.
const SUM_LENGTH: usize = 26;

/// An immutable fact in the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// The run that it belongs to, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<RunId>,
    /// For example `attempt.began`.
    pub kind: Kind,
    /// The other details of the event.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub data: Value,
}

impl Event {
    pub fn new(run: Option<RunId>, event: impl Into<sprag_core::Event>) -> Self {
        let (kind, data) = event.into().write();
        Self { run, kind, data }
    }

    /// Reads the typed event, from any version of sprag.
    pub fn read(&self) -> sprag_core::Event {
        sprag_core::Event::read(&self.kind, &self.data)
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Line {
    v: u32,
    pub(crate) seq: Seq,
    pub(crate) at: Time,
    pub(crate) actor: String,
    pub(crate) events: Vec<Event>,
    pub(crate) edits: Vec<LineEdit>,
}

/// The effect of a line on one document. `None` as a hash means "no document".
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct LineEdit {
    pub(crate) doc: Key,
    pub(crate) before: Option<Hash>,
    pub(crate) after: Option<Hash>,
    pub(crate) splices: Vec<LineSplice>,
}

/// `[start, end, text]`: ascending byte offsets into `before`; `None` as the end means the end of
/// the text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct LineSplice(pub(crate) usize, pub(crate) Option<usize>, pub(crate) Insert);

impl From<&sprag_core::Splice> for LineSplice {
    fn from(splice: &sprag_core::Splice) -> Self {
        Self(splice.range.start, Some(splice.range.end), Insert::Text(splice.text.clone()))
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Insert {
    Text(String),
    Blob(String),
}

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BadLine {
    #[error("its checksum does not fit")]
    Sum,
    #[error("it is not a journal line: {0}")]
    Shape(String),
    #[error("it has version {0}, and this sprag knows {VERSION}")]
    Version(u32),
}

impl Line {
    pub(crate) fn new(seq: Seq, at: Time, actor: &str) -> Self {
        let actor = actor.to_owned();
        Self { v: VERSION, seq, at, actor, events: Vec::new(), edits: Vec::new() }
    }

    /// The line as it is written to the journal, with checksum and newline.
    pub(crate) fn encode(&self) -> Result<String, BadLine> {
        let mut text = serde_json::to_string(self).map_err(|e| BadLine::Shape(e.to_string()))?;
        text.pop();
        let sum = Hash::of(&text).short(16);
        text.push_str(",\"sum\":\"");
        text.push_str(&sum);
        text.push_str("\"}\n");
        Ok(text)
    }

    /// Reads a line without its newline.
    pub(crate) fn decode(bytes: &[u8]) -> Result<Self, BadLine> {
        let line: Self = read(bytes)?;
        if line.v > VERSION {
            return Err(BadLine::Version(line.v));
        }
        Ok(line)
    }
}

/// Reads the fields of a line that `T` has, after a check of the checksum.
pub(crate) fn read<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, BadLine> {
    let body = bytes.len().checked_sub(SUM_LENGTH).ok_or(BadLine::Sum)?;
    let (body, sum) = bytes.split_at(body);
    let expected = format!(",\"sum\":\"{}\"}}", Hash::of(body).short(16));
    if sum != expected.as_bytes() {
        return Err(BadLine::Sum);
    }
    serde_json::from_slice(bytes).map_err(|error| BadLine::Shape(error.to_string()))
}

impl Serialize for Key {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self)
    }
}

impl Serialize for Insert {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => text.serialize(serializer),
            Self::Blob(name) => serde_json::json!({ "blob": name }).serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Insert {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::String(text) => Ok(Self::Text(text)),
            Value::Object(mut map) => match map.remove("blob") {
                Some(Value::String(name)) => Ok(Self::Blob(name)),
                _ => Err(D::Error::custom("expected the name of a blob")),
            },
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => {
                Err(D::Error::custom("expected a text or a blob"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line() -> Line {
        let mut line = Line::new(Seq(7), Time::from_millis(0), "test");
        line.events.push(Event { run: None, kind: Kind::from("odd.kind"), data: Value::Null });
        line.edits.push(LineEdit {
            doc: Key("a.md".into()),
            before: None,
            after: Some(Hash::of("é\n")),
            splices: vec![
                LineSplice(0, None, Insert::Text("é\n".into())),
                LineSplice(3, Some(4), Insert::Blob("b".into())),
            ],
        });
        line
    }

    #[test]
    fn a_line_is_written_as_designed() {
        let text = line().encode().unwrap();
        let start = r#"{"v":1,"seq":7,"at":"1970-01-01T00:00:00.000Z","actor":"test","events":[{"kind":"odd.kind"}],"edits":[{"doc":"a.md","before":null,"after":""#;
        assert!(text.starts_with(start), "{text}");
        assert!(text.contains(r#""splices":[[0,null,"é\n"],[3,4,{"blob":"b"}]]"#), "{text}");
        assert_eq!(Line::decode(text.trim_end().as_bytes()).unwrap(), line());
    }

    #[test]
    fn one_changed_byte_is_noticed() {
        let text = line().encode().unwrap();
        let good = text.trim_end().as_bytes();
        for at in 0..good.len() {
            let mut bad = good.to_vec();
            bad[at] ^= 1;
            assert!(Line::decode(&bad).is_err(), "byte {at}");
        }
        for end in 0..good.len() {
            assert!(Line::decode(&good[..end]).is_err(), "cut at {end}");
        }
    }

    /// Lines from the tests of version 0.1, with nearly every kind and form of data.
    const OLD: &str = include_str!("../tests/fixtures/journal-0.1.jsonl");

    #[test]
    fn an_old_journal_is_read_through_the_types_and_written_as_it_was() {
        let mut seen = std::collections::BTreeSet::new();
        for text in OLD.lines() {
            let mut line = Line::decode(text.as_bytes()).unwrap();
            for event in &mut line.events {
                seen.insert(event.kind.clone());
                let typed = event.read();
                let mut again = Event::new(event.run.clone(), typed.clone());
                assert_eq!(again.read(), typed);
                // Files known to git were listed separately then, even if there were none.
                if event.data["reverted"] == serde_json::json!([]) {
                    again.data["reverted"] = event.data["reverted"].clone();
                }
                // A refused finding and its reason were one text then, and are two values now.
                if event.data["refused"] == again.data["refused"] {
                    *event = again;
                }
            }
            assert_eq!(line.encode().unwrap().trim_end(), text);
        }
        let missing: Vec<_> = Kind::ALL.iter().filter(|kind| !seen.contains(kind)).collect();
        let younger_or_never_written = [
            &Kind::ProjectAdopted,
            &Kind::InputsChanged,
            &Kind::AssignmentPutBack,
            &Kind::FieldsPutBack,
            &Kind::DoubtsAgreed,
            &Kind::SecondLook,
            &Kind::CommitUndone,
            &Kind::JournalRestored,
            &Kind::QuestionDefaulted,
            &Kind::WorkMissing,
        ];
        assert_eq!(missing, younger_or_never_written);
    }
}

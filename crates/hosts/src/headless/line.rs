//! Parses one line of a host's stream into values by path.

use crate::json::{Bad, Json};

/// The deepest level read; the values that we need are far above it.
const DEEPEST: usize = 8;
/// The most values kept of one line; the first ones suffice.
const MOST: usize = 2048;
/// The most bytes kept of one text.
const LONGEST: usize = 64 << 10;

/// The values of a line that is a JSON object, by paths such as `message.content.0.text`.
#[derive(Debug, Default)]
pub struct JsonLine(Vec<(String, Value)>);

#[derive(Debug)]
enum Value {
    Text(String),
    Number(f64),
    True,
}

impl JsonLine {
    /// Parses a line. Returns `None` if it is incomplete or not an object.
    pub fn read(line: &str) -> Option<Self> {
        let mut json = Json::new(line.as_bytes());
        if !json.is_map() {
            return None;
        }
        let mut found = Self::default();
        found.value(&mut json, "", 0).and_then(|()| json.end()).ok()?;
        Some(found)
    }

    fn value(&mut self, json: &mut Json<'_>, path: &str, depth: usize) -> Result<(), Bad> {
        if self.0.len() >= MOST {
            return json.skip();
        }
        match json.first() {
            Some(b'{' | b'[') if depth >= DEEPEST => json.skip(),
            Some(b'{') => json.map(|key, value| self.value(value, &below(path, key), depth + 1)),
            Some(b'[') => {
                let mut at = 0;
                json.list(|value| {
                    at += 1;
                    self.value(value, &below(path, &(at - 1).to_string()), depth + 1)
                })
            }
            Some(b'"') => {
                let text = json.text()?.map(|text| Value::Text(head(&text, LONGEST).to_owned()));
                self.keep(path, text);
                Ok(())
            }
            Some(b't') => {
                let is_true = json.is_true()?;
                self.keep(path, is_true.then_some(Value::True));
                Ok(())
            }
            Some(_) | None => {
                let number = json.number()?.map(Value::Number);
                self.keep(path, number);
                Ok(())
            }
        }
    }

    fn keep(&mut self, path: &str, value: Option<Value>) {
        self.0.extend(value.map(|value| (path.to_owned(), value)));
    }

    /// Of two equal keys, the last one counts, as in JavaScript.
    fn get(&self, path: &str) -> Option<&Value> {
        self.0.iter().rev().find(|(of, _)| of == path).map(|(_, value)| value)
    }

    /// The text at a path.
    pub fn text(&self, path: &str) -> Option<&str> {
        match self.get(path)? {
            Value::Text(text) => Some(text),
            Value::Number(_) | Value::True => None,
        }
    }

    /// The number at a path.
    pub fn number(&self, path: &str) -> Option<f64> {
        match self.get(path)? {
            Value::Number(number) => Some(*number),
            Value::Text(_) | Value::True => None,
        }
    }

    /// The number at a path as a count, or `None` if it is negative or not a number.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a number outside of the range becomes its nearest end"
    )]
    pub fn count(&self, path: &str) -> Option<u64> {
        self.number(path).filter(|number| *number >= 0.0).map(|number| number as u64)
    }

    /// Returns whether the value at a path is `true`.
    pub fn is_true(&self, path: &str) -> bool {
        matches!(self.get(path), Some(Value::True))
    }

    /// The text of `type`, or an empty string.
    pub fn kind(&self) -> &str {
        self.text("type").unwrap_or_default()
    }

    /// Returns the subject of a tool call from its input: a file, a command, or a search.
    pub fn about(&self, input: &str) -> &str {
        const KEYS: [&str; 14] = [
            "file_path",
            "filePath",
            "notebook_path",
            "absolute_path",
            "path",
            "command",
            "cmd",
            "pattern",
            "query",
            "url",
            "dir_path",
            "description",
            "prompt",
            "name",
        ];
        KEYS.iter().find_map(|key| self.text(&below(input, key))).unwrap_or_default()
    }
}

fn below(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// Returns at most `cap` bytes of a text, cut between characters.
pub(crate) fn head(text: &str, cap: usize) -> &str {
    &text[..text.floor_char_boundary(cap)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_by_their_paths() {
        let line =
            r#"{"type":"a","n":[{"x":1.5},{"x":-2}],"t":true,"f":false,"o":null,"type":"b"}"#;
        let line = JsonLine::read(line).unwrap();
        assert_eq!(
            (line.kind(), line.number("n.0.x"), line.count("n.1.x")),
            ("b", Some(1.5), None)
        );
        assert!(line.is_true("t") && !line.is_true("f") && line.text("o").is_none());
    }

    #[test]
    fn what_is_broken_or_no_object_is_nothing() {
        for text in ["", "x", "[1]", "{\"a\":", "{} {}", "\"a\"", "{\"a\" 1}"] {
            assert!(JsonLine::read(text).is_none(), "{text}");
        }
    }

    #[test]
    fn depth_number_and_length_are_bounded() {
        let deep = format!("{{\"a\":{}1{}}}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(JsonLine::read(&deep).unwrap().0.is_empty());
        let many = format!("{{\"a\":[{}1]}}", "1,".repeat(100_000));
        assert_eq!(JsonLine::read(&many).unwrap().0.len(), MOST);
        let long = format!("{{\"a\":\"{}\"}}", "é".repeat(100_000));
        assert_eq!(JsonLine::read(&long).unwrap().text("a").map(str::len), Some(LONGEST));
    }
}

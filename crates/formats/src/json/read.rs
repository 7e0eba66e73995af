//! A strict JSON parser that records the bytes of every value.

use std::collections::HashSet;

use super::json_escape;
use crate::fault::{Fault, FaultKind};
use crate::limits::Budget;
use crate::number::Number;
use crate::place::Span;
use crate::value::{Map, MapEntry, Node, NodeForm, Value};

/// Parses the single value of a JSON text; `start` is the byte after a byte order mark.
pub(crate) fn read(text: &str, start: usize) -> Result<Node, Fault> {
    let mut reader = Reader { text, at: start, budget: Budget::new(text) };
    reader.space();
    let root = reader.value(1)?;
    reader.space();
    match reader.peek() {
        None => Ok(root),
        Some(_) => Err(reader.wrong("something follows the value", "the end of the file")),
    }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    budget: Budget<'t>,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn space(&mut self) {
        while self.peek().is_some_and(|byte| b" \t\r\n".contains(&byte)) {
            self.at += 1;
        }
    }

    /// Makes a fault about the character at this position.
    fn wrong(&self, what: &str, expected: &str) -> Fault {
        let next = self.text[self.at..].chars().next();
        let end = self.at + next.filter(|&c| c != '\n').map_or(0, char::len_utf8);
        let what = if next.is_none() { "the file ends here" } else { what };
        Fault::new(FaultKind::Syntax, self.text, Span::new(self.at, end), what).expecting(expected)
    }

    fn value(&mut self, depth: usize) -> Result<Node, Fault> {
        let start = self.at;
        self.budget.nodes(1, Span::at(start))?;
        let (value, form) = match self.peek() {
            Some(b'{') => (Value::Map(self.map(depth)?), NodeForm::Flow),
            Some(b'[') => (Value::List(self.list(depth)?), NodeForm::Flow),
            Some(b'"') => (Value::String(self.string()?), NodeForm::Double),
            Some(b'-' | b'0'..=b'9') => (Value::Number(self.number()?), NodeForm::Plain),
            Some(b't') => (self.word("true", Value::Bool(true))?, NodeForm::Plain),
            Some(b'f') => (self.word("false", Value::Bool(false))?, NodeForm::Plain),
            Some(b'n') => (self.word("null", Value::Null)?, NodeForm::Plain),
            Some(_) | None => return Err(self.wrong("this is no JSON value", "a value")),
        };
        Ok(Node::new(value, Span::new(start, self.at), form))
    }

    fn word(&mut self, word: &str, value: Value) -> Result<Value, Fault> {
        if !self.text[self.at..].starts_with(word) {
            return Err(self.wrong("this is no JSON value", &format!("`{word}`")));
        }
        self.at += word.len();
        Ok(value)
    }

    fn number(&mut self) -> Result<Number, Fault> {
        let start = self.at;
        let part = |byte: u8| byte.is_ascii_digit() || b"+-.eE".contains(&byte);
        let len = self.text[start..].bytes().take_while(|&byte| part(byte)).count();
        let text = &self.text[start..start + len];
        if let Some(number) = Number::parse(text).filter(Number::is_json) {
            self.at += len;
            return Ok(number);
        }
        let span = Span::new(start, start + len);
        let what = format!("`{text}` is no JSON number");
        Err(Fault::new(FaultKind::Syntax, self.text, span, what).expecting("a number"))
    }

    fn list(&mut self, depth: usize) -> Result<Vec<Node>, Fault> {
        self.budget.depth(depth, Span::at(self.at))?;
        let mut items = Vec::new();
        self.at += 1;
        self.space();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(items);
        }
        loop {
            self.space();
            items.push(self.value(depth + 1)?);
            self.space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => break,
                Some(_) | None => return Err(self.wrong("this list goes on wrongly", "`,` or `]`")),
            }
        }
        self.at += 1;
        Ok(items)
    }

    fn map(&mut self, depth: usize) -> Result<Map, Fault> {
        self.budget.depth(depth, Span::at(self.at))?;
        let (mut entries, mut keys) = (Vec::new(), HashSet::new());
        self.at += 1;
        self.space();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Map::default());
        }
        loop {
            self.space();
            let entry = self.entry(depth)?;
            if !keys.insert(entry.key.clone()) {
                let what = format!("the key `{}` is here twice", entry.key);
                return Err(Fault::new(FaultKind::Syntax, self.text, entry.key_span, what)
                    .expecting("each key once")
                    .help("remove one of the two"));
            }
            entries.push(entry);
            self.space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => break,
                Some(_) | None => return Err(self.wrong("this map goes on wrongly", "`,` or `}`")),
            }
        }
        self.at += 1;
        Ok(Map::of(entries))
    }

    fn entry(&mut self, depth: usize) -> Result<MapEntry, Fault> {
        let start = self.at;
        if self.peek() != Some(b'"') {
            return Err(self.wrong("this is no key", "a key in double quotes"));
        }
        let key = self.string()?;
        let key_span = Span::new(start, self.at);
        self.space();
        if self.peek() != Some(b':') {
            return Err(self.wrong("the key has no value", "`:`"));
        }
        self.at += 1;
        self.space();
        Ok(MapEntry { key, key_span, node: self.value(depth + 1)? })
    }

    fn string(&mut self) -> Result<String, Fault> {
        let open = self.at;
        self.at += 1;
        let mut out = String::new();
        loop {
            let rest = &self.text[self.at..];
            let plain = |byte: &u8| *byte != b'"' && *byte != b'\\' && *byte >= 0x20;
            let len = rest.bytes().take_while(plain).count();
            out.push_str(&rest[..len]);
            self.at += len;
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => out.push(self.escape()?),
                Some(_) => return Err(self.wrong("a control character in a string", "an escape")),
                None => {
                    let span = Span::new(open, open + 1);
                    let what = "this string is never closed";
                    return Err(Fault::new(FaultKind::Syntax, self.text, span, what)
                        .expecting("a closing quote"));
                }
            }
        }
        self.at += 1;
        Ok(out)
    }

    fn escape(&mut self) -> Result<char, Fault> {
        let (start, rest) = (self.at, &self.text.as_bytes()[self.at..]);
        let Some((code, length)) = json_escape(rest) else {
            return Err(match rest.get(1) {
                Some(b'u') => self.wrong("this escape is cut short", "four hex digits"),
                Some(_) | None => self.wrong("this escape is not known", "a JSON escape"),
            });
        };
        self.at += length;
        char::from_u32(code).ok_or_else(|| {
            let span = Span::new(start, self.at);
            let what = "half of a surrogate pair is no character";
            Fault::new(FaultKind::Syntax, self.text, span, what).expecting("a whole pair")
        })
    }
}

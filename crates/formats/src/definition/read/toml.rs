//! A TOML reader that suffices to compare values: dates and numbers stay as written.

use std::collections::BTreeMap;

use super::Datum;

/// The deepest nesting of arrays and inline tables.
const DEEPEST: usize = 48;

/// The most values in a file.
const MOST: usize = 20_000;

/// Parses a whole file.
pub(in crate::definition) fn toml(text: &str) -> Option<Datum> {
    let mut reader = TomlReader { text, at: 0, left: MOST };
    let mut root = BTreeMap::new();
    let mut path: Vec<String> = Vec::new();
    loop {
        reader.space(true);
        match reader.peek() {
            None => return Some(Datum::Table(root)),
            Some(b'[') => {
                let is_list = reader.rest().starts_with("[[");
                reader.at += 1 + usize::from(is_list);
                path = reader.keys()?;
                reader.take(if is_list { "]]" } else { "]" })?;
                open(&mut root, &path, is_list)?;
            }
            Some(_) => {
                let keys = reader.keys()?;
                reader.take("=")?;
                let value = reader.value(0)?;
                put(table_at(&mut root, &path)?, &keys, value)?;
            }
        }
        reader.line_end()?;
    }
}

/// Opens `[path]` or `[[path]]`.
fn open(root: &mut BTreeMap<String, Datum>, path: &[String], is_list: bool) -> Option<()> {
    if !is_list {
        return table_at(root, path).map(|_| ());
    }
    let (last, before) = path.split_last()?;
    let table = table_at(root, before)?;
    match table.entry(last.clone()).or_insert_with(|| Datum::List(Vec::new())) {
        Datum::List(items) => items.push(Datum::Table(BTreeMap::new())),
        Datum::Table(_) | Datum::Text(_) | Datum::Bare(_) => return None,
    }
    Some(())
}

/// Returns the table at a path and creates missing ones. In a list, the last table counts.
fn table_at<'t>(
    mut table: &'t mut BTreeMap<String, Datum>,
    path: &[String],
) -> Option<&'t mut BTreeMap<String, Datum>> {
    for key in path {
        let datum = table.entry(key.clone()).or_insert_with(|| Datum::Table(BTreeMap::new()));
        table = match datum {
            Datum::Table(inner) => inner,
            Datum::List(items) => match items.last_mut()? {
                Datum::Table(inner) => inner,
                Datum::List(_) | Datum::Text(_) | Datum::Bare(_) => return None,
            },
            Datum::Text(_) | Datum::Bare(_) => return None,
        };
    }
    Some(table)
}

fn put(table: &mut BTreeMap<String, Datum>, keys: &[String], value: Datum) -> Option<()> {
    let (last, before) = keys.split_last()?;
    let table = table_at(table, before)?;
    table.insert(last.clone(), value).is_none().then_some(())
}

struct TomlReader<'t> {
    text: &'t str,
    at: usize,
    left: usize,
}

impl<'t> TomlReader<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Skips blanks and comments, and with `lines` also line ends.
    fn space(&mut self, lines: bool) {
        while let Some(byte) = self.peek() {
            match byte {
                b' ' | b'\t' => self.at += 1,
                b'\r' | b'\n' if lines => self.at += 1,
                0xEF if self.at == 0 && self.rest().starts_with('\u{feff}') => self.at += 3,
                b'#' => self.at += self.rest().find('\n').unwrap_or(self.rest().len()),
                _ => return,
            }
        }
    }

    fn take(&mut self, sign: &str) -> Option<()> {
        self.space(false);
        self.rest().starts_with(sign).then(|| self.at += sign.len())
    }

    fn line_end(&mut self) -> Option<()> {
        self.space(false);
        matches!(self.peek(), None | Some(b'\n' | b'\r')).then_some(())
    }

    /// Parses `a."b".c`.
    fn keys(&mut self) -> Option<Vec<String>> {
        let mut keys = Vec::new();
        loop {
            self.space(false);
            keys.push(match self.peek()? {
                b'"' | b'\'' => self.string()?,
                _ => {
                    let is_bare = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
                    let length = self.rest().find(|c| !is_bare(c)).unwrap_or(self.rest().len());
                    let key = self.rest().get(..length).filter(|key| !key.is_empty())?;
                    self.at += length;
                    key.to_owned()
                }
            });
            if keys.len() > DEEPEST {
                return None;
            }
            self.space(false);
            if self.peek() != Some(b'.') {
                return Some(keys);
            }
            self.at += 1;
        }
    }

    fn value(&mut self, depth: usize) -> Option<Datum> {
        self.left = self.left.checked_sub(1)?;
        if depth > DEEPEST {
            return None;
        }
        self.space(false);
        match self.peek()? {
            b'"' | b'\'' => self.string().map(Datum::Text),
            b'[' => self.list(depth),
            b'{' => self.inline_table(depth),
            _ => {
                let ends = |c: char| ",]}#\r\n".contains(c);
                let length = self.rest().find(ends).unwrap_or(self.rest().len());
                let word = self.rest()[..length].trim();
                self.at += length;
                (!word.is_empty() && !word.contains('=')).then(|| Datum::Bare(word.to_owned()))
            }
        }
    }

    fn list(&mut self, depth: usize) -> Option<Datum> {
        self.at += 1;
        let mut items = Vec::new();
        loop {
            self.space(true);
            match self.peek()? {
                b']' => {
                    self.at += 1;
                    return Some(Datum::List(items));
                }
                b',' if !items.is_empty() => self.at += 1,
                _ => items.push(self.value(depth + 1)?),
            }
        }
    }

    fn inline_table(&mut self, depth: usize) -> Option<Datum> {
        self.at += 1;
        let mut table = BTreeMap::new();
        loop {
            self.space(true);
            match self.peek()? {
                b'}' => {
                    self.at += 1;
                    return Some(Datum::Table(table));
                }
                b',' => self.at += 1,
                _ => {
                    let keys = self.keys()?;
                    self.take("=")?;
                    let value = self.value(depth + 1)?;
                    put(&mut table, &keys, value)?;
                }
            }
        }
    }

    /// Parses a string of one of the four kinds. Escapes stay as written.
    fn string(&mut self) -> Option<String> {
        let rest = self.rest();
        let quote = rest.get(..1)?;
        let triple = quote.repeat(3);
        let (close, start) = if rest.starts_with(&triple) { (&*triple, 3) } else { (quote, 1) };
        let bytes = rest.as_bytes();
        let mut at = start;
        loop {
            match *bytes.get(at)? {
                b'\\' if quote == "\"" => at += 2,
                b'\n' if start == 1 => return None,
                _ if rest.as_bytes()[at..].starts_with(close.as_bytes()) => break,
                _ => at += 1,
            }
        }
        let inner = rest.get(start..at)?;
        at += start;
        // `""""a""""` ends with a quote of its own.
        while start == 3 && bytes.get(at) == Some(&quote.as_bytes()[0]) {
            at += 1;
        }
        self.at += at;
        Some(inner.strip_prefix('\n').filter(|_| start == 3).unwrap_or(inner).to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_lists_and_strings_are_read() {
        let text = "# c\na.b = 1 # d\n[t.\"x y\"]\nl = [ 'a', # e\n \"b\", ]\n[[p]]\nn = \"1\"\n\
                    [p.q]\nd = 1979-05-27T07:32:00Z\n[[p]]\nm = { x = 1, y.z = [2] }\nw = \"\"\"\na\n\"\"\"\n";
        let read = toml(text).unwrap();
        assert_eq!(
            read.canonical(),
            r#"{"a":{"b":1,},"p":[{"n":"1","q":{"d":1979-05-27T07:32:00Z,},},{"m":{"x":1,"y":{"z":[2,],},},"w":"a\n",},],"t":{"x y":{"l":["a","b",],},},}"#
        );
    }

    #[test]
    fn what_is_no_toml_is_nothing() {
        let deep = format!("a = {}", "[".repeat(10_000));
        for text in ["a", "a =", "[a", "a = \"x", "a = 1\na = 2", "a = 1 b = 2", "= 1", &deep] {
            assert_eq!(toml(text), None, "{}", text.chars().take(20).collect::<String>());
        }
    }
}

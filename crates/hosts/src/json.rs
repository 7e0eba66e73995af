//! Extracts values from a JSON text without building a tree.
//!
//! A host hook needs a dozen fields of a payload, and never its largest: the content of a file or
//! the output of a command. So this reader passes over the text once and skips other values by
//! their quotes and brackets alone. Nesting costs nothing, and a file of many megabytes costs only
//! its length. The reader is as lenient as possible, because a tool call that it rejects goes
//! unchecked. Invalid UTF-8 and halves of surrogate pairs (JavaScript can hold and send them)
//! become U+FFFD, and of two equal keys the last one counts, as in JavaScript.

use sprag_formats::json_escape;

/// The largest payload, in bytes: far more than any model writes or any host passes on.
pub const MAX_BYTES: usize = 64 << 20;

/// Why and where the text is not JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bad {
    pub(crate) at: usize,
    pub(crate) what: &'static str,
}

/// A position in a JSON text. Each method that reads consumes exactly one value.
pub(crate) struct Json<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Json<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> Self {
        let at = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        Self { bytes, at }
    }

    fn bad(&self, what: &'static str) -> Bad {
        Bad { at: self.at, what }
    }

    /// Moves to the next byte that is not whitespace, and returns it.
    fn peek(&mut self) -> Option<u8> {
        let rest = self.bytes.get(self.at..)?;
        let space = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
        self.at += rest.iter().take_while(|byte| space(byte)).count();
        self.bytes.get(self.at).copied()
    }

    /// Consumes a byte if it comes next.
    fn take(&mut self, byte: u8) -> bool {
        let here = self.peek() == Some(byte);
        self.at += usize::from(here);
        here
    }

    /// Checks that nothing follows.
    pub(crate) fn end(&mut self) -> Result<(), Bad> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.bad("something follows")),
        }
    }

    /// Returns whether the next value is a map.
    pub(crate) fn is_map(&mut self) -> bool {
        self.peek() == Some(b'{')
    }

    /// Passes each entry of a map to `each`, which reads its value. Skips any other value.
    pub(crate) fn map(
        &mut self,
        mut each: impl FnMut(&str, &mut Self) -> Result<(), Bad>,
    ) -> Result<(), Bad> {
        if !self.take(b'{') {
            return self.skip();
        }
        if self.take(b'}') {
            return Ok(());
        }
        loop {
            let key = match self.peek() {
                Some(b'"') => self.string()?,
                Some(_) | None => return Err(self.bad("no key")),
            };
            if !self.take(b':') {
                return Err(self.bad("no `:`"));
            }
            each(&key, self)?;
            if !self.take(b',') {
                return if self.take(b'}') { Ok(()) } else { Err(self.bad("no `,` or `}`")) };
            }
        }
    }

    /// Passes each item of a list to `each`, which reads it. Skips any other value.
    pub(crate) fn list(
        &mut self,
        mut each: impl FnMut(&mut Self) -> Result<(), Bad>,
    ) -> Result<(), Bad> {
        if !self.take(b'[') {
            return self.skip();
        }
        if self.take(b']') {
            return Ok(());
        }
        loop {
            each(self)?;
            if !self.take(b',') {
                return if self.take(b']') { Ok(()) } else { Err(self.bad("no `,` or `]`")) };
            }
        }
    }

    /// Reads a string. Skips any other value and returns `None`.
    pub(crate) fn text(&mut self) -> Result<Option<String>, Bad> {
        match self.peek() {
            Some(b'"') => self.string().map(Some),
            Some(_) | None => self.skip().map(|()| None),
        }
    }

    /// Reads a string, or a list of strings.
    pub(crate) fn texts(&mut self, into: &mut Vec<String>) -> Result<(), Bad> {
        if self.peek() == Some(b'[') {
            return self.list(|item| item.text().map(|text| into.extend(text)));
        }
        self.text().map(|text| into.extend(text))
    }

    /// Reads a value and returns whether it is `true`.
    pub(crate) fn is_true(&mut self) -> Result<bool, Bad> {
        self.is(b"true")
    }

    /// Reads a value and returns whether it is `null`.
    pub(crate) fn is_null(&mut self) -> Result<bool, Bad> {
        self.is(b"null")
    }

    fn is(&mut self, word: &[u8]) -> Result<bool, Bad> {
        self.peek();
        let start = self.at;
        self.skip()?;
        Ok(&self.bytes[start..self.at] == word)
    }

    /// Reads a finite number. Skips any other value and returns `None`.
    pub(crate) fn number(&mut self) -> Result<Option<f64>, Bad> {
        self.peek();
        let start = self.at;
        self.skip()?;
        let text = std::str::from_utf8(&self.bytes[start..self.at]).unwrap_or_default();
        Ok(text.parse().ok().filter(|number: &f64| number.is_finite()))
    }

    /// The first byte of the next value.
    pub(crate) fn first(&mut self) -> Option<u8> {
        self.peek()
    }

    /// Skips one value.
    pub(crate) fn skip(&mut self) -> Result<(), Bad> {
        let mut depth = 0_usize;
        loop {
            match self.peek() {
                Some(b'"') => drop(self.raw()?),
                Some(b'{' | b'[') => (self.at, depth) = (self.at + 1, depth + 1),
                Some(b'}' | b']') if depth > 0 => (self.at, depth) = (self.at + 1, depth - 1),
                Some(b',' | b':') if depth > 0 => self.at += 1,
                Some(_) => self.scalar()?,
                None => return Err(self.bad("it ends too soon")),
            }
            if depth == 0 {
                return Ok(());
            }
        }
    }

    /// Skips a number, `true`, `false` or `null`.
    fn scalar(&mut self) -> Result<(), Bad> {
        let part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.');
        match self.bytes[self.at..].iter().take_while(|byte| part(byte)).count() {
            0 => Err(self.bad("no value")),
            length => {
                self.at += length;
                Ok(())
            }
        }
    }

    /// Skips a string and returns the bytes between its quotes.
    fn raw(&mut self) -> Result<&'b [u8], Bad> {
        let start = self.at + 1;
        let mut at = start;
        loop {
            let rest = self.bytes.get(at..).unwrap_or_default();
            let Some(next) = rest.iter().position(|byte| matches!(byte, b'"' | b'\\')) else {
                return Err(self.bad("a string that is never closed"));
            };
            at += next;
            if self.bytes[at] == b'"' {
                self.at = at + 1;
                return Ok(&self.bytes[start..at]);
            }
            at += 2;
        }
    }

    fn string(&mut self) -> Result<String, Bad> {
        let start = self.at;
        let raw = self.raw()?;
        if !raw.contains(&b'\\') {
            return Ok(String::from_utf8_lossy(raw).into_owned());
        }
        unescaped(raw).ok_or(Bad { at: start, what: "a string with a wrong escape" })
    }
}

/// Resolves the escapes of a string.
fn unescaped(raw: &[u8]) -> Option<String> {
    let mut out = Vec::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(plain) = rest.iter().position(|&byte| byte == b'\\') {
        out.extend_from_slice(&rest[..plain]);
        let (code, length) = json_escape(&rest[plain..])?;
        // Half of a surrogate pair is not a character; a host may cut a text there.
        let c = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
        out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        rest = &rest[plain + length..];
    }
    out.extend_from_slice(rest);
    Some(String::from_utf8_lossy(&out).into_owned())
}

#[cfg(test)]
mod tests;

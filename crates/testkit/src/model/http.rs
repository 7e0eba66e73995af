//! The part of HTTP/1.1 that the clients use: one request per connection, one answer, then close.

use std::io::{self, BufRead as _, BufReader, Read, Write};

use serde_json::{Value, json};

use super::Error;
use super::wire::{Data, Event};

/// Longer than any header line.
const LINE: u64 = 64 << 10;
/// More headers than any client sends.
const HEADERS: usize = 200;
/// Larger than any conversation of a test.
const BODY: usize = 64 << 20;

#[derive(Debug)]
pub(super) struct Request {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) body: Vec<u8>,
}

#[derive(Debug, thiserror::Error)]
pub(super) enum Bad {
    #[error("the request breaks off: {0}")]
    Broken(#[from] io::Error),
    #[error("not a request: `{0}`")]
    Line(String),
    #[error("the body is longer than {BODY} bytes")]
    Long,
    #[error("the body is packed (`{0}`); switch that off at the client")]
    Packed(String),
}

/// The headers that describe the body.
#[derive(Default)]
struct Headers {
    length: usize,
    chunked: bool,
    packed: Option<String>,
}

impl Request {
    /// Reads a request, or returns `None` if the client sent nothing.
    pub(super) fn read(stream: impl Read) -> Result<Option<Self>, Bad> {
        let mut reader = BufReader::new(stream);
        let first = line(&mut reader)?;
        if first.is_empty() {
            return Ok(None);
        }
        let mut words = first.split(' ');
        let (Some(method), Some(path), Some(_)) = (words.next(), words.next(), words.next()) else {
            return Err(Bad::Line(first.clone()));
        };
        let headers = Headers::read(&mut reader)?;
        let body = headers.body(&mut reader)?;
        if let Some(packed) = headers.packed {
            return Err(Bad::Packed(packed));
        }
        Ok(Some(Self { method: method.to_owned(), path: path.to_owned(), body }))
    }
}

impl Headers {
    fn read(reader: &mut BufReader<impl Read>) -> Result<Self, Bad> {
        let mut headers = Self::default();
        for _ in 0..HEADERS {
            let line = line(reader)?;
            if line.is_empty() {
                return Ok(headers);
            }
            let (name, value) = line.split_once(':').ok_or_else(|| Bad::Line(line.clone()))?;
            let value = value.trim();
            match name.to_ascii_lowercase().as_str() {
                "content-length" => {
                    headers.length = value.parse().map_err(|_| Bad::Line(line.clone()))?;
                }
                "transfer-encoding" => headers.chunked = value.eq_ignore_ascii_case("chunked"),
                "content-encoding" if !value.eq_ignore_ascii_case("identity") => {
                    headers.packed = Some(value.to_owned());
                }
                _ => {}
            }
        }
        Err(Bad::Line("too many headers".to_owned()))
    }

    fn body(&self, reader: &mut BufReader<impl Read>) -> Result<Vec<u8>, Bad> {
        let mut body = Vec::new();
        if !self.chunked {
            take(reader, self.length, &mut body)?;
            return Ok(body);
        }
        loop {
            let size = line(reader)?;
            let digits = size.split(';').next().unwrap_or_default().trim();
            let size = usize::from_str_radix(digits, 16).map_err(|_| Bad::Line(size.clone()))?;
            take(reader, size, &mut body)?;
            line(reader)?;
            if size == 0 {
                return Ok(body);
            }
        }
    }
}

/// Reads one line without its line end.
fn line(reader: &mut BufReader<impl Read>) -> Result<String, Bad> {
    let mut line = Vec::new();
    reader.take(LINE).read_until(b'\n', &mut line)?;
    let text = String::from_utf8_lossy(&line);
    Ok(text.trim_end_matches(['\r', '\n']).to_owned())
}

/// Appends exactly `length` bytes to a body.
fn take(reader: &mut impl Read, length: usize, body: &mut Vec<u8>) -> Result<(), Bad> {
    if body.len().saturating_add(length) > BODY {
        return Err(Bad::Long);
    }
    let start = body.len();
    body.resize(start + length, 0);
    Ok(reader.read_exact(&mut body[start..])?)
}

#[derive(Debug)]
pub(super) struct Response {
    status: &'static str,
    kind: &'static str,
    headers: String,
    body: String,
}

impl Response {
    /// A JSON object.
    pub(super) fn json(value: &Value) -> Self {
        Self::of("200 OK", "application/json", value.to_string())
    }

    /// A stream of events.
    pub(super) fn events(events: &[Event]) -> Self {
        let piece = |event: &Event| {
            let name = event.name.map(|name| format!("event: {name}\n")).unwrap_or_default();
            match &event.data {
                Data::Json(value) => format!("{name}data: {value}\n\n"),
                Data::Done => format!("{name}data: [DONE]\n\n"),
            }
        };
        let body = events.iter().map(piece).collect();
        Self::of("200 OK", "text/event-stream", body)
    }

    /// The answer to an invalid request.
    pub(super) fn refused(why: &str) -> Self {
        let body = json!({ "error": { "message": why } }).to_string();
        Self::of("400 Bad Request", "application/json", body)
    }

    /// An error from the script.
    pub(super) fn error(error: &Error) -> Self {
        let header = |(name, value): &(&str, String)| format!("{name}: {value}\r\n");
        let headers = error.headers.iter().map(header).collect();
        Self { headers, ..Self::of(error.status, "application/json", error.body.to_string()) }
    }

    const fn of(status: &'static str, kind: &'static str, body: String) -> Self {
        Self { status, kind, headers: String::new(), body }
    }

    /// Writes the answer and announces the end of the connection.
    pub(super) fn write(&self, mut stream: impl Write) -> io::Result<()> {
        let Self { status, kind, headers, body } = self;
        let length = body.len();
        let head = format!(
            "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\n\
             cache-control: no-cache\r\nconnection: close\r\n{headers}\r\n"
        );
        stream.write_all(head.as_bytes())?;
        stream.write_all(body.as_bytes())?;
        stream.flush()
    }
}

//! A minimal HTTP client for opencode's server.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;

pub(super) struct Server {
    address: SocketAddr,
    limit: Duration,
}

impl Server {
    /// Creates a client for the server at an address, with the time limit `limit` per answer.
    pub(super) fn new(address: &str, limit: Duration) -> Self {
        let address = address.trim_end_matches('/');
        let address = address.parse().unwrap_or_else(|bad| panic!("{address}: {bad}"));
        Self { address, limit }
    }

    /// Posts a JSON object and returns the answer.
    pub(super) fn post(&self, path: &str, body: &Value) -> Value {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(self.limit)).unwrap();
        let body = body.to_string();
        let head = format!(
            "POST {path} HTTP/1.0\r\nHost: {}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n",
            self.address,
            body.len()
        );
        stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(head.split(' ').nth(1) == Some("200"), "{path}: {answer}");
        serde_json::from_str(body).unwrap_or_else(|bad| panic!("{path}: {bad}: {answer}"))
    }
}

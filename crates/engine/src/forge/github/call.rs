//! One call of `gh`: its limit, and when it is tried again.

use std::ffi::OsStr;
use std::io;

use serde_json::Value;

use super::page::Pages;
use super::{ForgeError, GitHub, odd};
use crate::process::Tool;

/// How often a question is asked.
const TRIES: u32 = 3;
/// More than any answer has.
const LARGEST: usize = 32 << 20;

impl GitHub<'_> {
    /// Asks for JSON; what may be a moment's trouble is tried again.
    pub(super) fn json(&self, words: &[&str]) -> Result<Value, ForgeError> {
        let mut tries = 1;
        let said = loop {
            match self.once(words, &[]) {
                Err(ForgeError::Slow { .. } | ForgeError::Down { .. }) if tries < TRIES => {
                    std::thread::sleep(self.pause * tries);
                    tries += 1;
                }
                other => break other?,
            }
        };
        if said.len() > LARGEST {
            return Err(odd("it is larger than any answer"));
        }
        serde_json::from_slice(&said).map_err(|bad| odd(&bad.to_string()))
    }

    /// Asks for one page of a pull request.
    pub(super) fn graphql(&self, number: u32, pages: &Pages) -> Result<Value, ForgeError> {
        let mut words = vec!["api".to_owned(), "graphql".to_owned()];
        if let Some(host) = &self.repository.host {
            words.extend(["--hostname".to_owned(), host.clone()]);
        }
        let field = |name: &str, value: &str| ["-f".to_owned(), format!("{name}={value}")];
        words.extend(field("query", super::page::QUERY));
        words.extend(field("owner", &self.repository.owner));
        words.extend(field("repo", &self.repository.name));
        words.extend(["-F".to_owned(), format!("number={number}")]);
        for (name, cursor) in pages.cursors() {
            words.extend(field(name, cursor));
        }
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let answer = self.json(&words)?;
        match answer["errors"].as_array().and_then(|errors| errors.first()) {
            None => Ok(answer),
            Some(error) => Err(odd(error["message"].as_str().unwrap_or("it is an error"))),
        }
    }

    /// Calls once, and returns what was said.
    pub(super) fn once(&self, words: &[&str], input: &[u8]) -> Result<Vec<u8>, ForgeError> {
        let words: Vec<&OsStr> = words.iter().map(OsStr::new).collect();
        let tool = Tool {
            program: self.program,
            words: &words,
            folder: self.folder,
            environment: self.environment,
            input,
            limit: self.limit,
        };
        let said = match tool.ask() {
            Ok(said) => said,
            Err(error) => return Err(self.not_asked(&error)),
        };
        if said.exit == Some(0) {
            return Ok(said.out);
        }
        let complaint = said.complaint.lines().next().unwrap_or_default().to_owned();
        let text = said.complaint.to_ascii_lowercase();
        Err(if text.contains("rate limit") || text.contains("http 429") {
            ForgeError::RateLimited { said: complaint }
        } else if text.contains("gh auth login") || text.contains("http 401") {
            ForgeError::NotLoggedIn { said: complaint }
        } else {
            ForgeError::Down { said: complaint }
        })
    }

    fn not_asked(&self, error: &io::Error) -> ForgeError {
        if error.kind() == io::ErrorKind::NotFound {
            return ForgeError::Missing { program: self.program.to_owned() };
        }
        if error.kind() == io::ErrorKind::TimedOut {
            return ForgeError::Slow { limit: self.limit };
        }
        ForgeError::Down { said: error.to_string() }
    }
}

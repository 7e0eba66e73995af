//! One call of `gh`: its limit, its environment, and its retries.

use std::ffi::{OsStr, OsString};

use serde_json::Value;

use super::page::Pages;
use super::{ForgeError, GitHub, odd};
use crate::ids;
use crate::process::{Command, Exit, NotStarted, Output};

/// How many times a query is tried.
const TRIES: u32 = 3;
/// The size limit of an answer.
const LARGEST: usize = 32 << 20;
/// Variables that would make it query another repository, or color its answers.
const MISLEADING: [&str; 6] =
    ["GH_HOST", "GH_REPO", "GH_FORCE_TTY", "CLICOLOR_FORCE", "GH_DEBUG", "DEBUG"];
/// Keeps it from prompting.
const QUIET: [(&str, &str); 3] =
    [("GH_PROMPT_DISABLED", "1"), ("GH_NO_UPDATE_NOTIFIER", "1"), ("NO_COLOR", "1")];

impl GitHub<'_> {
    /// Queries JSON; retries after a failure that may be temporary.
    pub(super) fn json(&self, words: &[&str]) -> Result<Value, ForgeError> {
        let said = self.again(words)?;
        let whole = said.whole().ok_or_else(|| odd("it is larger than any answer"))?;
        serde_json::from_slice(&whole).map_err(|bad| odd(&bad.to_string()))
    }

    /// Runs a query that changes nothing; retries after a failure that may be temporary.
    pub(super) fn again(&self, words: &[&str]) -> Result<Output, ForgeError> {
        let mut tries = 1;
        loop {
            match self.once(words, &[]) {
                Err(ForgeError::Slow { .. } | ForgeError::Down { .. }) if tries < TRIES => {
                    std::thread::sleep(self.pause * tries);
                    tries += 1;
                }
                other => return other,
            }
        }
    }

    /// Queries one page of a pull request.
    pub(super) fn graphql(&self, number: u32, pages: &Pages) -> Result<Value, ForgeError> {
        let repository = &self.repository;
        let mut fields = vec![
            ("query", super::page::QUERY),
            ("owner", &repository.owner),
            ("repo", &repository.name),
        ];
        fields.extend(pages.cursors());
        let mut words = self.api(&fields);
        words.extend(["-F".to_owned(), format!("number={number}")]);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        without_errors(self.json(&words)?)
    }

    /// Returns the arguments of a GraphQL query with these fields.
    pub(super) fn api(&self, fields: &[(&str, &str)]) -> Vec<String> {
        let mut words = vec!["api".to_owned(), "graphql".to_owned()];
        if let Some(host) = &self.repository.host {
            words.extend(["--hostname".to_owned(), host.clone()]);
        }
        for (name, value) in fields {
            words.extend(["-f".to_owned(), format!("{name}={value}")]);
        }
        words
    }

    /// Calls once and returns the output.
    pub(super) fn once(&self, words: &[&str], input: &[u8]) -> Result<Output, ForgeError> {
        let words = words.iter().map(|word| (*word).to_owned());
        let down = |said: String| ForgeError::Down { said };
        let command = Command {
            argv: std::iter::once(self.program.to_owned()).chain(words).collect(),
            folder: self.folder.to_path_buf(),
            environment: environment(self.environment),
            effect: ids::effect().map_err(|bad| down(bad.to_string()))?,
            limit: self.limit,
        };
        let asked = command.ask_for(input.to_vec(), LARGEST, self.stop.as_ref());
        let (ran, complaint) = asked.map_err(|error| match error {
            NotStarted::Missing(program) => ForgeError::Missing { program },
            other @ (NotStarted::Empty
            | NotStarted::NotExecutable(_)
            | NotStarted::Folder(_)
            | NotStarted::Refused { .. }) => down(other.to_string()),
        })?;
        let program = self.program;
        let silently = match ran.exit {
            Exit::Code(0) => return Ok(ran.output),
            Exit::TimedOut | Exit::Idle | Exit::Flooded => {
                return Err(ForgeError::Slow { limit: self.limit });
            }
            Exit::Stopped => return Err(ForgeError::Interrupted),
            Exit::Code(code) => format!("`{program}` exited with {code} and no message"),
            Exit::Signal(signal) => format!("signal {signal} ended `{program}`"),
        };
        Err(complained(&complaint, silently))
    }
}

/// Returns its environment: all variables, because it needs its tokens, except those that would
/// mislead it.
fn environment(all: &[(OsString, OsString)]) -> Vec<(OsString, OsString)> {
    let keeps = |name: &OsStr| {
        !MISLEADING.iter().any(|own| name == *own) && !QUIET.iter().any(|(own, _)| name == *own)
    };
    let kept = all.iter().filter(|(name, _)| keeps(name)).cloned();
    kept.chain(QUIET.map(|(name, value)| (name.into(), value.into()))).collect()
}

/// Classifies an error message; `silently` describes the exit of a program that printed nothing.
fn complained(complaint: &str, silently: String) -> ForgeError {
    let said = complaint.lines().map(str::trim).find(|line| !line.is_empty());
    let said = said.map_or(silently, str::to_owned);
    let text = complaint.to_ascii_lowercase();
    if text.contains("rate limit") || text.contains("http 429") {
        ForgeError::RateLimited { said }
    } else if text.contains("gh auth login") || text.contains("http 401") {
        ForgeError::NotLoggedIn { said }
    } else {
        ForgeError::Down { said }
    }
}

/// Returns an answer, unless it only contains errors.
pub(super) fn without_errors(answer: Value) -> Result<Value, ForgeError> {
    let Some(error) = answer["errors"].as_array().and_then(|errors| errors.first()) else {
        return Ok(answer);
    };
    let said = error["message"].as_str().filter(|said| !said.trim().is_empty());
    let said = said.unwrap_or("it is an error");
    if error["type"] == "RATE_LIMITED" {
        return Err(ForgeError::RateLimited { said: said.to_owned() });
    }
    Err(odd(said))
}

//! An answer that is JSON from its first to its last character.

use serde::Deserialize;

use super::answer::{Answer, Opinion, Unclear};
use super::{Finding, Severity};

#[derive(Deserialize)]
struct Said {
    verdict: Option<String>,
    #[serde(default, alias = "issues")]
    findings: Vec<One>,
}

#[derive(Deserialize)]
struct One {
    severity: Option<String>,
    #[serde(default, alias = "rule")]
    category: String,
    #[serde(default, alias = "path")]
    file: String,
    line: Option<u32>,
    #[serde(alias = "message", alias = "title")]
    problem: String,
    #[serde(default, alias = "suggestion")]
    fix: String,
}

/// Returns the JSON that `text` is as a whole, bare or as the only block.
pub(super) fn whole(text: &str) -> Option<&str> {
    let text = text.trim();
    if text.starts_with('{') {
        return Some(text);
    }
    let inner = text.strip_prefix("```json")?.strip_suffix("```")?;
    (inner.starts_with(['\n', '\r']) && !inner.contains("```")).then_some(inner)
}

/// Reads an answer of JSON.
pub(super) fn read(text: &str) -> Result<Answer, Unclear> {
    let said: Said =
        serde_json::from_str(text).map_err(|error| Unclear::NotJson(error.to_string()))?;
    let opinion = match said.verdict.as_deref() {
        None => None,
        Some(word) => Some(Opinion::of_words(word).ok_or(Unclear::NoVerdict)?),
    };
    let finding = |one: One| Finding {
        // Who does not say how bad it is may mean the worst.
        severity: one.severity.as_deref().and_then(Severity::of_word).unwrap_or(Severity::Critical),
        category: one.category,
        file: one.file,
        line: one.line,
        problem: one.problem,
        fix: one.fix,
    };
    Answer { opinion, findings: said.findings.into_iter().map(finding).collect() }.checked()
}

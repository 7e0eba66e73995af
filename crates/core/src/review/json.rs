//! Parses an answer that is entirely JSON.

use serde::Deserialize;

use super::answer::{Opinion, ReviewAnswer, Unclear};
use super::{Finding, Severity};

#[derive(Deserialize)]
struct JsonReview {
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

/// Returns the JSON if the whole text is JSON, bare or as its only code block.
pub(super) fn whole(text: &str) -> Option<&str> {
    let text = text.trim();
    if text.starts_with('{') {
        return Some(text);
    }
    let inner = text.strip_prefix("```json")?.strip_suffix("```")?;
    (inner.starts_with(['\n', '\r']) && !inner.contains("```")).then_some(inner)
}

/// Parses a JSON answer.
pub(super) fn read(text: &str) -> Result<ReviewAnswer, Unclear> {
    let said: JsonReview =
        serde_json::from_str(text).map_err(|error| Unclear::NotJson(error.to_string()))?;
    let opinion = match said.verdict.as_deref() {
        None => None,
        Some(word) => Some(Opinion::of_words(word).ok_or(Unclear::NoVerdict)?),
    };
    let finding = |one: One| Finding {
        // A finding without a severity may be of the worst.
        severity: one.severity.as_deref().and_then(Severity::of_word).unwrap_or(Severity::Critical),
        category: one.category,
        file: one.file,
        line: one.line,
        problem: one.problem,
        fix: one.fix,
    };
    ReviewAnswer { opinion, findings: said.findings.into_iter().map(finding).collect() }.checked()
}

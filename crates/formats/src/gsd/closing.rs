//! Determines whether a milestone's summary closes it.

use sprag_core::gsd::{Closing, Quirk, QuirkReader};
use sprag_core::workflow::javascript;

use super::head::{FrontMatter, body};
use super::scan::{has_word, is_word, skip_space};
use super::summary::title;

/// Reads the summary of a milestone: its heading, and whether it closes the milestone.
pub fn closing(text: &str, reader: &mut QuirkReader<usize>) -> Closing {
    let head = FrontMatter::read(text, reader).unwrap_or_default();
    let (_, body) = body(text);
    let status = javascript::trim(head.text("status")).to_lowercase();
    let terminal = match status.as_str() {
        "complete" | "done" | "skipped" | "closed" => true,
        "active" | "pending" | "blocked" | "failed" | "failure" | "incomplete" => false,
        _ => !fails(text, reader),
    };
    Closing { title: title(body).to_owned(), terminal }
}

/// Returns whether a summary states in words that the milestone failed.
fn fails(text: &str, reader: &mut QuirkReader<usize>) -> bool {
    let lower = text.to_lowercase();
    if lower.split('\n').any(is_blocker) || lower.contains("auto-mode recovery failed") {
        return true;
    }
    let said: Vec<(usize, bool)> = lower
        .match_indices("verification")
        .filter(|(at, word)| {
            let rest = &lower[at + word.len()..];
            rest.starts_with(javascript::is_space) && skip_space(rest).starts_with("failed")
        })
        .map(|(at, _)| (at, is_negated(&lower[..at])))
        .collect();
    match said.first() {
        None => false,
        Some(_) if said.iter().any(|(_, negated)| !negated) => true,
        // Where lower case changed the length, the approximate position is good enough.
        Some((at, _)) => !reader.mends(Quirk::NegatedFailure, (*at).min(text.len())),
    }
}

/// Returns whether the following word is negated on its line.
fn is_negated(before: &str) -> bool {
    let sentence = before.rsplit(['\n', '.', ';', '!', '?']).next().unwrap_or_default();
    ["no", "not", "never", "without"].iter().any(|word| has_word(sentence, word))
}

/// Detects `# BLOCKER`, or a line such as `status: not complete`; the input is in lower case.
fn is_blocker(line: &str) -> bool {
    let line = skip_space(line);
    let heading = line.strip_prefix('#').map(skip_space).and_then(|r| r.strip_prefix("blocker"));
    let said = ["status", "verdict", "outcome", "result"].iter().find_map(|key| {
        let rest = skip_space(line.strip_prefix(key)?).strip_prefix([':', '=', '-'])?;
        skip_space(rest).strip_prefix("not complete")
    });
    let alone = |rest: Option<&str>| rest.is_some_and(|rest| !rest.starts_with(is_word));
    alone(heading) || alone(said)
}

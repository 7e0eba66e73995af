use sprag_core::Plain;
use sprag_core::gsd::{Quirk, QuirkReader};

use super::head::FrontMatter;
use super::scan::{is_word, skip_space, take};

/// Returns the verdict of a validation, an assessment or a trial: from the front matter, or from a
/// bold label.
pub fn verdict(text: &str, reader: &mut QuirkReader<usize>) -> Option<String> {
    let theirs = match original_head(text) {
        Some(head) => after_key(head),
        None => in_bold(text),
    };
    let mut quiet = QuirkReader::new(sprag_core::gsd::Reading::Ours);
    let Some(head) = FrontMatter::read(text, &mut quiet) else { return theirs };
    let said = head.entries.iter().find(|(key, _)| key.eq_ignore_ascii_case("verdict"));
    let said = match said {
        Some((_, Plain::Text(said))) => said.as_str(),
        Some(_) | None => "",
    };
    let is_template = said.contains('|');
    let ours = if is_template { None } else { word(said) };
    let quirk = if is_template {
        Quirk::VerdictTemplate
    } else if original_head(text).is_none() {
        Quirk::VerdictHead
    } else {
        Quirk::VerdictKey
    };
    reader.pick(quirk, 0, ours, theirs)
}

/// Returns whether a text contains a verdict anywhere.
pub(super) fn is_judged(text: &str) -> bool {
    after_key(text).is_some()
}

/// Returns the front matter that the original sees: from the first byte, with plain line feeds.
fn original_head(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("---\n")?;
    Some(&rest[..rest.find("\n---")?])
}

/// Returns the word after the first `verdict:`, regardless of the text before it.
fn after_key(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    lower.match_indices("verdict:").find_map(|(at, key)| word(&text[at + key.len()..]))
}

/// Returns the word after `**Verdict:**`.
fn in_bold(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    lower.match_indices("**verdict").find_map(|(at, mark)| {
        let rest = &text[at + mark.len()..];
        let rest = rest.strip_prefix(':').unwrap_or(rest);
        let rest = skip_space(rest.strip_prefix("**")?);
        let rest = rest.strip_prefix('✅').map_or(rest, skip_space);
        rest.starts_with(is_word).then(|| word(rest))?
    })
}

fn word(text: &str) -> Option<String> {
    let (word, _) = take(skip_space(text), |c| is_word(c) || c == '-');
    let word = word.to_ascii_lowercase();
    match word.as_str() {
        "" => None,
        "passed" => Some("pass".to_owned()),
        _ => Some(word),
    }
}

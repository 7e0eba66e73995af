//! The front matter of a plan: §2.1 of opti-gsd. Its counts are only advice.

use std::ops::Range;

use super::lines::TextLines;
use super::problem::{Code, Problems};
use crate::document::{Document, Format};
use crate::field::Field;
use crate::front_matter::after_mark;
use crate::value::Value;

/// The values of the front matter.
#[derive(Debug, Default)]
pub(super) struct FrontMatterValues {
    pub(super) phase: String,
    pub(super) title: String,
    pub(super) gap_closure: bool,
    pub(super) wave_count: Option<Counted>,
    pub(super) task_count: Option<Counted>,
}

/// A number in the front matter, with its position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counted {
    pub(super) count: u64,
    pub(super) at: usize,
}

/// The positions of a plan's parts.
struct Parts {
    yaml: Range<usize>,
    /// The first line of the body.
    body: usize,
}

/// Reads the front matter. Also returns the first line of the body.
pub(super) fn read(
    text: &str,
    lines: &TextLines<'_>,
    problems: &mut Problems<'_, '_>,
) -> (FrontMatterValues, usize) {
    let start = after_mark(text);
    if lines.get(0).is_none_or(|line| line.text.trim_end() != "---") {
        let said = "there is no front matter, so nothing says which phase this is".to_owned();
        problems.add(Code::NoFrontMatter, start, "", said);
        return (FrontMatterValues::default(), 0);
    }
    let Some(parts) = split(lines) else {
        let said = "the front matter is not closed".to_owned();
        let help = "close it with a line `---` after its last key";
        problems.add_with(Code::FrontMatterOpen, start, "", said, Some(help));
        return (FrontMatterValues::default(), 1);
    };
    let begin = parts.yaml.start;
    let head = match Document::parse(Format::Yaml, &text[parts.yaml]) {
        Ok(document) => FrontMatterValues::of(&document.top(), begin, problems),
        Err(fault) => {
            let at = begin + fault.span.start();
            problems.add_with(
                Code::FrontMatterYaml,
                at,
                "",
                fault.what.clone(),
                fault.advice().as_deref(),
            );
            FrontMatterValues::default()
        }
    };
    (head, parts.body)
}

/// Finds the lines between the two markers.
fn split(lines: &TextLines<'_>) -> Option<Parts> {
    let from = lines.get(1)?.start;
    let mut at = 1;
    while let Some(line) = lines.get(at) {
        if line.text.trim_end() == "---" {
            return Some(Parts { yaml: from..line.start, body: at + 1 });
        }
        at += 1;
    }
    None
}

impl FrontMatterValues {
    fn of(top: &Field<'_>, begin: usize, problems: &mut Problems<'_, '_>) -> Self {
        let mut text = |key: &str| {
            let found = top.optional(&[key]).and_then(|field| scalar(&field));
            if found.is_none() {
                let said = format!("the front matter has no `{key}`");
                problems.add(Code::HeadKey, begin, key, said);
            }
            found.unwrap_or_default()
        };
        let count = |key: &str| {
            let field = top.optional(&[key])?;
            let count = scalar(&field)?.parse().ok()?;
            Some(Counted { count, at: begin + field.node().span.start() })
        };
        Self {
            phase: text("phase"),
            title: text("title"),
            gap_closure: top.get(&["gap_closure"]).is_some_and(|field| field.as_bool() == Ok(true)),
            wave_count: count("wave_count"),
            task_count: count("task_count"),
        }
    }
}

/// Returns a number or a text as written.
fn scalar(field: &Field<'_>) -> Option<String> {
    match &field.node().value {
        Value::Number(number) => Some(number.text().to_owned()),
        Value::String(text) => Some(text.clone()),
        Value::Null | Value::Bool(_) | Value::List(_) | Value::Map(_) => None,
    }
}

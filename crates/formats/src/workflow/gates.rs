//! Our own keys of a phase: gates, retry, review and limits.
//!
//! A gate that cannot be understood rejects the workflow: a phase without it would let through
//! what its author wanted held.

use sprag_core::workflow::{Guarded, Limits, Phase, Review};
use sprag_core::{Check, DocPath, Gate, Name};

use super::duration::millis;
use super::problem::{Report, said};
use crate::{Fault, FaultKind, Field, Place};

/// The kinds of a gate, and what may stand beside them.
const KINDS: [&str; 4] = ["run", "file", "content", "human"];
const GATE: [&str; 8] = ["run", "file", "content", "human", "all", "name", "timeout", "protect"];

/// Reads our keys into `phase`.
pub(super) fn read(
    file: &str,
    top: &Field<'_>,
    place: &impl Fn(usize) -> Place,
    phase: &mut Phase,
    report: &mut Report,
) {
    let mut faults = Vec::new();
    if let Some(field) = top.optional(&["gates"]) {
        gates(&field, &mut phase.gates, &mut faults);
    }
    if let Some(field) = top.optional(&["retry"]) {
        let max = field.need(&["max"]).and_then(|max| number(&max));
        phase.retry = max.map_err(|fault| faults.push(fault)).ok();
        faults.extend(field.unknown_keys(&["max"]));
    }
    if let Some(field) = top.optional(&["review"]) {
        phase.review = review(&field).map_err(|fault| faults.push(fault)).ok();
        faults.extend(field.unknown_keys(&["reviewer", "max_rounds", "level"]));
    }
    if let Some(field) = top.optional(&["limits"]) {
        phase.limits = limits(&field).map_err(|fault| faults.push(fault)).unwrap_or_default();
        faults.extend(field.unknown_keys(&["wall", "blocks_without_progress"]));
    }
    for fault in faults {
        let at = place(fault.span.start());
        match fault.kind {
            FaultKind::UnknownKey => report.note(file, at, said(&fault)),
            FaultKind::Syntax
            | FaultKind::Limit
            | FaultKind::Type
            | FaultKind::Missing
            | FaultKind::Edit
            | FaultKind::Guard => report.reject(file, at, said(&fault)),
        }
    }
}

fn review(field: &Field<'_>) -> Result<Review, Fault> {
    let text = |field: Field<'_>| field.as_str().map(str::to_owned);
    Ok(Review {
        reviewer: text(field.need(&["reviewer"])?)?,
        max_rounds: field.optional(&["max_rounds"]).map(|max| number(&max)).transpose()?,
        level: field.optional(&["level"]).map(text).transpose()?,
    })
}

fn limits(field: &Field<'_>) -> Result<Limits, Fault> {
    let blocks = field.optional(&["blocks_without_progress"]);
    Ok(Limits {
        wall_millis: field.optional(&["wall"]).map(|wall| millis(&wall)).transpose()?,
        blocks_without_progress: blocks.map(|blocks| number(&blocks)).transpose()?,
    })
}

fn number(field: &Field<'_>) -> Result<u32, Fault> {
    u32::try_from(field.as_u64()?).map_err(|_| wrong(field, "this is too many"))
}

fn wrong(field: &Field<'_>, what: impl Into<String>) -> Fault {
    field.fault(FaultKind::Type, what)
}

/// Reads a list of gates; `all` is its gates one after another.
fn gates(field: &Field<'_>, found: &mut Vec<Guarded>, faults: &mut Vec<Fault>) {
    let items = match field.items() {
        Ok(items) => items,
        Err(fault) => return faults.push(fault),
    };
    for item in &items {
        faults.extend(item.unknown_keys(&GATE));
        if let Some(all) = item.optional(&["all"]) {
            gates(&all, found, faults);
            continue;
        }
        match gate(item) {
            Err(fault) => faults.push(fault),
            Ok(guarded) if found.iter().any(|known| known.gate.name == guarded.gate.name) => {
                faults.push(wrong(item, format!("the gate `{}` stands twice", guarded.gate.name)));
            }
            Ok(guarded) => found.push(guarded),
        }
    }
}

fn gate(item: &Field<'_>) -> Result<Guarded, Fault> {
    let mut kinds = KINDS.iter().filter_map(|kind| Some((*kind, item.optional(&[kind])?)));
    let (Some((kind, value)), None) = (kinds.next(), kinds.next()) else {
        return Err(wrong(
            item,
            "expected exactly one of `run`, `file`, `content`, `human`, `all`",
        ));
    };
    let path = |field: &Field<'_>| {
        DocPath::parse(field.as_str()?).map_err(|bad| wrong(field, bad.to_string()))
    };
    let check = match kind {
        "run" => Check::Run { argv: words(&value)? },
        "file" => Check::File { path: path(&value)? },
        "content" => Check::Content {
            path: path(&value.need(&["path"])?)?,
            has: value.need(&["has"])?.as_str()?.to_owned(),
        },
        _ => Check::Human { what: value.as_str()?.to_owned() },
    };
    let name = match item.optional(&["name"]) {
        Some(field) => field.as_str()?.to_owned(),
        None => name_of(&check),
    };
    let name = Name::parse(&name).map_err(|bad| wrong(item, bad.to_string()))?;
    let timeout = item.optional(&["timeout"]).map(|timeout| millis(&timeout)).transpose()?;
    let protect = item.optional(&["protect"]).map(|globs| texts(&globs)).transpose()?;
    Ok(Guarded {
        gate: Gate { name, check },
        timeout_millis: timeout,
        protect: protect.unwrap_or_default(),
    })
}

/// Returns what a gate without a name is called.
fn name_of(check: &Check) -> String {
    let text = match check {
        Check::Run { argv } => argv.join(" "),
        Check::File { path } => path.as_str().to_owned(),
        Check::Content { path, has } => format!("{} has {has}", path.as_str()),
        Check::Human { what } => what.clone(),
        Check::All { .. } | Check::Any { .. } => crate::gates::title(&check),
    };
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(200).collect()
}

fn texts(field: &Field<'_>) -> Result<Vec<String>, Fault> {
    field.items()?.iter().map(|item| item.as_str().map(str::to_owned)).collect()
}

/// Reads a command: a list of words, or a text that is split into words.
fn words(field: &Field<'_>) -> Result<Vec<String>, Fault> {
    if let Ok(items) = field.items() {
        return if items.is_empty() { Err(wrong(field, "no command")) } else { texts(field) };
    }
    split(field.as_str()?).map_err(|what| wrong(field, what))
}

const SHELL: &str = "a command is not given to a shell: write `[sh, -c, \"…\"]` if it needs one";

/// What a shell would not take literally.
const SPECIAL: &str = "|&;<>()$`\\*?~#";

/// Splits a text into words at spaces; quotes keep a word together.
fn split(text: &str) -> Result<Vec<String>, &'static str> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in text.chars() {
        if let Some(open) = quote {
            if c == open {
                quote = None;
            } else {
                word.get_or_insert_default().push(c);
            }
        } else if c == '\'' || c == '"' {
            quote = Some(c);
            word.get_or_insert_default();
        } else if c.is_whitespace() {
            words.extend(word.take());
        } else if SPECIAL.contains(c) {
            return Err(SHELL);
        } else {
            word.get_or_insert_default().push(c);
        }
    }
    if quote.is_some() {
        return Err("a quote is not closed");
    }
    words.extend(word);
    if words.is_empty() { Err("no command") } else { Ok(words) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_words_and_never_shell() {
        assert_eq!(split("cargo test 'a b' \"\"").unwrap(), ["cargo", "test", "a b", ""]);
        assert_eq!(split("grep -c \"a|b\"").unwrap(), ["grep", "-c", "a|b"]);
        for bad in ["a && b", "a | b", "echo $HOME", "ls *", "", "  ", "'open"] {
            assert!(split(bad).is_err(), "{bad}");
        }
    }
}

//! Our own keys of a phase: gates, retry, review and limits.
//!
//! A gate that cannot be understood rejects the workflow: a phase without it would let through
//! what its author wanted held.

use sprag_core::workflow::Phase;
use sprag_core::{Check, DocPath, Gate, Name};

use super::problem::{Report, said};
use crate::{Document, Fault, FaultKind, Field, Place};

/// The keys that are ours.
pub(super) const KEYS: [&str; 4] = ["gates", "retry", "review", "limits"];

/// Reads our keys into `phase`.
pub(super) fn read(
    file: &str,
    document: &Document<'_>,
    place: &impl Fn(usize) -> Place,
    phase: &mut Phase,
    report: &mut Report,
) {
    let mut say = |fault: &Fault| {
        report.reject(file, place(fault.span.start()), format!("{}: {file}", said(fault)));
    };
    match document.optional(&["gates"]).map(|field| field.items()) {
        None => {}
        Some(Err(fault)) => say(&fault),
        Some(Ok(items)) => {
            for item in &items {
                match gate(item) {
                    Ok(gate) if phase.gates.iter().any(|known| known.name == gate.name) => {
                        say(&wrong(item, format!("the gate `{}` stands twice", gate.name)));
                    }
                    Ok(gate) => phase.gates.push(gate),
                    Err(fault) => say(&fault),
                }
            }
        }
    }
    let Some(retry) = document.optional(&["retry"]) else { return };
    match retry.need(&["max"]).and_then(|max| number(&max)) {
        Ok(max) => phase.retry = Some(max),
        Err(fault) => say(&fault),
    }
}

fn number(field: &Field<'_>) -> Result<u32, Fault> {
    u32::try_from(field.as_u64()?).map_err(|_| wrong(field, "this is too many".to_owned()))
}

fn wrong(field: &Field<'_>, what: String) -> Fault {
    field.fault(FaultKind::Type, what)
}

fn gate(item: &Field<'_>) -> Result<Gate, Fault> {
    let kinds = ["run", "file", "content", "human"];
    let mut found = kinds.iter().filter_map(|kind| Some((*kind, item.optional(&[kind])?)));
    let (Some((kind, value)), None) = (found.next(), found.next()) else {
        let what = "expected exactly one of `run`, `file`, `content`, `human`";
        return Err(wrong(item, what.to_owned()));
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
    let default = match &check {
        Check::Run { argv } => argv.join(" "),
        Check::File { path } => path.as_str().to_owned(),
        Check::Content { path, has } => format!("{} has {has}", path.as_str()),
        Check::Human { what } => what.clone(),
        Check::All { .. } | Check::Any { .. } => crate::gates::title(&check),
    };
    let name = match item.optional(&["name"]) {
        Some(field) => field.as_str()?.to_owned(),
        None => default.chars().map(|c| if c.is_control() { ' ' } else { c }).take(200).collect(),
    };
    let name = Name::parse(&name).map_err(|bad| wrong(item, bad.to_string()))?;
    Ok(Gate { name, check })
}

/// Reads a command: a list of words, or a text that is split into words.
fn words(field: &Field<'_>) -> Result<Vec<String>, Fault> {
    if let Ok(items) = field.items() {
        let argv: Vec<String> =
            items.iter().map(|item| item.as_str().map(str::to_owned)).collect::<Result<_, _>>()?;
        return if argv.is_empty() { Err(wrong(field, "no command".to_owned())) } else { Ok(argv) };
    }
    split(field.as_str()?).map_err(|what| wrong(field, what.to_owned()))
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

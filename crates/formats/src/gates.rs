//! Reads `gates:` wherever they occur: in `config.yaml` under `guard:`, in the head of a phase.
//!
//! Collects every error, so that a person sees all of them at once.

use std::time::Duration;

use sprag_core::basis::MayChange;
use sprag_core::{BadGlob, Check, DocPath, Gate, GateSpec, Glob, Name, typed};

use crate::duration::duration;
use crate::fault::{Fault, FaultKind};
use crate::field::Field;
use crate::value::Value;
use crate::words::{BadWords, words};

/// The errors and the warnings of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// Errors that make the file Unknown.
    pub errors: Vec<Fault>,
    /// Unknown keys.
    pub notes: Vec<Fault>,
}

impl Faults {
    /// Records an error and continues.
    pub fn take<T>(&mut self, read: Result<T, Fault>) -> Option<T> {
        read.map_err(|fault| self.errors.push(fault)).ok()
    }

    /// Records the keys of a map that are not in `known`.
    pub fn note_unknown(&mut self, field: &Field<'_>, known: &[&str]) {
        self.notes.extend(field.unknown_keys(known));
    }

    /// Reads an optional value below `field`; an invalid value is recorded as an error.
    pub fn optional<'d, T>(
        &mut self,
        field: &Field<'d>,
        key: &str,
        read: impl FnOnce(&Field<'d>) -> Result<T, Fault>,
    ) -> Option<T> {
        let found = field.optional(&[key])?;
        self.take(read(&found))
    }
}

/// The keys that determine a gate's check; a gate has exactly one of them.
pub const CHECK: [&str; 6] = ["run", "file", "content", "human", "all", "any"];

/// All keys of a gate.
pub const GATE: [&str; 9] =
    ["run", "file", "content", "human", "all", "any", "name", "timeout", "protect"];

/// The keys below `content:`.
pub const CONTENT: [&str; 2] = ["path", "has"];

/// The deepest nesting of `all` and `any`.
const DEEPEST: usize = 8;

/// Reads a list of gates. Each gate gets a unique name.
pub fn gates(field: &Field<'_>, faults: &mut Faults) -> Vec<GateSpec> {
    let mut found: Vec<GateSpec> = Vec::new();
    for item in faults.take(field.items()).unwrap_or_default() {
        let Some(mut spec) = gate(&item, faults) else { continue };
        let taken = |name: &Name| found.iter().any(|other| other.gate.name == *name);
        if taken(&spec.gate.name) {
            if item.optional(&["name"]).is_some() {
                let what = format!("two gates are called `{}`", spec.gate.name);
                faults.errors.push(item.fault(FaultKind::Type, what));
                continue;
            }
            let plain = spec.gate.name.to_string();
            let numbered = (2..).find_map(|number| {
                Name::parse(&format!("{plain} ({number})")).ok().filter(|name| !taken(name))
            });
            spec.gate.name = numbered.unwrap_or(spec.gate.name);
        }
        found.push(spec);
    }
    found
}

fn gate(field: &Field<'_>, faults: &mut Faults) -> Option<GateSpec> {
    let check = check(field, &GATE, 0, faults);
    let name = faults.optional(field, "name", |name| {
        Name::parse(name.as_str()?).map_err(|bad| name.fault(FaultKind::Type, bad.to_string()))
    });
    let timeout = faults.optional(field, "timeout", length);
    let protect = field.optional(&["protect"]).map(|field| globs(&field, faults));
    let check = check?;
    let name = name.or_else(|| Name::parse(&title(&check)).ok())?;
    let protect = protect.unwrap_or_default();
    Some(GateSpec { gate: Gate { name, check }, timeout, protect })
}

fn check(field: &Field<'_>, keys: &[&str], depth: usize, faults: &mut Faults) -> Option<Check> {
    let entries = faults.take(field.entries())?;
    faults.note_unknown(field, keys);
    let ways: Vec<_> = entries.iter().filter(|(key, _)| CHECK.contains(key)).collect();
    let [(key, value)] = ways.as_slice() else {
        let what = format!("a gate has exactly one of {}", CHECK.join(", "));
        faults.errors.push(field.fault(FaultKind::Missing, what));
        return None;
    };
    if depth > DEEPEST {
        let what = format!("`all` and `any` are nested deeper than {DEEPEST}");
        faults.errors.push(value.fault(FaultKind::Limit, what));
        return None;
    }
    match *key {
        "run" => faults.take(argv(value)).map(|argv| Check::Run { argv }),
        "file" => faults.take(path(value)).map(|path| Check::File { path }),
        "content" => content(value, faults),
        "human" => faults.take(filled(value)).map(|what| Check::Human { what }),
        "all" => several(value, depth, faults).map(|of| Check::All { of }),
        "any" => several(value, depth, faults).map(|of| Check::Any { of }),
        unread => {
            let what = format!("sprag does not read `{unread}` yet");
            faults.errors.push(value.fault(FaultKind::Type, what));
            None
        }
    }
}

fn several(field: &Field<'_>, depth: usize, faults: &mut Faults) -> Option<Vec<Check>> {
    let items = faults.take(field.items())?;
    if items.is_empty() {
        faults.errors.push(field.fault(FaultKind::Missing, "there is nothing in this list"));
        return None;
    }
    let read: Vec<_> = items.iter().map(|item| check(item, &CHECK, depth + 1, faults)).collect();
    read.into_iter().collect()
}

fn content(field: &Field<'_>, faults: &mut Faults) -> Option<Check> {
    faults.note_unknown(field, &CONTENT);
    let found = faults.take(field.need(&["path"]).and_then(|value| path(&value)));
    let has = faults.take(field.need(&["has"]).and_then(|value| filled(&value)));
    Some(Check::Content { path: found?, has: has? })
}

/// The longest command, in bytes; systems refuse much longer ones.
const COMMAND: usize = 32 << 10;

pub(crate) fn argv(field: &Field<'_>) -> Result<Vec<String>, Fault> {
    let argv = command(field)?;
    let length: usize = argv.iter().map(|word| word.len() + 1).sum();
    if length > COMMAND {
        let what = format!("the command has {length} bytes, the limit is {COMMAND}");
        return Err(field.fault(FaultKind::Limit, what));
    }
    Ok(argv)
}

/// Returns the gate for a single command line.
pub fn command_gate(line: &str) -> Result<GateSpec, BadWords> {
    let check = Check::Run { argv: words(line)? };
    let bad = |why: String| BadWords { why, at: 0, help: "give a shorter command".to_owned() };
    if line.len() > COMMAND {
        return Err(bad(format!("the command has {} bytes, the limit is {COMMAND}", line.len())));
    }
    let name = Name::parse(&title(&check)).map_err(|error| bad(error.to_string()))?;
    Ok(GateSpec { gate: Gate { name, check }, timeout: None, protect: Vec::new() })
}

/// Reads a list of words, or a text that is split into words.
fn command(field: &Field<'_>) -> Result<Vec<String>, Fault> {
    if let Value::List(_) = field.node().value {
        let items = field.items()?;
        let words: Result<Vec<_>, _> = items.iter().map(|item| word(item)).collect();
        return match words?.as_slice() {
            [] => Err(field.fault(FaultKind::Missing, "there is no command")),
            [program, ..] if program.is_empty() => {
                Err(field.fault(FaultKind::Type, "the program has no name"))
            }
            words => Ok(words.to_vec()),
        };
    }
    words(field.as_str()?).map_err(|bad| field.fault(FaultKind::Type, bad.why).help(bad.help))
}

/// Reads a word; `8080` in a list keeps its original text.
pub(crate) fn word(field: &Field<'_>) -> Result<String, Fault> {
    let text = match &field.node().value {
        Value::Number(number) => number.text().to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Null | Value::String(_) | Value::List(_) | Value::Map(_) => {
            field.as_str()?.to_owned()
        }
    };
    if text.contains('\0') {
        return Err(field.fault(FaultKind::Type, "a word of a command has no zero byte"));
    }
    Ok(text)
}

fn path(field: &Field<'_>) -> Result<DocPath, Fault> {
    DocPath::parse(field.as_str()?).map_err(|bad| field.fault(FaultKind::Type, bad.to_string()))
}

pub(crate) fn filled(field: &Field<'_>) -> Result<String, Fault> {
    match field.as_str()? {
        text if text.trim().is_empty() => Err(field.fault(FaultKind::Missing, "it is empty")),
        text => Ok(text.to_owned()),
    }
}

/// Reads a duration that is not zero.
pub(crate) fn length(field: &Field<'_>) -> Result<Duration, Fault> {
    let what = "expected a length of time";
    let wrong = || field.fault(FaultKind::Type, what).expecting("such as `90s`, `10m`, `1h30m`");
    let text = field.as_str().map_err(|_| wrong())?;
    duration(text).filter(|length| !length.is_zero()).ok_or_else(wrong)
}

pub(crate) fn globs(field: &Field<'_>, faults: &mut Faults) -> Vec<Glob> {
    patterns(field, faults, Glob::parse)
}

/// Reads `may_change: [tests, GLOB]` below a map.
pub(crate) fn may_change(above: &Field<'_>, faults: &mut Faults) -> Vec<MayChange> {
    let field = above.optional(&["may_change"]);
    field.map(|field| patterns(&field, faults, MayChange::parse)).unwrap_or_default()
}

fn patterns<T>(
    field: &Field<'_>,
    faults: &mut Faults,
    parse: fn(&str) -> Result<T, BadGlob>,
) -> Vec<T> {
    let read = |item: &Field<'_>| {
        parse(item.as_str()?).map_err(|bad| item.fault(FaultKind::Type, bad.to_string()))
    };
    let items = faults.take(field.items()).unwrap_or_default();
    items.iter().filter_map(|item| faults.take(read(item))).collect()
}

/// Returns the title of a gate without a name: its check, in one short line.
pub(crate) fn title(check: &Check) -> String {
    let text = match check {
        Check::Run { argv } => typed(argv),
        Check::File { path } => format!("file {path}"),
        Check::Absent { path } => format!("no file {path}"),
        Check::Content { path, .. } => format!("content {path}"),
        Check::Human { what } => what.clone(),
        Check::All { of } => joined("all", of),
        Check::Any { of } => joined("any", of),
    };
    let visible = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let line: String = visible.take(80).collect();
    line.trim().to_owned()
}

fn joined(word: &str, of: &[Check]) -> String {
    let parts: Vec<_> = of.iter().map(title).collect();
    format!("{word} of {}", parts.join(", "))
}

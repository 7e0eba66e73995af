//! Typed reading: a value of a document with its path, for faults that point at it.

use std::rc::Rc;

use crate::fault::{Fault, FaultKind};
use crate::near::nearest;
use crate::number::Number;
use crate::place::Span;
use crate::value::{Node, Value, index};

/// More warnings about one map would not be read.
const MAX_UNKNOWN: usize = 32;

/// A value in a document, with its path.
#[derive(Clone, Debug)]
pub struct Field<'d> {
    text: &'d str,
    node: &'d Node,
    way: Option<Rc<PathStep<'d>>>,
}

/// The last step of a path. The path becomes a text only in a fault, which few values have.
#[derive(Debug)]
struct PathStep<'d> {
    above: Option<Rc<PathStep<'d>>>,
    to: To<'d>,
}

#[derive(Clone, Copy, Debug)]
enum To<'d> {
    Key(&'d str),
    Item(usize),
}

impl<'d> Field<'d> {
    pub(crate) fn top(text: &'d str, node: &'d Node) -> Self {
        Self { text, node, way: None }
    }

    pub fn node(&self) -> &'d Node {
        self.node
    }

    /// The path as people write it: `loop.history[2].result`.
    pub fn path(&self) -> String {
        let (mut steps, mut way) = (Vec::new(), self.way.as_deref());
        while let Some(step) = way {
            steps.push(step.to);
            way = step.above.as_deref();
        }
        steps.into_iter().rev().fold(String::new(), |path, step| match step {
            To::Key(key) => joined(&path, key),
            To::Item(at) => format!("{path}[{at}]"),
        })
    }

    /// Returns whether the value is null or was left out after its key.
    pub fn is_null(&self) -> bool {
        self.node.value == Value::Null
    }

    /// The value at a path below, even if it is null; list items are addressed by index.
    pub fn get(&self, path: &[&str]) -> Option<Field<'d>> {
        path.iter().try_fold(self.clone(), |field, step| field.child(step))
    }

    /// The value at a path below, unless it is absent or null.
    pub fn optional(&self, path: &[&str]) -> Option<Field<'d>> {
        self.get(path).filter(|field| !field.is_null())
    }

    /// The value at a path below, or a fault at the deepest existing value.
    pub fn need(&self, path: &[&str]) -> Result<Field<'d>, Fault> {
        let mut here = self.clone();
        for step in path {
            match here.child(step) {
                Some(below) if !below.is_null() => here = below,
                Some(_) | None => {
                    let what = format!("`{}` is missing", here.path_of(step));
                    return Err(here.fault(FaultKind::Missing, what));
                }
            }
        }
        Ok(here)
    }

    pub fn as_str(&self) -> Result<&'d str, Fault> {
        match &self.node.value {
            Value::String(text) => Ok(text),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::List(_) | Value::Map(_) => {
                Err(self.wrong("a string"))
            }
        }
    }

    pub fn as_bool(&self) -> Result<bool, Fault> {
        match &self.node.value {
            Value::Bool(value) => Ok(*value),
            Value::Null | Value::Number(_) | Value::String(_) | Value::List(_) | Value::Map(_) => {
                Err(self.wrong("a boolean"))
            }
        }
    }

    /// The whole number, if it is not negative.
    pub fn as_u64(&self) -> Result<u64, Fault> {
        self.number("a whole number from 0 up", Number::as_u64)
    }

    pub fn as_i64(&self) -> Result<i64, Fault> {
        self.number("a whole number", Number::as_i64)
    }

    /// The number as floating point.
    pub fn as_f64(&self) -> Result<f64, Fault> {
        self.number("a number", |number| Some(number.as_f64()))
    }

    pub fn items(&self) -> Result<Vec<Field<'d>>, Fault> {
        match &self.node.value {
            Value::List(items) => Ok(items
                .iter()
                .enumerate()
                .map(|(at, node)| self.below(To::Item(at), node))
                .collect()),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Map(_) => {
                Err(self.wrong("a list"))
            }
        }
    }

    /// The keys and values of a map, in the order of the file.
    pub fn entries(&self) -> Result<Vec<(&'d str, Field<'d>)>, Fault> {
        match &self.node.value {
            Value::Map(map) => Ok(map
                .iter()
                .map(|entry| (entry.key.as_str(), self.below(To::Key(&entry.key), &entry.node)))
                .collect()),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::List(_) => {
                Err(self.wrong("a map"))
            }
        }
    }

    /// Returns a fault for each key that is not in `known`, up to a limit; readers warn and keep
    /// the key.
    pub fn unknown_keys(&self, known: &[&str]) -> Vec<Fault> {
        let Value::Map(map) = &self.node.value else { return Vec::new() };
        map.iter()
            .filter(|entry| !known.contains(&entry.key.as_str()))
            .take(MAX_UNKNOWN)
            .map(|entry| {
                let what = format!("unknown key `{}`", self.path_of(&entry.key));
                let fault = Fault::new(FaultKind::UnknownKey, self.text, entry.key_span, what)
                    .expecting(format!("one of {}", known.join(", ")));
                match nearest(&entry.key, known) {
                    Some(meant) => fault.help(format!("did you mean `{meant}`?")),
                    None => fault,
                }
            })
            .collect()
    }

    /// Makes a fault about this value, for checks beyond its type.
    pub fn fault(&self, kind: FaultKind, what: impl Into<String>) -> Fault {
        Fault::new(kind, self.text, self.first_line(), what)
    }

    fn child(&self, step: &str) -> Option<Field<'d>> {
        match &self.node.value {
            Value::Map(map) => {
                let entry = map.entry(step)?;
                Some(self.below(To::Key(&entry.key), &entry.node))
            }
            Value::List(items) => {
                let at = index(step)?;
                Some(self.below(To::Item(at), items.get(at)?))
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
        }
    }

    fn below(&self, to: To<'d>, node: &'d Node) -> Field<'d> {
        let way = Some(Rc::new(PathStep { above: self.way.clone(), to }));
        Field { text: self.text, node, way }
    }

    /// The path of an existing or missing value one step below.
    fn path_of(&self, step: &str) -> String {
        match &self.node.value {
            Value::List(_) => format!("{}[{step}]", self.path()),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Map(_) => {
                joined(&self.path(), step)
            }
        }
    }

    fn number<T>(
        &self,
        expected: &'static str,
        read: impl Fn(&Number) -> Option<T>,
    ) -> Result<T, Fault> {
        match &self.node.value {
            Value::Number(number) => read(number).ok_or_else(|| {
                let what = format!("expected {expected}, found `{}`", number.text());
                self.fault(FaultKind::Type, what).expecting(expected)
            }),
            Value::Null | Value::Bool(_) | Value::String(_) | Value::List(_) | Value::Map(_) => {
                Err(self.wrong(expected))
            }
        }
    }

    fn wrong(&self, expected: &str) -> Fault {
        let what = format!("expected {expected}, found {}", self.node.value.type_name());
        self.fault(FaultKind::Type, what).expecting(expected)
    }

    /// Returns the first line of the value: carets under more lines would not help.
    fn first_line(&self) -> Span {
        let span = self.node.span;
        let shown = self.text.get(span.range()).unwrap_or_default();
        let len = shown.find(['\n', '\r']).unwrap_or(shown.len());
        Span::new(span.start(), span.start() + len)
    }
}

/// Appends a key to a path.
fn joined(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

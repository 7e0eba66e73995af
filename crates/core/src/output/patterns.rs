//! Patterns of the tables, and the compiled forms of those that one reading needs.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use regex_lite::{Captures, Regex};

use super::repeated::repeated;

/// A shorter text is in too many lines to tell them apart.
const RARE: usize = 4;

/// A regular expression for one line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pattern {
    /// A text that every matching line contains. Looking for it is much cheaper than the
    /// expression, which is only compiled if the output contains this text.
    pub(super) has: &'static str,
    pub(super) regex: &'static str,
}

pub(super) const fn line(has: &'static str, regex: &'static str) -> Pattern {
    Pattern { has, regex }
}

/// The cleaned lines of an output, and the expressions compiled so far.
#[derive(Debug)]
pub(super) struct Text {
    pub(super) lines: Vec<String>,
    /// Lines of a log. Expressions that any line may match are not tried on them.
    pub(super) repeated: Vec<bool>,
    whole: String,
    compiled: RefCell<HashMap<&'static str, Option<Rc<Regex>>>>,
}

impl Text {
    pub(super) fn new(lines: Vec<String>) -> Self {
        let (whole, repeated) = (lines.join("\n"), repeated(&lines));
        Self { lines, repeated, whole, compiled: RefCell::default() }
    }

    pub(super) fn contains(&self, part: &str) -> bool {
        self.whole.contains(part)
    }

    pub(super) fn contains_any(&self, parts: &[&str]) -> bool {
        parts.iter().any(|part| self.contains(part))
    }

    /// Returns the matching lines with their captures.
    pub(super) fn matches(&self, pattern: Pattern) -> Vec<(usize, Captures<'_>)> {
        if !self.contains(pattern.has) {
            return Vec::new();
        }
        let Some(regex) = self.compiled(pattern.regex) else { return Vec::new() };
        let lines = self.lines.iter().enumerate();
        let near = lines.filter(|(at, line)| self.is_near(*at, line, pattern));
        near.filter_map(|(at, line)| Some((at, regex.captures(line)?))).collect()
    }

    pub(super) fn has_line(&self, pattern: Pattern) -> bool {
        self.contains(pattern.has)
            && self.compiled(pattern.regex).is_some_and(|regex| {
                let lines = self.lines.iter().enumerate();
                let mut near = lines.filter(|(at, line)| self.is_near(*at, line, pattern));
                near.any(|(_, line)| regex.is_match(line))
            })
    }

    fn is_near(&self, at: usize, line: &str, pattern: Pattern) -> bool {
        line.contains(pattern.has) && (pattern.has.len() >= RARE || !self.repeated[at])
    }

    /// Returns the captures of one line.
    pub(super) fn at(&self, at: usize, pattern: Pattern) -> Option<Captures<'_>> {
        let line = self.lines.get(at).filter(|line| line.contains(pattern.has))?;
        self.compiled(pattern.regex)?.captures(line)
    }

    fn compiled(&self, source: &'static str) -> Option<Rc<Regex>> {
        let mut compiled = self.compiled.borrow_mut();
        compiled.entry(source).or_insert_with(|| Regex::new(source).ok().map(Rc::new)).clone()
    }
}

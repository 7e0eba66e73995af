//! The table of what runners print: one row per runner.
//!
//! A row begins with the name that `crate::runners` knows the program by.

mod dotnet;
mod go;
mod javascript;
mod jvm;
mod linters;
mod native;
mod php;
mod python;
mod ruby;
mod rust;
mod shell;
mod wrappers;

use super::counts::CountKind;
use super::found::Found;
use super::patterns::{Pattern, Text, line};

/// What a runner does, which decides what a compiler error under it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Work {
    Tests,
    /// Its names are a file and a rule.
    Findings,
    /// The same; but beside failing tests its errors are what a test printed.
    Compiler,
    /// It runs others, whose names are better than its own.
    Wrapper,
}

/// Where the line of a name must be.
#[derive(Clone, Copy, Debug)]
pub(super) enum NamePlace {
    Anywhere,
    /// Below a line that matches; `{in}` is the first capture of the last such line.
    Under(Pattern),
    /// Shortly before a line that matches; `{in}` is its first capture.
    Before(Pattern),
    /// After a line that matches the first, until one that matches the second.
    Within(Pattern, Pattern),
}

/// How the name of a failure is read from a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct NameRule {
    pub(super) line: Pattern,
    /// The name: `{1}` and `{2}` are captures of the line, `{in}` depends on the place.
    pub(super) shown: &'static str,
    pub(super) place: NamePlace,
}

/// How a runner tells its counts.
#[derive(Clone, Copy, Debug)]
pub(super) enum CountRule {
    /// The words of the line name its numbers.
    Words(Pattern),
    /// The same, but the last such line holds for all.
    LastWords(Pattern),
    /// The first capture is the number.
    Is(CountKind, Pattern),
    /// The number of matching lines.
    Lines(CountKind, Pattern),
}

impl CountRule {
    pub(super) const fn line(self) -> Pattern {
        match self {
            Self::Words(line)
            | Self::LastWords(line)
            | Self::Is(_, line)
            | Self::Lines(_, line) => line,
        }
    }
}

/// The other rows whose patterns match what this runner prints around its own lines.
#[derive(Clone, Copy, Debug)]
pub(super) enum Hides {
    Nothing,
    Runners(&'static [&'static str]),
    Everything,
}

/// Finds names that a pattern for single lines cannot.
pub(super) type Layout = fn(&Text) -> Vec<Found>;

/// What one runner prints.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) runner: &'static str,
    pub(super) work: Work,
    /// The runner is recognised by any of these, which are closing lines where it has some.
    pub(super) detect: &'static [Pattern],
    pub(super) names: &'static [NameRule],
    pub(super) layout: Option<Layout>,
    /// Used if the above find nothing.
    pub(super) otherwise: &'static [NameRule],
    /// Parts of texts that look like names and are not.
    pub(super) not_names: &'static [&'static str],
    pub(super) counts: &'static [CountRule],
    /// Texts that say that there were no tests.
    pub(super) none: &'static [&'static str],
    /// Texts that say that nothing could run. They count only if nothing passed.
    pub(super) cannot: &'static [&'static str],
    pub(super) hides: Hides,
    /// The details of a failure are above its name.
    pub(super) details_first: bool,
}

pub(super) const TESTS: Row = Row {
    runner: "",
    work: Work::Tests,
    detect: &[],
    names: &[],
    layout: None,
    otherwise: &[],
    not_names: &[],
    counts: &[],
    none: &[],
    cannot: &[],
    hides: Hides::Nothing,
    details_first: false,
};

pub(super) const FINDINGS: Row = Row { work: Work::Findings, ..TESTS };
pub(super) const COMPILER: Row = Row { work: Work::Compiler, ..TESTS };
pub(super) const WRAPPER: Row = Row { work: Work::Wrapper, ..TESTS };

/// Returns the rows in the order in which their names are taken: runners first, then checkers.
pub(super) fn rows() -> impl Iterator<Item = &'static Row> {
    [
        wrappers::ROWS,
        javascript::ROWS,
        python::ROWS,
        rust::ROWS,
        go::ROWS,
        jvm::ROWS,
        ruby::ROWS,
        php::ROWS,
        native::ROWS,
        dotnet::ROWS,
        shell::ROWS,
        linters::ROWS,
    ]
    .into_iter()
    .flatten()
}

const fn name(has: &'static str, regex: &'static str, shown: &'static str) -> NameRule {
    NameRule { line: line(has, regex), shown, place: NamePlace::Anywhere }
}

const fn placed(
    place: NamePlace,
    has: &'static str,
    regex: &'static str,
    shown: &'static str,
) -> NameRule {
    NameRule { line: line(has, regex), shown, place }
}

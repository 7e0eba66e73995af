//! The numbers that a runner tells: how many tests passed, failed, were skipped.

use std::collections::BTreeMap;

use super::patterns::Text;
use super::rows::{CountRule, Row};

/// What a number counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CountKind {
    Passed,
    Failed,
    Skipped,
    /// Tests that have a name only.
    Todo,
    Errors,
    Total,
    ExpectedFailures,
    Cancelled,
    Warnings,
    Collected,
}

impl CountKind {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Skipped => "skipped",
            Self::Todo => "todo",
            Self::Errors => "errors",
            Self::Total => "total",
            Self::ExpectedFailures => "xfailed",
            Self::Cancelled => "cancelled",
            Self::Warnings => "warnings",
            Self::Collected => "collected",
        }
    }
}

/// The numbers that a runner told; a number that it did not tell is not there.
///
/// They do not identify a failure: some runners count groups and subtests as tests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestCounts(BTreeMap<CountKind, u64>);

impl TestCounts {
    pub fn get(&self, counted: CountKind) -> Option<u64> {
        self.0.get(&counted).copied()
    }

    pub fn iter(&self) -> impl Iterator<Item = (CountKind, u64)> {
        self.0.iter().map(|(counted, number)| (*counted, *number))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns how many tests passed, also if the runner told only how many did not.
    pub(super) fn passes(&self) -> u64 {
        let of = |counted| self.get(counted).unwrap_or_default();
        let others = [
            CountKind::Failed,
            CountKind::Errors,
            CountKind::Skipped,
            CountKind::Todo,
            CountKind::Cancelled,
            CountKind::ExpectedFailures,
        ];
        let rest = others.into_iter().map(of).fold(of(CountKind::Total), u64::saturating_sub);
        self.get(CountKind::Passed).unwrap_or(rest)
    }

    /// Adds the numbers of another runner in the same output.
    pub(super) fn add(&mut self, other: &Self) {
        for (counted, number) in other.iter() {
            let sum = self.0.entry(counted).or_default();
            *sum = sum.saturating_add(number);
        }
    }

    /// Takes from another what is not here.
    fn fill(&mut self, other: Self) {
        for (counted, number) in other.0 {
            self.0.entry(counted).or_insert(number);
        }
    }

    /// Takes the first number for each.
    pub(super) fn first(pairs: impl IntoIterator<Item = (CountKind, u64)>) -> Self {
        let mut counts = Self::default();
        for (counted, number) in pairs {
            counts.0.entry(counted).or_insert(number);
        }
        counts
    }

    fn of(pairs: impl IntoIterator<Item = (CountKind, u64)>) -> Self {
        let mut sums = Self::default();
        for (counted, number) in pairs {
            sums.add(&Self(BTreeMap::from([(counted, number)])));
        }
        sums
    }
}

/// Returns what the rules of a row find; an earlier rule wins.
pub(super) fn counts(row: &Row, text: &Text) -> TestCounts {
    let mut counts = TestCounts::default();
    for rule in row.counts {
        counts.fill(by_rule(*rule, text));
    }
    counts
}

fn by_rule(rule: CountRule, text: &Text) -> TestCounts {
    match rule {
        CountRule::Words(line) => {
            let all = text.matches(line).into_iter();
            TestCounts::of(all.flat_map(|(at, _)| in_words(&text.lines[at])))
        }
        CountRule::LastWords(line) => {
            let last = text.matches(line).pop();
            TestCounts::of(last.into_iter().flat_map(|(at, _)| in_words(&text.lines[at])))
        }
        CountRule::Is(counted, line) => {
            let all = text.matches(line).into_iter();
            let number = |text: &str| text.replace(',', "").parse().ok();
            TestCounts::of(all.filter_map(|(_, found)| {
                Some((counted, number(found.get(1).map_or("", |part| part.as_str()))?))
            }))
        }
        CountRule::Lines(counted, line) => {
            let number = text.matches(line).len() as u64;
            TestCounts::of((number > 0).then_some((counted, number)))
        }
    }
}

/// Words that give a number beside them its meaning; a word for a state wins over one for tests.
const WORDS: &[(&str, CountKind)] = &[
    ("passed", CountKind::Passed),
    ("pass", CountKind::Passed),
    ("passes", CountKind::Passed),
    ("passing", CountKind::Passed),
    ("ok", CountKind::Passed),
    ("success", CountKind::Passed),
    ("succeeded", CountKind::Passed),
    ("successful", CountKind::Passed),
    ("failed", CountKind::Failed),
    ("fail", CountKind::Failed),
    ("failing", CountKind::Failed),
    ("failure", CountKind::Failed),
    ("failures", CountKind::Failed),
    ("reformatted", CountKind::Failed),
    ("skipped", CountKind::Skipped),
    ("skip", CountKind::Skipped),
    ("skips", CountKind::Skipped),
    ("pending", CountKind::Skipped),
    ("pendings", CountKind::Skipped),
    ("ignored", CountKind::Skipped),
    ("disabled", CountKind::Skipped),
    ("todo", CountKind::Todo),
    ("error", CountKind::Errors),
    ("errors", CountKind::Errors),
    ("warning", CountKind::Warnings),
    ("warnings", CountKind::Warnings),
    ("cancelled", CountKind::Cancelled),
    ("canceled", CountKind::Cancelled),
    ("xfailed", CountKind::ExpectedFailures),
    ("collected", CountKind::Collected),
];

const ALL: &[&str] = &[
    "test",
    "tests",
    "example",
    "examples",
    "spec",
    "specs",
    "run",
    "runs",
    "total",
    "scenario",
    "scenarios",
    "cases",
];

/// Returns the numbers of a line with what they count: `3 failed`, `Failures: 3`, `errors=1`.
pub(super) fn in_words(line: &str) -> Vec<(CountKind, u64)> {
    let mut found = Vec::new();
    for part in line.split([',', '|', ';', '(', ')', '[', ']', '{', '}', '·']) {
        let words: Vec<&str> = part
            .split(|letter: char| letter.is_whitespace() || matches!(letter, ':' | '=' | '/'))
            .filter(|word| !word.is_empty())
            .collect();
        let numbers: Vec<usize> =
            (0..words.len()).filter(|at| words[*at].parse::<u64>().is_ok()).collect();
        // Words before a number are taken unless they already follow another number.
        let mut free = 0;
        for (nth, at) in numbers.iter().enumerate() {
            let end = numbers.get(nth + 1).copied().unwrap_or(words.len());
            // `Error: connect to port 5432` counts nothing, `Tests run: 5` does.
            let is_expected = *at > 1 && plain(words[at - 2]).ends_with("expected");
            let near = free.max(at.saturating_sub(1 + usize::from(is_expected))).min(*at);
            let (before, after) = (&words[near..*at], &words[at + 1..end]);
            let before = if before.last().is_some_and(|word| is_key(word)) { before } else { &[] };
            let after = counted(after);
            if after.is_some() {
                free = end;
            }
            let all = || before_total(&words[..*at]).or_else(|| counted(before));
            if let (Some(counted), Ok(number)) = (after.or_else(all), words[*at].parse()) {
                found.push((counted, number));
            }
        }
    }
    found
}

fn is_key(word: &str) -> bool {
    let word = plain(word);
    word == "run" || ALL.contains(&&*word) || WORDS.iter().any(|(known, _)| *known == word)
}

fn plain(word: &str) -> String {
    word.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase()
}

/// `2 failed out of 5`.
fn before_total(words: &[&str]) -> Option<CountKind> {
    matches!(words, [.., "out", "of"]).then_some(CountKind::Total)
}

fn counted(words: &[&str]) -> Option<CountKind> {
    let words: Vec<String> = words.iter().map(|word| plain(word)).collect();
    let has = |word: &str| words.iter().any(|one| one == word);
    if has("expected") && (has("failures") || has("fail")) {
        return Some(CountKind::ExpectedFailures);
    }
    let is_part = words.first().is_some_and(|word| word == "of");
    if has("unexpected") || has("suites") || has("suite") || is_part {
        return None;
    }
    let state = words.iter().find_map(|word| WORDS.iter().find(|(known, _)| known == word));
    let total = || ALL.iter().any(|word| has(word)).then_some(CountKind::Total);
    state.map(|(_, counted)| *counted).or_else(total)
}

//! The Test Anything Protocol, also below Perl's harness.

use std::collections::BTreeMap;

use super::super::found::Found;
use super::super::patterns::{Text, line};
use super::indentation;

/// `not ok 2 - name`, in the groups that the `# Subtest` lines around it name.
pub(in super::super) fn tap(text: &Text) -> Vec<Found> {
    let mut groups: BTreeMap<usize, String> = BTreeMap::new();
    let mut found: Vec<(usize, Found)> = Vec::new();
    let marks = line("", r"^\s*(?:(# Subtest: )|(not ok)(?: \d+)? ?(?:- )?|ok \d+)(.*)$");
    for (at, mark) in text.matches(marks) {
        let deep = indentation(&text.lines[at]);
        let rest = mark.get(3).map_or("", |part| part.as_str()).trim();
        if mark.get(1).is_some() {
            groups.insert(deep, rest.to_owned());
            continue;
        }
        let (shown, expected) = directive(rest);
        if mark.get(2).is_some() && !expected {
            let group_of_last = found.last().is_some_and(|(inner, one)| {
                *inner > deep && one.shown.starts_with(shown) && !shown.is_empty()
            });
            if !group_of_last {
                let names = groups.range(..deep).map(|(_, name)| name.as_str());
                let whole = names.chain([shown]).collect::<Vec<_>>().join(" > ");
                found.push((deep, Found { shown: whole, line: at }));
            }
        }
        groups.retain(|inner, _| *inner < deep);
    }
    found.into_iter().map(|(_, one)| one).filter(|one| !one.shown.is_empty()).collect()
}

/// Splits `name # time=5ms`. Returns whether the failure was expected.
fn directive(rest: &str) -> (&str, bool) {
    let (name, directive) = rest.rsplit_once(" # ").unwrap_or((rest, ""));
    let directive = directive.to_lowercase();
    let name = name.split(" in ").next().filter(|_| is_timed(name)).unwrap_or(name);
    let name = name.trim_end_matches(" {");
    (name.trim(), directive.starts_with("todo") || directive.starts_with("skip"))
}

/// bats adds `in 34ms` to a name.
fn is_timed(name: &str) -> bool {
    let time = name.rsplit_once(" in ").map_or("", |(_, time)| time);
    let number = time.trim_end_matches("ms").trim_end_matches("sec");
    number.len() < time.len() && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// `prove`: the diagnostics name test and file, the report names files that failed as a whole.
pub(in super::super) fn prove(text: &Text) -> Vec<Found> {
    let mut found = Vec::new();
    for (at, test) in text.matches(line("Failed test '", r"^\s*#\s+Failed test '(.+)'$")) {
        let place = line(" at ", r"^\s*#\s+(?:in|at) (\S+) (?:at )?line \d+");
        let file = text.at(at + 1, place);
        let part = |found: Option<regex_lite::Captures<'_>>| {
            found.and_then(|found| Some(found.get(1)?.as_str().to_owned())).unwrap_or_default()
        };
        let (file, name) = (part(file), part(Some(test)));
        found.push(Found { shown: format!("{file}: {name}"), line: at });
    }
    for (at, report) in text.matches(line("(Wstat:", r"^(\S+)\s+\(Wstat: .*\)$")) {
        let file = report.get(1).map_or("", |part| part.as_str());
        if !found.iter().any(|one| one.shown.starts_with(&format!("{file}:"))) {
            found.push(Found { shown: file.to_owned(), line: at });
        }
    }
    found
}

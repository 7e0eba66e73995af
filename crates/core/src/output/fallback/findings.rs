//! The forms in which linters and compilers name a file and a rule.

use super::super::found::{Found, by_rules};
use super::super::patterns::{Pattern, Text, line};
use super::super::rows::{NamePlace, NameRule};

const fn rule(has: &'static str, regex: &'static str) -> NameRule {
    NameRule { line: line(has, regex), shown: "{1} {2}", place: NamePlace::Anywhere }
}

const fn placed(place: NamePlace, has: &'static str, regex: &'static str) -> NameRule {
    NameRule { line: line(has, regex), shown: "{in} {1}", place }
}

const PATH: Pattern = line("", r"^(\S*[./]\S*|\S.*[\\/].*\.\w+):?$");
const ARROW: Pattern = line("", r"^\s*(?:-->|╭─\[|┌─|on) \s*(\S+?)(?::\d+:\d+\]?| line \d+)");

/// Each group is taken if those before it find nothing: the first name a rule, the last may be
/// warnings, which are the findings of a run that failed without errors.
const FORMS: &[&[NameRule]] = &[
    &[
        rule(
            ":",
            r"^(\S*[./]?\S*?):\d+(?::\d+)?:?(?: -)? ?(?i:fatal error|error|failure|e|style)\b.*?[\[(]((?:[a-z@]\w*[-/.])+[\w/-]+|[A-Z]+\d+|\w+)[\])]$",
        ),
        rule(
            ":",
            r"^(\S*[./]\S*?):\d+(?::\d+)?:? .*[\[(]((?:[a-z@]\w*[-/])+[\w/-]+|[a-z]+[A-Z]\w+)[\])]$",
        ),
        rule(":", r"^(\S*[./]?\S*?):\d+(?::\d+)?:?(?: -)? (?:(?i:error):? )?([A-Z]{1,6}\d{2,5})\b"),
        rule("error", r"^\s*(\S*[./]\S*?)\(\d+(?:,\d+)?\): error:? ?([A-Z]+\d+)?"),
        placed(
            NamePlace::Under(PATH),
            ":",
            r"^\s+\d+:\d+\s+(?i:error|✖|×|fatal)\s+\S.*?\s{2,}\(?(\S+?)\)?$",
        ),
        placed(NamePlace::Before(ARROW), "rror", r"^\W*(?i:error)(?:\[(\S+)\])?:? "),
        placed(NamePlace::Before(ARROW), "", r"^([A-Z]{1,6}\d{2,5})\b"),
    ],
    &[
        rule(":", r"^(\S*[./]\S*?):\d+(?::\d+)?:? (?:- )?(?i:error|fatal error|e)\b:?()"),
        rule(
            "",
            r"(?i)^\W*(?:would reformat|unformatted|not formatted|needs formatting|incorrectly formatted):? (\S+\.\w+)$()",
        ),
        rule("", r"^\[?(?i:error|warn|warning)\]?:? (\S+\.\w{1,5})(?:$| [A-Z].*)()"),
        placed(NamePlace::Before(ARROW), "ormat", r"^\W*(?i:unformatted|would reformat)\b()"),
        rule("rror", r"^(?i:\w*error):? (?:in|at) (\S+?\.\w+)(?::\d+|,| on)()"),
    ],
    &[
        rule(
            ":",
            r"^(\S*[./]\S*?):\d+(?::\d+)?:? (?i:warning|warn|style|info|note|convention)\b.*?[\[(]([\w./@-]+)[\])]$",
        ),
        placed(NamePlace::Under(PATH), ":", r"^\s+\d+:\d+\s+\w+\s+\S.*?\s{2,}\(?(\S+?)\)?$"),
        rule(":", r"^(\S*[./]\S*?\.\w+):\d+:\d+:? ()\w"),
    ],
];

/// Returns the findings; if every line is a path, as a formatter lists them, the paths.
pub(super) fn findings(text: &Text) -> Vec<Found> {
    for rules in FORMS {
        let found = by_rules(rules, text);
        if !found.is_empty() {
            return found;
        }
    }
    let lines = text.lines.iter().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let paths: Option<Vec<Found>> = lines
        .map(|(line, path)| super::tidy::is_file(path).then(|| Found { shown: path.clone(), line }))
        .collect();
    paths.unwrap_or_default()
}

//! Words and signs in front of or behind the name of a failed test.

use super::super::found::{Found, by_rules};
use super::super::patterns::{Text, line};
use super::super::rows::{NamePlace, NameRule};

const fn rule(has: &'static str, regex: &'static str) -> NameRule {
    NameRule { line: line(has, regex), shown: "{1}", place: NamePlace::Anywhere }
}

/// Signs, which some tools also print in front of other errors.
const SIGNS: &[NameRule] = &[
    rule("✗", r"^\s*✗\s+(?:\[\w+\]:? )?(.*\S)$"),
    rule("✘", r"^\s*✘\s+(?:\[\w+\]:? )?(.*\S)$"),
    rule("✕", r"^\s*✕\s+(.*\S)$"),
    rule("✖", r"^\s*✖\s+(.*\S)$"),
    rule("×", r"^\s*×\s+(.*\S)$"),
    rule("⨯", r"^\s*⨯\s+(.*\S)$"),
    rule("❌", r"^\s*❌\s*(.*\S)$"),
    rule("●", r"^\s*●\s+(.*\S)$"),
    rule("[x]", r"^\s*\[[x]\]\s+(.*\S)$"),
];

/// Words. A message may follow the name after ` - `.
const WORDS: &[NameRule] = &[
    rule("not ok", r"^\s*not ok\b(?: \d+)? ?(?:- )?(.*?\S)(?: # .*)?$"),
    rule("FAIL", r"^\s*(?:-{2,}|={2,}|\[)? *(?:FAIL|FAILED|FAILURE) *(?:\]|:) *(\S.*?)(?: - .*)?$"),
    rule("FAIL", r"^\s*(?:FAILED|FAIL) +(\S.*?)(?: - .*)?$"),
    rule(
        "FAIL",
        r"^\s*(?:test )?(\S.*?)\s*(?:\.{2,}|:|-|\||=>|→|…)\s*\[? ?(?:FAIL|FAILED|FAILURE)\b ?\]?!?(?: *[(\[|:].*| +in .*|\s+[\d.]+ ?m?s.*)?\s*\|?$",
    ),
    rule(
        "FAIL",
        r"^\s*(?:- )?(\S.*?)\s+(?:\*+ ?)?(?:FAILED|\(FAILED[ \w-]*\)|\[FAIL\]|\[FAILED\])(?: ?\*+)?!?(?: *[(\[].*)?$",
    ),
    rule("[E]", r"^(?:[\d:]+ \+\d+(?: ~\d+)? -\d+: )(\S.*) \[E\]$"),
    rule("ailed", r"^\s*(\S.*?)\s*(?:\.{2,}|…|=>|→|: )\s*\[? ?[Ff]ailed\b ?\]?(?: *[(\[].*)?$"),
    rule("ailed", r"^\s+(?:Failed|failed):? +(\S.*?)(?: [(\[][\d.<, ]+m?s[)\]])$"),
    rule("ailed", r"^(?:Test [Cc]ase |[Tt]est )['`\x22](.+?)['`\x22] failed\b"),
    rule("ERROR", r"^ERROR +(\S+::\S.*?)(?: - .*)?$"),
    rule("ERROR", r"^\s*(\S.*?) *(?:\.{2,}) *\[? ?ERROR\b ?\]?$"),
    rule("ail", r"^\s*\((?i:fail|failed)\) (.*\S)$"),
    rule("ailure", r"^\s*(?:Failure|FAILURE): (\S.*)$"),
];

/// Returns the marked names, and whether one is marked by a word.
pub(super) fn marks(text: &Text) -> (Vec<Found>, bool) {
    let mut names = by_rules(WORDS, text);
    names.retain(|one| super::tidy::is_name(&super::tidy::tidy(&one.shown)));
    let has_word = !names.is_empty();
    names.extend(by_rules(SIGNS, text));
    (names, has_word)
}

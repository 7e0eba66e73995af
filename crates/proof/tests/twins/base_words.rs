//! What the base stored as sentences and the code at hand stores as data.

use regex_lite::Regex;

/// Every form of a hold with the sentence that the base stored for it.
const HOLDS: &[(&str, &str)] = &[
    (
        r"no_progress:\n +unheeded: (\d+)",
        "no_progress: nothing changed after the stop was refused ${1} times",
    ),
    (
        r#""no_progress": \{\n +"unheeded": (\d+)\n +\}"#,
        "\"no_progress\": \"nothing changed after the stop was refused ${1} times\"",
    ),
    (
        r#"no_progress:\n +unchanged:\n +unit: (.*)\n +failure: "(.*)""#,
        "no_progress: \"`${1}`: ${2}\"",
    ),
    (r"interrupted: true", "person: interrupted"),
    (
        r"budget:\n +used: (.*)\n +most: (.*)\n +raise: (.*)\n +by: (.*)",
        "person: \"the budget is spent: ${1} of ${2}; `sprag resume ${4} --budget ${3}` raises it\"",
    ),
    (
        r"no_host:\n +host: (.*)\n +why: (.*)\n +by: (.*)",
        "person: \"no agent can be started: `${1}`: ${2}; `sprag run ${3} --host NAME` names another one\"",
    ),
    (
        r"no_part:\n +part: (.*)\n +host: (.*)",
        "person: \"the loop names `${2}` as ${1}, and it is not here: install it, or `sprag pr resume --${1} NAME` names another\"",
    ),
    (
        r"doubtful:(\n +gate: .*\n +why:)\n +protected:\n +first: (.*)\n +more: 0",
        "unproven:${1} it passes, but `${2}` is protected and was changed",
    ),
    (
        r"doubtful:(\n +gate: .*\n +why:)\n +protected:\n +first: (.*)\n +more: (\d+)",
        "unproven:${1} it passes, but `${2}` and ${3} more is protected and was changed",
    ),
];

/// Returns whether texts differ only in the form of their holds.
pub(crate) fn holds_are_data(base: &str, new: &str) -> bool {
    with_sentences(new) == base
}

/// Returns a text with the sentences that the base stored.
pub(crate) fn with_sentences(text: &str) -> String {
    let replaced = |text: String, (form, sentence): &(&str, &str)| {
        Regex::new(form).unwrap().replace_all(&text, *sentence).into_owned()
    };
    HOLDS.iter().fold(text.to_owned(), replaced)
}

/// Returns whether the run of a plan keeps its pause as data, beside the words in its `STATE.md`.
pub(crate) fn a_pause_is_kept(base: &str, new: &str) -> bool {
    new.replacen("hold:\n  interrupted: true\n", "", 1) == base
}

/// Returns whether journals differ only in the edits that record this pause: each is one version
/// of `run.yaml` more.
pub(crate) fn a_pause_is_recorded(base: &str, new: &str) -> bool {
    let edit = Regex::new(
        r"    after: .*/run\.yaml #\d+>\n    before: .*\n    doc: .*\n    splices:\n(?:      .*\n)+?      hold:\n        interrupted: true\n  -:\n",
    );
    let number = Regex::new(r"(/run\.yaml #)\d+").unwrap();
    let unnumbered = |text: &str| number.replace_all(text, "${1}").into_owned();
    unnumbered(&edit.unwrap().replace_all(new, "")) == unnumbered(base)
}

/// Returns whether texts differ only in refused findings: the finding and the agent's reason are
/// two values now.
pub(crate) fn refused_findings_are_pairs(base: &str, new: &str) -> bool {
    let pair = Regex::new(r"-:\n +finding: (.*)\n +why: (.*)").unwrap();
    pair.replace_all(new, "-: ${1}; refused by the agent: ${2}") == base
}

#[test]
fn only_the_form_of_a_hold_may_differ() {
    let base = "hold:\n  person: interrupted\nowner: run-r-1\n";
    assert!(holds_are_data(base, "hold:\n  interrupted: true\nowner: run-r-1\n"));
    assert!(!holds_are_data(base, "hold:\n  interrupted: true\nowner: run-r-2\n"));
    assert!(!holds_are_data(base, "owner: run-r-1\n"));
}

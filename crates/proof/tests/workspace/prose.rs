//! No decision compares or cuts an English sentence. A sentence is for a person; code that decides
//! needs a value. The first release had seventeen such places.

use std::collections::{BTreeMap, BTreeSet};

use regex_lite::Regex;

use crate::code::{Code, shipped};

/// A place in the sources: a file, and a part of one of its lines.
type Place = (&'static str, &'static str);

/// Matches of the scan that are no prose of sprag's own between its own functions.
const FOREIGN: &[Place] = &[
    // The error message of `gh` without a login.
    ("crates/world/src/forge/github/call.rs", "contains(\"gh auth login\")"),
    // npm's placeholder in a new package.json.
    ("crates/engine/src/usual_checks.rs", "contains(\"no test specified\")"),
    // The first line of a file in the cache.
    ("crates/world/src/tree/table.rs", "strip_prefix(HEAD)"),
    // The sentences that the first release stored: they are data now, and read nowhere else.
    ("crates/core/src/hold/first_release.rs", ""),
    // The traces that the first release left.
    ("crates/store/src/trace.rs", "did.starts_with(\" refused, and not by: \")"),
    // The message of sprag's own commits: git keeps nothing else of them.
    ("crates/run/src/worktrees/base.rs", "starts_with(AS_THEY_WERE)"),
];

/// The crates that decide.
const DECIDE: [&str; 6] = ["core", "store", "world", "engine", "run", "cli"];

/// The functions and operators that compare or cut a text, up to their argument.
const COMPARES: &str = r"(?:\b(?:starts_with|ends_with|contains|strip_prefix|strip_suffix|splitn?|split_once|rsplit|rsplit_once|r?find|matches|trim_start_matches|trim_end_matches)\(|[=!]= )\s*&?";

fn is_foreign(file: &str, line: &str) -> bool {
    FOREIGN.iter().any(|(path, part)| *path == file && line.contains(part))
}

#[test]
fn every_listed_place_is_still_there() {
    let files: BTreeMap<String, String> =
        shipped(&DECIDE).into_iter().map(|file| (file.path, file.text)).collect();
    let is_gone = |(path, part): &&Place| files.get(*path).is_none_or(|text| !text.contains(part));
    let gone: Vec<_> = FOREIGN.iter().filter(is_gone).collect();
    assert!(gone.is_empty(), "these are gone, delete them from the list: {gone:#?}");
}

/// Finds comparisons of a text with a literal of three or more words, also as a match arm, with a
/// constant of two or more words that is no path or mark, or with `format!`, and splits at a
/// backquote.
fn scan(files: &[Code]) -> Vec<(String, String)> {
    let constant = Regex::new(r#"const ([A-Z_0-9]+): &(?:'static )?str =\s*"([^"\\]*)""#).unwrap();
    let own = |file: &Code| -> BTreeMap<String, String> {
        let all = constant.captures_iter(&file.text);
        all.map(|found| (found[1].to_owned(), found[2].to_owned())).collect()
    };
    let mut known = BTreeMap::<String, Vec<String>>::new();
    for (name, text) in files.iter().flat_map(own) {
        known.entry(name).or_default().push(text);
    }
    let literal = Regex::new(&format!(r#"{COMPARES}(?:format!\()?"([^"\\]*)""#)).unwrap();
    let by_name = Regex::new(&format!(r"{COMPARES}(?:[a-z_]+::)*([A-Z][A-Z_0-9]+)\b")).unwrap();
    let arm = Regex::new(r#""([^"\\]*)"\)?(?:\s*\|[^=;]*)?\s*=>"#).unwrap();
    let formatted = Regex::new(r#"contains\(&format!\(" \{"#).unwrap();
    let backquote = Regex::new(r"split(?:_once)?\('`'\)").unwrap();
    let mut hits = Vec::new();
    for file in files {
        let here = own(file);
        let is_sentence = |name: &str| match (here.get(name), known.get(name)) {
            (Some(text), _) => words(text) >= 2,
            (None, all) => all.into_iter().flatten().any(|text| words(text) >= 2),
        };
        let text = &file.text;
        let literals = [&literal, &arm].into_iter().flat_map(|one| one.captures_iter(text));
        let literals = literals.filter(|found| words(&found[1]) >= 3);
        let names = by_name.captures_iter(text).filter(|found| is_sentence(&found[1]));
        let others = backquote.captures_iter(text).chain(formatted.captures_iter(text));
        let at = literals.chain(names).chain(others).filter_map(|found| found.get(0));
        let lines: BTreeSet<&str> = at.map(|found| line_at(text, found.range())).collect();
        hits.extend(lines.into_iter().map(|line| (file.path.clone(), line.trim().to_owned())));
    }
    hits
}

/// Returns the whole lines around a part of a text.
fn line_at(text: &str, part: std::ops::Range<usize>) -> &str {
    let start = text[..part.start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[part.end..].find('\n').map_or(text.len(), |at| part.end + at);
    &text[start..end]
}

/// Returns the number of words in a text; a path, a name or a mark has none.
fn words(text: &str) -> usize {
    if text.contains(['<', '/', '=', '_', '{']) || !text.trim().contains(' ') {
        return 0;
    }
    text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()).count()
}

#[test]
fn no_decision_reads_a_sentence() {
    let hits = scan(&shipped(&DECIDE)).into_iter();
    let found: Vec<_> = hits.filter(|(file, line)| !is_foreign(file, line)).collect();
    assert!(found.is_empty(), "decide by a value, not by a sentence: {found:#?}");
}

#[test]
fn sentences_are_found() {
    let text = "const SPENT: &str = \"the budget is spent\";\nconst FOLDER: &str = \".sprag/runs\";\n\
        fn a() { why.starts_with(SPENT) }\nfn b() { path.starts_with(FOLDER) }\n\
        fn c() { why == \"the host is gone\" }\nfn d() { why.split('`') }\nfn e() { x == \"done\" }\n\
        fn f() { why.ends_with(\n\"is spent by now\") }\nfn g() { match why { \"it is gone\" => 1 } }\n";
    let hits = scan(&[Code { path: "a.rs".to_owned(), text: text.to_owned() }]);
    let lines: Vec<_> = hits.iter().map(|(_, line)| &line[..6]).collect();
    assert_eq!(lines, ["fn a()", "fn c()", "fn d()", "fn f()", "fn g()"]);
}

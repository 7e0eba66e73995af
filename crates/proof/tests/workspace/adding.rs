//! The pages about adding a host, a kind of gate, a rule and a dialect list exactly the files that
//! the code asks for.

use std::collections::BTreeSet;

use regex_lite::Regex;

use crate::code::{SHIPPED, shipped};

/// Returns the files in the table of a page, with a name for `NAME`.
fn listed(page: &str, name: &str) -> BTreeSet<String> {
    let text = std::fs::read_to_string(crate::top().join("docs").join(page)).unwrap();
    let row = Regex::new(r"(?m)^\| \d+ \| `([^`]+)` \|").unwrap();
    let files: Vec<_> = row.captures_iter(&text).map(|row| row[1].replace("NAME", name)).collect();
    for file in &files {
        assert!(crate::top().join(file).exists(), "{page}: there is no {file}");
    }
    let count = files.len();
    let files: BTreeSet<String> = files.into_iter().collect();
    assert!(count > 1 && files.len() == count, "{page}: {files:?}");
    files
}

/// Returns the schemas whose text has this word.
fn schemas(word: &str) -> impl Iterator<Item = String> {
    let entries = std::fs::read_dir(crate::top().join("schemas")).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let files = names.map(|name| format!("schemas/{name}"));
    let has = |file: &String| std::fs::read_to_string(crate::top().join(file)).unwrap();
    files.filter(move |file| has(file).contains(&format!("\"{word}\"")))
}

/// Codex stands for all hosts, because nothing but its row is special about it.
#[test]
fn the_page_about_hosts_lists_the_files_that_name_one() {
    let mut listed = listed("adding-a-host.md", "codex");
    assert!(listed.remove("docs/hosts.md"), "a test of the hosts' crate compares its tables");
    let code = shipped(&SHIPPED).into_iter();
    let own = code
        .filter(|file| file.path.contains("/codex/") || file.text.to_lowercase().contains("codex"));
    let files: BTreeSet<_> = own.map(|file| file.path).chain(schemas("codex")).collect();
    assert_eq!(listed, files);
}

/// Every match on a kind of check is exhaustive, so a file that must know a new kind has an arm for
/// each of those that are there. Tests count as well.
#[test]
fn the_page_about_gates_lists_the_files_that_know_every_kind() {
    let sources = crate::sources();
    let home = "crates/core/src/gate.rs";
    let (_, text) = sources.iter().find(|(path, _)| path.to_string_lossy() == home).unwrap();
    let kinds = Regex::new(r"Self::(\w+) \{ \.\. \} => CheckKind::").unwrap();
    let arms: Vec<_> = kinds.captures_iter(text).map(|kind| arm(&kind[1])).collect();
    assert!(arms.len() > 6, "{arms:?}");
    let knows_all = |text: &str| arms.iter().all(|arm| arm.is_match(text));
    let files = sources.iter().filter(|(_, text)| knows_all(text));
    let files = files.map(|(path, _)| path.to_string_lossy().into_owned());
    let files: BTreeSet<_> = files.chain([home.to_owned()]).chain(schemas("content")).collect();
    assert_eq!(listed("adding-a-gate.md", ""), files);
}

/// Matches an arm of a match for a kind, alone or among others.
fn arm(kind: &str) -> Regex {
    Regex::new(&format!(r"\bCheck(?:Kind)?::{kind}\b(?: \{{[^}}]*\}})?\s*(?:=>|\||if\b)")).unwrap()
}

#[test]
fn a_match_is_told_from_a_list_and_from_a_value() {
    let arm = arm("File");
    for is in
        ["Check::File { path } => 1", "Check::File { .. }\n    | Check", "CheckKind::File => 1"]
    {
        assert!(arm.is_match(is), "{is}");
    }
    for is_not in ["CheckKind::File,", "gate(Check::File { path })", "Check::Files => 1"] {
        assert!(!arm.is_match(is_not), "{is_not}");
    }
}

/// The shipped rule is the model of another one.
#[test]
fn the_page_about_rules_lists_the_files_that_name_the_shipped_one() {
    let word = Regex::new(r"\bmod review_loop;|\breview_loop::ReviewLoop\b").unwrap();
    let code = shipped(&SHIPPED).into_iter();
    let own = code.filter(|file| word.is_match(&file.text));
    let mut files: BTreeSet<_> = own.map(|file| file.path).collect();
    files.insert("crates/core/src/review_loop/".to_owned());
    assert_eq!(listed("rules.md", "review_loop"), files);
}

/// The ratchet of the kinds' names checks that no other file names one.
#[test]
fn the_page_about_dialects_lists_files_that_exist_for_a_dialect() {
    listed("adding-a-dialect.md", "plan");
}

//! Figures of the structure that may only fall. Each is measured in the source text, and its
//! constant is the current figure: a higher count fails, and so does a constant that is too high.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

use regex_lite::Regex;

use crate::code::{Code, shipped};

/// The largest dependency cycle between top-level modules of `engine`.
const CYCLE: usize = 0;

/// Names that three or more structs or enums have.
const NAMES: usize = 2;

/// Mentions of single hosts outside the hosts' own folders: the plugin of Claude Code, the bridge of pi, and
/// pi-workflows, which it replaces.
const HOSTS: usize = 9;

/// Mentions of single kinds of runs outside the kinds' own folders.
const KINDS: usize = 0;

/// Fails unless the constant is the current figure.
fn holds(what: &str, constant: usize, today: usize, found: &impl Debug) {
    assert!(today <= constant, "{what}: {today}, and at most {constant} may be: {found:#?}");
    assert!(today == constant, "{what}: it has fallen. Lower the constant to {today}");
}

/// A module is the first part of a path below `crates/engine/src`: `drive/end.rs` belongs to
/// `drive`. It depends on every module that its code names after `crate::`, alone or in a list of
/// braces. Test code and comments do not count. A cycle is a set of modules that can all reach each
/// other.
#[test]
fn the_largest_cycle_between_modules_of_engine() {
    let largest = largest_cycle(&dependencies(&shipped(&["engine"])));
    holds("largest cycle in engine", CYCLE, largest.len(), &largest);
}

fn dependencies(files: &[Code]) -> BTreeMap<String, BTreeSet<String>> {
    let module = |file: &Code| {
        let first = file.path.strip_prefix("crates/engine/src/").unwrap_or(&file.path);
        let first = first.split('/').next().unwrap_or_default();
        first.strip_suffix(".rs").unwrap_or(first).to_owned()
    };
    let modules: BTreeSet<String> =
        files.iter().map(module).filter(|module| module != "lib").collect();
    let mut uses = BTreeMap::<String, BTreeSet<String>>::new();
    for file in files {
        let own = module(file);
        let named = named_after_crate(&file.text).into_iter();
        let others = named.filter(|name| modules.contains(name) && *name != own);
        uses.entry(own.clone()).or_default().extend(others);
    }
    uses.retain(|module, _| modules.contains(module));
    uses
}

/// Returns the first name of every path that begins with `crate::`.
fn named_after_crate(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    for (at, found) in text.match_indices("crate::") {
        let rest = &text[at + found.len()..];
        let Some(list) = rest.strip_prefix('{') else {
            names.push(first_word(rest));
            continue;
        };
        let (mut depth, mut start) = (0_u32, 0);
        for (at, letter) in list.char_indices() {
            match letter {
                '{' => depth += 1,
                '}' if depth > 0 => depth -= 1,
                ',' | '}' if depth == 0 => {
                    names.push(first_word(&list[start..at]));
                    start = at + 1;
                    if letter == '}' {
                        break;
                    }
                }
                _ => {}
            }
        }
    }
    names
}

fn first_word(text: &str) -> String {
    let is_part = |letter: &char| letter.is_alphanumeric() || *letter == '_';
    text.trim_start().chars().take_while(is_part).collect()
}

fn largest_cycle(uses: &BTreeMap<String, BTreeSet<String>>) -> BTreeSet<String> {
    let reached = |from: &String| {
        let (mut seen, mut next) = (BTreeSet::new(), vec![from.clone()]);
        while let Some(one) = next.pop() {
            for other in uses.get(&one).into_iter().flatten() {
                if seen.insert(other.clone()) {
                    next.push(other.clone());
                }
            }
        }
        seen
    };
    let reach: BTreeMap<&String, BTreeSet<String>> =
        uses.keys().map(|module| (module, reached(module))).collect();
    let cycle = |module: &String| -> BTreeSet<String> {
        let all = reach[module].iter();
        all.filter(|other| reach[other].contains(module)).cloned().collect()
    };
    uses.keys().map(cycle).max_by_key(BTreeSet::len).unwrap_or_default()
}

/// A definition is a line of a shipped crate's sources, tests included, that begins without
/// indentation with `struct` or `enum`, after at most a `pub`.
#[test]
fn names_that_several_types_have() {
    let line = Regex::new(r"(?m)^(?:pub(?:\([^)]*\))? )?(?:struct|enum) ([A-Z]\w*)").unwrap();
    let mut count = BTreeMap::<String, usize>::new();
    for (path, text) in crate::sources() {
        let path = path.to_string_lossy();
        let is_shipped = crate::code::SHIPPED
            .iter()
            .any(|name| path.starts_with(&format!("crates/{name}/src/")));
        if is_shipped {
            for found in line.captures_iter(&text) {
                *count.entry(found[1].to_owned()).or_default() += 1;
            }
        }
    }
    count.retain(|_, times| *times >= 3);
    holds("names of three or more types", NAMES, count.len(), &count);
}

/// The home of the kinds of runs, and the list of modules, which passes their verbs on.
const OWN: &[&str] = &[
    "crates/engine/src/kinds/",
    "crates/engine/src/lib.rs",
    "crates/engine/src/open.rs",
    "crates/engine/src/engine/kind/run_header.rs",
    "crates/engine/src/inbox/",
];

/// Counts `kinds::`, the types of the kinds' runs, and `Source::`, in the code of `engine`, `run`
/// and `cli` without tests and comments. In a file that imports another `Source` (of a claim, of a
/// session) that word does not count.
#[test]
fn mentions_of_the_kinds_of_runs() {
    let word = Regex::new(r"\b(?:kinds::|(?:Guard|Workflow|Plan|Loop|Gsd|Pr)Run\b)").unwrap();
    let source = Regex::new(r"\bSource::").unwrap();
    let other = Regex::new(r"use sprag_(core::reporting|hosts)::[^;]*\bSource\b").unwrap();
    let mut count = BTreeMap::<String, usize>::new();
    for file in shipped(&["engine", "run", "cli"]) {
        if OWN.iter().any(|own| file.path.starts_with(own)) {
            continue;
        }
        let is_other = other.is_match(&file.text);
        let sources = source.find_iter(&file.text).filter(|_| !is_other).count();
        let times = word.find_iter(&file.text).count() + sources;
        if times > 0 {
            count.insert(file.path, times);
        }
    }
    holds("mentions of kinds", KINDS, count.values().sum(), &count);
}

/// Counts constants such as `Host::CODEX`, and names such as `"codex"`, in the code of `formats`,
/// `engine`, `run` and `cli` without tests and comments.
#[test]
fn mentions_of_single_hosts() {
    let names = sprag_hosts::names();
    let constants = names.map(str::to_uppercase).join("|");
    let word = format!(r#"\bHost::(?:{constants})\b|"(?:{})""#, names.join("|"));
    let word = Regex::new(&word).unwrap();
    let mut count = BTreeMap::<String, usize>::new();
    for file in shipped(&["formats", "engine", "run", "cli"]) {
        let times = word.find_iter(&file.text).count();
        if times > 0 {
            count.insert(file.path, times);
        }
    }
    holds("mentions of single hosts", HOSTS, count.values().sum(), &count);
}

#[test]
fn cycles_are_found() {
    let file = |path: &str, text: &str| Code {
        path: format!("crates/engine/src/{path}"),
        text: text.to_owned(),
    };
    let files = [
        file("a.rs", "use crate::{b::{X, Y}, c};\n"),
        file("b/deep.rs", "fn x() { crate::d::go() }"),
        file("c.rs", "use sprag_core::a;"),
        file("d/mod.rs", "use crate::a::Z;"),
        file("lib.rs", "use crate::c;"),
    ];
    let largest = largest_cycle(&dependencies(&files));
    assert_eq!(largest, ["a", "b", "d"].map(str::to_owned).into());
}

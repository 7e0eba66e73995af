//! Which crate may depend on which: DESIGN.md "Layout", checked with `cargo metadata`.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// Each crate, with the workspace crates that its shipped code may use.
const MAY_USE: &[(&str, &[&str])] = &[
    ("sprag-core", &[]),
    ("sprag-formats", &["sprag-core"]),
    ("sprag-store", &["sprag-core"]),
    ("sprag-world", &["sprag-core", "sprag-formats", "sprag-store"]),
    ("sprag-hosts", &["sprag-core", "sprag-formats"]),
    ("sprag-engine", &["sprag-core", "sprag-formats", "sprag-hosts", "sprag-store", "sprag-world"]),
    (
        "sprag-run",
        &[
            "sprag-core",
            "sprag-formats",
            "sprag-hosts",
            "sprag-store",
            "sprag-world",
            "sprag-engine",
        ],
    ),
    (
        "sprag",
        &[
            "sprag-core",
            "sprag-formats",
            "sprag-hosts",
            "sprag-store",
            "sprag-world",
            "sprag-engine",
            "sprag-run",
        ],
    ),
];

/// Crates that only tests may use.
const DEV_ONLY: &[&str] = &["sprag-testkit", "sprag-proof", "sprag-conformance"];

/// Returns each workspace crate's dependencies inside the workspace, without those of tests.
fn shipped_dependencies(metadata: &Value) -> BTreeMap<String, BTreeSet<String>> {
    let members: BTreeSet<&str> = metadata["workspace_members"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    let packages = metadata["packages"].as_array().unwrap().iter();
    packages
        .filter(|package| members.contains(package["id"].as_str().unwrap()))
        .map(|package| {
            let uses = package["dependencies"].as_array().unwrap().iter();
            let ours = uses
                .filter(|used| used["kind"] != "dev" && used["path"].is_string())
                .map(|used| used["name"].as_str().unwrap().to_owned());
            (package["name"].as_str().unwrap().to_owned(), ours.collect())
        })
        .collect()
}

fn faults(crates: &BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
    let mut faults = Vec::new();
    for (name, uses) in crates.iter().filter(|(name, _)| !DEV_ONLY.contains(&name.as_str())) {
        match MAY_USE.iter().find(|(known, _)| known == name) {
            None => {
                faults.push(format!("{name} has no place in the layout yet: say what it may use"));
            }
            Some((_, allowed)) => faults.extend(
                uses.iter()
                    .filter(|used| !allowed.contains(&used.as_str()))
                    .map(|used| format!("{name} must not use {used}")),
            ),
        }
    }
    faults
}

#[test]
fn crates_know_only_what_is_below_them() {
    let crates = shipped_dependencies(&crate::metadata(&["--no-deps", "--offline"]));
    assert!(crates.contains_key("sprag-core") && crates.contains_key("sprag"), "{crates:?}");
    assert_eq!(faults(&crates), Vec::<String>::new());
}

#[test]
fn nothing_is_decided_by_how_a_run_is_reported() {
    let is_decided = |path: &str| {
        path.starts_with("crates/core/src/")
            && !path.contains("/reporting/")
            && !path.contains("/tests/")
    };
    let sources = crate::sources().into_iter();
    let knows = sources.filter(|(path, text)| {
        is_decided(&path.to_string_lossy()) && text.contains("crate::reporting")
    });
    assert_eq!(knows.map(|(path, _)| path).collect::<Vec<_>>(), Vec::<std::path::PathBuf>::new());
}

#[test]
fn a_wrong_direction_is_found() {
    let uses = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    let crates = BTreeMap::from([
        ("sprag-core".to_owned(), uses(&["sprag-store"])),
        ("sprag".to_owned(), uses(&["sprag-testkit"])),
        ("sprag-new".to_owned(), uses(&[])),
    ]);
    assert_eq!(faults(&crates).len(), 3);
}

//! Every package has an accepted licence and a known source, and none is banned: the part of
//! `cargo deny check` that needs neither cargo-deny nor a network.

use serde_json::Value;

use crate::top;

/// Returns a list of `deny.toml`, one text a line.
fn listed(name: &str) -> Vec<String> {
    let text = std::fs::read_to_string(top().join("deny.toml")).unwrap();
    let (_, rest) = text.split_once(&format!("\n{name} = [\n")).unwrap();
    let (list, _) = rest.split_once("\n]").unwrap();
    let quoted = list.lines().map(|line| line.trim().trim_end_matches(',').trim_matches('"'));
    quoted.map(str::to_owned).collect()
}

/// Returns whether an alternative of an SPDX expression requires only accepted licences.
///
/// It handles the expressions in use: `OR` (or the old `/`) binds weakest, `AND` next.
fn is_allowed(expression: &str, allowed: &[String]) -> bool {
    let flat = expression.replace('/', " OR ").replace(['(', ')'], " ");
    let words = flat.split_whitespace().collect::<Vec<_>>().join(" ");
    let takes = |term: &str| allowed.iter().any(|one| one == term.trim());
    // `(A OR B) AND C` always requires C; without its brackets it would not.
    if expression.contains(") AND") || expression.contains("AND (") {
        return words.split(" AND ").all(|group| group.split(" OR ").any(takes));
    }
    words.split(" OR ").any(|choice| choice.split(" AND ").all(takes))
}

#[test]
fn every_package_has_a_licence_we_take() {
    let allowed = listed("allow");
    let metadata = crate::metadata(&[]);
    let packages = metadata["packages"].as_array().unwrap();
    let refused: Vec<String> = packages
        .iter()
        .filter(|package| {
            !package["license"].as_str().is_some_and(|found| is_allowed(found, &allowed))
        })
        .map(|package| format!("{} {}", package["name"], package["license"]))
        .collect();
    assert_eq!(refused, Vec::<String>::new());
    assert!(packages.len() > 10 && packages.iter().all(|package| package["name"] != Value::Null));
}

#[test]
fn every_package_comes_from_the_registry_and_none_is_banned() {
    let (banned, registries) = (listed("deny"), listed("allow-registry"));
    assert!(banned.contains(&"cc".to_owned()) && registries.len() == 1);
    let metadata = crate::metadata(&[]);
    let packages = metadata["packages"].as_array().unwrap();
    let is_known = |package: &Value| match package["source"].as_str() {
        // A crate of this workspace.
        None => true,
        Some(source) => registries.iter().any(|one| source == format!("registry+{one}")),
    };
    for package in packages {
        let name = package["name"].as_str().unwrap();
        assert!(is_known(package), "{name} comes from {}", package["source"]);
        assert!(!banned.iter().any(|one| one == name), "{name} is banned");
    }
}

#[test]
fn expressions_are_understood() {
    let allowed = listed("allow");
    for good in [
        "MIT",
        "MIT OR Apache-2.0",
        "GPL-3.0 OR MIT",
        "MIT/Apache-2.0",
        "(MIT OR Apache-2.0) AND Unicode-3.0",
        "Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT",
    ] {
        assert!(is_allowed(good, &allowed), "{good}");
    }
    for bad in ["GPL-3.0", "", "MIT AND GPL-3.0", "(MIT OR Apache-2.0) AND NCSA", "BUSL-1.1"] {
        assert!(!is_allowed(bad, &allowed), "{bad}");
    }
}

//! Every package in the build has an accepted licence.

use serde_json::Value;

/// The licences of CRATES.md §2.
const ALLOWED: &[&str] = &[
    "MIT",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "Zlib",
    "Unicode-3.0",
    "CC0-1.0",
    "Unlicense",
    "MPL-2.0",
];

/// Returns whether an alternative of an SPDX expression requires only accepted licences.
///
/// It handles the expressions in use: `OR` (or the old `/`) binds weakest, `AND` next.
fn is_allowed(expression: &str) -> bool {
    let flat = expression.replace('/', " OR ").replace(['(', ')'], " ");
    let words = flat.split_whitespace().collect::<Vec<_>>().join(" ");
    let takes = |term: &str| ALLOWED.contains(&term.trim());
    // `(A OR B) AND C` always requires C; without its brackets it would not.
    if expression.contains(") AND") || expression.contains("AND (") {
        return words.split(" AND ").all(|group| group.split(" OR ").any(takes));
    }
    words.split(" OR ").any(|choice| choice.split(" AND ").all(takes))
}

#[test]
fn every_package_has_a_licence_we_take() {
    let metadata = crate::metadata(&[]);
    let packages = metadata["packages"].as_array().unwrap();
    let refused: Vec<String> = packages
        .iter()
        .filter(|package| !package["license"].as_str().is_some_and(is_allowed))
        .map(|package| format!("{} {}", package["name"], package["license"]))
        .collect();
    assert_eq!(refused, Vec::<String>::new());
    assert!(packages.len() > 10 && packages.iter().all(|package| package["name"] != Value::Null));
}

#[test]
fn expressions_are_understood() {
    for good in [
        "MIT",
        "MIT OR Apache-2.0",
        "GPL-3.0 OR MIT",
        "MIT/Apache-2.0",
        "(MIT OR Apache-2.0) AND Unicode-3.0",
        "Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT",
    ] {
        assert!(is_allowed(good), "{good}");
    }
    for bad in ["GPL-3.0", "", "MIT AND GPL-3.0", "(MIT OR Apache-2.0) AND NCSA", "BUSL-1.1"] {
        assert!(!is_allowed(bad), "{bad}");
    }
}

//! Each event's data has one type: only that type and the store know its keys.

/// Patterns that read or write data by key, in two halves, so that this file does not match.
const BY_KEY: [&str; 3] =
    [concat!(".data", "["), concat!("data", "[\""), concat!("data", ".get(\"")];

/// The crates in which events are written, read and shown.
const CRATES: [&str; 4] = ["core", "engine", "run", "cli"];

/// The exception: the types themselves.
const MODULE: &str = "crates/core/src/event";

#[test]
fn nobody_but_their_types_knows_the_keys_of_events() {
    let mut found = Vec::new();
    for (path, text) in crate::sources() {
        let path = path.display().to_string();
        let is_ours = CRATES.iter().any(|name| path.starts_with(&format!("crates/{name}/src/")));
        if !is_ours || path.starts_with(MODULE) {
            continue;
        }
        for (number, line) in text.lines().enumerate() {
            if BY_KEY.iter().any(|key| line.contains(key)) {
                found.push(format!("{path}:{}: {}", number + 1, line.trim()));
            }
        }
    }
    assert_eq!(found, Vec::<String>::new(), "match on `sprag_core::Event` instead");
}

//! The rules of this workspace as tests: dependencies between crates, the length of files, accepted
//! licences, no disabled tests, and figures of the structure that may only fall.
#![expect(clippy::disallowed_methods, reason = "asks cargo and reads the sources")]
#![expect(clippy::unwrap_used, reason = "a test that cannot read the workspace must fail")]

mod adding;
mod code;
mod direction;
mod events;
mod hosts;
mod licences;
mod prose;
mod ratchets;
mod sizes;
mod words;

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Returns the top of the workspace.
fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Asks cargo about the workspace's crates (`--no-deps`), or about all packages in the build.
fn metadata(options: &[&str]) -> Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked"])
        .args(options)
        .current_dir(top())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Returns every Rust source of the workspace with its text.
fn sources() -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    collect(&top().join("crates"), &mut found);
    assert!(found.len() > 10, "the sources were not found");
    found
}

fn collect(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            found.push((path.strip_prefix(top()).unwrap().to_owned(), text));
        }
    }
}

//! The code of the shipped crates, without their tests and comments.

/// The crates that are part of the product.
pub(crate) const SHIPPED: [&str; 8] =
    ["core", "formats", "store", "world", "hosts", "engine", "run", "cli"];

/// A source file: its path below the workspace, and its text without tests and comments.
#[derive(Debug)]
pub(crate) struct Code {
    pub(crate) path: String,
    pub(crate) text: String,
}

pub(crate) fn shipped(crates: &[&str]) -> Vec<Code> {
    let mut found = Vec::new();
    for (path, text) in crate::sources() {
        let path = path.to_string_lossy().into_owned();
        let is_of = |name: &&str| path.starts_with(&format!("crates/{name}/src/"));
        let is_test = path.contains("/tests/") || path.ends_with("/tests.rs");
        if crates.iter().any(is_of) && !is_test {
            found.push(Code { text: code(&text), path });
        }
    }
    assert!(!found.is_empty(), "no sources of {crates:?}");
    found.sort_by(|one, other| one.path.cmp(&other.path));
    found
}

/// Removes the module of tests, which is the last item, and blanks out comment lines.
fn code(text: &str) -> String {
    let end = text.find("\nmod tests {").unwrap_or(text.len());
    let is_comment = |line: &&str| line.trim_start().starts_with("//");
    let lines = text[..end].lines().map(|line| if is_comment(&line) { "" } else { line });
    lines.flat_map(|line| [line, "\n"]).collect()
}

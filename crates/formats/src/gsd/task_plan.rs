use sprag_core::workflow::javascript;

use super::head::body;
use super::section::section;

/// The files that a task needs and creates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaskFiles {
    /// The files that it needs.
    pub inputs: Vec<String>,
    /// The files that it creates.
    pub outputs: Vec<String>,
}

/// Reads the files that a task's plan names.
pub fn task_files(text: &str) -> TaskFiles {
    let (_, body) = body(text);
    let paths = |heading| {
        let inside = section(body, heading, 2).map(|(_, inside)| inside).unwrap_or_default();
        let lines = inside.split('\n').map(javascript::trim).filter(|line| !line.starts_with('#'));
        lines.flat_map(ticked).map(path).filter(|path| path.contains(['/', '\\', '.'])).collect()
    };
    TaskFiles { inputs: paths("Inputs"), outputs: paths("Expected Output") }
}

/// Returns the texts between pairs of backticks.
fn ticked(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = line;
    while let Some((_, after)) = rest.split_once('`') {
        let Some((inside, after)) = after.split_once('`') else { break };
        if inside.is_empty() {
            // Two backticks in a row open nothing, but the second one may.
            rest = &rest[rest.len() - after.len() - 1..];
            continue;
        }
        found.push(inside);
        rest = after;
    }
    found
}

/// Returns a path without the words after a dash.
fn path(text: &str) -> String {
    let text = javascript::trim(text);
    let cut = [" — ", " - "].iter().filter_map(|dash| text.find(dash)).min();
    let before = cut.map(|at| javascript::trim(&text[..at]));
    before.filter(|path| path.contains(['/', '\\', '.'])).unwrap_or(text).to_owned()
}

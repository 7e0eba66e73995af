//! Rake: the statements of a Rakefile that mention the task being run, or one of its prerequisites.

use std::collections::BTreeSet;

use sprag_core::definition::PartRole;

use super::paths::{below, has_ending};
use super::resolver::{CallSite, FileText, Resolver};

/// The most tasks that are followed.
const MOST: usize = 100;

impl Resolver<'_> {
    pub(super) fn rake(&mut self, args: &[String], site: &CallSite) {
        let is_task = |arg: &&String| !arg.starts_with('-') && !arg.contains('=');
        let mut open: Vec<(String, CallSite)> = args
            .iter()
            .filter(is_task)
            .map(|task| (task.split('[').next().unwrap_or(task).to_owned(), site.clone()))
            .collect();
        if open.is_empty() {
            open.push(("default".to_owned(), site.clone()));
        }
        let mut files: Vec<String> = ["Rakefile", "rakefile", "Rakefile.rb", "rakefile.rb"]
            .iter()
            .map(|name| below(&site.folder, name))
            .collect();
        let inner = self.paths_below(&site.folder);
        files.extend(inner.into_iter().filter(|path| has_ending(path, &["rake"])).take(MOST));
        let mut seen = BTreeSet::new();
        while let Some((task, at)) = open.pop() {
            if seen.len() >= MOST || !seen.insert(task.clone()) {
                continue;
            }
            for path in &files {
                open.extend(self.rake_task(path, &task, &at));
            }
        }
    }

    /// Adds the blocks of a file that define a task, and returns its prerequisites.
    fn rake_task(&mut self, path: &str, task: &str, site: &CallSite) -> Vec<(String, CallSite)> {
        let text = match self.text(path) {
            FileText::Absent => return Vec::new(),
            FileText::Opaque => {
                self.whole(path, PartRole::Runner, site);
                return Vec::new();
            }
            FileText::Text(text) => text,
        };
        let own = task.rsplit(':').next().unwrap_or(task);
        let kept: Vec<String> =
            blocks(&text).into_iter().filter(|block| mentions(block, own)).collect();
        if kept.is_empty() {
            return Vec::new();
        }
        let key = self.runner(path, task, &kept.join("\n"), site);
        let inner = site.through(&key);
        let mut before = Vec::new();
        for block in &kept {
            self.calls_in(block, &inner);
            for line in block.lines().filter_map(|line| line.trim().strip_prefix("sh ")) {
                self.shell(line.trim_matches(['"', '\'']), &inner);
            }
            let head = block.lines().next().unwrap_or_default();
            if head.trim_start().starts_with("task") {
                let names = names(head).into_iter().filter(|name| name != own);
                before.extend(names.map(|name| (name, inner.clone())));
            }
            if block.contains("RSpec::Core::RakeTask") {
                self.later(vec![crate::shell::ShellWord::known("rspec")], inner.clone());
            }
        }
        before
    }
}

/// Splits a file at each unindented line. A line that only closes a block belongs to the block
/// before. Comments and empty lines are dropped.
fn blocks(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for line in text.lines().map(str::trim_end) {
        if line.is_empty() || line.trim_start().starts_with('#') {
            continue;
        }
        let is_close = ["end", "}", "]", ")"].iter().any(|close| line.starts_with(close));
        match found.last_mut().filter(|_| is_close || line.starts_with([' ', '\t'])) {
            Some(block) => {
                block.push('\n');
                block.push_str(line);
            }
            None => found.push(line.to_owned()),
        }
    }
    found
}

/// Returns whether a block defines a task, or mentions it other than as a prerequisite: `:test`,
/// `test:`, `"test"`.
fn mentions(block: &str, task: &str) -> bool {
    let head = block.lines().next().unwrap_or_default().trim_start();
    let is_task = ["task ", "task(", "multitask "].iter().any(|start| head.starts_with(start));
    if is_task && !block.contains("clear") {
        return names(head).first().is_some_and(|name| name == task);
    }
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    block.match_indices(task).any(|(at, _)| {
        let before = block[..at].chars().next_back();
        let after = block[at + task.len()..].chars().next();
        let is_whole = !before.is_some_and(is_part) && !after.is_some_and(is_part);
        is_whole && (matches!(before, Some(':' | '"' | '\'')) || matches!(after, Some(':')))
    })
}

/// Returns the symbols and strings of a line.
fn names(line: &str) -> Vec<String> {
    let is_part = |c: char| c.is_alphanumeric() || "_:".contains(c);
    let parts =
        line.split(|c| !is_part(c)).filter(|part| !["", "task", "multitask", "do"].contains(part));
    parts.map(|part| part.trim_matches(':').to_owned()).filter(|part| !part.is_empty()).collect()
}

//! Checks a block of new lines between old ones: whether it is complete, is at a place for tests,
//! and leaves every old line where it was.

mod braces;
mod ends;
mod python;

use std::ops::Range;

use super::harm::{Old, is_harmful};
use super::language::Language;
use super::lines::{TestLine, words};

/// New lines and the lines around them.
pub(super) struct AddedLines<'a> {
    /// Every significant line of the new text.
    pub(super) lines: &'a [TestLine],
    /// The range of the block in `lines`.
    pub(super) at: Range<usize>,
    /// Which of `lines` existed before.
    pub(super) is_old: &'a [bool],
}

/// A statement at the level of its block, including its content.
pub(super) struct Statement<'a> {
    lines: &'a [TestLine],
    /// Its code joined on one line.
    code: String,
}

impl<'a> AddedLines<'a> {
    fn added(&self) -> &'a [TestLine] {
        &self.lines[self.at.clone()]
    }

    /// Returns the closest line of code before the block; comments are skipped.
    fn before(&self) -> Option<&'a TestLine> {
        self.lines[..self.at.start].iter().rfind(|line| !line.code.is_empty())
    }

    fn after(&self) -> Option<&'a TestLine> {
        self.lines[self.at.end..].iter().find(|line| !line.code.is_empty())
    }

    fn depth(&self) -> usize {
        self.added().first().map_or(0, |line| line.depth_before)
    }

    /// Returns the line that opened the innermost bracket around the block, or the line before it
    /// if the bracket is alone on its line. Only an old line counts.
    fn opener(&self) -> Option<&'a TestLine> {
        let at = self.added().first()?.opener?;
        let line = &self.lines[at];
        let (at, line) = match at.checked_sub(1) {
            Some(before) if line.code == "{" => (before, &self.lines[before]),
            Some(_) | None => (at, line),
        };
        self.is_old[at].then_some(line)
    }

    /// Returns whether the block closes what it opens, and no string or comment crosses its
    /// borders.
    fn is_whole(&self) -> bool {
        let (new, depth) = (self.added(), self.depth());
        let starts_well = new.first().is_some_and(|line| !line.starts_inside);
        let ends_well =
            new.last().is_some_and(|line| !line.ends_inside && line.depth_after == depth);
        starts_well && ends_well && new.iter().all(|line| line.lowest >= depth)
    }

    /// Splits the block into statements at its level; `continues` recognizes lines that continue
    /// the previous one.
    fn statements(&self, continues: impl Fn(&TestLine) -> bool) -> Vec<Statement<'a>> {
        let (new, depth) = (self.added(), self.depth());
        let mut starts: Vec<usize> = Vec::new();
        for (at, line) in new.iter().enumerate() {
            if line.begins_at(depth) && (starts.is_empty() || !continues(line)) {
                starts.push(at);
            }
        }
        starts.push(new.len());
        let pairs = starts.windows(2).map(|pair| &new[pair[0]..pair[1]]);
        pairs.map(Statement::of).collect()
    }
}

impl<'a> Statement<'a> {
    fn of(lines: &'a [TestLine]) -> Self {
        let code: Vec<&str> =
            lines.iter().map(|line| line.code.as_str()).filter(|code| !code.is_empty()).collect();
        Self { lines, code: code.join(" ") }
    }

    fn is_comment(&self) -> bool {
        self.code.is_empty()
    }

    /// Returns the code of its first non-empty line.
    fn head(&self) -> &'a str {
        self.lines.iter().map(|line| line.code.as_str()).find(|code| !code.is_empty()).unwrap_or("")
    }

    fn first_word(&self) -> &str {
        words(&self.code).next().unwrap_or_default()
    }
}

/// Returns whether a block of new lines leaves everything old as it was.
pub(super) fn is_harmless(block: &AddedLines<'_>, language: Language, old: &Old<'_>) -> bool {
    if !block.is_whole() || block.added().iter().any(|line| is_harmful(line, language, old)) {
        return false;
    }
    // Comments alone have no effect anywhere; directives for tools were already checked.
    if block.added().iter().all(|line| line.code.is_empty()) {
        return true;
    }
    match language {
        Language::Python => python::is_harmless(block, old),
        Language::JavaScript
        | Language::Rust
        | Language::Go
        | Language::Java
        | Language::Kotlin
        | Language::CSharp
        | Language::Php => braces::is_harmless(block, language, old),
        Language::Ruby => ends::is_harmless_ruby(block, old),
        Language::Shell => ends::is_harmless_bats(block, old),
    }
}

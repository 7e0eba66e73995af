//! Finds the tasks of a plan from the structure of its lines: §2.5 of opti-gsd.
//!
//! A plan is not XML, and fences do not help: agents write unescaped code, nested fences and whole
//! tasks into an `<action>`. The position of a tag does help. A child of a task opens and closes at
//! one indentation, and closes only where a sibling or the task's end follows. A task ends only at
//! its own indentation while no child is open. Everything else is content.

use sprag_core::CodeFence;

use super::lines::{Line, TextLines};
use super::tag::Tag;

/// The possible children of a task.
const CHILDREN: [&str; 8] =
    ["files", "action", "libraries", "verify", "done", "skills", "test_required", "test_files"];

#[derive(Debug, Default)]
pub(super) struct Body<'t> {
    /// In order.
    pub(super) blocks: Vec<Block<'t>>,
    /// The lines outside tasks and fences.
    pub(super) prose: Vec<usize>,
}

/// The source of a task.
#[derive(Debug)]
pub(super) struct Block<'t> {
    pub(super) tag: Tag<'t>,
    /// The offset of its start.
    pub(super) at: usize,
    /// Its complete children.
    pub(super) children: Vec<Child<'t>>,
    /// Why its end is missing, if it is.
    pub(super) unclosed: Option<Unclosed<'t>>,
}

/// A child of a task.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child<'t> {
    pub(super) name: &'t str,
    /// The offset of its start.
    pub(super) at: usize,
    /// The offset at which its content starts.
    pub(super) from: usize,
    /// Its raw content.
    pub(super) text: &'t str,
}

/// Why a task's end is missing.
#[derive(Clone, Copy, Debug)]
pub(super) enum Unclosed<'t> {
    /// One of its children is never closed.
    Child { name: &'t str, at: usize },
    /// Another task, or the end of the file, comes first.
    Task,
}

impl<'t> Block<'t> {
    /// The first child with this name.
    pub(super) fn child(&self, name: &str) -> Option<Child<'t>> {
        self.children.iter().find(|child| child.name == name).copied()
    }
}

/// Finds tasks and prose in the lines from `from` on.
pub(super) fn scan<'t>(text: &'t str, lines: &TextLines<'t>, from: usize) -> Body<'t> {
    let mut body = Body::default();
    let mut fence: Option<CodeFence> = None;
    let mut at = from;
    while let Some(line) = lines.get(at) {
        let opener = task_opener(line);
        match (fence, opener) {
            (Some(open), _) => fence = fence.filter(|_| !open.is_closed_by(line.text)),
            (None, Some(tag)) => {
                let (block, after) = Scan { text, lines }.block(tag, at);
                body.blocks.push(block);
                at = after;
                continue;
            }
            (None, None) => {
                fence = CodeFence::opened_by(line.text);
                if fence.is_none() {
                    body.prose.push(at);
                }
            }
        }
        at += 1;
    }
    body
}

/// Returns whether a line is a closing tag without a task: the tail of a task that ended too early.
pub(super) fn is_stray(line: &Line<'_>) -> bool {
    let name = line.said().strip_prefix("</").and_then(|rest| rest.strip_suffix('>'));
    name.is_some_and(|name| name == "task" || CHILDREN.contains(&name))
}

/// Returns the tag of a line that consists only of `<task …>`.
fn task_opener<'t>(line: &Line<'t>) -> Option<Tag<'t>> {
    let tag = Tag::read(line.said())?;
    (tag.name == "task" && !tag.is_empty && tag.length == line.said().len()).then_some(tag)
}

/// A child that is open and not yet closed.
#[derive(Clone, Copy)]
struct OpenBlock<'t> {
    name: &'t str,
    at: usize,
    from: usize,
}

struct Scan<'t, 'l> {
    text: &'t str,
    lines: &'l TextLines<'t>,
}

impl<'t> Scan<'t, '_> {
    /// Reads the task that line `first` opens. Also returns the line after it.
    fn block(&self, tag: Tag<'t>, first: usize) -> (Block<'t>, usize) {
        let opener = self.lines.get(first);
        let indent = opener.map_or("", Line::indent);
        let start = opener.map_or(0, Line::at);
        let mut block = Block { tag, at: start, children: Vec::new(), unclosed: None };
        let mut level: Option<&str> = None;
        let mut open: Option<OpenBlock<'t>> = None;
        let mut at = first + 1;
        while let Some(line) = self.lines.get(at) {
            if let Some(child) = open {
                if let Some(end) = self.end_of(&child, at, level.unwrap_or_default(), indent) {
                    block.children.push(self.child(child, end));
                    open = None;
                }
            } else if line.indent() == indent && line.said() == "</task>" {
                return (block, at + 1);
            } else if line.indent() == indent && task_opener(line).is_some() {
                block.unclosed = Some(Unclosed::Task);
                return (block, at);
            } else if let Some(tag) = child_opener(line, level) {
                level = Some(line.indent());
                let from = line.at() + tag.length;
                let child = OpenBlock { name: tag.name, at: line.at(), from };
                match ends_itself(line, &tag) {
                    Some(end) => block.children.push(self.child(child, end)),
                    None => open = Some(child),
                }
            }
            at += 1;
        }
        let child = open.map(|child| Unclosed::Child { name: child.name, at: child.at });
        block.unclosed = Some(child.unwrap_or(Unclosed::Task));
        (block, at)
    }

    fn child(&self, open: OpenBlock<'t>, end: usize) -> Child<'t> {
        let OpenBlock { name, at, from } = open;
        Child { name, at, from, text: &self.text[from..end.max(from)] }
    }

    /// Returns the offset at which the content of an open child ends, if line `at` closes it.
    fn end_of(&self, child: &OpenBlock<'_>, at: usize, level: &str, indent: &str) -> Option<usize> {
        let line = self.lines.get(at)?;
        let before = before_close(line.text.trim_end(), child.name)?;
        let is_alone = before.trim().is_empty();
        if is_alone && line.indent() != level {
            return None;
        }
        let next = self.lines.filled(at + 1)?;
        let is_end = next.indent() == indent && next.said() == "</task>";
        let ends = is_end || child_opener(next, Some(level)).is_some();
        ends.then(|| line.start + before.len())
    }
}

/// Returns the tag of a line that opens a child at this level, or at any level if none is known
/// yet.
fn child_opener<'t>(line: &Line<'t>, level: Option<&str>) -> Option<Tag<'t>> {
    if level.is_some_and(|level| level != line.indent()) {
        return None;
    }
    Tag::read(line.said()).filter(|tag| CHILDREN.contains(&tag.name))
}

/// Returns the end of the content of a child that opens and closes on one line.
fn ends_itself(line: &Line<'_>, tag: &Tag<'_>) -> Option<usize> {
    let from = line.at() + tag.length;
    if tag.is_empty {
        return Some(from);
    }
    let rest = line.said().get(tag.length..)?;
    before_close(rest, tag.name).map(|inside| from + inside.len())
}

/// Returns the text before `</name>` at the end of a text.
fn before_close<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    text.strip_suffix('>')?.strip_suffix(name)?.strip_suffix("</")
}

//! A slice's plan: its tasks as a list with boxes, or as headings.

use std::collections::BTreeSet;

use sprag_core::gsd::{Plan, Quirk, QuirkReader, Reading, Task};
use sprag_core::workflow::javascript;

use super::bullets::bullets;
use super::head::body;
use super::item::{badge, item};
use super::line::{MarkdownLine, lines};
use super::scan::{after_space, is_word, skip_space, take};
use super::section::{bold, section};

pub fn plan(text: &str, reader: &mut QuirkReader<usize>) -> Plan {
    let (from, body) = body(text);
    let heading = body.split('\n').find_map(|line| line.strip_prefix("# "));
    let (id, title) = heading.map(titled).unwrap_or_default();
    let under = |heading| section(body, heading, 2).map(|(_, inside)| bullets(inside));
    Plan {
        id: id.to_owned(),
        title: title.to_owned(),
        goal: bold(body, "Goal").unwrap_or_default().to_owned(),
        demo: bold(body, "Demo").unwrap_or_default().to_owned(),
        must_haves: under("Must-Haves").unwrap_or_default(),
        tasks: tasks(from, body, reader),
        files_likely_touched: under("Files Likely Touched").unwrap_or_default(),
    }
}

/// Splits a heading into id and title.
fn titled(heading: &str) -> (&str, &str) {
    let (id, rest) = take(skip_space(heading), is_word);
    let title = rest.strip_prefix(':').and_then(after_space).filter(|_| !id.is_empty());
    match title.map(javascript::trim).filter(|title| !title.is_empty()) {
        Some(title) => (id, title),
        None => ("", javascript::trim(heading)),
    }
}

/// Reads the tasks: first those under `## Tasks`, then any others in the whole body.
fn tasks(from: usize, body: &str, reader: &mut QuirkReader<usize>) -> Vec<Task> {
    let everything = lines(body, from);
    let mut found = TaskScan { tasks: Vec::new(), open: false, seen: BTreeSet::new(), reader };
    if let Some((at, inside)) = section(body, "Tasks", 2) {
        let is_code = |at: usize| {
            let line = everything.partition_point(|line| line.at <= at).checked_sub(1);
            line.is_some_and(|line| everything[line].fenced)
        };
        let mut own = lines(inside, from + at);
        // A fence that the section cuts in two is recognised in the whole body.
        for line in &mut own {
            line.fenced |= is_code(line.at);
        }
        found.read(&own, &BTreeSet::new());
    }
    let known = found.tasks.iter().map(|(_, task)| task.id.clone()).collect();
    found.read(&everything, &known);
    let mut tasks = found.tasks;
    if reader.reading() == Reading::Ours {
        tasks.sort_by_key(|(at, _)| *at);
    }
    tasks.into_iter().map(|(_, task)| task).collect()
}

struct TaskScan<'r> {
    tasks: Vec<(usize, Task)>,
    /// Whether the following lines belong to the last task.
    open: bool,
    /// The ids of this pass.
    seen: BTreeSet<String>,
    reader: &'r mut QuirkReader<usize>,
}

impl TaskScan<'_> {
    fn read(&mut self, lines: &[MarkdownLine<'_>], known: &BTreeSet<String>) {
        self.open = false;
        self.seen = BTreeSet::new();
        for line in lines {
            match task(line, self.reader) {
                Some(task) => self.begin(line.at, task, known),
                None if self.open => self.detail(line.text),
                None => {}
            }
        }
    }

    fn begin(&mut self, at: usize, task: Task, known: &BTreeSet<String>) {
        if known.contains(&task.id) {
            // The original drops the task that it was reading.
            if self.open && !self.reader.mends(Quirk::LostTask, self.last_at()) {
                self.tasks.pop();
            }
            self.open = false;
            return;
        }
        let twice = !self.seen.insert(task.id.clone());
        if twice && self.reader.mends(Quirk::DuplicateTask, at) {
            self.open = false;
            return;
        }
        self.tasks.push((at, task));
        self.open = true;
    }

    fn last_at(&self) -> usize {
        self.tasks.last().map_or(0, |(at, _)| *at)
    }

    /// Adds a detail line to the task above it.
    fn detail(&mut self, line: &str) {
        let Some((_, task)) = self.tasks.last_mut() else { return };
        if let Some(files) = field(line, "Files:") {
            let files = files.split(',').map(|file| file.replace('`', ""));
            let files = files.map(|file| javascript::trim(&file).to_owned());
            task.files = Some(files.filter(|file| !file.is_empty()).collect());
        } else if let Some(how) = field(line, "Verify:") {
            task.verify = Some(javascript::trim(how).to_owned());
        } else if !line.starts_with('#') && !javascript::is_blank(line) {
            if !task.description.is_empty() {
                task.description.push(' ');
            }
            task.description.push_str(javascript::trim(line));
        }
    }
}

/// Returns the text after `- Name:`.
fn field<'t>(line: &'t str, name: &str) -> Option<&'t str> {
    let rest = after_space(skip_space(line).strip_prefix('-')?)?;
    rest.strip_prefix(name).map(skip_space)
}

/// Parses a line as the start of a task.
fn task(line: &MarkdownLine<'_>, reader: &mut QuirkReader<usize>) -> Option<Task> {
    let boxed = item(line.text).filter(|_| line.text.starts_with('-')).map(|item| Task {
        id: item.id.to_owned(),
        title: item.title.to_owned(),
        ticked: item.done,
        estimate: badge(item.rest, "est").unwrap_or_default().to_owned(),
        boxed: true,
        ..Task::default()
    });
    let found = boxed.or_else(|| heading(line, reader))?;
    let is_code = line.fenced && reader.mends(Quirk::Fenced, line.at);
    (!is_code).then_some(found)
}

/// Parses `### T01 -- Title` and similar headings.
fn heading(line: &MarkdownLine<'_>, reader: &mut QuirkReader<usize>) -> Option<Task> {
    let rest = line.text.trim_start_matches('#');
    (2..=4).contains(&(line.text.len() - rest.len())).then_some(())?;
    let rest = after_space(rest)?;
    let id = task_id(rest)?;
    let rest = skip_space(&rest[id.len()..]);
    let rest = rest.strip_prefix("--").or_else(|| rest.strip_prefix(['—', ':']))?;
    if rest.is_empty() {
        return None;
    }
    let rest = skip_space(rest);
    let is_task = id.rsplit('.').next().is_some_and(|last| last.starts_with('T'));
    if !is_task && reader.mends(Quirk::DecisionHeading, line.at) {
        return None;
    }
    let (title, estimate) = estimated(rest);
    Some(Task {
        id: id.to_owned(),
        title: title.to_owned(),
        estimate: estimate.to_owned(),
        ..Task::default()
    })
}

/// Returns the id at the start of a heading: letters and digits, repeated after each dot.
fn task_id(text: &str) -> Option<&str> {
    let part = |text: &str| {
        let (letters, rest) = take(text, |c| c.is_ascii_uppercase());
        let (digits, _) = take(rest, |c| c.is_ascii_digit());
        let length = letters.len() + digits.len();
        (!letters.is_empty() && !digits.is_empty()).then_some(length)
    };
    let mut end = part(text)?;
    while let Some(more) = text[end..].strip_prefix('.').and_then(part) {
        end += 1 + more;
    }
    Some(&text[..end])
}

/// Splits the estimate off the end of a title.
fn estimated(rest: &str) -> (&str, &str) {
    let rest = javascript::trim(rest);
    let cut = rest.strip_suffix('`').and_then(|rest| rest.rsplit_once("`est:"));
    match cut.filter(|(title, estimate)| !title.is_empty() && !estimate.is_empty()) {
        Some((title, estimate)) if !estimate.contains('`') => (javascript::trim(title), estimate),
        Some(_) | None => (rest, ""),
    }
}

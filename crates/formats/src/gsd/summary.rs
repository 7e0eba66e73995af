//! Summaries of tasks and slices, read and written.

use std::fmt::Write as _;

use sprag_core::Plain;
use sprag_core::gsd::QuirkReader;
use sprag_core::workflow::javascript;

use super::bullets::bullet;
use super::head::{FrontMatter, body};
use super::scan::skip_space;
use super::section::section;
use crate::stored::to_whole_value;
use crate::value::Value;
use crate::yaml::to_yaml;

/// The summary of a task or a slice. The items of its lists are mostly texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    pub id: String,
    /// The slice or milestone that it belongs to.
    pub parent: String,
    pub milestone: String,
    /// The results that others can build on.
    pub provides: Vec<Plain>,
    /// The results that it was built on.
    pub requires: Vec<Required>,
    /// Its effects on others.
    pub affects: Vec<Plain>,
    /// The most important files.
    pub key_files: Vec<Plain>,
    pub key_decisions: Vec<Plain>,
    /// Patterns that others should follow.
    pub patterns_established: Vec<Plain>,
    /// Documents with more details.
    pub drill_down_paths: Vec<Plain>,
    /// Where to observe it at run time.
    pub observability_surfaces: Vec<Plain>,
    pub duration: String,
    /// The result of its verification; `untested` if none is given.
    pub verification_result: String,
    pub completed_at: String,
    /// Whether the slice's plan turned out to be invalid.
    pub blocker_discovered: bool,
    /// The heading.
    pub title: String,
    /// The bold line below the heading.
    pub one_liner: String,
    pub what_happened: String,
    /// Differences from the plan.
    pub deviations: String,
    pub files_modified: Vec<Changed>,
    /// The remaining work.
    pub follow_ups: String,
    pub known_limitations: String,
}

/// A result that a summary was built on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Required {
    /// The slice that provided it.
    pub slice: String,
    pub provides: String,
}

/// A file that changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changed {
    pub path: String,
    /// The change in it.
    pub description: String,
}

impl Summary {
    pub fn read(text: &str, reader: &mut QuirkReader<usize>) -> Self {
        let head = FrontMatter::read(text, reader).unwrap_or_default();
        let (_, body) = body(text);
        let text_of = |key: &str| head.text(key).to_owned();
        let under = |heading: &str| {
            section(body, heading, 2).map(|(_, inside)| inside.to_owned()).unwrap_or_default()
        };
        let verified = Some(text_of("verification_result")).filter(|said| !said.is_empty());
        Self {
            id: text_of("id"),
            parent: text_of("parent"),
            milestone: text_of("milestone"),
            provides: head.items("provides").to_vec(),
            requires: required(&head),
            affects: head.items("affects").to_vec(),
            key_files: head.items("key_files").to_vec(),
            key_decisions: head.items("key_decisions").to_vec(),
            patterns_established: head.items("patterns_established").to_vec(),
            drill_down_paths: head.items("drill_down_paths").to_vec(),
            observability_surfaces: head.items("observability_surfaces").to_vec(),
            duration: text_of("duration"),
            verification_result: verified.unwrap_or_else(|| "untested".to_owned()),
            completed_at: text_of("completed_at"),
            blocker_discovered: head.text("blocker_discovered") == "true",
            title: title(body).to_owned(),
            one_liner: one_liner(body).to_owned(),
            what_happened: under("What Happened"),
            deviations: under("Deviations"),
            files_modified: files(body),
            follow_ups: under("Follow-ups"),
            known_limitations: under("Known Limitations"),
        }
    }

    /// Writes a new summary, in the form that the original reads.
    pub fn write(&self) -> String {
        let list = |items: &[Plain]| Value::list(items.iter().map(to_whole_value));
        let requires = self.requires.iter().map(|one| {
            Value::map([("slice", one.slice.as_str()), ("provides", one.provides.as_str())])
        });
        let head = Value::map([
            ("id", Value::from(self.id.as_str())),
            ("parent", self.parent.as_str().into()),
            ("milestone", self.milestone.as_str().into()),
            ("provides", list(&self.provides)),
            ("requires", Value::list(requires)),
            ("affects", list(&self.affects)),
            ("key_files", list(&self.key_files)),
            ("key_decisions", list(&self.key_decisions)),
            ("patterns_established", list(&self.patterns_established)),
            ("drill_down_paths", list(&self.drill_down_paths)),
            ("observability_surfaces", list(&self.observability_surfaces)),
            ("duration", self.duration.as_str().into()),
            ("verification_result", self.verification_result.as_str().into()),
            ("completed_at", self.completed_at.as_str().into()),
            ("blocker_discovered", self.blocker_discovered.into()),
        ]);
        let mut out = format!("---\n{}---\n\n", to_yaml(&head));
        self.write_body(&mut out);
        out
    }

    fn write_body(&self, out: &mut String) {
        let _ = writeln!(out, "# {}\n\n**{}**", self.title, self.one_liner);
        let files: Vec<String> = self.files_modified.iter().map(Changed::line).collect();
        let sections = [
            ("What Happened", self.what_happened.as_str()),
            ("Deviations", self.deviations.as_str()),
            ("Files Created/Modified", &files.join("\n")),
            ("Follow-ups", self.follow_ups.as_str()),
            ("Known Limitations", self.known_limitations.as_str()),
        ];
        for (heading, text) in sections.into_iter().filter(|(_, text)| !text.is_empty()) {
            let _ = writeln!(out, "\n## {heading}\n\n{text}");
        }
    }
}

impl Changed {
    fn line(&self) -> String {
        format!("- `{}` — {}", self.path, self.description)
    }
}

fn required(head: &FrontMatter) -> Vec<Required> {
    let Some(Plain::List(items)) = head.get("requires") else { return Vec::new() };
    let one = |item: &Plain| {
        let Plain::Map(entries) = item else { return Required::default() };
        let text = |key: &str| {
            let found = entries.iter().find(|(known, _)| known == key);
            match found {
                Some((_, Plain::Text(text))) => text.clone(),
                Some(_) | None => String::new(),
            }
        };
        Required { slice: text("slice"), provides: text("provides") }
    };
    items.iter().map(one).collect()
}

/// The first heading of a body.
pub(super) fn title(body: &str) -> &str {
    let heading = body.split('\n').find_map(|line| line.strip_prefix("# "));
    heading.map(javascript::trim).unwrap_or_default()
}

/// Returns the first line below the heading, if it is bold.
fn one_liner(body: &str) -> &str {
    let lines: Vec<&str> = body.split('\n').collect();
    let heading = lines.iter().position(|line| line.starts_with("# "));
    // Without a heading, the original starts after the first empty line.
    let begin = heading.or_else(|| lines.iter().position(|line| line.is_empty()));
    let below = begin.map_or(0, |at| at + 1);
    let first = lines[below.min(lines.len())..].iter().map(|line| javascript::trim(line));
    let first = first.into_iter().find(|line| !line.is_empty()).unwrap_or_default();
    let inside = first.strip_prefix("**").and_then(|rest| rest.strip_suffix("**"));
    inside.unwrap_or_default()
}

fn files(body: &str) -> Vec<Changed> {
    let under = |heading| section(body, heading, 2).filter(|(_, inside)| !inside.is_empty());
    let inside = under("Files Created/Modified").or_else(|| under("Files Modified"));
    let inside = inside.map(|(_, inside)| inside).unwrap_or_default();
    inside.split('\n').filter_map(|line| changed(javascript::trim(bullet(line)))).collect()
}

fn changed(line: &str) -> Option<Changed> {
    let (path, rest) = line.strip_prefix('`')?.split_once('`')?;
    let said = skip_space(rest).strip_prefix(['—', '–', '-'])?;
    let description = javascript::trim(said);
    let named = !path.is_empty() && !description.is_empty();
    named.then(|| Changed { path: path.to_owned(), description: description.to_owned() })
}

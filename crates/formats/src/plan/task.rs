//! One task of a plan, read from its block: §2.3 and §2.4 of opti-gsd.

use sprag_core::plan::{CheckDecision, FileAction, PlanCheck, PlanFile, Task};
use sprag_core::prompt::short;

use super::blocks::{Block, Child, Unclosed};
use super::decide::decide;
use super::names::Names;
use super::path;
use super::problem::{Code, Problems};
use super::tag::{decoded, elements};

/// The most files and checks of one task.
const MANY: usize = 256;

/// A task before its dependencies are resolved.
#[derive(Debug, Default)]
pub(super) struct TaskDraft<'t> {
    pub(super) task: Task,
    /// The offset of its start.
    pub(super) at: usize,
    pub(super) wave: Wave,
    /// Its dependencies, as written.
    pub(super) depends: Vec<&'t str>,
}

/// The wave attribute of a task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Wave {
    Written(u32),
    /// Not a valid wave.
    Wrong,
    #[default]
    Missing,
}

/// Reads a task, and reports every problem that concerns only this task.
pub(super) fn read<'t>(block: &Block<'t>, problems: &mut Problems<'_, '_>) -> TaskDraft<'t> {
    let attribute =
        |name: &str| block.tag.get(name).map(str::trim).filter(|value| !value.is_empty());
    let written = attribute("id").unwrap_or_default();
    let id = if is_id(written) { written } else { "" };
    if id.is_empty() {
        let said = match written {
            "" => "a task has no id".to_owned(),
            other => format!("`{}` is no id", short(other, 80).escape_debug()),
        };
        problems.add_with(Code::NoId, block.at, "", said, Some(ID));
    }
    let mut draft = TaskDraft {
        at: block.at,
        wave: wave(block.tag.get("wave"), block.at, id, problems),
        depends: attribute("depends").map(list).unwrap_or_default(),
        task: Task { id: id.to_owned(), ..Task::default() },
    };
    draft.task.reqs = attribute("reqs").map(owned).unwrap_or_default();
    draft.task.gap = attribute("type").map(str::to_owned);
    match block.unclosed {
        Some(why) => unclosed(why, block.at, id, problems),
        None => children(block, &mut draft.task, problems),
    }
    draft
}

const ID: &str =
    "write `<task id=\"01\">`: at most 64 characters in quotes, without blanks, not `verify`";

/// Returns whether a text can serve as a task's id in files and messages. `verify` has another
/// meaning.
fn is_id(text: &str) -> bool {
    let is_plain = |c: char| !(c.is_control() || c.is_whitespace() || "<>\"'`,".contains(c));
    (1..=64).contains(&text.chars().count()) && text.chars().all(is_plain) && text != "verify"
}

fn wave(written: Option<&str>, at: usize, id: &str, problems: &mut Problems<'_, '_>) -> Wave {
    let Some(written) = written else { return Wave::Missing };
    let digits = written.trim();
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    match digits.parse() {
        Ok(wave) if is_number => Wave::Written(wave),
        Ok(_) | Err(_) => {
            let said = format!("`{}` is no wave", written.escape_debug());
            let help = "write a whole number from 0 up";
            problems.add_with(Code::BadWave, at, id, said, Some(help));
            Wave::Wrong
        }
    }
}

fn unclosed(why: Unclosed<'_>, at: usize, id: &str, problems: &mut Problems<'_, '_>) {
    let (at, said, help) = match why {
        Unclosed::Task => {
            let said = "this task has no `</task>` at its own indentation".to_owned();
            (at, said, "the file may have been cut off; a plan is run whole or not at all")
        }
        Unclosed::Child { name, at } => {
            let help =
                "its closing tag stands as far in as it does, before the next child or `</task>`";
            (at, format!("this `<{name}>` is never closed"), help)
        }
    };
    problems.add_with(Code::TaskUnclosed, at, id, said, Some(help));
}

fn children(block: &Block<'_>, task: &mut Task, problems: &mut Problems<'_, '_>) {
    let id = task.id.clone();
    let text = |name: &str| block.child(name).map(|child| tidy(child.text)).unwrap_or_default();
    let names = |name: &str| {
        let text = text(name);
        if text.eq_ignore_ascii_case("none") { Vec::new() } else { commas(&text) }
    };
    let found_files = block.child("files").map(|child| files(&child, &id, problems));
    task.files = found_files.unwrap_or_default();
    task.action = text("action");
    task.libraries = names("libraries");
    task.skills = names("skills");
    task.done = decoded(&text("done"));
    let found_checks = block.child("verify").map(|child| checks(&child, task, problems));
    task.checks = found_checks.unwrap_or_default();
    for (name, is_missing) in [
        ("files", task.files.is_empty() && !has_any(block, "files", "file")),
        ("action", task.action.is_empty()),
        ("verify", task.checks.is_empty() && !has_any(block, "verify", "check")),
        ("done", task.done.is_empty()),
    ] {
        if is_missing {
            let at = block.child(name).map_or(block.at, |child| child.at);
            let about = format!("{id}:{name}");
            let said = match block.child(name) {
                Some(_) => format!("there is nothing in `<{name}>`"),
                None => format!("task `{}` has no `<{name}>`", id.escape_debug()),
            };
            problems.add(Code::Missing, at, &about, said);
        }
    }
}

/// Returns whether a child contains such elements, even if none of them is usable (which was
/// already reported).
fn has_any(block: &Block<'_>, child: &str, element: &str) -> bool {
    block.child(child).is_some_and(|child| !elements(child.text, element).is_empty())
}

fn files(child: &Child<'_>, id: &str, problems: &mut Problems<'_, '_>) -> Vec<PlanFile> {
    let mut found = Vec::new();
    let named = elements(child.text, "file");
    if is_too_many(named.len(), child, id, problems) {
        return found;
    }
    for element in named {
        let at = child.from + element.at;
        let action = match element.tag.get("action").map(str::trim) {
            None => FileAction::default(),
            Some("create") => FileAction::Create,
            Some("modify") => FileAction::Modify,
            Some("delete") => FileAction::Delete,
            Some(other) => {
                let said = format!("`{}` is no action of a file", other.escape_debug());
                let help = "write `create`, `modify` or `delete`";
                problems.add_with(Code::BadFileAction, at, id, said, Some(help));
                continue;
            }
        };
        let written = decoded(element.text.unwrap_or_default());
        match path::inside(written.trim()) {
            Ok(path) => found.push(PlanFile { path, action }),
            Err(why) => {
                let shown: String = written.trim().chars().take(80).collect();
                let said = format!("`{}` is no file of this project: {why}", shown.escape_debug());
                problems.add(Code::Path, at, id, said);
            }
        }
    }
    found
}

fn checks(child: &Child<'_>, task: &Task, problems: &mut Problems<'_, '_>) -> Vec<PlanCheck> {
    let written = elements(child.text, "check");
    if is_too_many(written.len(), child, &task.id, problems) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let names = Names::of(&task.files);
    for element in written {
        let kind = element.tag.get("type").unwrap_or_default().trim().to_owned();
        let text = decoded(&tidy(element.text.unwrap_or_default()));
        let cmd = element.tag.get("cmd").map(|cmd| decoded(cmd.trim()));
        let mut decided = decide(&kind, &text, cmd.as_deref(), &names);
        if let (Some(_), Some(junk)) = (&cmd, element.tag.junk) {
            // Part of a command is a different command.
            let why = format!("its command is cut off before `{}`", junk.escape_debug());
            decided.decision = CheckDecision::Claim { why };
        }
        if decided.is_vague {
            let said = format!("nothing can decide \"{}\"", short(&text, 80));
            let help = "quote the text and name the file: `src/a.rs contains \"fn a\"`";
            problems.add_with(Code::Vague, child.from + element.at, &task.id, said, Some(help));
        }
        found.push(PlanCheck { kind, text, cmd, decision: decided.decision });
    }
    found
}

fn is_too_many(count: usize, child: &Child<'_>, id: &str, problems: &mut Problems<'_, '_>) -> bool {
    if count > MANY {
        let said = format!("`<{}>` has {count} entries, the limit is {MANY}", child.name);
        problems.add(Code::TooLong, child.at, id, said);
    }
    count > MANY
}

/// Returns a text without empty lines around it, with LF line ends.
fn tidy(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let lines = text.trim_end();
    let from = lines.len() - lines.trim_start().len();
    // The first line keeps its indentation, as all others do.
    let from = lines[..from].rfind('\n').map_or(0, |newline| newline + 1);
    let kept = &lines[from..];
    if kept.contains('\n') { kept.to_owned() } else { kept.trim().to_owned() }
}

/// Returns the words between commas and blanks.
fn list(text: &str) -> Vec<&str> {
    text.split(|c: char| c == ',' || c.is_whitespace()).filter(|word| !word.is_empty()).collect()
}

fn owned(text: &str) -> Vec<String> {
    list(text).into_iter().map(str::to_owned).collect()
}

fn commas(text: &str) -> Vec<String> {
    let names = text.split(',').map(str::trim).filter(|name| !name.is_empty());
    names.map(str::to_owned).collect()
}

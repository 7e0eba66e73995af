//! Finds oddities in a roadmap or a plan, in either reading.

use sprag_core::gsd::{Plan, Roadmap, Slice};

use super::item::item;
use super::line::lines;
use super::scan::{is_word, skip_space, take};

/// The most items that are checked; more complaints would not be read.
const MOST: usize = 200;

/// Returns the oddities of a roadmap, each with its position.
pub(super) fn roadmap(text: &str, found: &Roadmap) -> Vec<(usize, String)> {
    let mut odd = Vec::new();
    if found.slices.is_empty() {
        odd.push((0, "it has no slices".to_owned()));
    }
    let is_known = |id: &str| found.slice(id).is_some();
    odd.extend(nearly(text, 'S', "slice", is_known));
    for (at, slice) in found.slices.iter().enumerate().take(MOST) {
        let id = &slice.id;
        if found.slices[..at].iter().any(|before| before.id == *id) {
            let again = text.rfind(&format!("**{id}:")).unwrap_or_else(|| place(text, id));
            odd.push((again, format!("slice {id} is there twice")));
        }
        let mut say = |what: String| odd.push((place(text, id), what));
        for other in slice.depends.iter().filter(|other| found.slice(other).is_none()) {
            say(format!("slice {id} depends on {other}, which is not there, so it is never ready"));
        }
        if is_circular(found, slice) {
            say(format!("slice {id} depends on itself, so it is never ready"));
        }
    }
    odd
}

/// Returns whether a slice depends on itself.
fn is_circular(roadmap: &Roadmap, slice: &Slice) -> bool {
    let mut seen: Vec<&str> = Vec::new();
    let mut left: Vec<&str> = slice.depends.iter().map(String::as_str).collect();
    while let Some(id) = left.pop() {
        if id == slice.id {
            return true;
        }
        if !seen.contains(&id) {
            seen.push(id);
            let more = roadmap.slice(id).map_or(&[][..], |slice| &slice.depends);
            left.extend(more.iter().map(String::as_str));
        }
    }
    false
}

/// Returns the oddities of a plan; `names` are the files beside its tasks.
pub(super) fn plan(text: &str, found: &Plan, names: &[String]) -> Vec<(usize, String)> {
    let mut odd = Vec::new();
    if found.tasks.is_empty() {
        odd.push((0, "it has no tasks".to_owned()));
    }
    let is_known = |id: &str| found.tasks.iter().any(|task| task.id == id);
    odd.extend(nearly(text, 'T', "task", is_known));
    for task in found.tasks.iter().filter(|task| task.ticked).take(MOST) {
        let own = format!("{}-", task.id.to_ascii_lowercase());
        let is_summary = |name: &String| {
            let name = name.to_ascii_lowercase();
            name.starts_with(&own) && name.ends_with("summary.md")
        };
        if !names.iter().any(is_summary) {
            let what = format!("task {} is ticked and has no summary", task.id);
            odd.push((place(text, &task.id), what));
        }
    }
    odd
}

/// Returns the lines that look like a slice or task but are not read as one, unless it is known
/// from elsewhere.
fn nearly(
    text: &str,
    letter: char,
    noun: &str,
    is_known: impl Fn(&str) -> bool,
) -> Vec<(usize, String)> {
    let mut odd = Vec::new();
    for line in lines(text, 0).iter().filter(|line| !line.fenced).take(MOST * 100) {
        let reads = |id: &str| {
            item(line.text).is_some_and(|item| item.id == id) && line.text.starts_with('-')
        };
        let Some(id) = near_id(line.text, letter).filter(|id| !is_known(id) && !reads(id)) else {
            continue;
        };
        let what = format!(
            "this looks like {noun} {id} and is not read as one: write `- [ ] **{id}: title**`"
        );
        odd.push((line.at + line.text.len() - skip_space(line.text).len(), what));
    }
    odd.truncate(MOST);
    odd
}

/// Returns the id at the start of a list item, if the item has a box or bold text.
fn near_id(line: &str, letter: char) -> Option<&str> {
    let text = skip_space(line);
    let (_, numbered) = take(text, |c| c.is_ascii_digit());
    let rest = text.strip_prefix(['-', '*', '+']).or_else(|| numbered.strip_prefix(['.', ')']))?;
    let inside = skip_space(rest);
    let boxed = inside.strip_prefix('[').and_then(|inside| inside.split_once(']'));
    let boxed = boxed.filter(|(sign, _)| sign.chars().count() <= 1).map(|(_, rest)| rest);
    let inner = skip_space(boxed.unwrap_or(inside));
    let bold = inner.strip_prefix("**");
    let name = bold.unwrap_or(inner);
    let (digits, _) = take(name.strip_prefix(letter)?, |c| c.is_ascii_digit());
    let id = &name[..letter.len_utf8() + digits.len()];
    let ends = !name[id.len()..].starts_with(is_word);
    (!digits.is_empty() && ends && (boxed.is_some() || bold.is_some())).then_some(id)
}

/// Returns the first position at which an id is named as a slice or task.
fn place(text: &str, id: &str) -> usize {
    let bold = text.find(&format!("**{id}:"));
    bold.or_else(|| text.find(id)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_like_a_slice_and_is_none_is_pointed_at() {
        let said = |text: &str| {
            let found = nearly(text, 'S', "slice", |id| id == "S01");
            found.into_iter().map(|(at, _)| &text[at..=at]).collect::<String>()
        };
        for line in [
            "* [ ] **S02: B**",
            "- [ ] S02: B",
            "- [ ] **S02 B**",
            "- **S02: B**",
            "- [-] **S02: B**",
            "- [] **S02: B**",
            "1. [ ] **S02: B**",
            "- [ ] **S02:B**",
            "- [ ] **S02: Le",
        ] {
            assert_eq!(said(line).len(), 1, "{line}");
        }
        for line in [
            "- [ ] **S02: B**",
            "- [ ] S01: known",
            "- S02 comes later",
            "S02: prose",
            "- [ ] **S02b: no id**",
            "- [a link](S02)",
            "```\n- [ ] S02: code\n```",
        ] {
            assert_eq!(said(line), "", "{line}");
        }
    }
}

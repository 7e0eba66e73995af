use sprag_core::Plain;
use sprag_core::gsd::{Fill, MilestoneContext, Quirk, QuirkReader};
use sprag_core::workflow::javascript;

use super::head::FrontMatter;

/// Reads the context of a milestone, or its draft.
pub fn context(text: &str, reader: &mut QuirkReader<usize>) -> MilestoneContext {
    let heading = text.split('\n').find_map(|line| line.strip_prefix("# "));
    let title = heading.map(|title| without_id(javascript::trim(title)).to_owned());
    let depends_on = depends_on(text, reader);
    MilestoneContext {
        title: title.filter(|title| !title.is_empty()),
        depends_on,
        fill: Fill::of(text),
    }
}

/// Reads `depends_on` from the front matter.
fn depends_on(text: &str, reader: &mut QuirkReader<usize>) -> Vec<String> {
    let Some(head) = FrontMatter::read(text, reader) else { return Vec::new() };
    let items = head.items("depends_on");
    let ours = items.iter().filter_map(id).map(|id| upper(&id)).collect();
    let is_list = matches!(head.get("depends_on"), Some(Plain::List(_)));
    let theirs = items.iter().filter(|_| is_list).filter_map(|item| match item {
        // JavaScript's text for a map.
        Plain::Map(_) => Some("[object Object]".to_owned()),
        Plain::Null
        | Plain::Bool(_)
        | Plain::Int(_)
        | Plain::Other(_)
        | Plain::Text(_)
        | Plain::List(_) => id(item),
    });
    reader.pick(Quirk::DependsOn, 0, ours, theirs.collect::<Vec<_>>())
}

fn id(item: &Plain) -> Option<String> {
    match item {
        Plain::Text(text) => Some(javascript::trim(text).to_owned()).filter(|id| !id.is_empty()),
        Plain::Null
        | Plain::Bool(_)
        | Plain::Int(_)
        | Plain::Other(_)
        | Plain::List(_)
        | Plain::Map(_) => None,
    }
}

/// Returns a milestone's id with a capital M: `m001-a1b2c3` becomes `M001-a1b2c3`.
fn upper(id: &str) -> String {
    match id.strip_prefix('m') {
        Some(rest) if rest.starts_with(|c: char| c.is_ascii_digit()) => format!("M{rest}"),
        Some(_) | None => id.to_owned(),
    }
}

/// Returns a title without the milestone's id before it.
fn without_id(title: &str) -> &str {
    let numbered =
        title.strip_prefix('M').is_some_and(|r| r.starts_with(|c: char| c.is_ascii_digit()));
    let rest = title.split_once(':').map(|(_, rest)| javascript::trim(rest));
    rest.filter(|rest| numbered && !rest.is_empty()).unwrap_or(title)
}

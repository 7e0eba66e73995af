//! The law of neighbours: edits of adjacent values do not disturb each other.
//!
//! Every round picks a few adjacent values of a random document, and inserts, removes and replaces
//! there in a single call. The result must have the same bytes as the same edits in sequence. Each
//! edit leaves the bytes of all other values and comments unchanged.

use std::ops::Range;

use sprag_core::apply;
use sprag_formats::{Document, Edit, Format, Node, Value};

use crate::generate;
use crate::laws::{Round, Tally};
use crate::random::Random;
use crate::support::long;

#[test]
fn edits_of_neighbours_are_the_same_in_one_go() {
    let edits = if long() { 500_000 } else { 8_000 };
    let mut tally = Tally::default();
    let mut sets = 0;
    for seed in 0.. {
        if tally.edits >= edits {
            break;
        }
        let mut random = Random::new(seed);
        let (format, text) = generate::document(&mut random);
        let round = Round { seed, format, text };
        sets += usize::from(round.neighbours(&mut random, &mut tally) > 1);
    }
    println!("{} edits, {} refused, {sets} sets of several", tally.edits, tally.refused);
    assert!(tally.refused * 100 < tally.edits, "{} of {} refused", tally.refused, tally.edits);
    assert!(sets * 8 > tally.edits, "only {sets} sets of several edits");
}

impl Round {
    /// Makes edits in one call and in sequence, and compares them. Returns their number.
    fn neighbours(&self, random: &mut Random, tally: &mut Tally) -> usize {
        let doc = self.parse(&self.text);
        let (mut edits, mut text) = (Vec::new(), self.text.clone());
        for place in row(random, doc.root()) {
            let step = Self { seed: self.seed, format: self.format, text };
            let now = step.parse(&step.text);
            let edit = edit(random, now.root(), &place);
            let next = edit
                .as_ref()
                .and_then(|edit| step.checked(tally, &now, std::slice::from_ref(edit)));
            text = match (edit, next) {
                (Some(edit), Some(next)) => {
                    step.own_place(&now, &edit);
                    step.others_stay(&now, &edit, &next);
                    edits.push(edit);
                    next
                }
                (_, _) => step.text.clone(),
            };
        }
        let together = self.checked(tally, &doc, &edits);
        assert_eq!(together.as_ref(), Some(&text), "{} {edits:?}\n{}", self.seed, self.text);
        edits.len()
    }

    /// An edit removes no bytes outside its own place.
    fn own_place(&self, doc: &Document<'_>, edit: &Edit) {
        match (edit, doc.root().at(edit.path())) {
            (Edit::Remove { path }, _) => self.only_takes(doc, path),
            (Edit::Set { path, .. }, Some(old)) => {
                self.confined(doc, old, &Edit::set(path, "plain"));
            }
            (Edit::Set { path, .. }, None) => {
                let above = doc.root().at(&path[..path.len() - 1]);
                if above.is_some_and(|above| above.value != Value::Null) {
                    self.only_adds(doc, edit);
                }
            }
        }
    }

    /// All other scalars keep their text, and all other comments remain.
    fn others_stay(&self, doc: &Document<'_>, edit: &Edit, text: &str) {
        let after = self.parse(text);
        let raw = |doc: &Document<'_>, node: &Node| {
            doc.text()[node.span.range()].trim_end_matches([' ', '\t', '\r', '\n']).to_owned()
        };
        for path in in_order(doc.root()) {
            let old = doc.root().at(&path).unwrap();
            let is_scalar = !matches!(old.value, Value::List(_) | Value::Map(_));
            let Some(path) = moved(doc, edit, &path).filter(|_| is_scalar) else { continue };
            let now = after.root().at(&path).unwrap();
            assert_eq!(raw(&after, now), raw(doc, old), "{} {edit:?}\n{}", self.seed, self.text);
        }
        if let Edit::Set { .. } = edit {
            let gone = doc.root().at(edit.path()).map(|node| with_comments(doc, node));
            for comment in comments(doc, gone.unwrap_or_default()) {
                let stays = text.lines().any(|line| line.trim_start() == comment);
                assert!(stays, "{}: {comment} {edit:?}\n{}\n{text}", self.seed, self.text);
            }
        }
    }
}

/// Returns the path of a value after an edit, unless the edit concerns it or its parent.
fn moved(doc: &Document<'_>, edit: &Edit, path: &[String]) -> Option<Vec<String>> {
    let at = edit.path();
    if at.starts_with(path) || path.starts_with(at) {
        return None;
    }
    let mut path = path.to_vec();
    let (Edit::Remove { .. }, Some((step, above))) = (edit, at.split_last()) else {
        return Some(path);
    };
    if let Value::List(_) = doc.root().at(above)?.value
        && path.starts_with(above)
    {
        let (gone, here): (usize, usize) =
            (step.parse().unwrap(), path[above.len()].parse().unwrap());
        path[above.len()] = (here - usize::from(here > gone)).to_string();
    }
    Some(path)
}

/// The bytes of a value and of the comments between its key and the value.
fn with_comments(doc: &Document<'_>, node: &Node) -> Range<usize> {
    // Dashes in the line of the value belong to it.
    let mut start = doc.text()[..node.span.start()].trim_end_matches(['-', ' ']).len();
    for line in doc.text()[..start].split_inclusive('\n').rev() {
        if !line.trim().is_empty() && !line.trim_start().starts_with('#') {
            break;
        }
        start -= line.len();
    }
    start..node.span.end()
}

/// Returns the comments on lines of their own, except those inside some bytes.
fn comments<'t>(doc: &Document<'t>, without: Range<usize>) -> Vec<&'t str> {
    let texts: Vec<_> = in_order(doc.root())
        .into_iter()
        .map(|path| doc.root().at(&path).unwrap())
        .filter(|node| matches!(node.value, Value::String(_)))
        .map(|node| node.span.range())
        .chain([without])
        .collect();
    let mut at = 0;
    let lines = doc.text().split_inclusive('\n').filter_map(|line| {
        let start = at + line.len() - line.trim_start().len();
        at += line.len();
        let is_comment = line.trim_start().starts_with('#');
        (is_comment && !texts.iter().any(|range| range.contains(&start))).then(|| line.trim())
    });
    lines.collect()
}

/// Returns the paths of a few adjacent values, in any order.
pub(crate) fn row(random: &mut Random, root: &Node) -> Vec<Vec<String>> {
    let places = in_order(root);
    let start = random.below(places.len());
    let mut left: Vec<_> = places.into_iter().skip(start).take(2 + random.below(4)).collect();
    let mut row = Vec::new();
    while !left.is_empty() {
        row.push(left.swap_remove(random.below(left.len())));
    }
    row
}

/// Makes an edit of a place, if the place still exists.
pub(crate) fn edit(random: &mut Random, root: &Node, place: &[String]) -> Option<Edit> {
    let node = root.at(place)?;
    let value = generate::value(random, 2);
    let Some((_, above)) = place.split_last() else {
        return Some(Edit::set(added(random, node, place)?, value));
    };
    Some(match random.below(5) {
        0 | 1 => Edit::remove(place),
        2 => Edit::set(place, value),
        3 => Edit::set(added(random, node, place)?, value),
        _ => Edit::set(added(random, root.at(above)?, above)?, value),
    })
}

/// Returns the path of a new entry at the end of a collection.
fn added(random: &mut Random, node: &Node, place: &[String]) -> Option<Vec<String>> {
    let step = match &node.value {
        Value::Map(_) => format!("new{}", generate::key(random)),
        Value::List(items) => items.len().to_string(),
        Value::Null => "new".to_owned(),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => return None,
    };
    Some(place.iter().cloned().chain([step]).collect())
}

/// Makes edits in one call, if each of them is possible on its own; both ways must have the same
/// bytes.
pub(crate) fn in_one_go(random: &mut Random, format: Format, doc: &Document<'_>) {
    let (mut edits, mut text) = (Vec::new(), doc.text().to_owned());
    for place in row(random, doc.root()) {
        let Ok(now) = Document::parse(format, &text) else { return };
        let Some(edit) = edit(random, now.root(), &place) else { continue };
        let Ok(splices) = now.edit(std::slice::from_ref(&edit)) else { continue };
        text = apply(&text, &splices).unwrap();
        edits.push(edit);
    }
    let splices = doc.edit(&edits).unwrap_or_else(|fault| panic!("{fault}\n{edits:?}\n{text}"));
    assert_eq!(apply(doc.text(), &splices).unwrap(), text, "{edits:?}\n{}", doc.text());
}

/// The paths of all nodes in the order of the text.
fn in_order(root: &Node) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    walk(root, &mut Vec::new(), &mut all);
    all
}

fn walk(node: &Node, path: &mut Vec<String>, all: &mut Vec<Vec<String>>) {
    all.push(path.clone());
    let below: Vec<(String, &Node)> = match &node.value {
        Value::Map(map) => map.iter().map(|entry| (entry.key.clone(), &entry.node)).collect(),
        Value::List(items) => {
            items.iter().enumerate().map(|(at, item)| (at.to_string(), item)).collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    };
    for (step, node) in below {
        path.push(step);
        walk(node, path, all);
        path.pop();
    }
}

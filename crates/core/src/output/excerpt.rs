//! The part of an output that a person or an agent should read.

use super::found::Found;
use super::patterns::Text;
use super::score::{score, telling};

/// Characters of an excerpt.
pub(super) const MOST: usize = 900;
/// Characters of one line.
const WIDTH: usize = 240;
/// Lines around the one that says why nothing could run.
const NEAR: usize = 4;
/// Failures that get a share; the others are only counted.
const SHARES: usize = 24;

/// Returns the whole text if it fits, because that is better than any choice. Otherwise every
/// failure gets an equal share: the lines of its block that say most, in their order.
pub(super) fn excerpt(
    text: &Text,
    out: &[bool],
    names: &[Found],
    details_first: bool,
    cannot: bool,
) -> String {
    let lines: Vec<usize> = (0..text.lines.len()).filter(|at| !out[*at]).collect();
    let whole = joined(text, &lines);
    if whole.chars().count() <= MOST {
        return whole;
    }
    let owners = owners(text, names, details_first);
    let told = telling(text, out, cannot).filter(|_| names.is_empty() || cannot);
    let starts: Vec<usize> = names.iter().map(|one| one.line).collect();
    let weight = |at: usize| {
        let near = told.map_or(0, |(told, _)| match at.abs_diff(told) {
            0 => 20,
            distance if distance < NEAR => 3,
            _ => 0,
        });
        score(text, at) + near + if starts.contains(&at) { 4 } else { 0 }
    };
    let weighed = lines.iter().map(|at| (weight(*at), *at)).collect();
    joined(text, &chosen(text, weighed, &owners, names.len()))
}

/// Joins lines, with at most one empty line between two and none at the edges.
fn joined(text: &Text, lines: &[usize]) -> String {
    let mut shown = String::new();
    let mut is_gap = false;
    for at in lines {
        let line = text.lines[*at].trim_end();
        if line.trim().is_empty() {
            is_gap = !shown.is_empty();
            continue;
        }
        if !shown.is_empty() {
            shown.push_str(if is_gap { "\n\n" } else { "\n" });
        }
        is_gap = false;
        shown.extend(line.chars().take(WIDTH));
    }
    shown
}

/// Returns for each line the failure whose block it is in. A block begins, or with `details_first`
/// ends, with a mention of the name.
fn owners(text: &Text, names: &[Found], details_first: bool) -> Vec<Option<usize>> {
    let parts: Vec<&str> = names.iter().take(SHARES).map(|one| last_part(&one.shown)).collect();
    let mention = |at: usize| {
        let starts = names.iter().position(|one| one.line == at).filter(|name| *name < SHARES);
        starts.or_else(|| {
            let line = &text.lines[at];
            let all = parts.iter().enumerate().filter(|(_, part)| line.contains(**part));
            all.max_by_key(|(_, part)| part.len()).map(|(name, _)| name)
        })
    };
    let mut owners = vec![None; text.lines.len()];
    let mut current = None;
    let order: Box<dyn Iterator<Item = usize>> =
        if details_first { Box::new((0..owners.len()).rev()) } else { Box::new(0..owners.len()) };
    for at in order {
        current = mention(at).or(current);
        owners[at] = current;
    }
    owners
}

/// The part of a name that a runner repeats above the details: the test without file and groups.
pub(super) fn last_part(shown: &str) -> &str {
    let mut part = shown;
    for separator in [" > ", " › ", "::", "#"] {
        part = part.rsplit(separator).next().unwrap_or(part);
    }
    let dotted = part.rsplit('.').next().unwrap_or(part);
    let part = if part.contains(' ') || dotted.len() < 4 { part } else { dotted };
    if part.is_empty() { shown } else { part }
}

/// Takes turns: each failure its best line that still fits, until nothing fits or has a score.
fn chosen(
    text: &Text,
    lines: Vec<(i32, usize)>,
    owners: &[Option<usize>],
    names: usize,
) -> Vec<usize> {
    let mut queues: Vec<Vec<(i32, usize)>> = vec![Vec::new(); names.min(SHARES) + 1];
    let others = queues.len() - 1;
    for (score, at) in lines.into_iter().filter(|(score, _)| *score > 1) {
        queues[owners[at].unwrap_or(others)].push((score, at));
    }
    for queue in &mut queues {
        // The best is last; of equal lines the first.
        queue.sort_by_key(|(score, at)| (*score, usize::MAX - at));
    }
    let (mut taken, mut left) = (Vec::new(), MOST);
    let mut seen = std::collections::BTreeSet::new();
    while queues.iter().any(|queue| !queue.is_empty()) {
        for queue in &mut queues {
            while let Some((_, at)) = queue.pop() {
                let size = text.lines[at].trim_end().chars().take(WIDTH).count() + 2;
                if size <= left && seen.insert(text.lines[at].trim().to_owned()) {
                    left -= size;
                    taken.push(at);
                    break;
                }
            }
        }
    }
    taken.sort_unstable();
    taken
}

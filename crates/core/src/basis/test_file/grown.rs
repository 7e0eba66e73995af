//! Checks whether a test only has more than before.

use std::ops::Range;

use super::block::{AddedLines, is_harmless};
use super::harm::{Old, first_string, is_harmful};
use super::imports;
use super::language::Language;
use super::lines::{TestLine, Text, is_word};
use super::name::extension;

/// How many times a block of new lines is shifted up by one line: where its last line equals the
/// line before it, both positions produce the same text.
const SLIDES: usize = 40;
/// A text with more blocks of new lines than this counts as changed.
const BLOCKS: usize = 500;

/// Returns whether all old lines are present in order, and nothing new affects them.
pub(super) fn has_grown(
    path: &str,
    was_text: &str,
    was: Text,
    now: Text,
    language: Language,
) -> bool {
    if !was.is_certain || !now.is_certain {
        return false;
    }
    let (mut was, mut now) = (was.without_blanks().lines, now.without_blanks().lines);
    if !language.collapses_blanks(path) {
        for line in was.iter_mut().chain(&mut now) {
            line.normal = line.raw.trim_end_matches('\r').to_owned();
        }
    }
    let old = Old {
        titles: was_text.lines().filter_map(first_string).collect(),
        words: was_text.split(|c: char| !is_word(c)).filter(|word| !word.is_empty()).collect(),
        imported: imports::all(&was, language),
    };
    let Some(mut is_old) = align(&was, &now, language, &old) else { return false };
    if language == Language::Shell && extension(path) != "bats" {
        return is_longer_script(&was, &now, &old);
    }
    let mut from = 0;
    for _ in 0..BLOCKS {
        let Some(block) = next_block(&is_old, from) else { return true };
        from = block.end;
        if !settle(block, &now, &mut is_old, language, &old) {
            return false;
        }
    }
    false
}

/// Marks the old lines among the new ones, each as early as possible; `None` if one is missing.
fn align(
    was: &[TestLine],
    now: &[TestLine],
    language: Language,
    old: &Old<'_>,
) -> Option<Vec<bool>> {
    let mut is_old = vec![false; now.len()];
    let mut at = 0;
    for line in was {
        let found = now[at..].iter().position(|new| {
            let is_equal = new.normal == line.normal && new.starts_inside == line.starts_inside;
            is_equal || is_longer_import(line, new, language, old)
        })?;
        is_old[at + found] = true;
        at += found + 1;
    }
    Some(is_old)
}

/// Returns whether an import only adds names, and none that the old text uses.
fn is_longer_import(was: &TestLine, now: &TestLine, language: Language, old: &Old<'_>) -> bool {
    if !imports::extends(was, now, language) || is_harmful(now, language, &Old::default()) {
        return false;
    }
    let (before, after) =
        (imports::names(&was.code, language), imports::names(&now.code, language));
    let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
    after.difference(&before).all(|name| !old.words.contains(name))
}

fn next_block(is_old: &[bool], from: usize) -> Option<Range<usize>> {
    let start = from + is_old.get(from..)?.iter().position(|old| !old)?;
    let length = is_old[start..].iter().position(|old| *old).unwrap_or(is_old.len() - start);
    Some(start..start + length)
}

/// Finds a position for a block of new lines where it is complete and harmless. Where its last line
/// equals the line before it, the block may as well begin one line earlier.
fn settle(
    mut block: Range<usize>,
    now: &[TestLine],
    is_old: &mut [bool],
    language: Language,
    old: &Old<'_>,
) -> bool {
    for _ in 0..SLIDES {
        let here = AddedLines { lines: now, at: block.clone(), is_old: &*is_old };
        if is_harmless(&here, language, old) {
            return true;
        }
        let Some(before) = block.start.checked_sub(1) else { return false };
        let (first, last) = (&now[before], &now[block.end - 1]);
        if !is_old[before] || first.normal != last.normal || first.starts_inside {
            return false;
        }
        is_old[before] = false;
        is_old[block.end - 1] = true;
        block = before..block.end - 1;
        // Two blocks that meet become one.
        while block.start > 0 && !is_old[block.start - 1] {
            block.start -= 1;
        }
    }
    false
}

/// Returns whether a shell script only continues after its last old command. The last command
/// decides the exit status, so the script must already have stopped at any earlier failure.
fn is_longer_script(was: &[TestLine], now: &[TestLine], old: &Old<'_>) -> bool {
    let Some(last) = was.iter().rfind(|line| !line.code.is_empty()) else { return false };
    let stops_at_once = was.iter().any(|line| {
        let options = line.code.strip_prefix("set -").unwrap_or_default();
        options.split(' ').next().is_some_and(|options| options.contains('e'))
    });
    let is_plain = !["&&", "||", "|", "!", "then", "else"].iter().any(|it| last.code.contains(it))
        && last.code.ends_with(|c: char| c != '}' && c != ')')
        && !["fi", "done", "esac"].contains(&last.code.as_str());
    let begins_alike =
        now.len() >= was.len() && was.iter().zip(now).all(|(was, now)| was.normal == now.normal);
    let added = &now[was.len().min(now.len())..];
    let is_free = |line: &TestLine| {
        !line.starts_inside && !line.ends_inside && !is_harmful(line, Language::Shell, old)
    };
    stops_at_once && is_plain && begins_alike && added.iter().all(is_free)
}

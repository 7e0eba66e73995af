//! Blocks that end with a keyword, and blocks of bats.

use super::super::harm::Old;
use super::super::lines::{has_phrase, words};
use super::{AddedLines, Statement};

/// Returns whether the new lines are Ruby examples, groups or test methods at a place for them.
pub(super) fn is_harmless_ruby(block: &AddedLines<'_>, old: &Old<'_>) -> bool {
    let around = ["describe", "context", "feature", "class", "module"];
    let stands_well = block.depth() == 0
        || block
            .opener()
            .is_some_and(|line| around.iter().any(|word| has_phrase(&line.code, word)));
    let statements = block.statements(|line| line.code.is_empty());
    stands_well && statements.iter().all(|one| is_example(one, old))
}

fn is_example(one: &Statement<'_>, old: &Old<'_>) -> bool {
    if one.is_comment() {
        return true;
    }
    let head = one.head();
    if one.lines.iter().any(|line| line.code.contains(';')) {
        return false;
    }
    let is_closed = one.code.ends_with(" end") || one.code.ends_with('}');
    if let Some(name) = head.strip_prefix("def ").and_then(|rest| words(rest).next()) {
        return is_closed && name.starts_with("test") && !old.words.contains(name);
    }
    let calls = ["it", "specify", "test", "describe", "context", "scenario", "example"];
    let word = one.first_word();
    let opens = head.ends_with(" do") || head.ends_with('{') || head.ends_with('|');
    calls.contains(&word) && head.starts_with(&format!("{word} ")) && opens && is_closed
}

/// Returns whether the new lines are complete bats tests.
pub(super) fn is_harmless_bats(block: &AddedLines<'_>, old: &Old<'_>) -> bool {
    let new = block.added();
    let starts = new.iter().filter(|line| line.raw.starts_with("@test ")).count();
    let is_outside = |raw: &str| {
        raw.starts_with("@test ") && raw.ends_with('{') || raw == "}" || raw.starts_with('#')
    };
    let is_inside = |raw: &str| raw.starts_with([' ', '\t']) && raw.trim() != "}";
    let mut open = false;
    for line in new {
        let raw = line.raw.trim_end();
        let is_start = raw.starts_with("@test ");
        if line.starts_inside || !(is_outside(raw) || open && is_inside(raw)) {
            return false;
        }
        if is_start && open || raw == "}" && !open {
            return false;
        }
        open = if is_start { true } else { open && raw != "}" };
        let title = raw.split('"').nth(1).unwrap_or_default();
        if is_start && !title.is_empty() && words(title).all(|word| old.words.contains(word)) {
            return false;
        }
    }
    let follows_well = block.before().is_none_or(|line| {
        line.code == "}" || !line.raw.starts_with([' ', '\t']) && !line.code.ends_with('{')
    });
    starts > 0 && !open && follows_well && is_balanced(new.iter().map(|line| line.code.as_str()))
}

/// Returns whether every opening shell keyword has its closing one.
fn is_balanced<'a>(codes: impl Iterator<Item = &'a str>) -> bool {
    let pairs = [("if", "fi"), ("do", "done"), ("case", "esac")];
    let mut open = [0_i32; 3];
    for word in codes.flat_map(words) {
        for (count, (start, end)) in open.iter_mut().zip(pairs) {
            *count += i32::from(word == start) - i32::from(word == end);
            if *count < 0 {
                return false;
            }
        }
    }
    open == [0; 3]
}

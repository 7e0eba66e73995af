use sprag_core::gsd::Requirements;
use sprag_core::workflow::javascript;

use super::scan::{after_space, find_any_case, is_word, take};
use super::section::section;

/// Counts the requirements in `REQUIREMENTS.md`.
pub fn requirements(text: &str) -> Requirements {
    let count = |heading| {
        let inside = section(text, heading, 2).map(|(_, inside)| inside).unwrap_or_default();
        inside.split('\n').filter(|line| is_requirement(line)).count()
    };
    let [active, validated, deferred, out_of_scope] =
        ["Active", "Validated", "Deferred", "Out of Scope"].map(count);
    let blocked = text.split('\n').filter(|line| is_blocked(line)).count();
    let total = active + validated + deferred + out_of_scope;
    Requirements { active, validated, deferred, out_of_scope, blocked, total }
}

/// Detects `### R001 — title`, with this dash.
fn is_requirement(line: &str) -> bool {
    let id = line.strip_prefix("###").and_then(after_space);
    id.filter(|id| id.starts_with(|c: char| c.is_ascii_uppercase())).is_some_and(|text| {
        let (id, rest) = take(text, |c| is_word(c) || c == '-');
        id.len() > 1
            && id.ends_with(|c: char| c.is_ascii_digit())
            && after_space(rest).is_some_and(|rest| rest.starts_with('—'))
    })
}

/// Detects `- Status: blocked`.
fn is_blocked(line: &str) -> bool {
    let rest = line.strip_prefix('-').and_then(after_space);
    let rest = rest.filter(|rest| find_any_case(rest, "status:") == Some(0));
    let rest = rest.and_then(|rest| after_space(&rest["status:".len()..]));
    rest.is_some_and(|rest| javascript::trim(rest).eq_ignore_ascii_case("blocked"))
}

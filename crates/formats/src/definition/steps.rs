//! Commands that run in sequence and must all succeed: another one at the end only makes the check
//! stricter.

use sprag_core::definition::{PartKey, WhenNew};

use super::output::without_output;
use super::resolver::{CallSite, Resolver};

/// The most separate steps; the last one contains the rest.
const MOST: usize = 40;

impl Resolver<'_> {
    /// Adds each step as a part, and returns their keys. The first step has the name of the whole.
    pub(super) fn steps<S: AsRef<str>>(
        &mut self,
        path: &str,
        part: &str,
        steps: &[S],
        site: &CallSite,
    ) -> Vec<PartKey> {
        let mut keys = Vec::new();
        for (at, step) in steps.iter().take(MOST).enumerate() {
            let rest: Vec<&str> = steps[at..].iter().map(AsRef::as_ref).collect();
            let text =
                if at + 1 == MOST { rest.join("\n") } else { step.as_ref().trim().to_owned() };
            let text: Vec<_> = text.split('\n').map(without_output).collect();
            let text = text.join("\n");
            keys.push(match at {
                0 => self.runner(path, part, &text, site),
                at => {
                    let part = format!("{part} step {}", at + 1);
                    self.runner_if(path, &part, &text, site, WhenNew::Free)
                }
            });
        }
        keys
    }

    /// Adds a shell line by its steps, and follows its commands.
    pub(super) fn shell_steps(&mut self, path: &str, part: &str, line: &str, site: &CallSite) {
        let steps = chained(line).unwrap_or_else(|| vec![line]);
        let keys = self.steps(path, part, &steps, site);
        let mut end = 0;
        for (at, key) in keys.iter().enumerate() {
            let before = &line[..end];
            end += steps[at].len() + if at == 0 { 0 } else { JOINT.len() };
            let until = if at + 1 == keys.len() { line } else { &line[..end] };
            self.shell_after(before, until, &site.through(key));
        }
    }
}

const JOINT: &str = "&&";

/// Splits a line at each unquoted `&&`. Returns `None` if other operators join its commands.
fn chained(line: &str) -> Option<Vec<&str>> {
    let (mut steps, mut start, mut quote) = (Vec::new(), 0, None);
    let bytes = line.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match (quote, byte) {
            (Some(open), _) if open == byte => quote = None,
            (_, b'\\') => return None,
            (None, b'\'' | b'"') => quote = Some(byte),
            (None, b'&') if bytes.get(at + 1) == Some(&b'&') => {
                steps.push(&line[start..at]);
                at += JOINT.len();
                start = at;
                continue;
            }
            (None, b'&' | b'|' | b';' | b'\n' | b'`' | b'(' | b')' | b'{' | b'}' | b'#' | b'!') => {
                return None;
            }
            (Some(_) | None, _) => {}
        }
        at += 1;
    }
    steps.push(&line[start..]);
    let is_whole = quote.is_none() && steps.iter().all(|step| !step.trim().is_empty());
    is_whole.then_some(steps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_split_where_all_commands_must_succeed() {
        assert_eq!(chained("a 'x && y' && b"), Some(vec!["a 'x && y' ", " b"]));
        assert_eq!(chained("a"), Some(vec!["a"]));
        let whole =
            ["a || b", "a && b || c", "a; b", "a & b", "a | b", "a &&", "a 'b", "! a", "(a)"];
        for line in whole.into_iter().chain(["a && {b;}", "a # && b", "a \\&& b", ""]) {
            assert_eq!(chained(line), None, "{line}");
        }
    }
}

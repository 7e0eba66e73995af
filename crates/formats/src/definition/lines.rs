//! Splits a shell script into its lines, so that a comment or another command at its end is told
//! from a change of what it did.

use std::collections::BTreeSet;

use sprag_core::Hash;
use sprag_core::definition::{ScriptLine, ScriptLines};

use super::output::without_output;

/// The longest script that is split, in bytes, and the most lines.
const LONGEST: usize = 16 << 10;
const MOST: usize = 100;

/// Options of `set` that only stop the script earlier, with their letters.
const STOP: [(char, &str); 3] = [('e', "errexit"), ('u', "nounset"), ('E', "errtrace")];

/// Options of `set` that only show what runs.
const SHOW: [(char, &str); 2] = [('x', "xtrace"), ('v', "verbose")];

/// Words that begin or end a construct of several commands.
const BUILDS: [&str; 17] = [
    "if", "then", "else", "elif", "fi", "for", "while", "until", "do", "done", "case", "esac",
    "select", "function", "{", "}", "!",
];

/// Commands of the shell itself that change what later lines do.
const CHANGES: [&str; 34] = [
    ".", "[[", "alias", "break", "builtin", "cd", "command", "continue", "coproc", "declare",
    "enable", "env", "eval", "exec", "exit", "export", "getopts", "hash", "kill", "local", "popd",
    "pushd", "read", "readonly", "return", "set", "shift", "shopt", "source", "time", "trap",
    "typeset", "unalias", "unset",
];

/// A line with the position of its end in the text.
pub(super) struct LineSpan {
    pub(super) end: usize,
    pub(super) text: String,
}

/// Returns the lines of a script; `None` if a line cannot be read alone.
pub(super) fn script_lines(text: &str) -> Option<(ScriptLines, Vec<LineSpan>)> {
    if text.len() > LONGEST || text.contains("<<") || text.contains('\0') {
        return None;
    }
    let mut found = ScriptLines { is_flat: true, ..ScriptLines::default() };
    let mut all = whole_lines(text)?;
    if let Some(first) = text.strip_prefix("#!") {
        interpreter(first.lines().next().unwrap_or_default(), &mut found);
    }
    let head = all.iter().take_while(|line| options(&line.text, &mut found.options)).count();
    all.drain(..head);
    if all.len() > MOST {
        return None;
    }
    if all.iter().any(|line| line.text.split_whitespace().any(|word| word == "+e")) {
        found.options.remove("errexit");
    }
    found.is_flat = all.iter().all(|line| is_whole(&line.text));
    found.lines = all.iter().map(|line| script_line(&without_output(&line.text))).collect();
    Some((found, all))
}

fn script_line(text: &str) -> ScriptLine {
    let first = text.split_whitespace().next().unwrap_or_default();
    let is_simple = is_whole(text) && !text.contains([';', '&']);
    let is_plain = is_simple
        && !text.contains(['|', '<', '>', '$', '`', '(', ')', '='])
        && !CHANGES.contains(&first);
    let is_firm = is_simple && !text.contains("||");
    ScriptLine { hash: Hash::of(text).short(16), is_plain, is_firm }
}

/// Returns whether a line is whole commands, as far as its words show.
fn is_whole(text: &str) -> bool {
    let is_part = |word: &str| BUILDS.contains(&word.trim_end_matches(';'));
    !text.split_whitespace().any(is_part)
        && !text.ends_with(['|', '&'])
        && !text.starts_with([')', '('])
        && !text.contains("()")
}

/// Joins continued lines and leaves out comments. Returns `None` if a quote spans lines.
fn whole_lines(text: &str) -> Option<Vec<LineSpan>> {
    let (mut found, mut joined, mut end) = (Vec::new(), String::new(), 0);
    for line in text.split_inclusive('\n') {
        end += line.len();
        let bare = line.trim();
        let is_open = !joined.is_empty();
        if bare.is_empty() || !is_open && bare.starts_with('#') {
            if is_open {
                return None;
            }
            continue;
        }
        let bare = if is_open { bare } else { without_comment(bare) };
        match bare.strip_suffix('\\') {
            Some(part) => {
                joined.push_str(part);
                joined.push(' ');
                continue;
            }
            None => joined.push_str(bare),
        }
        let text = std::mem::take(&mut joined);
        if !is_closed(&text) {
            return None;
        }
        found.push(LineSpan { end, text });
    }
    joined.is_empty().then_some(found)
}

/// Returns a line without the comment at its end. Where quotes may be nested, it stays whole.
fn without_comment(line: &str) -> &str {
    let mut quote = None;
    let mut before = ' ';
    for (at, c) in line.char_indices() {
        match (quote, c) {
            (None, '$' | '`' | '\\') if line[at..].starts_with("$(") || c != '$' => return line,
            (Some('"'), '$' | '`' | '\\') => return line,
            (None, '\'' | '"') => quote = Some(c),
            (Some(open), c) if open == c => quote = None,
            (None, '#') if before.is_whitespace() => return line[..at].trim_end(),
            (_, _) => {}
        }
        before = c;
    }
    line
}

/// Returns whether all quotes and substitutions of a line are closed.
fn is_closed(line: &str) -> bool {
    let mut quote = None;
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (None | Some('"'), '\\') => {
                chars.next();
            }
            (None, '\'' | '"') => quote = Some(c),
            (Some(open), c) if open == c => quote = None,
            (_, _) => {}
        }
    }
    let count = |sign: char| line.matches(sign).count();
    let is_balanced = count('(') == count(')') || !line.contains("$(");
    quote.is_none() && is_balanced && count('`') % 2 == 0
}

/// Reads `set -eu -o pipefail`. Returns whether the line does no more than that.
fn options(line: &str, found: &mut BTreeSet<String>) -> bool {
    let mut words = line.split_whitespace();
    words.next() == Some("set") && words.clone().next().is_some() && flags(words, found)
}

fn flags<'w>(mut words: impl Iterator<Item = &'w str>, found: &mut BTreeSet<String>) -> bool {
    let known = |name: &str| name == "pipefail" || STOP.iter().any(|(_, own)| *own == name);
    let mut new = BTreeSet::new();
    while let Some(word) = words.next() {
        let Some(letters) = word.strip_prefix('-').filter(|rest| !rest.is_empty()) else {
            return false;
        };
        for letter in letters.chars() {
            if let Some((_, name)) = STOP.iter().find(|(own, _)| *own == letter) {
                new.insert((*name).to_owned());
            } else if letter == 'o' {
                match words.next() {
                    Some(name) if known(name) => drop(new.insert(name.to_owned())),
                    Some(name) if SHOW.iter().any(|(_, own)| *own == name) => {}
                    Some(_) | None => return false,
                }
            } else if !SHOW.iter().any(|(own, _)| *own == letter) {
                return false;
            }
        }
    }
    found.extend(new);
    true
}

/// Reads the interpreter of a script. An option there holds only if the script is started itself.
fn interpreter(line: &str, found: &mut ScriptLines) {
    let shells = ["sh", "bash", "dash", "zsh", "ksh", "ash"];
    let mut words = line.split_whitespace();
    let path = words.next().unwrap_or_default();
    let name = match path {
        "/usr/bin/env" | "/bin/env" => words.next().unwrap_or_default(),
        path => {
            let folders = ["/bin/", "/usr/bin/", "/usr/local/bin/"];
            folders.iter().find_map(|folder| path.strip_prefix(folder)).unwrap_or_default()
        }
    };
    let mut own = BTreeSet::new();
    if shells.contains(&name) && flags(words, &mut own) {
        found.options.extend(own.iter().map(|option| format!("started with {option}")));
    } else {
        found.interpreter = Some(line.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> ScriptLines {
        script_lines(text).unwrap().0
    }

    #[test]
    fn comments_and_layout_do_not_count() {
        let then = of("npm run lint\nnpm test\n");
        for now in [
            "# both\nnpm run lint\n\nnpm test\n",
            "npm run lint # first\n  npm test",
            "#!/bin/sh\nnpm run lint\nnpm test\n",
            "#!/usr/bin/env bash\nset -x\nnpm run lint\nnpm test\n",
        ] {
            assert!(then.is_same(&of(now)), "{now}");
        }
        for now in [
            "npm run lint\n#npm test\n",
            "npm test\nnpm run lint\n",
            "#!./own\nnpm run lint\nnpm test\n",
        ] {
            assert!(!then.is_same(&of(now)) && !then.only_grew(&of(now)), "{now}");
        }
        // What looks like a comment may be part of a text.
        for text in ["x=\"$(echo \"a # b\")\"\n", "echo 'a # b'\n", "echo ${x#a} $# a#b\n"] {
            assert!(!of(text).is_same(&of(&text.replace('b', "c").replace("#a", "#c"))), "{text}");
        }
    }

    #[test]
    fn a_script_that_stops_at_a_failure_may_do_more() {
        let then = of("npm run lint\nnpm test\n");
        for now in [
            "set -e\nnpm run lint\nnpm test\n",
            "set -euo pipefail\nnpm run lint\nnpm test\nnpm run types\n",
            "set -e\nnpm run lint\nnpm run types\nnpm test\n",
            "set -e\nnpm run types\nnpm run lint\nnpm test\nif true; then exit 0; fi\n",
        ] {
            assert!(then.only_grew(&of(now)), "{now}");
        }
        for now in [
            "npm run lint\nnpm test\nnpm run types\n",
            "set -e\nexit 0\nnpm run lint\nnpm test\n",
            "set -e\nnpm run lint\nset +e\nnpm test\nx\n",
            "set -e\nnpm() { :; }\nnpm run lint\nnpm test\n",
            "set -e\nif false; then\nnpm run lint\nnpm test\nfi\n",
            "set -e\nnpm run lint && exit\nnpm test\n",
            "set -e\nPATH=bin\nnpm run lint\nnpm test\n",
            "set -e\ncd x\nnpm run lint\nnpm test\n",
            "set -n\nnpm run lint\nnpm test\n",
            "set -e\nnpm run lint\nnpm test || true\n",
        ] {
            assert!(!then.only_grew(&of(now)), "{now}");
        }
    }

    #[test]
    fn what_stops_no_script_ends_it() {
        for last in
            ["test -f a && npm test", "! npm test", "for a in b; do\nnpm test\ndone", "npm test &"]
        {
            let then = of(&format!("set -e\n{last}\n"));
            assert!(!then.only_grew(&of(&format!("set -e\n{last}\necho ok\n"))), "{last}");
        }
        let then = of("set -e\nf() {\n  npm test\n}\nif f; then echo; fi\n");
        assert!(
            !then.only_grew(&of("set -e\nf() {\n  npm test\n  echo\n}\nif f; then echo; fi\n"))
        );
        assert!(!of("set -e\nnpm test\n").only_grew(&of("npm test\n")));
        let mut inside = of("set -e\nnpm test\nnpm x\n");
        inside.in_caller = true;
        assert!(!of("set -e\nnpm test\n").only_grew(&inside));
    }

    #[test]
    fn what_cannot_be_split_is_nothing() {
        for text in [
            "cat <<E\nx\nE\n",
            "echo 'a\nb'\n",
            "x=$(a\nb)\n",
            "a \\\n\nb\n",
            "a \\",
            "echo \"$(echo \"a\n",
        ] {
            assert!(script_lines(text).is_none(), "{text}");
        }
        assert!(script_lines(&"a\n".repeat(101)).is_none());
        for text in ["", "#!", "set", "set -o", "'", "\\"] {
            script_lines(text);
        }
    }
}

//! Splits a command line into words without a shell.
//!
//! It recognises quotes and backslashes, nothing else. Constructs that need a shell (pipes,
//! variables, patterns) are an error that shows how to call a shell.

/// Why a line is not a list of words, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct BadWords {
    pub why: String,
    /// The offset of the problem.
    pub at: usize,
    /// What to write instead.
    pub help: String,
}

/// Characters with a special meaning for a shell.
const SHELL: &str = "|&;<>()$`*?[]{}~#!\n\r";

pub fn words(line: &str) -> Result<Vec<String>, BadWords> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = line.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            ' ' | '\t' => words.extend(word.take()),
            '\'' | '"' => quoted(line, at, c, &mut chars, word.get_or_insert_default())?,
            '\\' => match chars.next() {
                Some((_, next)) => word.get_or_insert_default().push(next),
                None => return Err(bad(line, at, "nothing follows the last `\\`".to_owned())),
            },
            // `{}`, `~`, `#` and `!` have a special meaning only at the start of a word.
            '{' | '}' | '~' | '#' | '!' if word.is_some() => word.get_or_insert_default().push(c),
            c if SHELL.contains(c) => {
                let why = format!("`{}` needs a shell, and there is none", c.escape_debug());
                return Err(bad(line, at, why));
            }
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    match words.first().map(String::as_str) {
        None => Err(bad(line, 0, "there is no command".to_owned())),
        Some("") => Err(bad(line, 0, "the program has no name".to_owned())),
        Some(first) if is_assignment(first) => {
            let why = format!("`{first}` would need a shell, or `env` before it");
            Err(bad(line, 0, why))
        }
        Some(_) => Ok(words),
    }
}

fn quoted(
    line: &str,
    start: usize,
    quote: char,
    chars: &mut std::str::CharIndices<'_>,
    word: &mut String,
) -> Result<(), BadWords> {
    while let Some((at, c)) = chars.next() {
        match c {
            c if c == quote => return Ok(()),
            '\\' if quote == '"' => match chars.next() {
                Some((_, next @ ('"' | '\\' | '$' | '`'))) => word.push(next),
                Some((_, next)) => word.extend(['\\', next]),
                None => break,
            },
            '$' | '`' if quote == '"' => {
                let why = format!("`{c}` between double quotes needs a shell, and there is none");
                return Err(bad(line, at, why));
            }
            c => word.push(c),
        }
    }
    Err(bad(line, start, format!("this {quote} is never closed")))
}

/// Returns whether a first word is `NAME=value`, which only a shell understands.
fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.starts_with(|c: char| c.is_ascii_digit())
            && !name.is_empty()
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

fn bad(line: &str, at: usize, why: String) -> BadWords {
    let mut inner = String::new();
    for c in line.chars().take(120) {
        match c {
            '"' | '\\' => inner.extend(['\\', c]),
            c if c.is_control() => inner.push(' '),
            c => inner.push(c),
        }
    }
    BadWords { why, at, help: format!("write `run: [sh, -c, \"{inner}\"]` to use a shell") }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn words_and_quotes() {
        for (line, expected) in [
            ("cargo test --quiet", vec!["cargo", "test", "--quiet"]),
            ("  a\t b ", vec!["a", "b"]),
            ("echo 'a b' \"c d\"", vec!["echo", "a b", "c d"]),
            ("a''b \"\"", vec!["ab", ""]),
            (r#"a\ b "\"\\\n""#, vec!["a b", "\"\\\\n"]),
            ("x=1 is-not-first-here", vec![]),
            ("make X=1 a#b x{}", vec!["make", "X=1", "a#b", "x{}"]),
            ("echo '$HOME | *'", vec!["echo", "$HOME | *"]),
            ("größe é", vec!["größe", "é"]),
        ] {
            match words(line) {
                Ok(found) => assert_eq!(found, expected, "{line}"),
                Err(bad) => assert!(expected.is_empty(), "{line}: {bad}"),
            }
        }
    }

    #[test]
    fn what_needs_a_shell_is_an_error_that_shows_the_form() {
        for line in [
            "a | b",
            "a && b",
            "a; b",
            "a > b",
            "echo $HOME",
            "echo `id`",
            "ls *.rs",
            "ls a?",
            "(a)",
            "~/bin/x",
            "a\nb",
            "echo \"$HOME\"",
            "! true",
            "FOO=1 cargo test",
        ] {
            let bad = words(line).unwrap_err();
            assert!(bad.help.starts_with("write `run: [sh, -c, \""), "{line}: {bad:?}");
        }
        let help = words("echo \"a\" | b").unwrap_err();
        assert_eq!(help.help, r#"write `run: [sh, -c, "echo \"a\" | b"]` to use a shell"#);
        assert_eq!(help.at, 9);
    }

    #[test]
    fn an_open_end_and_an_empty_line_are_errors() {
        for line in ["", "   ", "'a", "a \"b", "a\\", "'' x"] {
            assert!(words(line).is_err(), "{line:?}");
        }
    }

    proptest! {
        #[test]
        fn any_line_has_an_answer_and_single_quotes_keep_everything(
            line in ".{0,80}",
            word in "[^']{1,40}",
        ) {
            let _ = words(&line);
            let quoted = format!("'{word}'");
            let assigned = is_assignment(&word);
            match words(&quoted) {
                Ok(found) => prop_assert_eq!(found, [word]),
                Err(_) => prop_assert!(assigned),
            }
        }
    }
}

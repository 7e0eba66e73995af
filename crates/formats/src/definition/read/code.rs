//! Finds named parts in source code by its brackets, outside strings and comments.

mod tokens;

use tokens::{Token, tokens};

/// Parts with their names and texts, or `None` if only the whole file can be compared.
type FoundParts = Option<Vec<(String, String)>>;

/// Returns the values of the JavaScript properties with this name, as one part.
///
/// The list is empty if there are none. Returns `None` if a value is not a literal, because then
/// only the whole file can be compared.
pub(in crate::definition) fn property(text: &str, name: &str) -> FoundParts {
    let tokens = tokens(text, "//")?;
    let mut values = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if matches!(token.word(), Some("mergeConfig")) {
            return None;
        }
        let before = at.checked_sub(1).map(|at| &tokens[at]);
        let is_member = before.is_some_and(|token| token.is(".") || token.is("?"));
        if token.name() != Some(name) || is_member {
            continue;
        }
        let next = tokens.get(at + 1);
        let is_written = token.word().is_none() || next.is_some_and(|next| next.is(":"));
        let value = next.filter(|next| next.is(":")).map(|_| value(&tokens[at + 2..], ","));
        match value {
            Some(value) if is_literal(value) => values.push(joined(value)),
            None if is_written => {}
            Some(_) | None => return None,
        }
    }
    let found = (!values.is_empty()).then(|| (name.to_owned(), values.join("\n")));
    Some(found.into_iter().collect())
}

/// Returns the values of `name: value` for these names; a name that ends with `_` is a prefix. Of a
/// quoted name, only the text before its first dot counts.
pub(in crate::definition) fn keywords(text: &str, names: &[&str]) -> FoundParts {
    let tokens = tokens(text, "#")?;
    let mut found: Vec<(String, String)> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let Some(name) = token.name() else { continue };
        let first = name.split('.').next().unwrap_or(name);
        let is_wanted =
            |wanted: &&str| *wanted == first || wanted.ends_with('_') && first.starts_with(*wanted);
        let is_key = tokens.get(at + 1).is_some_and(|next| next.is(":"));
        if is_key && names.iter().any(is_wanted) {
            let value = joined(value(&tokens[at + 2..], ",\n"));
            match found.iter_mut().find(|(known, _)| known == name) {
                Some((_, all)) => *all = format!("{all}\n{value}"),
                None => found.push((name.to_owned(), value)),
            }
        }
    }
    Some(found)
}

/// Blocks that list the libraries of a project.
const NOT_RUN: [&str; 4] = ["dependencies", "plugins", "repositories", "publishing"];

/// Returns the statements that mention one of these words, without their neighbours.
pub(in crate::definition) fn statements(text: &str, words: &[&str]) -> Option<String> {
    let tokens = tokens(text, "//")?;
    let mut out = String::new();
    for statement in split(&tokens) {
        keep(statement, words, &mut out, 0);
    }
    Some(out)
}

/// Appends a statement, or the statements inside it, that mention one of the words.
fn keep(statement: &[Token<'_>], words: &[&str], out: &mut String, depth: usize) {
    let head = statement.iter().position(Token::opens).unwrap_or(statement.len());
    let mentions = |token: &Token<'_>| token.name().is_some_and(|name| words.contains(&name));
    let is_not_run = statement.first().and_then(Token::word).is_some_and(|w| NOT_RUN.contains(&w));
    if is_not_run || !statement.iter().any(mentions) {
        return;
    }
    if statement[..head].iter().any(mentions) || depth > 32 {
        out.push_str(&joined(statement));
        out.push('\n');
        return;
    }
    // In `tasks.named("test") { … }`, the round brackets belong to the head.
    let mut at = head;
    while at < statement.len() {
        let end = at + group(&statement[at..]);
        let inner = &statement[at..end];
        let is_head = inner.first().is_some_and(|open| open.is("("))
            && inner.len() < 8
            && inner.iter().any(mentions);
        if is_head {
            out.push_str(&joined(statement));
            out.push('\n');
            return;
        }
        at = end.max(at + 1);
    }
    out.push_str(&joined(&statement[..head]));
    out.push_str(" {\n");
    let mut at = head;
    while at < statement.len() {
        let end = at + group(&statement[at..]);
        if statement[at].opens() && end > at + 1 {
            for inner in split(&statement[at + 1..end - 1]) {
                keep(inner, words, out, depth + 1);
            }
        }
        at = end.max(at + 1);
    }
    out.push_str("}\n");
}

/// Splits at line ends, `;` and `,` outside brackets. A line that starts with `.` continues the one
/// before.
fn split<'a, 't>(tokens: &'a [Token<'t>]) -> Vec<&'a [Token<'t>]> {
    let (mut found, mut start, mut at) = (Vec::new(), 0, 0);
    while at < tokens.len() {
        if tokens[at].opens() {
            at += group(&tokens[at..]);
            continue;
        }
        let next = tokens[at..].iter().find(|token| !token.is("\n"));
        let goes_on = tokens[at].is("\n") && next.is_some_and(|next| next.is("."));
        let ends = ["\n", ";", ","].iter().any(|end| tokens[at].is(end));
        if ends && !goes_on {
            if start < at {
                found.push(&tokens[start..at]);
            }
            start = at + 1;
        }
        at += 1;
    }
    if start < tokens.len() {
        found.push(&tokens[start..]);
    }
    found
}

/// Returns the number of tokens in a bracketed group; 1 for any other token.
fn group(tokens: &[Token<'_>]) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        if token.opens() {
            depth += 1;
        } else if token.closes() {
            depth = depth.saturating_sub(1);
        }
        if depth == 0 {
            return at + 1;
        }
    }
    tokens.len()
}

/// Returns the tokens of a value, up to one of `ends` or the enclosing closing bracket.
fn value<'a, 't>(tokens: &'a [Token<'t>], ends: &str) -> &'a [Token<'t>] {
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let is_end = ends.split("").any(|end| !end.is_empty() && token.is(end));
        let is_begun = tokens[..at].iter().any(|token| !token.is("\n"));
        if token.closes() || is_end && is_begun {
            break;
        }
        at += group(&tokens[at..]);
    }
    &tokens[..at.min(tokens.len())]
}

/// Returns whether a value is a literal: an object, a list, a string, a number, a constant.
fn is_literal(value: &[Token<'_>]) -> bool {
    let mut tokens = value.iter().filter(|token| !token.is("\n"));
    let first = tokens.next();
    let is_constant = |word: &str| {
        ["true", "false", "null", "undefined"].contains(&word)
            || word.starts_with(|c: char| c.is_ascii_digit())
    };
    first.is_some_and(|first| first.word().is_none_or(is_constant))
}

fn joined(tokens: &[Token<'_>]) -> String {
    let words: Vec<&str> =
        tokens.iter().filter(|token| !token.is("\n")).map(|token| token.text).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_property_is_found_outside_of_strings_and_comments() {
        let text = "// test: { a }\nexport default defineConfig({\n plugins: [x({ s: 'test: {}' })],\n \
                    test: { include: [`a/${'b'}`], // c\n }, build: { a: /[\"{]/ },\n})\n";
        let found = property(text, "test").unwrap();
        assert_eq!(found, [("test".to_owned(), "{ include : [ `a/${'b'}` ] , }".to_owned())]);
        assert_eq!(property("export default { a: 1 }", "test"), Some(vec![]));
        assert_eq!(property("export default { a: /x/.test(y) }", "test"), Some(vec![]));
    }

    #[test]
    fn a_property_that_is_not_written_out_is_nothing() {
        for text in ["f({ test })", "f({ test: shared })", "mergeConfig(a, {})", "f({", "f(}"] {
            assert_eq!(property(text, "test"), None, "{text}");
        }
    }

    #[test]
    fn keyword_values_are_found() {
        let text = "def project do\n [app: :x, # test_paths: 1\n test_paths: [\"a\"],\n deps: deps()]\nend\n\
                    defp aliases do\n [\"test.ci\": [\"x\"], test: \"y\"]\nend\n";
        let found = keywords(text, &["test", "test_"]).unwrap();
        let names: Vec<&str> = found.iter().map(|(name, _)| &**name).collect();
        assert_eq!(names, ["test_paths", "test.ci", "test"]);
        assert_eq!(found[0].1, "[ \"a\" ]");
    }

    #[test]
    fn statements_are_kept_without_their_neighbours() {
        let of = |text: &str| statements(text, &["test", "Test"]).unwrap();
        let one = of("plugins { id 'java' }\ndependencies { test 'x' }\ntest {\n useJUnit()\n}\n");
        assert_eq!(one, of("// hello\ntest { useJUnit() }\nversion = '2'\n"));
        assert_ne!(one, of("test { useJUnit(); enabled = false }"));
        assert_ne!(of("tasks.named(\"test\") { a() }"), of("tasks.named(\"test\") { b() }"));
        assert_eq!(of("subprojects { a { x }\n test { y } }"), of("subprojects { test { y } }"));
        assert_ne!(of("subprojects { test { y } }"), of("subprojects { test { z } }"));
        assert_eq!(of("x = 1"), "");
    }
}

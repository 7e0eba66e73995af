use std::collections::BTreeSet;

use super::super::harm::{Old, first_string, set_names};
use super::super::imports;
use super::super::language::Language;
use super::super::lines::{TestLine, has_phrase, is_word, words};
use super::{AddedLines, Statement};

/// Names of functions and methods that run for other tests, or that define how values compare.
const RESERVED: &[&str] = &[
    "main",
    "init",
    "TestMain",
    "setUp",
    "tearDown",
    "setUpBeforeClass",
    "tearDownAfterClass",
    "runTest",
    "runBare",
    "run",
    "suite",
    "equals",
    "hashCode",
    "toString",
    "Equals",
    "GetHashCode",
    "Dispose",
    "Setup",
    "SetUp",
    "TearDown",
    "finalize",
    "expect",
    "assert",
    "describe",
    "it",
    "test",
    "beforeEach",
    "afterEach",
    "beforeAll",
    "afterAll",
    "before",
    "after",
    "jest",
    "vi",
    "require",
];
/// Annotations and attributes that describe a new test and do not affect others.
const ANNOTATIONS: &[&str] = &[
    "test",
    "tokio",
    "rstest",
    "case",
    "should_panic",
    "allow",
    "expect",
    "derive",
    "test_case",
    "serial",
    "Test",
    "ParameterizedTest",
    "RepeatedTest",
    "DisplayName",
    "ValueSource",
    "CsvSource",
    "MethodSource",
    "EnumSource",
    "NullSource",
    "EmptySource",
    "NullAndEmptySource",
    "Tag",
    "Timeout",
    "SuppressWarnings",
    "Nested",
    "Fact",
    "Theory",
    "InlineData",
    "TestCase",
    "TestMethod",
    "DataRow",
    "DataTestMethod",
    "DataProvider",
    "TestWith",
    "TestDox",
    "Throws",
];

/// Returns whether the new lines are tests, or belong to tests, at a place for tests; or assertions
/// at the end of an existing test.
pub(super) fn is_harmless(block: &AddedLines<'_>, language: Language, old: &Old<'_>) -> bool {
    let continues = |code: &str| code.starts_with('{') || code.is_empty();
    let statements = block.statements(|line| continues(&line.code));
    if !follows_well(block, language) || !sets_nothing_old(block, language, old) {
        return false;
    }
    if language == Language::Go && block.opener().is_some_and(|line| line.code == "import (") {
        return statements.iter().all(|one| is_go_path(one, old));
    }
    match place(block, language) {
        BlockPosition::Tests => are_free(&statements, block, language, old),
        BlockPosition::Test => {
            let ends = block.after().is_some_and(|line| line.code.starts_with('}'));
            ends && statements.iter().all(|one| is_assertion(one, language))
        }
        BlockPosition::Other => false,
    }
}

/// Returns whether the code before a block is complete: an annotation or half a statement is not.
fn follows_well(block: &AddedLines<'_>, language: Language) -> bool {
    let ends_well = block.before().is_none_or(|line| match language {
        Language::JavaScript | Language::Go => {
            line.code.ends_with([';', '}', ')', ']', '"', '{', '(']) || line.code.ends_with(is_word)
        }
        Language::Rust
        | Language::Java
        | Language::Kotlin
        | Language::CSharp
        | Language::Php
        | Language::Python
        | Language::Ruby
        | Language::Shell => line.code.ends_with([';', '}', '{']) || line.code.starts_with("<?php"),
    });
    let is_comment = |line: Option<&TestLine>| line.is_some_and(|line| line.code.is_empty());
    let touching = block.at.start.checked_sub(1).map(|at| &block.lines[at]);
    // In PHP a comment can declare a test.
    let is_said = is_comment(touching) || is_comment(block.added().last());
    ends_well && !(language == Language::Php && is_said)
}

/// Where a block is.
enum BlockPosition {
    /// Where tests are defined side by side.
    Tests,
    /// In the body of a test.
    Test,
    Other,
}

fn place(block: &AddedLines<'_>, language: Language) -> BlockPosition {
    if block.depth() == 0 {
        return BlockPosition::Tests;
    }
    let Some(opener) = block.opener() else { return BlockPosition::Other };
    let has = |names: &[&str]| names.iter().any(|name| has_phrase(&opener.code, name));
    let (around, of): (&[&str], &[&str]) = match language {
        Language::JavaScript => (&["describe", "context", "suite"], &["it", "test", "specify"]),
        Language::Rust => (&["mod"], &["fn"]),
        Language::Java | Language::Kotlin | Language::CSharp | Language::Php => {
            (&["class"], &["void", "function", "fun", "Task"])
        }
        Language::Go | Language::Python | Language::Ruby | Language::Shell => (&[], &[]),
    };
    let is_each = opener.code.contains(".each");
    match (has(around), has(of)) {
        (true, _) => BlockPosition::Tests,
        (false, true) if !is_each => BlockPosition::Test,
        (false, _) => BlockPosition::Other,
    }
}

fn are_free(
    statements: &[Statement<'_>],
    block: &AddedLines<'_>,
    language: Language,
    old: &Old<'_>,
) -> bool {
    let mut pending = false;
    for one in statements.iter().filter(|one| !one.is_comment()) {
        let (code, is_known) = unannotated(&one.code);
        if !is_known {
            return false;
        }
        pending = code.is_empty();
        let is_one = is_single(code, language) && is_ended(code, language);
        let is_allowed = pending || is_one && is_free(one, code, language, old);
        if !is_allowed {
            return false;
        }
    }
    // JavaScript without semicolons continues with such a line.
    let goes_on = |code: &str| code.starts_with(['(', '[', '"', '+', '-', '.', ',']);
    let is_taken =
        language == Language::JavaScript && block.after().is_some_and(|line| goes_on(&line.code));
    !pending && !is_taken
}

/// Returns the name of the leading annotation or attribute.
fn annotation(code: &str) -> Option<&str> {
    let rest = ["#[", "@", "["].iter().find_map(|start| code.strip_prefix(start))?;
    words(rest).next()
}

/// Strips leading annotations; also returns whether all of them are known.
fn unannotated(code: &str) -> (&str, bool) {
    let mut rest = code;
    while let Some(name) = annotation(rest) {
        if let Some(after) = rest.strip_prefix("#[cfg(test)]") {
            rest = after.trim_start();
            continue;
        }
        if !ANNOTATIONS.contains(&name) || rest.starts_with("@interface") {
            return (rest, false);
        }
        let is_bracketed = rest.starts_with(['#', '[']);
        let start = rest.find(name).unwrap_or(0) + name.len();
        let end = match rest[start..].chars().next() {
            _ if is_bracketed => closed(rest, rest.find('[').unwrap_or(0)),
            Some('(') => closed(rest, start),
            Some(_) | None => Some(start),
        };
        let Some(end) = end else { return (rest, false) };
        rest = rest[end..].trim_start();
    }
    (rest, true)
}

/// Returns the position after the bracket that closes the one at `start`.
fn closed(code: &str, start: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, letter) in code[start..].char_indices() {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(start + at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// Returns whether the code is a single statement: nothing follows its end.
fn is_single(code: &str, language: Language) -> bool {
    let mut depth = 0_usize;
    let mut last = code.len();
    for (at, letter) in code.char_indices() {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let ends = letter == ';' || letter == '}' && language != Language::JavaScript;
        if ends && depth == 0 {
            last = at + 1;
            break;
        }
    }
    // An import has its list in braces.
    last == code.len() || imports::names(code, language).is_some()
}

fn is_ended(code: &str, language: Language) -> bool {
    match language {
        Language::JavaScript => code.ends_with([';', '}', ')', ']', '"']),
        Language::Go | Language::Kotlin => code.ends_with(['}', ')', '"']),
        Language::Rust | Language::Java | Language::CSharp | Language::Php => {
            code.ends_with([';', '}'])
        }
        Language::Python | Language::Ruby | Language::Shell => false,
    }
}

fn is_free(one: &Statement<'_>, code: &str, language: Language, old: &Old<'_>) -> bool {
    let is_new = |name: &str| !old.words.contains(name) && !RESERVED.contains(&name);
    if let Some(names) = imports::names(code, language) {
        return names.into_iter().all(is_new);
    }
    match language {
        Language::JavaScript => is_free_javascript(one, code, old, is_new),
        Language::Rust => is_free_rust(code, is_new),
        Language::Go => is_free_go(code, is_new),
        Language::Java | Language::Kotlin | Language::CSharp | Language::Php => {
            is_free_method(code, is_new)
        }
        Language::Python | Language::Ruby | Language::Shell => false,
    }
}

fn is_free_javascript(
    one: &Statement<'_>,
    code: &str,
    old: &Old<'_>,
    is_new: impl Fn(&str) -> bool,
) -> bool {
    let code = code.strip_prefix("export ").unwrap_or(code);
    let code = code.strip_prefix("async ").unwrap_or(code);
    let callee = code.split(['(', '"']).next().unwrap_or_default();
    let calls = [
        "it",
        "test",
        "specify",
        "describe",
        "context",
        "suite",
        "test.describe",
        "it.each",
        "test.each",
        "describe.each",
        "it.concurrent",
        "test.concurrent",
    ];
    if calls.contains(&callee.trim()) {
        return is_one_call(code, callee.len()) && has_new_title(one, old);
    }
    if code.starts_with("function ") || code.starts_with("class ") {
        let is_whole = code.find('{').and_then(|at| closed(code, at)) == Some(code.len());
        return is_whole && words(code).nth(1).is_some_and(is_new);
    }
    let word = one.first_word();
    let kinds = ["const", "let", "type", "interface", "enum"];
    let Some(rest) = kinds.iter().find_map(|kind| code.strip_prefix(&format!("{kind} "))) else {
        return false;
    };
    // The assigned value may be anything; the names must be new.
    let names = if rest.starts_with(['{', '[']) {
        closed(rest, 0).map_or(rest, |end| &rest[..end])
    } else if ["const", "let"].contains(&word) {
        rest.split('=').next().unwrap_or_default()
    } else {
        rest.split(['(', '{', '<', ' ', '=']).next().unwrap_or_default()
    };
    if has_top_comma(&rest[names.len()..]) {
        return false;
    }
    let mut all = words(names).peekable();
    all.peek().is_some() && all.all(is_new)
}

/// Returns whether there is a comma outside all brackets.
fn has_top_comma(code: &str) -> bool {
    let mut depth = 0_usize;
    code.chars().any(|letter| {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        letter == ',' && depth == 0
    })
}

/// Returns whether nothing follows the brackets of a call.
fn is_one_call(code: &str, start: usize) -> bool {
    let mut rest = &code[start..];
    while !rest.is_empty() {
        rest = rest.trim_start_matches(['"', ' ']);
        match closed(rest, 0).filter(|_| rest.starts_with('(')) {
            Some(end) => rest = &rest[end..],
            None => return matches!(rest, "" | ";"),
        }
    }
    true
}

/// Returns whether the title of a test differs from all earlier titles.
fn has_new_title(one: &Statement<'_>, old: &Old<'_>) -> bool {
    let title = one.lines.first().and_then(|line| first_string(&line.raw));
    title.is_none_or(|title| !old.titles.contains(title))
}

fn is_free_rust(code: &str, is_new: impl Fn(&str) -> bool) -> bool {
    let mut rest = code;
    while let Some(after) = ["pub ", "async ", "const fn", "pub(crate) "]
        .iter()
        .find_map(|start| rest.strip_prefix(start))
    {
        rest = if rest.starts_with("const fn") { &rest["const ".len()..] } else { after };
    }
    let kinds = ["fn", "mod", "const", "static", "struct", "enum", "type", "trait", "macro_rules!"];
    let named = kinds.iter().find_map(|kind| rest.strip_prefix(&format!("{kind} ")));
    named.and_then(|rest| words(rest).next()).is_some_and(is_new)
}

fn is_free_go(code: &str, is_new: impl Fn(&str) -> bool) -> bool {
    let kinds = ["func ", "type ", "var ", "const "];
    let Some(rest) = kinds.iter().find_map(|kind| code.strip_prefix(kind)) else { return false };
    // A method's name follows its receiver.
    let rest = match closed(rest, 0).filter(|_| rest.starts_with('(')) {
        Some(end) if code.starts_with("func ") => rest[end..].trim_start(),
        Some(_) => return false,
        None => rest,
    };
    rest.starts_with(|c: char| c.is_alphabetic()) && words(rest).next().is_some_and(is_new)
}

fn is_go_path(one: &Statement<'_>, old: &Old<'_>) -> bool {
    let raw = one.lines.first().map_or("", |line| line.raw.trim());
    let is_plain = one.code == "\"\"";
    let name = raw.trim_matches('"').rsplit('/').next().unwrap_or_default();
    one.is_comment() || is_plain && !old.words.contains(name)
}

/// Returns whether a code is a method or a class with a new name.
fn is_free_method(code: &str, is_new: impl Fn(&str) -> bool) -> bool {
    let head = code.split('{').next().unwrap_or_default();
    if let Some((_, rest)) = head.split_once("class ") {
        return words(rest).next().is_some_and(is_new) && code.ends_with('}');
    }
    let Some((before, _)) = head.split_once('(') else { return false };
    let name = words(before).last().unwrap_or_default();
    let is_header = !before.contains(['=', '.', ';']) && words(before).count() >= 2;
    let is_control = ["if", "for", "while", "switch", "try", "catch", "synchronized", "static"];
    let first = words(before).next().unwrap_or_default();
    let is_statement = is_control[..6].contains(&first) || is_control.contains(&name);
    is_header && !is_statement && is_new(name) && code.ends_with('}')
}

fn is_assertion(one: &Statement<'_>, language: Language) -> bool {
    let starts: &[&str] = match language {
        Language::JavaScript => &["expect(", "assert(", "assert."],
        Language::Rust => &["assert!(", "assert_eq!(", "assert_ne!("],
        Language::Java | Language::Kotlin => &["assert"],
        Language::CSharp => &["Assert."],
        Language::Php => &["$this->assert", "self::assert"],
        Language::Go | Language::Python | Language::Ruby | Language::Shell => &[],
    };
    let compared = ["==", "!=", "<=", ">="];
    let bare = compared.iter().fold(one.code.clone(), |code, sign| code.replace(sign, " "));
    let is_one = bare.matches(';').count() <= 1 && !bare.contains(['{', '=']);
    one.is_comment()
        || is_one
            && is_ended(&one.code, language)
            && starts.iter().any(|start| one.code.starts_with(start))
}

/// Returns whether JavaScript code assigns to no name of the old text, except names that it
/// declares itself.
fn sets_nothing_old(block: &AddedLines<'_>, language: Language, old: &Old<'_>) -> bool {
    if language != Language::JavaScript {
        return true;
    }
    let codes: Vec<&str> = block.added().iter().map(|line| line.code.as_str()).collect();
    let made = |code: &&str| {
        let after = ["const ", "let ", "var "].iter().find_map(|word| code.strip_prefix(word));
        after.and_then(|rest| words(rest).next()).map(str::to_owned)
    };
    let made: BTreeSet<String> = codes.iter().filter_map(made).collect();
    let mut set = codes.iter().flat_map(|code| set_names(code));
    set.all(|name| made.contains(name) || !old.words.contains(name))
}

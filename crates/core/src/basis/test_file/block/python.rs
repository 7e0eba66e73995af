use super::super::harm::Old;
use super::super::imports;
use super::super::language::Language;
use super::super::lines::{TestLine, words};
use super::{AddedLines, Statement};

/// Methods and functions that run for other tests, or that every test case has.
const RESERVED: &[&str] = &[
    "setup",
    "teardown",
    "setUp",
    "tearDown",
    "asyncSetUp",
    "asyncTearDown",
    "setUpClass",
    "tearDownClass",
    "setUpModule",
    "tearDownModule",
    "load_tests",
    "run",
    "id",
    "debug",
    "fail",
    "subTest",
    "defaultTestResult",
    "countTestCases",
    "shortDescription",
    "doCleanups",
    "doClassCleanups",
    "addCleanup",
    "addClassCleanup",
    "enterContext",
    "main",
];
/// Prefixes of the names of such functions.
const RESERVED_STARTS: &[&str] =
    &["setup_", "teardown_", "pytest_", "assert", "fail", "skip", "_", "collect_", "enter"];

/// Returns whether the new lines are Python functions, classes, imports or own names, at the level
/// of the file or of a class; or assertions at the end of an old test.
pub(super) fn is_harmless(block: &AddedLines<'_>, old: &Old<'_>) -> bool {
    let logical: Vec<&TestLine> =
        block.added().iter().filter(|line| line.begins_at(0) && !line.code.is_empty()).collect();
    let Some(base) = logical.first().map(|line| line.indent) else { return false };
    let is_below = logical.iter().all(|line| line.indent >= base);
    // Otherwise a later old line would belong to the block, or the block to the line before it.
    let keeps_after = block.after().is_none_or(|after| base >= after.indent);
    let before = &block.lines[..block.at.start];
    let before = before.iter().rfind(|line| line.begins_at(0) && !line.code.is_empty());
    let is_decorated = before.is_some_and(|before| before.code.starts_with('@'));
    if block.depth() > 0 || !is_below || !keeps_after || is_decorated {
        return false;
    }
    let statements = block.statements(|line| line.indent > base || line.code.is_empty());
    match owner(block, base) {
        Owned::File => are_free(&statements, 0, old),
        Owned::Class => are_free(&statements, base, old),
        Owned::Test => {
            let ends = block.after().is_none_or(|after| after.indent < base);
            ends && statements.iter().all(is_assertion)
        }
        Owned::Other => false,
    }
}

/// The scope that contains the new lines.
enum Owned {
    File,
    Class,
    Test,
    Other,
}

/// Returns the scope of lines with the indentation `base`: the nearest earlier line with less
/// indentation.
fn owner(block: &AddedLines<'_>, base: usize) -> Owned {
    if base == 0 {
        return Owned::File;
    }
    let mut before = block.lines[..block.at.start].iter().enumerate().rev();
    let is_owner =
        |line: &TestLine| line.begins_at(0) && !line.code.is_empty() && line.indent < base;
    let Some((at, line)) = before.find(|(_, line)| is_owner(line)) else { return Owned::Other };
    let code = line.code.strip_prefix("async ").unwrap_or(&line.code);
    if !block.is_old[at] || !code.ends_with(':') {
        Owned::Other
    } else if code.starts_with("class ") {
        Owned::Class
    } else if code.starts_with("def test") {
        Owned::Test
    } else {
        Owned::Other
    }
}

/// Returns whether the statements are allowed at the level of the file, or of a class with the
/// indentation `indent`.
fn are_free(statements: &[Statement<'_>], indent: usize, old: &Old<'_>) -> bool {
    let is_decorator = |one: &Statement<'_>| one.code.starts_with('@');
    let last = statements.iter().rfind(|one| !one.is_comment());
    !last.is_some_and(is_decorator)
        && statements.iter().all(|one| {
            one.is_comment() || is_decorator(one) || is_definition(one, old) || {
                indent == 0 && (is_import(one, old) || is_constant(one, old))
            }
        })
}

fn is_definition(statement: &Statement<'_>, old: &Old<'_>) -> bool {
    let code = statement.code.strip_prefix("async ").unwrap_or(&statement.code);
    let rest = code.strip_prefix("def ").or_else(|| code.strip_prefix("class "));
    rest.and_then(|rest| words(rest).next()).is_some_and(|name| is_free(name, old))
}

/// Returns whether a name is unknown to the old text and to test runners.
fn is_free(name: &str, old: &Old<'_>) -> bool {
    !old.words.contains(name)
        && !RESERVED.contains(&name)
        && !RESERVED_STARTS.iter().any(|start| name.starts_with(start))
}

fn is_import(statement: &Statement<'_>, old: &Old<'_>) -> bool {
    imports::names(&statement.code, Language::Python)
        .is_some_and(|names| names.iter().all(|name| !old.words.contains(name)))
}

fn is_constant(statement: &Statement<'_>, old: &Old<'_>) -> bool {
    let Some((left, right)) = statement.code.split_once('=') else { return false };
    let name = left.split(':').next().unwrap_or_default().trim();
    let is_name = words(name).next() == Some(name);
    is_name && !right.starts_with('=') && !right.contains(['=', ';']) && is_free(name, old)
}

fn is_assertion(statement: &Statement<'_>) -> bool {
    let code = &statement.code;
    let starts = ["assert ", "assert(", "self.assert"].iter().any(|start| code.starts_with(start));
    let is_one = statement.lines.iter().filter(|line| line.begins_at(0)).count() == 1;
    let is_plain = !["yield", "await", ":=", ";", "lambda"].iter().any(|it| code.contains(it));
    statement.is_comment() || starts && is_one && is_plain
}

//! Reads import statements.

use std::collections::BTreeSet;

use super::language::Language;
use super::lines::{TestLine, words};

/// Returns the names that a statement imports; `None` if it is not an import or its names are
/// unknown. A star imports any name.
pub(super) fn names<'t>(statement: &'t str, language: Language) -> Option<BTreeSet<&'t str>> {
    let code = statement.trim().trim_end_matches(';').trim_end();
    // Accepts a single statement only, and no star except in JavaScript, which names it.
    if code.contains(';') || code.contains('*') && language != Language::JavaScript {
        return None;
    }
    let last = |path: &'t str| words(path).last();
    match language {
        Language::Python => {
            let names = match code.strip_prefix("from ") {
                Some(rest) => rest.split_once(" import ")?.1,
                None => code.strip_prefix("import ")?,
            };
            let names = names.trim_matches(['(', ')', ' ']);
            let parts = names.split(',').filter(|part| !part.trim().is_empty());
            parts.map(|part| python_name(part.trim())).collect()
        }
        Language::JavaScript => javascript(code),
        Language::Rust => {
            let path = code.strip_prefix("pub ").unwrap_or(code).strip_prefix("use ")?;
            let leaves = path.rsplit(['{', ',', '}']).filter(|part| !part.trim().is_empty());
            let kept = leaves.filter(|part| !part.trim_end().ends_with("::"));
            kept.map(last).collect()
        }
        Language::Java | Language::Kotlin => last(code.strip_prefix("import ")?).map(one),
        Language::CSharp => last(code.strip_prefix("using ")?).map(one),
        Language::Php => last(code.strip_prefix("use ")?).map(one),
        Language::Go | Language::Ruby | Language::Shell => None,
    }
}

fn one(name: &str) -> BTreeSet<&str> {
    BTreeSet::from([name])
}

/// Returns the name that `a.b`, `a` or `a as b` binds.
fn python_name(part: &str) -> Option<&str> {
    match part.split_once(" as ") {
        Some((_, name)) => words(name).next(),
        None => words(part).next(),
    }
}

/// Returns the names that `import a, {b as c} from ""` or `const {a, b} = require("")` binds.
fn javascript(code: &str) -> Option<BTreeSet<&str>> {
    let list = if let Some(rest) = code.strip_prefix("import ") {
        let (list, from) = rest.rsplit_once("from")?;
        if from.trim() != "\"\"" {
            return None;
        }
        list
    } else {
        let rest = ["const ", "let ", "var "].iter().find_map(|word| code.strip_prefix(word))?;
        let (list, value) = rest.split_once('=')?;
        if value.trim() != "require(\"\")" {
            return None;
        }
        list
    };
    let parts = list.split([',', '{', '}']).filter(|part| !part.trim().is_empty());
    let name = |part| words(part).last();
    parts.map(name).collect()
}

/// Returns the names that a text imports, as far as each import is on one line.
pub(super) fn all(lines: &[TestLine], language: Language) -> BTreeSet<&str> {
    let mut brought = BTreeSet::new();
    for line in lines.iter().filter(|line| !line.starts_inside) {
        if language == Language::Go {
            // `"shop/cart"` in the import list binds `cart`.
            let path = line.raw.trim().trim_start_matches("import ");
            if let Some(inner) = path.strip_suffix('"').and_then(|path| path.rsplit('/').next()) {
                brought.extend(words(inner).last());
            }
        }
        brought.extend(names(&line.code, language).into_iter().flatten());
    }
    brought
}

/// Returns whether a line extends the earlier import: more names from the same source.
pub(super) fn extends(was: &TestLine, now: &TestLine, language: Language) -> bool {
    let is_whole = |line: &TestLine| {
        !line.starts_inside && !line.ends_inside && line.depth_before == line.depth_after
    };
    let (Some(old), Some(new)) = (names(&was.code, language), names(&now.code, language)) else {
        return false;
    };
    is_whole(was)
        && is_whole(now)
        && was.indent == now.indent
        && old.len() < new.len()
        && old.is_subset(&new)
        && source(was, language).is_some_and(|from| source(now, language) == Some(from))
        && !now.code.contains(" as ")
}

/// Returns the source of an import, verbatim.
fn source(line: &TestLine, language: Language) -> Option<&str> {
    let raw = line.normal.trim();
    match language {
        Language::Python => raw.strip_prefix("from ")?.split_once(" import ").map(|(from, _)| from),
        Language::JavaScript if raw.starts_with("import ") => {
            raw.rsplit_once("from").map(|(_, from)| from.trim().trim_end_matches(';'))
        }
        Language::JavaScript => {
            raw.split_once('=').map(|(_, from)| from.trim().trim_end_matches(';'))
        }
        Language::Rust => raw.strip_prefix("use ")?.split_once('{').map(|(from, _)| from),
        Language::Go
        | Language::Java
        | Language::Kotlin
        | Language::CSharp
        | Language::Php
        | Language::Ruby
        | Language::Shell => None,
    }
}

//! Variables in a line of a Makefile.

use super::makefile::Makefile;

/// The longest expanded line, and the deepest nesting of variables.
const LONGEST: usize = 16 << 10;
const DEEPEST: usize = 8;

/// Functions whose first word is not a variable.
const FUNCTIONS: [&str; 16] = [
    "shell",
    "wildcard",
    "foreach",
    "if",
    "or",
    "and",
    "subst",
    "patsubst",
    "filter",
    "filter-out",
    "sort",
    "addprefix",
    "addsuffix",
    "dir",
    "notdir",
    "call",
];

/// Returns the names of the variables in a line, even inside functions: `$(X)`, `${X}`, `$X`,
/// `$(call X,…)`.
pub(super) fn references(line: &str) -> Vec<String> {
    let is_part = |c: char| c.is_alphanumeric() || "_-.".contains(c);
    let mut found = Vec::new();
    for (at, _) in line.match_indices('$') {
        let rest = &line[at + 1..];
        let is_escaped = line[..at].bytes().rev().take_while(|&byte| byte == b'$').count() % 2 == 1;
        let Some(first) = rest.chars().next().filter(|c| !is_escaped && *c != '$') else {
            continue;
        };
        if first != '(' && first != '{' {
            found.extend(first.is_alphabetic().then(|| first.to_string()));
            continue;
        }
        let inner = &rest[1..];
        let name = &inner[..inner.find(|c| !is_part(c)).unwrap_or(inner.len())];
        let is_function = FUNCTIONS.contains(&name) && inner[name.len()..].starts_with([' ', '\t']);
        if is_function && name == "call" {
            let called = inner[name.len()..].trim_start();
            let end = called.find(|c| !is_part(c)).unwrap_or(called.len());
            found.push(called[..end].to_owned());
        } else if !is_function && !name.is_empty() {
            found.push(name.to_owned());
        }
        if found.len() > 100 {
            break;
        }
    }
    found
}

/// Substitutes the known values of plain variables in a line; `$$` becomes `$`.
pub(super) fn expanded(line: &str, makefile: &Makefile) -> String {
    let mut line = line.to_owned();
    for _ in 0..DEEPEST {
        let next = once(&line, makefile);
        if next == line || next.len() > LONGEST {
            break;
        }
        line = next;
    }
    line.replace("$$", "$")
}

fn once(line: &str, makefile: &Makefile) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find('$') {
        out.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        if let Some(tail) = after.strip_prefix('$') {
            out.push_str("$$");
            rest = tail;
            continue;
        }
        let close = match after.chars().next() {
            Some('(') => ')',
            Some('{') => '}',
            Some(_) | None => {
                out.push('$');
                rest = after;
                continue;
            }
        };
        let name = after[1..].split(close).next().unwrap_or_default();
        let is_plain = name.chars().all(|c| c.is_alphanumeric() || "_-.".contains(c));
        let is_closed = after.len() > name.len() + 1;
        if is_plain && is_closed && name == "MAKE" {
            out.push_str("make");
        } else if let Some(value) = makefile.value(name).filter(|_| is_plain && is_closed) {
            out.push_str(&value);
        } else {
            out.push('$');
            rest = after;
            continue;
        }
        rest = &after[name.len() + 2..];
        if out.len() > LONGEST {
            break;
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::super::makefile::parse;
    use super::*;

    #[test]
    fn variables_are_found_and_replaced() {
        assert_eq!(
            references("$(A) ${B} $C $$D $(call e,$(F)) $(wildcard $(G)/*)"),
            ["A", "B", "C", "e", "F", "G"]
        );
        let makefile = parse("Makefile", "A = $(B) x\nB := y\nL = $(L) z\n").unwrap();
        assert_eq!(expanded("$(A) $(MAKE) $$H $(Q)", &makefile), "y x make $H $(Q)");
        assert!(expanded("$(L)", &makefile).len() < 100);
        assert_eq!(expanded("$(", &makefile), "$(");
    }
}

//! The tables in docs/hosts.md match those of the dialects.

use std::fmt::Write as _;
use std::path::Path;

use sprag_hosts::{Ability, Grade, HOSTS, Host, PathBase};

fn written() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/hosts.md");
    std::fs::read_to_string(path).unwrap()
}

fn grade(grade: Grade) -> &'static str {
    match grade {
        Grade::Enforced => "yes",
        Grade::BestEffort => "best effort",
        Grade::Impossible => "no",
    }
}

#[test]
fn every_version_that_was_observed_stands_there() {
    let written = written();
    for host in HOSTS {
        assert!(written.contains(host.observed()), "{host:?}");
    }
}

/// The table of all hosts.
fn matrix() -> String {
    let cells = |cell: &dyn Fn(Host) -> String| HOSTS.map(cell).join(" | ");
    let mut table = format!("| | {} |\n", cells(&|host| host.name().to_owned()));
    let _ = writeln!(table, "|---|{}", "---|".repeat(HOSTS.len()));
    for ability in Ability::ALL {
        let grades = cells(&|host| grade(host.grade(ability)).to_owned());
        let _ = writeln!(table, "| {} | {grades} |", ability.name());
    }
    table
}

/// The table of one host's limits.
fn limits(host: Host) -> String {
    let mut table = "| | how far | why |\n|---|---|---|\n".to_owned();
    for limit in host.limits() {
        let _ =
            writeln!(table, "| {} | {} | {} |", limit.of.name(), grade(limit.grade), limit.says);
    }
    table
}

/// The list of files that agents may not edit.
fn settings(host: Host) -> String {
    let path = |at, path| match at {
        PathBase::Project => format!("`{path}`"),
        PathBase::Home => format!("`~/{path}`"),
    };
    let paths: Vec<_> = host.settings().iter().map(|one| path(one.at, one.path)).collect();
    format!("Not for agents to edit: {}.\n", paths.join(", "))
}

#[test]
fn every_table_stands_there() {
    let written = written();
    for expected in [matrix()].into_iter().chain(HOSTS.map(settings)) {
        assert!(written.contains(&expected), "docs/hosts.md lacks:\n{expected}");
    }
    for host in HOSTS.into_iter().filter(|host| !host.limits().is_empty()) {
        let expected = limits(host);
        assert!(written.contains(&expected), "docs/hosts.md lacks:\n{expected}");
    }
}

#[test]
fn a_limit_is_one_sentence_about_one_thing() {
    for host in HOSTS {
        let mut seen = Vec::new();
        for limit in host.limits() {
            assert!(!seen.contains(&limit.of), "{host:?} {:?} twice", limit.of);
            seen.push(limit.of);
            assert_ne!(limit.grade, Grade::Enforced, "{host:?} {}", limit.says);
            assert!(!limit.says.ends_with('.') && !limit.says.contains('\n'), "{}", limit.says);
            assert!(limit.says.len() < 160, "{}", limit.says);
        }
    }
}

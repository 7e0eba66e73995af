//! The hosts that we know: the lists of `world`, which may not depend on the table, are those of the
//! table.

use std::collections::BTreeSet;

use regex_lite::Regex;
use sprag_hosts::row::SessionVariable;
use sprag_hosts::{HOSTS, Host};

/// Marks of agents that are no hosts of ours, and our own.
const OTHERS: [&str; 6] =
    ["AI_AGENT", "CURSOR_AGENT", "SPRAG_AGENT", "SPRAG_EFFECT", "SPRAG_RUN", "SPRAG_SESSION"];

/// Returns the texts of a constant list in a source file.
fn list(path: &str, name: &str) -> BTreeSet<String> {
    let text = std::fs::read_to_string(crate::top().join(path)).unwrap();
    let list = Regex::new(&format!(r"const {name}: [^=]*=\s*\[([^\]]*)\]")).unwrap();
    let found = list.captures(&text).unwrap_or_else(|| panic!("{path} has no list `{name}`"));
    let word = Regex::new(r#""([^"]*)""#).unwrap();
    word.captures_iter(&found[1]).map(|word| word[1].to_owned()).collect()
}

/// Returns the names that the rows of all hosts have.
fn of_rows(names: fn(Host) -> Vec<&'static str>) -> BTreeSet<String> {
    HOSTS.into_iter().flat_map(names).map(str::to_owned).collect()
}

const CALLER: &str = "crates/world/src/caller.rs";
const ENVIRONMENT: &str = "crates/world/src/process/environment.rs";

#[test]
fn world_knows_every_host_by_its_name_and_its_marks() {
    assert_eq!(list(CALLER, "HOSTS"), of_rows(|host| vec![host.name()]));
    let mut marks = list(CALLER, "MARKS");
    assert_eq!(marks, sprag_world::caller::MARKS.map(str::to_owned).into());
    for other in OTHERS {
        assert!(marks.remove(other), "{other}");
    }
    assert_eq!(marks, of_rows(|host| host.marks().to_vec()));
}

#[test]
fn world_knows_the_variables_of_every_host_s_sessions() {
    let ids = |host: Host| match host.session_variable() {
        SessionVariable::Id(variable) => vec![variable.name],
        SessionVariable::OnlyOne(_) | SessionVariable::None => Vec::new(),
    };
    assert_eq!(list(ENVIRONMENT, "SESSION_NAMES"), of_rows(ids));
    assert_eq!(
        list(ENVIRONMENT, "OF_A_SESSION"),
        of_rows(|host| host.session_variables().to_vec())
    );
}

use sprag_core::{Hash, Id, Session};

use crate::Host;

/// Returns the name of a session's file, without an ending: `claude-09705f54-b136…`.
///
/// A session's id is the host's text. One that is safe in a path stands there as it is; any other
/// (too long, with other characters) is hashed behind an underscore, which no safe id begins with,
/// so that two sessions never share a file and none is turned away.
pub fn session_file(host: Host, session: &Session) -> String {
    let text = session.as_str();
    let plain = Id::parse(text).map(|id| format!("{}-{id}", host.name()));
    // The whole name must be safe too, and not too long.
    let safe = plain.ok().filter(|name| Id::parse(name).is_ok());
    safe.unwrap_or_else(|| format!("{}-_{}", host.name(), Hash::of(text).short(40)))
}

/// Returns the host that a session's file is of.
pub fn host_of(file: &str) -> Option<Host> {
    let is_of = |host: &Host| file.strip_prefix(host.name()).is_some_and(|id| id.starts_with('-'));
    Host::ALL.into_iter().find(is_of)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> String {
        session_file(Host::Claude, &Session::parse(text).unwrap())
    }

    #[test]
    fn ids_of_hosts_stand_as_they_are() {
        assert_eq!(
            name("09705f54-b136-4e5d-8564-e2f76283fd26"),
            "claude-09705f54-b136-4e5d-8564-e2f76283fd26"
        );
        assert_eq!(host_of(&name("09705f54")), Some(Host::Claude));
        assert_eq!(host_of("claudette-1"), None);
    }

    #[test]
    fn hostile_ids_become_other_names_that_are_safe() {
        let (long, longer) = ("x".repeat(60), "x".repeat(1000));
        let odd = ["../../etc/passwd", "a/b", "a b", "..", ".", "-rf", "é", "_ab"];
        let texts: Vec<&str> = odd.into_iter().chain([long.as_str(), &longer]).collect();
        let mut names: Vec<_> = texts.iter().map(|text| name(text)).collect();
        for name in &names {
            assert!(Id::parse(name).is_ok() && name.len() == 48, "{name}");
        }
        names.sort();
        names.dedup();
        assert_eq!(names.len(), texts.len());
    }
}

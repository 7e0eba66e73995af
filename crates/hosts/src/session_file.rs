use sprag_core::{HostSession, SessionId};

use crate::{HOSTS, Host};

/// Returns sprag's name for a host's session, which is also its file name without the extension:
/// `claude-09705f54-b136…`.
pub fn session_file(host: Host, session: &HostSession) -> SessionId {
    SessionId::of_host(host.name(), session)
}

/// The host of a session, or `None` for a session of a driver or of an agent itself.
pub fn host_of(session: &SessionId) -> Option<Host> {
    let name = session.as_str();
    let is_of = |host: &Host| name.strip_prefix(host.name()).is_some_and(|id| id.starts_with('-'));
    HOSTS.into_iter().find(is_of)
}

#[cfg(test)]
mod tests {
    use sprag_core::Id;

    use super::*;

    fn name(text: &str) -> SessionId {
        session_file(Host::CLAUDE, &HostSession::parse(text).unwrap())
    }

    #[test]
    fn ids_of_hosts_stand_as_they_are() {
        assert_eq!(
            name("09705f54-b136-4e5d-8564-e2f76283fd26").as_str(),
            "claude-09705f54-b136-4e5d-8564-e2f76283fd26"
        );
        assert_eq!(host_of(&name("09705f54")), Some(Host::CLAUDE));
        assert_eq!(host_of(&SessionId::literal("claudette-1")), None);
    }

    #[test]
    fn hostile_ids_become_other_names_that_are_safe() {
        let (long, longer) = ("x".repeat(60), "x".repeat(1000));
        let odd = ["../../etc/passwd", "a/b", "a b", "..", ".", "-rf", "é", "_ab"];
        let texts: Vec<&str> = odd.into_iter().chain([long.as_str(), &longer]).collect();
        let mut names: Vec<_> = texts.iter().map(|text| name(text)).collect();
        for name in names.iter().map(SessionId::as_str) {
            assert!(Id::parse(name).is_ok() && name.len() == 48, "{name}");
        }
        names.sort();
        names.dedup();
        assert_eq!(names.len(), texts.len());
    }
}

use std::ffi::OsString;

use sprag_engine::init::program;
use sprag_hosts::{HOSTS, Host};

/// Returns the installed hosts in order of preference: the first one is used if none is named.
pub fn installed(person: &[(OsString, OsString)]) -> Vec<Host> {
    HOSTS.into_iter().filter(|host| program::find(host.name(), person).is_some()).collect()
}

use std::ffi::OsString;

use sprag_engine::init::program;
use sprag_hosts::Host;

/// Returns the hosts that a person has, in the order in which one is taken where none is named.
pub fn installed(person: &[(OsString, OsString)]) -> Vec<Host> {
    Host::ALL.into_iter().filter(|host| program::find(host.name(), person).is_some()).collect()
}

//! Entries go in and out of settings as people really have them.

mod golden;
mod layouts;
mod recognised;

use std::time::Duration;

use super::*;
use crate::Host;

fn wanted(host: Host) -> Wanted<'static> {
    Wanted { host, program: "sprag", limit: Duration::from_secs(630), scope: Scope::Personal }
}

fn installed(text: &str, host: Host) -> Installed {
    install(Some(text), &wanted(host)).unwrap()
}

fn enterable() -> impl Iterator<Item = Host> {
    Host::ALL.into_iter().filter(|host| host.form().is_some())
}

//! Adds entries to realistic settings and removes them again.

mod commands;
mod golden;
mod layouts;
mod parts;
mod recognised;

use std::time::Duration;

use super::*;
use crate::{HOSTS, Host};

fn wanted(host: Host) -> Wanted<'static> {
    let limit = Duration::from_secs(630);
    Wanted { host, program: "sprag", limit, scope: Scope::Personal, root: "/home/me/shop" }
}

fn installed(text: &str, host: Host) -> Installed {
    install(Some(text), &wanted(host)).unwrap()
}

fn enterable() -> impl Iterator<Item = Host> {
    HOSTS.into_iter().filter(|host| host.form().is_some())
}

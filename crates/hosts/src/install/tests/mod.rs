//! Entries go in and out of settings as people really have them.

mod golden;
mod layouts;
mod recognised;

use std::time::Duration;

use super::*;

fn wanted(client: Client) -> Wanted<'static> {
    Wanted { client, program: "sprag", limit: Duration::from_secs(630), scope: Scope::Personal }
}

fn installed(text: &str, client: Client) -> Installed {
    install(Some(text), &wanted(client)).unwrap()
}

fn enterable() -> impl Iterator<Item = Client> {
    Client::ALL.into_iter().filter(|client| client.form().is_some())
}

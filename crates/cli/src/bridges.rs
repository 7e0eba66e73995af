//! Prints the bridges for hosts that cannot call commands; `sprag init` installs them.

use sprag_hosts::row::Bridge;
use sprag_hosts::{HOSTS, Host};

use crate::exit::Exit;
use crate::fault::EarlyExit;
use crate::screen;

/// Returns the hosts that have a bridge.
pub(crate) fn all() -> impl Iterator<Item = (Host, Bridge)> {
    HOSTS.into_iter().filter_map(|host| Some((host, host.bridge()?)))
}

/// Returns the names of the hosts that have a bridge.
pub(crate) fn names() -> Vec<&'static str> {
    all().map(|(host, _)| host.name()).collect()
}

pub(crate) fn print(host: &str) -> Result<Exit, EarlyExit> {
    let bridge = Host::from_name(host).and_then(Host::bridge);
    screen::print(bridge.map_or("", |bridge| bridge.text))?;
    Ok(Exit::Done)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each bridge is a self-contained file, so the shared code is in all of them.
    #[test]
    fn all_speak_to_sprag_in_the_same_way() {
        let spoken = |(_, Bridge { text, .. }): (Host, Bridge)| {
            let begin = text.find("/** Starts a `sprag rpc`").unwrap();
            let end = text.find("\nexport ").unwrap();
            &text[begin..end]
        };
        let mut spoken: Vec<_> = all().map(spoken).collect();
        assert!(spoken.len() > 1);
        spoken.dedup();
        assert_eq!(spoken.len(), 1, "{spoken:#?}");
    }
}

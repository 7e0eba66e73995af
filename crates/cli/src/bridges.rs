//! Prints the bridges for hosts that cannot call commands; `sprag init` installs them.

use sprag_hosts::Host;

use crate::exit::Exit;
use crate::fault::EarlyExit;
use crate::screen;

/// The hosts that have a bridge.
pub(crate) const HOSTS: [Host; 2] = [Host::Opencode, Host::Pi];

pub(crate) fn print(host: &str) -> Result<Exit, EarlyExit> {
    let found = HOSTS.into_iter().find(|known| known.name() == host);
    screen::print(found.and_then(Host::bridge).unwrap_or_default())?;
    Ok(Exit::Done)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each bridge is a self-contained file, so the shared code is in both.
    #[test]
    fn both_speak_to_sprag_in_the_same_way() {
        let spoken = |host: Host| {
            let bridge = host.bridge().unwrap();
            let begin = bridge.find("/** Starts a `sprag rpc`").unwrap();
            let end = bridge.find("\nexport ").unwrap();
            &bridge[begin..end]
        };
        let [one, other] = HOSTS.map(spoken);
        assert_eq!(one, other);
    }
}

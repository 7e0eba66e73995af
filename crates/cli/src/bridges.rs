//! The bridges that go into hosts which call no commands: shipped inside the binary, so that they
//! and `sprag rpc` are always of one version.

use sprag_hosts::Host;

use crate::exit::Exit;
use crate::fault::Stop;
use crate::screen;

/// A plugin for opencode, for its folder `plugin`.
pub(crate) const OPENCODE: &str = include_str!("../../../bridges/opencode/sprag.js");

/// An extension for pi, for its folder `extensions`.
pub(crate) const PI: &str = include_str!("../../../bridges/pi/sprag.ts");

/// Every bridge with its host.
pub(crate) const ALL: [(Host, &str); 2] = [(Host::Opencode, OPENCODE), (Host::Pi, PI)];

/// Prints the bridge of a host.
pub(crate) fn print(host: &str) -> Result<Exit, Stop> {
    let found = ALL.iter().find(|(known, _)| known.name() == host);
    screen::print(found.map_or("", |(_, text)| text))?;
    Ok(Exit::Done)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each is one file that stands alone, so what they share stands in both.
    #[test]
    fn both_speak_to_sprag_in_the_same_way() {
        let spoken = |bridge: &'static str| {
            let begin = bridge.find("/** Starts a `sprag rpc`").unwrap();
            let end = bridge.find("\nexport ").unwrap();
            &bridge[begin..end]
        };
        assert_eq!(spoken(OPENCODE), spoken(PI));
    }
}

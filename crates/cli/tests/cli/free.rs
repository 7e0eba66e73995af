//! A person releases a session at once, in every host: by a pause, or by `SPRAG=off`.

use sprag_hosts::HOSTS;

use crate::agents::{GUARD, World};
use crate::client::Client;

/// A phase that forbids edits, and a guard.
fn world() -> World {
    let world = World::trusted(GUARD);
    let folder = ".sprag/workflows/look";
    let flow = "name: Look\ncommandName: look\ninitialMessage: Begin.\nphases: [look.md]\n";
    world.env.write(format!("{folder}/workflow.yaml"), flow);
    let phase = "---\nid: look\nname: look\nemoji: 🔎\ntools: {blacklist: ['@edit']}\n---\nLook.\n";
    world.env.write(format!("{folder}/look.md"), phase);
    world
}

#[test]
fn a_pause_frees_stops_and_tools_of_every_host() {
    for host in HOSTS {
        let world = world();
        let client = Client::new(&world, host, "a");
        client.begins();
        client.types("/sprag:start look \"the whole\"");
        let denied = client.edits("code.txt", "bad\n");
        assert!(denied.is_some_and(|why| why.contains("is blocked")), "{host:?}");
        assert!(client.stops().is_some(), "{host:?}: the workflow is not done");
        world.person(&["pause", &client.file(), "--why", "lunch"]);
        assert_eq!(client.edits("code.txt", "bad\n"), None, "{host:?}: a tool");
        assert_eq!(client.stops(), None, "{host:?}: a stop");
        world.person(&["resume", &client.file()]);
        assert!(client.stops().is_some(), "{host:?}: held again");
    }
}

#[test]
fn a_pause_typed_into_the_session_frees_it_in_every_host() {
    for host in HOSTS {
        let world = World::trusted(GUARD);
        let client = Client::new(&world, host, "a");
        client.begins();
        client.edits("code.txt", "bad\n");
        assert!(client.stops().is_some(), "{host:?}");
        let said = client.types("/sprag:pause --for 1h");
        assert!(said.contains(&format!("{}: free until 20", client.file())), "{host:?}: {said}");
        assert_eq!(client.stops(), None, "{host:?}");
        let status = world.person(&["status"]);
        assert!(status.contains(&format!("sprag resume {}", client.file())), "{status}");
    }
}

#[test]
fn off_in_the_environment_frees_every_host() {
    for host in HOSTS {
        let world = world();
        let client = Client::new(&world, host, "a");
        client.begins();
        client.types("/sprag:start look \"the whole\"");
        assert!(client.stops().is_some(), "{host:?}");
        let free = Client::new(&world, host, "a").with("SPRAG", "off");
        assert_eq!(free.edits("code.txt", "bad\n"), None, "{host:?}: a tool");
        assert_eq!(free.stops(), None, "{host:?}: a stop");
    }
}

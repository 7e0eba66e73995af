//! Two drivers of one thing: the second one says at once who drives, and changes nothing.

use super::{World, inbox};

#[test]
fn the_second_driver_of_an_inbox_says_who_drives_though_a_merge_is_under_way() {
    let world = inbox::world(inbox::AGENT, 2);
    world.env.write("test.sh", "touch ../gate; until [ -f ../go ]; do sleep 0.01; done\n");
    world.env.git(&["commit", "-qam", "a slow test"]);
    let mut first = world.start(&["run", "inbox", "--agents", "2"]);
    let gate = world.env.top().join("gate");
    world.env.wait_until("the gate of a merge runs", || gate.exists());
    world.clear_cache();
    let how = || world.env.read(".sprag/agents/drive/inbox.json").unwrap();
    let before = how();
    for words in [&["run", "inbox"][..], &["run", "inbox", "--detach"]] {
        let second = world.sprag(&[words, &["--agents", "2", "--budget", "1usd"]].concat());
        assert_eq!(second.exit, Some(8), "{}{}", second.stdout, second.stderr);
        let who = format!("drives inbox already: process {}, since 2", first.id());
        assert!(second.stderr.contains(&who), "{}", second.stderr);
    }
    assert_eq!(how(), before, "how it is driven stays");
    world.env.write("../go", "");
    assert_eq!(first.wait().unwrap().code(), Some(0));
}

#[test]
fn an_inbox_is_driven_detached_and_a_signal_pauses_it() {
    let agent = format!("until [ -f ../go ]; do sleep 0.01; done\n{}", inbox::AGENT);
    let world = inbox::world(&agent, 1);
    let (object, exit) = world.json(&["run", "inbox", "--detach"]);
    assert_eq!(exit, Some(0), "{object}");
    world.env.wait_until("the agent works", || world.turns() == 1);
    let process = u32::try_from(object["process"].as_u64().unwrap()).unwrap();
    assert_eq!(object["next"]["human"][0], format!("kill {process}"));
    world.signal("TERM", process);
    let log = || world.env.read(object["output"].as_str().unwrap()).unwrap_or_default();
    world.env.wait_until("the driver ends", || log().contains("Next sprag run inbox"));
    assert!(log().contains("Pausing"), "{}", log());
    world.env.write("../go", "");
    assert_eq!(world.sprag(&["run", "inbox"]).exit, Some(0));
}

#[test]
fn who_resumes_a_run_that_is_driven_is_told_by_whom_and_nothing_is_changed() {
    let world = World::new("until [ -f ../go ]; do sleep 0.01; done\necho good > code.txt");
    world.env.write(
        ".sprag/config.yaml",
        "v: 1\nnotify: {command: [sh, -c, 'echo \"$0\" >> ../told']}\n",
    );
    let mut first = world.start(&["run", "Be good", "--until", "sh test.sh"]);
    world.env.wait_until("the agent works", || world.turns() == 1);
    let run = world.run();
    world.clear_cache();
    let before = world.events().len();
    for words in [&["resume", &run][..], &["resume", &run, "--budget", "1usd"]] {
        let second = world.sprag(words);
        assert_eq!(second.exit, Some(8), "{}{}", second.stdout, second.stderr);
        let who = format!("drives {run} already: process {}, since 2", first.id());
        assert!(second.stderr.contains(&who), "{}", second.stderr);
    }
    assert_eq!(world.events().len(), before, "nothing is noted");
    let told = || std::fs::read_to_string(world.env.top().join("told")).unwrap_or_default();
    assert_eq!(told(), "", "and nobody is told");
    world.env.write("../go", "");
    assert_eq!(first.wait().unwrap().code(), Some(0));
    assert_eq!(told().lines().count(), 1, "{}", told());
}

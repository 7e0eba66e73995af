//! Two drivers of one run: the second one reports at once who drives it, and changes nothing.

use super::{World, inbox, together};

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
fn who_drives_beside_another_run_is_told_that_both_change_the_same_files() {
    let world = World::new("until [ -f ../go ]; do sleep 0.01; done\necho good > code.txt");
    let other = World::agent(&world.env, "other.sh", "echo x > x.txt");
    let mut first = world.start(&["run", "Be good", "--until", "sh test.sh"]);
    world.env.wait_until("the agent works", || world.turns() == 1);
    let told = format!("Note {} is driven here, too (process {}, since ", world.run(), first.id());
    for (agents, is_told) in [("1", true), ("2", false)] {
        let words = ["run", "More", "--until", "true", "--host", &other, "--agents", agents];
        let ran = world.sprag(&words);
        assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
        assert_eq!(ran.stdout.contains(&told), is_told, "{}", ran.stdout);
    }
    world.env.write("../go", "");
    assert_eq!(first.wait().unwrap().code(), Some(0));
    // The other driver is gone.
    let ran = world.sprag(&["run", "More", "--until", "true", "--host", &other]);
    assert!(!ran.stdout.contains("driven here"), "{}", ran.stdout);
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
    for option in [&["--budget", "1usd"][..], &["--detach"]] {
        let second = world.sprag(&[&["resume", &run], option].concat());
        assert_eq!(second.exit, Some(8), "{}{}", second.stdout, second.stderr);
        let who = format!("drives {run} already: process {}, since 2", first.id());
        assert!(second.stderr.contains(&who), "{}", second.stderr);
        assert!(second.stderr.contains("leave out `--budget`"), "{}", second.stderr);
    }
    let second = world.sprag(&["resume", &run]);
    let says = format!("{run}: goes on already, driven by process {}, since 2", first.id());
    assert!(second.stdout.starts_with(&says), "{}{}", second.stdout, second.stderr);
    assert_eq!(second.exit, Some(0), "it runs, as was asked for");
    assert_eq!(world.events().len(), before, "nothing is noted");
    let told = || std::fs::read_to_string(world.env.top().join("told")).unwrap_or_default();
    assert_eq!(told(), "", "and no person is told");
    world.env.write("../go", "");
    assert_eq!(first.wait().unwrap().code(), Some(0));
    assert_eq!(told().lines().count(), 1, "{}", told());
}

#[test]
fn a_run_that_is_held_while_it_is_driven_goes_on_in_the_hands_of_its_driver() {
    let world = World::new(
        "[ $turn != 1 ] || { until [ -f ../go ]; do sleep 0.01; done; echo bad > code.txt; exit; }\n\
         echo good > code.txt",
    );
    let mut first = world.start(&["run", "Be good", "--until", "sh test.sh"]);
    world.env.wait_until("the agent works", || world.turns() == 1);
    let run = world.run();
    for pause in [&["pause", &run][..], &["pause", &run, "--for", "1h"]] {
        assert_eq!(world.sprag(pause).exit, Some(0));
        let budget = world.sprag(&["resume", &run, "--budget", "1usd"]);
        assert_eq!(budget.exit, Some(8), "its driver learns of no budget: {}", budget.stdout);
        let detach = world.sprag(&["resume", &run, "--detach"]);
        assert_eq!(detach.exit, Some(8), "nor does it leave its terminal: {}", detach.stdout);
        let resumed = world.sprag(&["resume", &run]);
        assert_eq!(resumed.exit, Some(0), "{}{}", resumed.stdout, resumed.stderr);
        let says = format!("{run}: goes on, driven by process {}, since 2", first.id());
        assert!(resumed.stdout.starts_with(&says), "{}", resumed.stdout);
    }
    world.env.write("../go", "");
    assert_eq!((first.wait().unwrap().code(), world.turns()), (Some(0), 2));
}

#[test]
fn what_a_person_lets_go_on_is_taken_up_by_the_driver_that_works_on_something_else() {
    let world = together::world(1);
    // The conflict of the first two is not resolved until a file exists, and the third waits.
    let script = world.env.read("../agent.sh").unwrap();
    let slow = "case \"$prompt\" in\n*'hold conflicts'*) [ -f ../ready ] || exit 0 ;;\n\
                *'Write f03'*) until [ -f ../go ]; do sleep 0.01; done ;;\nesac\ncase \"$prompt\" in";
    world.env.write("../agent.sh", script.replacen("case \"$prompt\" in", slow, 1));
    let mut first = world.start(&["run", "plan", "--agents", "2"]);
    let held = || world.json(&["status"]).0["waits"].as_array().is_some_and(|all| !all.is_empty());
    world.env.wait_until("a task is held", held);
    world.env.write("../ready", "");
    let resumed = world.sprag(&["resume", &world.run()]);
    assert_eq!(resumed.exit, Some(0), "{}{}", resumed.stdout, resumed.stderr);
    world.env.write("../go", "");
    assert_eq!(first.wait().unwrap().code(), Some(0));
    let shared = world.env.git(&["show", &format!("sprag/{}:shared.txt", world.run())]);
    assert_eq!(shared.lines().count(), 3, "{shared}");
}

#[test]
fn doctor_has_no_command_that_removes_what_a_run_still_needs() {
    let world = together::world(1);
    World::agent(&world.env, "agent.sh", "until [ -f ../go ]; do sleep 0.01; done");
    let mut first = world.start(&["run", "plan", "--agents", "2"]);
    world.env.wait_until("the agents work", || world.turns() == 2);
    let run = world.run();
    let says = |why: &str| {
        let said = world.sprag(&["doctor", "--plain"]).stdout;
        assert_eq!(said.matches(&format!(" ! branch sprag/{run}")).count(), 3, "{said}");
        assert_eq!(said.matches(why).count(), 3, "{said}");
        assert!(!said.contains("fix: git"), "{said}");
    };
    says(&format!("   in use by {run}: process {}, since 2", first.id()));
    world.signal("TERM", first.id());
    first.wait().unwrap();
    says(&format!("   {run} is not over: sprag resume {run} continues it\n"));
    world.env.write(format!(".sprag/runs/{run}/run.yaml"), "v: [\n");
    says(&format!("   {run} cannot be read, so it may not be over\n"));
}

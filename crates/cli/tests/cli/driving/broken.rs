//! Agents that break the repository, the worktree or the folder in which they work.

use serde_json::json;

use super::{World, together};

const TASK: [&str; 4] = ["run", "Make it good", "--until", "sh test.sh"];

#[test]
fn a_repository_that_an_agent_breaks_holds_its_run_and_all_else_can_be_read() {
    for (change, why) in [
        ("rm -rf .git; mkdir .git", "objects` cannot be used"),
        ("rm -rf .git/refs", "refs` cannot be used"),
        ("rm .git/HEAD", "HEAD` cannot be used"),
        ("echo nonsense > .git/HEAD", "HEAD` cannot be used"),
        ("echo nonsense > .git/index", "index file"),
        ("echo '[[[' > .git/config", "bad config"),
        ("rm -rf .git/objects/*", "objects` cannot be used"),
        ("rm -rf .git; echo nonsense > .git", ".git` cannot be used"),
        ("git config core.bare true", "`core.bare`"),
        ("git config core.worktree /usr", "`core.worktree`"),
    ] {
        let world = World::new(&format!("echo good > code.txt; {change}"));
        let (object, exit) = world.json(&TASK);
        assert_eq!((exit, &object["outcome"]), (Some(3), &json!("held")), "{change}: {object}");
        let said = object["why"].as_str().unwrap();
        let begins = "the git repository is broken since `agent.sh` worked: ";
        assert!(said.contains(begins) && said.contains(why), "{change}: {said}");
        assert!(said.ends_with("; mend it, then resume"), "{change}: {said}");
        assert_eq!(world.count("gate.receipt"), 0, "{change}");
        let status = world.sprag(&["status"]);
        let waits = format!("sprag resume {}", world.run());
        assert!(status.exit == Some(0) && status.stdout.contains(&waits), "{}", status.stdout);
        let doctor = world.sprag(&["doctor"]);
        let named = doctor.stdout.contains("the git repository cannot be used");
        assert!(doctor.exit == Some(1) && named, "{change}: {}", doctor.stdout);
    }
}

#[test]
fn a_broken_repository_is_refused_until_it_is_mended_and_then_judged() {
    let world = World::new("echo good > code.txt; echo nonsense > .git/index");
    assert_eq!(world.sprag(&TASK).exit, Some(3));
    let run = world.run();
    let ran = world.sprag(&["resume", &run]);
    assert_eq!((ran.exit, world.turns()), (Some(1), 1), "{}", ran.stdout);
    assert!(ran.stderr.contains("help: mend the git repository"), "{}", ran.stderr);
    world.env.remove(".git/index");
    world.env.git(&["reset", "-q"]);
    let ran = world.sprag(&["resume", &run]);
    assert_eq!((ran.exit, world.turns()), (Some(0), 1), "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn a_plan_in_a_repository_that_breaks_is_held_too() {
    let world = together::world(1);
    World::agent(&world.env, "agent.sh", "rm -rf .git; mkdir .git; echo 'TASK COMPLETE'");
    let ran = world.sprag(&["run", "plan"]);
    assert_eq!((ran.exit, world.turns()), (Some(3), 1), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("the git repository is broken since"), "{}", ran.stdout);
}

#[test]
fn a_linked_worktree_whose_link_is_gone_holds_and_its_run_goes_on_nowhere_else() {
    let world = World::new("[ $turn = 1 ] && rm .git; echo good > code.txt");
    world.env.git(&["worktree", "add", "-q", "../linked"]);
    let linked = world.env.top().join("linked").display().to_string();
    let main = world.env.project().display().to_string();
    let (host, repair) = (world.host(), format!("git -C {main} worktree repair"));
    let there = |words: &[&str]| world.sprag(&[&["-C", &linked][..], words].concat());
    let ran = there(&[&TASK[..], &["--host", &host, "--yes"]].concat());
    let flat = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!((ran.exit, world.turns()), (Some(3), 1), "{flat}");
    assert!(flat.contains(&format!("is gone since `agent.sh` worked; `{repair}`")), "{flat}");

    let run = world.run();
    for words in [["resume", &run], ["run", &run]] {
        let ran = world.sprag(&words);
        assert_eq!((ran.exit, world.turns()), (Some(8), 1), "{}{}", ran.stdout, ran.stderr);
        assert!(ran.stderr.contains(&format!("{run} works in `{linked}`, and not here")));
        assert!(ran.stderr.contains(&format!("`{repair}`, then `sprag -C {linked} resume {run}`")));
    }
    assert_eq!(world.env.git(&["status", "--short"]), "");
    assert_eq!(world.env.read("code.txt").as_deref(), Some("start\n"));

    world.env.git(&["worktree", "repair"]);
    let ran = world.sprag(&["resume", &run]);
    assert!(ran.stderr.contains(&format!("go on there: sprag -C {linked} resume {run}")));
    let ran = there(&["resume", &run]);
    assert_eq!((ran.exit, world.turns()), (Some(0), 1), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(world.env.read("code.txt").as_deref(), Some("start\n"));
}

#[test]
fn a_run_of_the_main_worktree_is_not_gone_on_with_in_a_linked_one() {
    let world = World::new("echo 'All done!'");
    assert_eq!(world.sprag(&TASK).exit, Some(5));
    world.env.git(&["worktree", "add", "-q", "../linked"]);
    let linked = world.env.top().join("linked").display().to_string();
    let (run, turns) = (world.run(), world.turns());
    let ran = world.sprag(&["-C", &linked, "resume", &run]);
    assert_eq!((ran.exit, world.turns()), (Some(8), turns), "{}{}", ran.stdout, ran.stderr);
    let main = world.env.project().display().to_string();
    assert!(ran.stderr.contains(&format!("go on there: sprag -C {main} resume {run}")));
}

#[test]
fn a_worktree_that_its_agent_removes_is_put_back_with_what_was_committed() {
    for (remove, how) in [
        ("rm -rf \"$PWD\"", "was removed meanwhile, and put back as committed"),
        (
            "git worktree remove --force \"$PWD\"",
            "was removed meanwhile, and put back as committed",
        ),
        ("rm .git", "lost its link to git meanwhile, and has it again"),
        ("echo nonsense > .git", "lost its link to git meanwhile, and has it again"),
    ] {
        let world = World::new(&format!(
            "[ $turn = 1 ] && {{ echo half > half.txt; git add half.txt; git commit -qm half; \
             {remove}; exit 0; }}\necho good > code.txt"
        ));
        let ran = world.sprag(&[&TASK[..], &["--agents", "2"]].concat());
        let said = format!("{remove}: {}{}", ran.stdout, ran.stderr);
        assert_eq!((ran.exit, world.turns()), (Some(0), 2), "{said}");
        assert!(said.contains(how), "{said}");
        assert!(!said.contains("Lost"), "{said}");
        let branch = format!("sprag/{}", world.run());
        for (file, text) in [("half.txt", "half"), ("code.txt", "good")] {
            assert_eq!(world.env.git(&["show", &format!("{branch}:{file}")]), text);
        }
    }
}

#[test]
fn a_worktree_that_became_another_repository_waits_for_a_person_at_once() {
    let world = World::new(
        "[ $turn = 1 ] && { rm .git; git init -q; git add .; git commit -qm other; exit 0; }\n\
         echo good > code.txt",
    );
    let ran = world.sprag(&[&TASK[..], &["--agents", "2"]].concat());
    let flat = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!((ran.exit, world.turns()), (Some(3), 1), "{flat}");
    let folder = world.env.top().join(format!("project-{}-task", world.run()));
    let folder = folder.display().to_string();
    let said = format!("`{folder}` is no worktree of this repository any more; move it away");
    assert!(flat.contains(&said), "{flat}");
    let moved = world.env.command("mv").args([&folder, &format!("{folder}-mine")]).status();
    assert!(moved.unwrap().success());
    let ran = world.sprag(&["resume", &world.run()]);
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
}

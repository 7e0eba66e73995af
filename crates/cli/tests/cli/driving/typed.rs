//! The arguments of `run` are checked before a host is searched for or anything starts.

use super::{Ran, World};

/// Runs sprag where no host is installed and none is named.
fn alone(world: &World, words: &[&str]) -> Ran {
    let out = world.env.command(&world.sprag).args(words).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { exit: out.status.code(), stdout: text(out.stdout), stderr: text(out.stderr) }
}

#[test]
fn what_cannot_be_meant_is_a_usage_error_that_says_what_to_write() {
    let world = World::new("exit 1");
    let task = ["run", "Make it good", "--until", "sh test.sh"];
    let wrong: [(&[&str], &str); 12] = [
        (&["--budget", "5"], "write `15usd`, `2000000tokens` or `3h`"),
        (&["--budget", "abc"], "write `15usd`, `2000000tokens` or `3h`"),
        (&["--budget", "0usd"], "write `15usd`, `2000000tokens` or `3h`"),
        (&["--agents", "0"], "write a number from 1 to 1000"),
        (&["--max", "0"], "write a number from 1 to 1000"),
        (&["--max", "many"], "write a number from 1 to 1000"),
        (&["--idle", "abc"], "write `90s`, `10m` or `1h30m`"),
        (&["--wall", "0s"], "write `90s`, `10m` or `1h30m`"),
        (&["--may-change", "../x"], "write `tests`, or a pattern below the project"),
        (&["--may-change", "tests", "--may-change", ""], "write `tests`, or a pattern below"),
        (&["--mode", "yolo"], "leave out `--mode`"),
        (&["more"], "put the whole task into quotes"),
    ];
    for (more, help) in wrong {
        let words = [&task[..], more].concat();
        for ran in [alone(&world, &words), world.sprag(&words)] {
            assert_eq!(ran.exit, Some(2), "{more:?}: {}", ran.stderr);
            assert_eq!(ran.stderr.matches("error[").count(), 1, "{}", ran.stderr);
            assert!(ran.stderr.contains(help), "{more:?}: {}", ran.stderr);
        }
    }
    let inbox = alone(&world, &["run", "inbox", "--may-change", "tests"]);
    assert!(inbox.exit == Some(2) && inbox.stderr.contains("name the run"), "{}", inbox.stderr);
    for (words, help) in [
        (["run", "x", "--until", ""], "write the command that must pass"),
        (["run", "x", "--until", "a | b"], "give it to a shell"),
        (["run", "x", "--until", "no-such-program now"], "is it spelled so, and installed?"),
        (["run", " ", "--until", "true"], "write what is to be done"),
    ] {
        let ran = alone(&world, &words);
        assert!(ran.exit == Some(2) && ran.stderr.contains(help), "{words:?}: {}", ran.stderr);
    }
    assert_eq!(alone(&world, &task).exit, Some(4), "only now a host is looked for");
    assert!(world.events().is_empty(), "nothing was started");
}

#[test]
fn a_tree_without_milestones_is_refused_with_what_to_do() {
    let world = World::new("exit 1");
    let ran = world.sprag(&["run", "gsd"]);
    assert_eq!(ran.exit, Some(4), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains("`/gsd` in your agent makes one"), "{}", ran.stderr);
    world.env.write(".gsd/phases/01-a/PLAN.md", "# A\n");
    let ran = world.sprag(&["run", "gsd"]);
    assert_eq!(ran.exit, Some(9), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains("flat layout") && ran.stderr.contains("--until CMD"));
    assert!(world.events().is_empty(), "nothing was started");
}

#[test]
fn a_level_that_nobody_knows_is_an_error_with_its_place() {
    let world = World::new("exit 1");
    let dev = ".sprag/workflows/dev";
    let workflow = "name: Dev\ncommandName: dev\ninitialMessage: 'Begin'\nphases: [build.md]\n";
    world.env.write(format!("{dev}/workflow.yaml"), workflow);
    let build = "---\nid: build\nname: Build\nemoji: B\nreview: {reviewer: codex, level: grave}\n\
                 ---\nBuild.\n";
    world.env.write(format!("{dev}/build.md"), build);
    let ran = world.sprag(&["check"]);
    let said = format!("{}{}", ran.stdout, ran.stderr);
    assert_eq!(ran.exit, Some(6), "{said}");
    assert!(said.contains("`grave` is none of all, important, critical"), "{said}");
    assert!(said.contains("build.md:5:"), "{said}");
    assert_eq!(world.sprag(&["run", "dev", "Do it"]).exit, Some(6));
}

#[test]
fn a_run_that_is_asked_for_again_keeps_what_is_not_typed_again() {
    let world = World::new("exit 1");
    let task = ["run", "Make it good", "--until", "sh test.sh"];
    world.sprag(&[&task[..], &["--budget", "1usd", "--idle", "7m"]].concat());
    let how = || {
        let ledger = world.env.read(format!(".sprag/runs/{}/agents.json", world.run())).unwrap();
        serde_json::from_str::<serde_json::Value>(&ledger).unwrap()["how"].clone()
    };
    let typed = how();
    assert_eq!(typed["micro_usd"], 1_000_000, "{typed}");
    let again = alone(&world, &["run", &world.run()]);
    assert_eq!(again.exit, Some(5), "{}{}", again.stdout, again.stderr);
    assert_eq!(how(), typed, "also who works, although no host is named or installed");
    alone(&world, &["run", &world.run(), "--budget", "2usd"]);
    assert_eq!(how()["micro_usd"], 2_000_000);
    assert_eq!(how()["idle_ms"], typed["idle_ms"]);
}

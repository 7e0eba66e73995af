//! Processes that lose their parent: on Linux they become our children, and we end and reap them.

use std::io::Write as _;
use std::os::unix::process::CommandExt as _;
use std::process::Stdio;
use std::thread::JoinHandle;

use sprag_testkit::TestEnv;

use super::super::table;
use super::*;

/// Runs a test in its own process, where no other test runs commands at the same time.
#[expect(clippy::disallowed_methods, reason = "only nextest has one for each test")]
fn alone(test: impl FnOnce()) {
    const ALONE: &str = "NEXTEST_EXECUTION_MODE";
    let thread = std::thread::current();
    let name = thread.name().unwrap_or("main");
    if name == "main" || std::env::var_os(ALONE).is_some() {
        return test();
    }
    let mut again = std::process::Command::new(std::env::current_exe().unwrap());
    let said = again.args(["--exact", name]).env(ALONE, "process-per-test").output().unwrap();
    let answer = String::from_utf8_lossy(&said.stdout);
    assert!(said.status.success() && answer.contains("1 passed"), "{answer}");
}

/// Runs a script that starts `next`, whose generations each live for about a millisecond, and
/// asserts that the chain is caught. A counter ends a chain that escapes.
fn chain(mark: &str, next: &str) {
    alone(|| caught(mark, next));
}

fn caught(mark: &str, next: &str) {
    let env = TestEnv::new();
    env.write("next", format!("trap '' TERM; echo $1 > at; [ $1 = 9000 ] || {next} & exit"));
    let text = "setsid sh ./next 0; until [ 0$(cat at) -gt 50 ]; do :; done; exit 4";
    let (ran, _) = run(&Command { folder: env.project(), ..script(mark, text) });
    assert_eq!(ran.exit, Exit::Code(4), "{ran:?}");
    assert_ne!(env.read("at").as_deref(), Some("9000\n"), "it was not caught but ended");
}

#[test]
fn whoever_forks_faster_than_one_can_look_is_caught_with_its_session() {
    chain("forks", "sh ./next $(($1 + 1))");
}

#[test]
fn whoever_does_so_without_a_mark_is_caught_too() {
    chain("bare-forks", "env -i sh ./next $(($1 + 1))");
}

#[test]
fn whoever_changes_its_session_with_every_fork_is_caught_too() {
    chain("sessions", "env -i setsid sh ./next $(($1 + 1))");
}

#[test]
fn whoever_drops_mark_group_and_parent_at_once_is_caught() {
    alone(|| {
        let deaf = "(trap \"\" TERM; sleep 68; :) & (sleep 68; :) &";
        let bare = format!("env -i setsid sh -c '{deaf}' >/dev/null 2>&1");
        let (ran, _) = run(&script("away", &format!("{bare}; exit 6")));
        assert_eq!(ran.exit, Exit::Code(6));
        let ran = limited("away-late", &format!("{bare}; sleep 68"));
        assert_eq!(ran.exit, Exit::TimedOut);
    });
}

/// Starts a script that blocks after `echo > ready; read x < go` until the test releases it.
fn start(env: &TestEnv, mark: &str, text: &str) -> JoinHandle<Ran> {
    let prepare = script(mark, "rm -f ready go; mkfifo ready go");
    run(&Command { folder: env.project(), ..prepare });
    let command = Command { folder: env.project(), ..script(mark, text) };
    let runs = std::thread::spawn(move || run(&command).0);
    std::fs::read(env.project().join("ready")).unwrap();
    runs
}

fn go_on(env: &TestEnv) {
    let mut go = std::fs::OpenOptions::new().write(true).open(env.project().join("go")).unwrap();
    go.write_all(b"\n").unwrap();
}

#[test]
fn the_end_of_one_command_leaves_the_orphans_of_another_alone() {
    let away = "env -i setsid sh -c '(exec sleep 69) & echo $! > NAME' >/dev/null 2>&1;";
    let slow = away.replace("NAME", "slow") + "echo > ready; read x < go; kill -0 $(cat slow)";
    let quick = away.replace("NAME", "quick") + "exit 7";
    alone(|| {
        let env = TestEnv::new();
        let slow = start(&env, "slow", &slow);
        let quick = Command { folder: env.project(), ..script("quick", &quick) };
        // An orphan without a mark may belong to either command while both run.
        assert_eq!(quick.run().unwrap().exit, Exit::Code(7));
        go_on(&env);
        assert_eq!(slow.join().unwrap().exit, Exit::Code(0), "its orphan was ended with the other");
        for name in ["slow", "quick"] {
            let id = env.read(name).unwrap().trim().parse().unwrap();
            assert_eq!(table::read(id, ""), None, "the last one answers for all");
        }
    });
}

#[test]
fn of_two_that_end_at_the_same_time_one_answers_for_both() {
    let text = "exec 9>PATH; flock -s 9; env -i setsid sh -c 'sleep 71 & sleep 71 &' >/dev/null";
    alone(|| {
        let held = tempfile::NamedTempFile::new().unwrap();
        let text = text.replace("PATH", held.path().to_str().unwrap());
        let commands = ["one", "other"].map(|mark| script(mark, &text));
        for _ in 0..10 {
            std::thread::scope(|scope| {
                let runs = commands.each_ref().map(|command| scope.spawn(|| command.run()));
                for run in runs {
                    assert_eq!(run.join().unwrap().unwrap().exit, Exit::Code(0));
                }
            });
            held.as_file().try_lock().expect("something holds its lock");
            held.as_file().unlock().unwrap();
        }
    });
}

#[test]
fn orphans_that_end_are_reaped_while_the_command_runs_and_after_it() {
    let make = "i=0; while [ $i -lt 300 ]; do (true &); i=$((i + 1)); done";
    let count = "$(cat /proc/[0-9]*/stat 2>/dev/null | grep -c \") Z $PPID \")";
    let text = format!("echo $$; {make}; until [ {count} = 0 ]; do sleep 0.05; done; {make}");
    alone(|| {
        let (ran, _) = run(&script("reaped", &text));
        assert_eq!(ran.exit, Exit::Code(0), "{ran:?}");
        let group: i32 = ran.output.text().trim().parse().unwrap();
        let all = table::ids().into_iter().filter_map(|id| table::read(id, ""));
        assert_eq!(all.filter(|process| process.group == group).collect::<Vec<_>>(), []);
    });
}

#[test]
#[expect(clippy::disallowed_methods, reason = "starts what a tool would")]
fn what_we_start_ourselves_is_neither_ended_nor_reaped() {
    let command = |program: &str| {
        let mut command = std::process::Command::new(program);
        command.stdin(Stdio::piped()).stdout(Stdio::null());
        command
    };
    alone(|| {
        let env = TestEnv::new();
        // Like one that existed before this process became the reaper.
        let mut older = command("cat").process_group(0).spawn().unwrap();
        let text = "echo > ready; read x < go; sleep 0.6; (sleep 70 &) ; exit 8";
        let runs = start(&env, "others", text);
        let (mut reads, mut ends) =
            (command("cat").spawn().unwrap(), command("true").spawn().unwrap());
        go_on(&env);
        assert_eq!(runs.join().unwrap().exit, Exit::Code(8));
        for child in [&mut older, &mut reads] {
            assert_eq!(child.try_wait().unwrap(), None);
            drop(child.stdin.take());
            assert!(child.wait().unwrap().success());
        }
        assert!(ends.wait().unwrap().success());
    });
}

//! Real processes that misbehave in every way.

use std::time::{Duration, Instant};

use sprag_core::EffectId;

use super::*;

#[cfg(not(any(target_os = "macos", sprag_portable)))]
mod orphans;

/// Prepares a `sh` script with its own mark.
fn script(mark: &str, text: &str) -> Command {
    Command {
        argv: ["sh", "-c", text].map(str::to_owned).to_vec(),
        folder: std::env::temp_dir(),
        environment: vec![("PATH".into(), "/usr/local/bin:/usr/bin:/bin".into())],
        effect: EffectId::parse(&format!("test-{mark}-{}", std::process::id())).unwrap(),
        limit: Duration::from_secs(30),
    }
}

/// Far less than the minute that an escaped process takes, and enough on a busy machine.
const SOON: Duration = Duration::from_secs(20);

/// Runs a script, asserts that it ends soon, and that no process of it is left, with or without a
/// mark: all of them inherit a lock.
#[expect(clippy::disallowed_methods, reason = "measures")]
fn run(command: &Command) -> (Ran, Duration) {
    let held = tempfile::NamedTempFile::new().unwrap();
    let mut command = command.clone();
    command.argv[2] = format!("exec 9>{}; flock 9; {}", held.path().display(), command.argv[2]);
    let start = Instant::now();
    let ran = command.run().unwrap();
    let took = start.elapsed();
    assert!(!ran.left_behind);
    held.as_file().try_lock().expect("something holds its lock");
    assert!(!Family::of(&command.effect).is_alive(), "something carries its mark");
    assert!(took < SOON, "{took:?}");
    (ran, took)
}

fn limited(mark: &str, text: &str) -> Ran {
    run(&Command { limit: Duration::from_millis(300), ..script(mark, text) }).0
}

/// The same, for a script that must print before its limit: on a busy machine the shell alone may
/// take longer to start than the others' limit.
fn limited_when_said(mark: &str, text: &str) -> Ran {
    run(&Command { limit: Duration::from_secs(4), ..script(mark, text) }).0
}

#[test]
fn the_exit_code_and_both_outputs_come_in_their_order() {
    let (ran, _) = run(&script("order", "echo one; echo two >&2; echo three; exit 7"));
    assert_eq!((ran.exit, ran.output.text().as_str()), (Exit::Code(7), "one\ntwo\nthree\n"));
    let (ran, _) = run(&script("quick", "exit 0"));
    assert_eq!((ran.exit, ran.output.total()), (Exit::Code(0), 0));
}

#[test]
fn it_hears_nothing_and_sees_only_what_it_may() {
    let (ran, _) = run(&script("hears", "cat; env | cut -d= -f1 | sort | tr '\\n' ' '"));
    assert_eq!(ran.output.text(), "PATH PWD SPRAG_EFFECT ", "{ran:?}");
}

#[test]
fn what_cannot_start_says_why() {
    let with = |argv: &[&str]| {
        let argv = argv.iter().map(|word| (*word).to_owned()).collect();
        Command { argv, ..script("start", "") }.run().unwrap_err()
    };
    assert!(matches!(with(&[]), NotStarted::Empty));
    assert!(matches!(with(&["no-such-program-here"]), NotStarted::Missing(_)));
    let text = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    assert!(matches!(with(&[text]), NotStarted::NotExecutable(_)));
    assert!(matches!(with(&["/tmp"]), NotStarted::NotExecutable(_)));
    assert!(matches!(with(&["a\0b"]), NotStarted::Refused { .. }));
    let lost = Command { folder: "/no/such/folder".into(), ..script("lost", "true") };
    assert!(matches!(lost.run().unwrap_err(), NotStarted::Folder(_)));
}

#[test]
fn a_signal_of_its_own_is_told_apart_from_our_time_out() {
    let (ran, _) = run(&script("signal", "kill -SEGV $$"));
    assert_eq!(ran.exit, Exit::Signal(11));
    let ran = limited_when_said("timeout", "echo before; sleep 60");
    assert_eq!((ran.exit, ran.output.text().as_str()), (Exit::TimedOut, "before\n"));
}

#[test]
fn one_that_ignores_the_request_is_killed() {
    let ran = limited_when_said("ignores", "trap '' TERM; echo deaf; while :; do sleep 1; done");
    assert_eq!((ran.exit, ran.output.text().as_str()), (Exit::TimedOut, "deaf\n"));
}

#[test]
fn whoever_leaves_the_group_is_found_by_its_mark() {
    limited("setsid", "setsid sleep 61 & setsid sh -c 'trap \"\" TERM; sleep 61' & sleep 61");
    limited("fork", "(setsid sh -c 'sleep 62 & sleep 62' >/dev/null 2>&1 &) ; sleep 62");
}

#[test]
fn whoever_drops_the_mark_is_found_by_its_parent() {
    limited("bare", "env -i /usr/bin/setsid /bin/sleep 63 & sleep 63");
}

#[test]
fn whoever_was_seen_before_it_left_everything_is_found() {
    let leaves = "sh -c 'sleep 1; exec env -i /usr/bin/setsid /bin/sleep 72' >/dev/null 2>&1 &";
    let (ran, _) = run(&script("seen", &format!("{leaves} sleep 2; exit 9")));
    assert_eq!(ran.exit, Exit::Code(9));
}

#[test]
fn a_grandchild_that_keeps_the_pipe_open_is_not_waited_for() {
    let (ran, _) = run(&script("keeps", "(sleep 64 &) ; setsid sleep 64 & echo done; exit 3"));
    assert_eq!((ran.exit, ran.output.text().as_str()), (Exit::Code(3), "done\n"));
}

#[test]
fn one_that_closes_its_pipes_is_still_waited_for() {
    let (ran, took) = run(&script("closes", "exec >&- 2>&-; sleep 0.4; exit 5"));
    assert_eq!(ran.exit, Exit::Code(5));
    assert!(took >= Duration::from_millis(400), "{took:?}");
    let ran = limited("closed", "exec >&- 2>&-; sleep 65");
    assert_eq!(ran.exit, Exit::TimedOut);
}

#[test]
fn a_flood_is_drained_counted_and_bounded() {
    let (ran, _) = run(&script("flood", "head -c 300000000 /dev/zero; echo; echo the end"));
    assert_eq!((ran.exit, ran.output.total()), (Exit::Code(0), 300_000_009));
    let text = ran.output.text();
    assert!(text.ends_with("the end\n") && text.len() < 70_000);
    let ran = limited_when_said("endless", "yes");
    assert!(ran.exit == Exit::TimedOut && ran.output.total() > 100_000);
}

#[test]
fn children_that_nobody_reaps_do_not_count_as_alive() {
    let ran = limited("zombies", "for i in 1 2 3; do true & done; exec sleep 66");
    assert_eq!(ran.exit, Exit::TimedOut);
}

#[test]
fn a_family_is_found_and_ended_by_its_mark_alone() {
    let command = script("found", "(setsid sleep 67 >/dev/null 2>&1 &); exec sleep 67");
    let family = Family::of(&command.effect);
    assert!(!family.is_alive() && family.end());
    let runs = std::thread::spawn({
        let command = command.clone();
        move || command.run().unwrap().exit
    });
    while !family.is_alive() {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(family.end() && !family.is_alive());
    assert_eq!(runs.join().unwrap(), Exit::Signal(15), "who runs it sees a signal not its own");
}

#[test]
fn one_that_is_stopped_has_ended_whole_and_one_that_was_not_started_never_runs() {
    let folder = tempfile::tempdir().unwrap();
    let mark = folder.path().join("runs");
    let text = format!("trap '' TERM; touch {}; sleep 60; sleep 60", mark.display());
    let command = script("stopped", &text);
    let stop = StopHandle::new().unwrap();
    let ran = std::thread::scope(|scope| {
        let ran = scope.spawn(|| command.run_unless(Some(&stop)).unwrap());
        while !mark.exists() {
            std::thread::yield_now();
        }
        stop.ask();
        ran.join().unwrap()
    });
    assert_eq!((ran.exit, ran.left_behind), (Exit::Stopped, false));
    assert!(!Family::of(&command.effect).is_alive());
    let late = script("late", &format!("touch {}.late", mark.display()));
    assert_eq!(late.run_unless(Some(&stop)).unwrap().exit, Exit::Stopped);
    assert!(!folder.path().join("runs.late").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn a_tool_is_not_in_the_group_that_ctrl_c_ends() {
    let words = ["-c", "echo $$ $(cut -d' ' -f5 /proc/$$/stat)"].map(std::ffi::OsStr::new);
    let environment = [("PATH".into(), "/usr/bin:/bin".into())];
    let (program, limit) = ("sh", SOON);
    let folder = &std::env::temp_dir();
    let environment = &environment[..];
    let tool = Tool { program, words: &words, folder, environment, input: b"", limit };
    let said = String::from_utf8(tool.ask().unwrap().out).unwrap();
    let (own, group) = said.trim().split_once(' ').unwrap();
    assert_eq!(own, group);
}

#[test]
fn a_tool_that_says_more_than_it_may_is_not_read_to_the_end() {
    let environment = [("PATH".into(), "/usr/bin:/bin".into())];
    let (program, limit, environment) = ("sh", SOON, &environment[..]);
    let folder = &std::env::temp_dir();
    for (script, most, exit, read) in [
        ("printf 12345", 5, Some(0), 5),
        ("printf 12345", 4, None, 5),
        ("while :; do echo 1234567; done", 1000, None, 1001),
    ] {
        let words = ["-c", script].map(std::ffi::OsStr::new);
        let tool = Tool { program, words: &words, folder, environment, input: b"", limit };
        let said = tool.ask_at_most(most, None).unwrap();
        assert_eq!((said.exit, said.out.len()), (exit, read), "{script}");
    }
}

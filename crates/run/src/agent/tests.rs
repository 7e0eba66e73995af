//! Real processes play agents that misbehave.

mod hosts;

use std::time::{Duration, Instant};

use sprag_core::EffectId;
use sprag_world::process::Family;

use super::*;

/// Far less than the minute that an unkilled agent takes, yet enough on a busy machine.
const SOON: Duration = Duration::from_secs(20);
/// A limit that the test reaches.
const SHORT: Duration = Duration::from_millis(300);
/// A limit that is reached only after some output: on a busy machine a shell may need longer than
/// `SHORT` to start.
const SAID: Duration = Duration::from_secs(3);

/// Creates an agent from a `sh` script, with its own effect id.
fn script(mark: &str, text: &str) -> Job {
    let long = Duration::from_secs(40);
    Job {
        kind: AgentKind::Command(["sh", "-c", text].map(str::to_owned).to_vec()),
        prompt: "do it\n".to_owned(),
        folder: std::env::temp_dir(),
        person: vec![("PATH".into(), "/usr/local/bin:/usr/bin:/bin".into())],
        environment: Vec::new(),
        effect: EffectId::parse(&format!("agent-{mark}-{}", std::process::id())).unwrap(),
        resume: None,
        limits: Limits { wall: long, idle: long, output: 1 << 30 },
        deny: Vec::new(),
        extra: Vec::new(),
    }
}

/// Runs an agent and asserts that none of its processes survive: all of them inherit a lock.
#[expect(clippy::disallowed_methods, reason = "measures")]
fn run(job: &Job, stop: &StopHandle) -> (AgentEnd, Vec<OutputEvent>) {
    let held = tempfile::NamedTempFile::new().unwrap();
    let mut job = job.clone();
    if let AgentKind::Command(argv) = &mut job.kind {
        argv[2] = format!("exec 9>{}; flock 9; {}", held.path().display(), argv[2]);
    }
    let (start, mut all) = (Instant::now(), Vec::new());
    let finish = work(&job, stop, &mut |heard| {
        // A flood is only counted.
        all.truncate(100);
        all.push(heard.clone());
    });
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
    assert!(!finish.left_behind);
    held.as_file().try_lock().expect("something holds its lock");
    assert!(!Family::of(&job.effect).is_alive(), "something carries its mark");
    (finish, all)
}

fn works(job: &Job) -> AgentEnd {
    run(job, &StopHandle::new().unwrap()).0
}

fn limited(mark: &str, text: &str, limits: impl FnOnce(&mut Limits)) -> AgentEnd {
    let mut job = script(mark, text);
    limits(&mut job.limits);
    works(&job)
}

#[test]
fn a_program_reads_the_prompt_and_its_output_is_what_it_said() {
    let job = script("plain", "cat; echo done; echo why >&2; exit 3");
    let (finish, heard) = run(&job, &StopHandle::new().unwrap());
    assert_eq!((finish.exit, finish.said.as_str()), (Ok(Exit::Code(3)), "do it\ndone\n"));
    assert_eq!((finish.complaint.as_str(), finish.session), ("why", None));
    assert_eq!(heard, ["do it", "done"].map(|line| OutputEvent::Text(line.to_owned())));
}

#[test]
fn it_gets_the_person_s_keys_and_not_another_s_session() {
    let mut job = script("env", "echo $KEY $SPRAG_RUN $CLAUDECODE $SPRAG_EFFECT");
    job.person.extend([("KEY".into(), "k".into()), ("CLAUDECODE".into(), "1".into())]);
    job.person.push(("SPRAG_RUN".into(), "another".into()));
    job.environment.push(("SPRAG_RUN".into(), "r-1".into()));
    assert_eq!(works(&job).said, format!("k r-1 {}\n", job.effect));
}

#[test]
fn a_crash_is_told_from_our_own_end() {
    assert_eq!(works(&script("crash", "echo half; kill -SEGV $$")).exit, Ok(Exit::Signal(11)));
    let missing =
        Job { kind: AgentKind::Command(vec!["no-such-program".to_owned()]), ..script("no", "") };
    let exit = work(&missing, &StopHandle::new().unwrap(), &mut |_| {}).exit;
    assert_eq!(exit, Err("the program `no-such-program` was not found".to_owned()));
}

#[test]
fn one_that_hangs_is_ended_at_its_limit_and_not_before() {
    let finish =
        limited("wall", "while :; do echo on; sleep 0.05; done", |limits| limits.wall = SHORT);
    assert!(finish.exit == Ok(Exit::TimedOut) && finish.took >= SHORT, "{finish:?}");
    let finish = limited("idle", "echo last; sleep 60", |limits| limits.idle = SAID);
    assert!(finish.exit == Ok(Exit::Idle) && finish.took >= SAID && finish.said == "last\n");
    // Any output counts as activity, even on standard error.
    let talks = "for i in 1 2 3 4 5 6; do sleep 0.6; echo $i >&2; done";
    let finish = limited("talks", talks, |limits| limits.idle = SAID);
    assert_eq!((finish.exit, finish.complaint.as_str()), (Ok(Exit::Code(0)), "1\n2\n3\n4\n5\n6"));
}

#[test]
fn a_flood_is_cut_at_its_limit_exactly() {
    let flood = "head -c 100000 /dev/zero | tr '\\0' x; echo; yes";
    let finish = limited("flood", flood, |limits| limits.output = 100_000);
    assert_eq!((finish.exit, finish.said.len()), (Ok(Exit::Flooded), 64 << 10));
    let exact = "head -c 100000 /dev/zero | tr '\\0' x";
    let finish = limited("exact", exact, |limits| limits.output = 100_000);
    assert_eq!(finish.exit, Ok(Exit::Code(0)));
    let finish = limited("one-more", &format!("{exact}; echo"), |limits| limits.output = 100_000);
    assert_eq!(finish.exit, Ok(Exit::Flooded));
    let finish = limited("errors", "yes >&2", |limits| limits.output = 1 << 20);
    assert!(finish.exit == Ok(Exit::Flooded) && finish.complaint.len() <= 4 << 10);
}

#[test]
fn one_that_ignores_the_request_and_its_children_are_killed() {
    let deaf = "trap '' TERM; (setsid sh -c 'trap \"\" TERM; sleep 60 & sleep 60' &) ; sleep 60";
    assert_eq!(limited("deaf", deaf, |limits| limits.idle = SHORT).exit, Ok(Exit::Idle));
    let forks = "(setsid sh -c 'setsid sleep 61 & sleep 61' >/dev/null 2>&1 &); echo gone; exit 0";
    assert_eq!(works(&script("forks", forks)).exit, Ok(Exit::Code(0)));
}

#[test]
fn a_huge_prompt_reaches_who_reads_it_and_does_not_hold_who_does_not() {
    let prompt = "é".repeat(1 << 19);
    let job = Job { prompt: prompt.clone(), ..script("reads", "wc -c") };
    assert_eq!(works(&job).said.trim(), "1048576");
    let job = Job { prompt: prompt.clone(), ..script("echoes", "tee /dev/stderr") };
    let finish = works(&job);
    assert_eq!((finish.exit, finish.said.len()), (Ok(Exit::Code(0)), 64 << 10));
    let job = Job { prompt: prompt.clone(), ..script("deaf-ear", "echo no") };
    assert_eq!(works(&job).exit, Ok(Exit::Code(0)));
    let mut job = Job { prompt, ..script("never", "sleep 60") };
    job.limits.idle = SHORT;
    assert_eq!(works(&job).exit, Ok(Exit::Idle));
}

#[test]
fn bytes_that_are_no_text_and_lines_without_end_are_bounded() {
    let finish = works(&script("bytes", "printf 'a\\377b\\000c\\n'; printf '\\303'"));
    assert_eq!((finish.exit, finish.said.as_str()), (Ok(Exit::Code(0)), "a\u{fffd}b\0c\n\u{fffd}"));
    let job = script("line", "head -c 50000000 /dev/zero | tr '\\0' y; printf end");
    let (finish, heard) = run(&job, &StopHandle::new().unwrap());
    assert!(finish.said.ends_with("yend") && finish.said.len() == 64 << 10);
    let [OutputEvent::Text(line)] = &heard[..] else { panic!("{}", heard.len()) };
    assert!(line.len() <= 4 << 10);
}

#[test]
fn somebody_else_can_stop_it() {
    let stop = StopHandle::new().unwrap();
    let job = script("stopped", "trap '' TERM; echo on; sleep 60");
    let finish = std::thread::scope(|scope| {
        let other = stop.clone();
        let (on, is_on) = std::sync::mpsc::channel();
        scope.spawn(move || {
            is_on.recv().unwrap();
            other.ask();
            other.ask();
        });
        work(&job, &stop, &mut |_| on.send(()).unwrap())
    });
    assert_eq!((finish.exit, finish.said.as_str()), (Ok(Exit::Stopped), "on\n"));
    assert!(!Family::of(&job.effect).is_alive());
    // After a stop, new work ends at once.
    assert_eq!(run(&script("after", "sleep 60"), &stop).0.exit, Ok(Exit::Stopped));
}

#[test]
fn many_at_once_end_each_by_itself() {
    let stop = StopHandle::new().unwrap();
    std::thread::scope(|scope| {
        let one = |nth: usize| {
            let stop = stop.clone();
            scope.spawn(move || {
                let text = format!("(setsid sleep 60 &) ; cat >/dev/null; echo {nth}; exit {nth}");
                let job = script(&format!("many-{nth}"), &text);
                let finish = work(&job, &stop, &mut |_| {});
                assert!(!Family::of(&job.effect).is_alive(), "{nth}");
                (finish.exit, finish.said)
            })
        };
        let all: Vec<_> = (0..8).map(one).collect();
        for (nth, one) in (0..).zip(all) {
            assert_eq!(one.join().unwrap(), (Ok(Exit::Code(nth)), format!("{nth}\n")));
        }
    });
}

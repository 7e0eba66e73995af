//! The output of `sprag run`: lines, JSON, proofs and claims; and how a run is paused, detached and
//! reported.

use std::process::Stdio;

use serde_json::Value;

use super::{World, inbox};

const TASK: [&str; 4] = ["run", "Make it good", "--until", "sh test.sh"];

/// An agent that needs two turns and prints escape sequences.
const TWO: &str = "[ $turn -lt 2 ] && echo bad > code.txt || echo good > code.txt\n\
                   printf 'It is \\033[2Jdone.\\n'";

/// An agent that signals its start and then waits for a file.
const WAITS: &str = "echo bad$turn > code.txt; until [ -f ../go ]; do sleep 0.01; done";

/// Removes the parts that differ: ids, trees and times.
fn normal(world: &World, text: &str) -> String {
    let shown = |word: &str| {
        let is_time = word.ends_with('s') && word.starts_with(|c: char| c.is_ascii_digit());
        match word {
            _ if word.starts_with("r-") => "RUN".to_owned(),
            _ if word.starts_with("g-") => "RECEIPT".to_owned(),
            _ if is_time => "TIME".to_owned(),
            _ if word.len() == 7 && word.chars().all(|c| c.is_ascii_hexdigit()) => {
                "TREE".to_owned()
            }
            _ => word.to_owned(),
        }
    };
    let line = |line: &str| line.split_whitespace().map(shown).collect::<Vec<_>>().join(" ");
    let text = world.env.normal(text);
    text.lines().map(|one| line(one) + "\n").collect()
}

#[test]
fn without_a_terminal_there_are_plain_lines_and_a_claim_is_called_one() {
    let world = World::new(TWO);
    let ran = world.sprag(&TASK);
    assert_eq!((ran.exit, ran.stderr.as_str()), (Some(0), ""));
    assert!(!ran.stdout.contains('\u{1b}'), "{}", ran.stdout);
    assert!(ran.stdout.starts_with("     Started r-"), "verbs are aligned: {}", ran.stdout);
    let expected = "Started RUN Make it good\n\
        until `sh test.sh`, with agent.sh, at most 8h\n\
        in [PROJECT]\n\
        Started task agent.sh\n\
        Agent \"It is \\u{1b}[2Jdone.\" (a claim)\n\
        Gate sh test.sh FAIL TIME tree TREE RECEIPT\n\
        Refused task sh test.sh: bad\n\
        Retry task 1 of 10 agent.sh\n\
        Agent \"It is \\u{1b}[2Jdone.\" (a claim)\n\
        Gate sh test.sh PASS TIME tree TREE RECEIPT\n\
        Proven task\n\
        Summary RUN done in TIME · cost unknown · 1 unit · 1 gate proven\n\
        1 end refused\n\
        Unproven nothing\n\
        Next sprag report RUN\n";
    assert_eq!(normal(&world, &ran.stdout), expected);
}

#[test]
fn as_json_there_is_one_object_and_nothing_else() {
    let world = World::new(TWO);
    let (object, exit) = world.json(&TASK);
    assert_eq!(exit, Some(0), "{object}");
    let shown = |key: &str| object[key].clone();
    assert_eq!(
        (shown("proven_units"), shown("gates"), shown("claimed")),
        (1.into(), 1.into(), 0.into())
    );
    assert_eq!((shown("refused"), shown("cost_unknown")), (1.into(), 2.into()));
}

#[test]
fn a_failure_is_said_again_at_the_end_with_what_to_type() {
    let world = World::new("echo \"bad $turn\" > code.txt");
    let ran = world.sprag(&[&TASK[..], &["--max", "1"]].concat());
    assert_eq!(ran.exit, Some(5), "{}", ran.stdout);
    let said = normal(&world, &ran.stdout);
    let end = &said[said.find("Unproven").unwrap()..];
    let unproven = "everything: no unit has passed yet; fails: sh test.sh\n";
    assert!(end.starts_with(&format!("Unproven {unproven}Waits 1 ")), "{said}");
    let report = world.sprag(&["report"]).stdout;
    assert!(report.contains(&format!("\nUnproven   {unproven}")), "in the same words: {report}");
    assert!(end.ends_with("Failed task sh test.sh: bad 2\nNext sprag resume RUN\n"), "{said}");
}

#[test]
fn what_waits_is_wrapped_below_its_text_and_so_is_its_command() {
    let world = World::new("true");
    let gate = "test -f a-file-with-a-name-that-is-long-enough-for-two-lines.txt";
    let ran = world.sprag(&["run", "Do it", "--until", gate]);
    let waits =
        ran.stdout.split("       Waits 1  ").nth(1).unwrap_or_else(|| panic!("{}", ran.stdout));
    let below: Vec<&str> =
        waits.lines().skip(1).take_while(|line| !line.contains("Failed")).collect();
    let set_in = |line: &&str| line.len() - line.trim_start().len();
    assert_eq!(below.iter().map(set_in).collect::<Vec<_>>(), [16, 16], "{}", ran.stdout);
    assert!(below[1].ends_with(&format!("sprag resume {}", world.run())), "{}", ran.stdout);
}

#[test]
fn a_first_signal_pauses_and_nobody_works_on() {
    let world = World::new(WAITS);
    let child = world.start_heard(&TASK);
    world.env.wait_until("the agent works", || world.turns() == 1);
    world.signal("INT", child.id());
    let out = child.wait_with_output().unwrap();
    let said = normal(&world, &String::from_utf8(out.stdout).unwrap());
    assert_eq!(out.status.code(), Some(3), "{said}");
    assert!(said.contains("Summary RUN paused in TIME"), "{said}");
    assert!(said.ends_with("Next sprag resume RUN\n"), "{said}");
    world.nobody_is_left();
}

#[test]
fn who_ends_everything_at_once_loses_nobodys_attempt() {
    use std::os::unix::process::ExitStatusExt as _;
    let world = World::new(WAITS);
    let mut child = world.start(&TASK);
    world.env.wait_until("the agent works", || world.turns() == 1);
    world.signal("QUIT", child.id());
    assert_eq!(child.wait().unwrap().signal(), Some(3));
    world.nobody_is_left();
    // The agent's end by a signal was no failure.
    assert_eq!(world.count("attempt.lost"), 0);
    let ended = |event: &Value| event["kind"] == "agent.ended" && event["data"]["how"] != "stopped";
    assert!(!world.events().iter().any(ended), "{:?}", world.events());
    world.env.write("../go", "");
    // The agent's end was not observed, so changes soon after the driver's last sign may be the
    // agent's.
    let sign = format!(".sprag/cache/sign-{}", world.run());
    world.env.aged(sign, std::time::Duration::from_secs(5));
    world.env.write("test.sh", "true\n");
    let ran = world.sprag(&["resume", &world.run()]);
    assert_eq!((ran.exit, world.turns()), (Some(0), 2), "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn a_detached_run_goes_on_alone_and_a_pause_lets_nobody_begin() {
    let world = World::new(WAITS);
    let (object, exit) = world.json(&[&TASK[..], &["--detach"]].concat());
    assert_eq!(exit, Some(0), "{object}");
    let run = object["run"].as_str().unwrap().to_owned();
    world.env.wait_until("the agent works", || world.turns() == 1);
    assert_eq!(world.sprag(&["pause", &run]).exit, Some(0));
    world.env.write("../go", "");
    let log = || world.env.read(object["output"].as_str().unwrap()).unwrap_or_default();
    world.env.wait_until("the driver ends", || log().contains("Next sprag resume"));
    assert_eq!(world.turns(), 1, "{}", log());
    assert!(log().contains("Started") && log().contains("held in"), "{}", log());
    assert!(!log().contains('\u{1b}'), "{}", log());

    // Resuming can be detached as well.
    world.env.write("test.sh", "true\n");
    let (again, exit) = world.json(&["resume", &run, "--detach"]);
    assert_eq!((exit, &again["run"]), (Some(0), &object["run"]), "{again}");
    world.env.wait_until("it is done", || log().contains(&format!("Next sprag report {run}")));
    assert_eq!(world.turns(), 2, "{}", log());
}

#[test]
fn a_person_who_is_not_there_is_told_once_by_the_command_of_the_project() {
    let world = World::new("echo good > code.txt");
    world.env.write(".sprag/config.yaml", "v: 1\nnotify: {command: [sh, tell.sh, now]}\n");
    world.env.write("tell.sh", "cat >> ../told; echo \"$# $2\" >> ../told; exit 3\n");
    let ran = world.sprag(&TASK);
    assert_eq!(ran.exit, Some(0), "what goes wrong there does not matter: {}", ran.stdout);
    assert!(ran.stdout.contains("Notify not sent: it exited with 3\n"), "{}", ran.stdout);
    let run = world.run();
    let told = std::fs::read_to_string(world.env.top().join("told")).unwrap();
    let lines: Vec<_> = told.lines().collect();
    let event: serde_json::Value = serde_json::from_str(lines[0]).unwrap();
    assert_eq!((&event["what"], &event["run"]), (&"done".into(), &run.clone().into()));
    assert_eq!(lines[1..], [format!("2 {run} is done; type: sprag report {run}")]);
    assert_eq!(world.count("person.told"), 1);
}

#[test]
fn a_person_is_told_that_they_are_needed_while_others_still_work() {
    // The gate of the first unit cannot run; the agent of the second waits.
    let agent = format!(
        "case $prompt in u2*) until [ -f ../go ]; do sleep 0.01; done ;; esac\n{}",
        inbox::AGENT
    );
    let world = inbox::world(&agent, 2);
    world.env.write("test.sh", "if [ -f u1.txt ]; then kill -9 $$; fi\n");
    world.env.git(&["commit", "-qam", "a test that is killed"]);
    let config = world.env.read(".sprag/config.yaml").unwrap();
    let notify = "notify: {command: [sh, -c, 'echo \"$0\" >> ../told']}\n";
    world.env.write(".sprag/config.yaml", config + notify);
    let mut child = world.start(&["run", "inbox", "--agents", "2"]);
    let told = || std::fs::read_to_string(world.env.top().join("told")).unwrap_or_default();
    world.env.wait_until("the person is told", || told().contains("needs you"));
    assert!(child.try_wait().unwrap().is_none(), "the other one still works");
    world.env.write("../go", "");
    assert_eq!(child.wait().unwrap().code(), Some(3));
    assert_eq!(told().lines().count(), 1, "{}", told());
}

#[test]
fn a_plan_that_asks_needs_a_person_or_the_other_mode() {
    let world = World::new("echo a > a.txt; echo done");
    world.env.write(
        ".gsd/plans/phase-1/plan.md",
        "---\nphase: 1\ntitle: One\n---\n\n<task id=\"01\" wave=\"1\">\n  <files>\n    \
         <file action=\"create\">a.txt</file>\n  </files>\n  <action>\n    Do it.\n  </action>\n  \
         <verify>\n    <check type=\"file\">a.txt exists</check>\n  </verify>\n  <done>a</done>\n\
         </task>\n",
    );
    let ran = world.sprag(&["run", "plan"]);
    assert_eq!((ran.exit, world.turns()), (Some(3), 0), "{}{}", ran.stdout, ran.stderr);
    let asks = "Ready to execute Phase 1: One (1 tasks in 1 waves). Proceed?";
    assert!(ran.stdout.contains(asks), "{}", ran.stdout);
    assert_eq!(world.sprag(&["run", "x", "y", "--mode", "yolo"]).exit, Some(2));
    let ran = world.sprag(&["run", "plan", "--mode", "yolo"]);
    assert!(world.turns() > 0, "{}{}", ran.stdout, ran.stderr);
    assert!(!ran.stdout.contains("Ready to execute"), "{}", ran.stdout);
    assert!(ran.stdout.contains("Started T01"), "{}", ran.stdout);
}

impl World {
    pub(super) fn start_heard(&self, words: &[&str]) -> std::process::Child {
        let mut command = self.command(words);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        command.spawn().unwrap()
    }

    pub(super) fn signal(&self, signal: &str, process: u32) {
        let id = process.to_string();
        assert!(self.env.command("kill").args(["-s", signal, &id]).status().unwrap().success());
    }
}

/// Reads until a word was printed.
pub(super) fn hear(from: &mut impl std::io::Read, word: &str) -> String {
    let (mut heard, mut piece) = (Vec::new(), [0; 256]);
    while !String::from_utf8_lossy(&heard).contains(word) {
        let read = from.read(&mut piece).unwrap();
        assert!(read > 0, "it ended before {word}: {}", String::from_utf8_lossy(&heard));
        heard.extend_from_slice(&piece[..read]);
    }
    String::from_utf8_lossy(&heard).into_owned()
}

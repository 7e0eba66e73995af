//! `sprag run inbox`: agents pull their assignments until none is left, each exactly once.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::Value;
use sprag_testkit::seed::Seed;

use super::World;

/// Writes a file named after its unit.
pub(super) const AGENT: &str =
    "unit=${prompt%%:*}\necho \"$unit\" > \"$unit.txt\"\necho 'All done!'";

const GUARD: &str = "guard:\n  gates:\n    - run: sh test.sh\n  retry: {max: 1}\n";

/// Creates a repository whose gate passes, with `units` open units.
pub(super) fn world(agent: &str, units: usize) -> World {
    let world = World::new(agent);
    world.env.write("code.txt", "good\n");
    world.env.write(".sprag/config.yaml", GUARD);
    world.env.git(&["add", "code.txt"]);
    world.env.git(&["commit", "-qm", "good"]);
    for unit in 1..=units {
        add(&world, &format!("u{unit}"), &[]);
    }
    world
}

fn add(world: &World, unit: &str, more: &[&str]) {
    let title = format!("Write {unit}");
    let words = [&["agent", "work", "add", &title, "--id", unit, "--as", "mayor"][..], more];
    let ran = world.sprag(&words.concat());
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
}

fn status(world: &World, unit: &str) -> String {
    let text = world.env.read(format!(".chipset/state/work/{unit}.json")).unwrap();
    let work: Value = serde_json::from_str(&text).unwrap();
    work["status"].as_str().unwrap().to_owned()
}

/// Returns the units whose assignments were cleared as done, in order; their own runs show that
/// they are proven.
fn passed(world: &World) -> Vec<String> {
    let of = |event: &Value| {
        let ended = event["kind"] == "attempt.ended" && event["data"]["how"] == "claimed";
        let unit = event["data"]["unit"].as_str().filter(|_| event["run"] == "inbox" && ended);
        unit.map(str::to_owned)
    };
    world.events().iter().filter_map(of).collect()
}

/// Asserts that every unit was done once, with this many retries in all, and that its work is
/// merged.
fn each_once(world: &World, units: usize, retries: usize) {
    let names: Vec<_> = (1..=units).map(|unit| format!("u{unit}")).collect();
    let mut all = passed(world);
    all.sort();
    assert_eq!(all, names);
    for unit in &names {
        assert_eq!(status(world, unit), "done");
        assert_eq!(world.env.git(&["show", &format!("sprag/inbox:{unit}.txt")]), *unit);
    }
    let began = |event: &&Value| {
        let run = event["run"].as_str().unwrap_or_default();
        event["kind"] == "attempt.began" && run.starts_with("r-u")
    };
    let events = world.events();
    let began = events.iter().filter(began).count();
    assert_eq!(began, units + retries, "none was charged twice: {events:#?}");
    world.nobody_is_left();
}

#[test]
fn two_agents_share_six_units_and_their_work_is_merged() {
    let world = world(AGENT, 6);
    let head = world.env.git(&["rev-parse", "HEAD"]);
    let ran = world.sprag(&["run", "inbox", "--agents", "2"]);
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    each_once(&world, 6, 0);
    assert_eq!((world.turns(), world.count("work.merged")), (6, 6));
    assert!(ran.stdout.contains("    Assigned u1  worker-1  r-u1-"), "{}", ran.stdout);
    assert!(ran.stdout.contains("6 units"), "{}", ran.stdout);
    let (object, _) = world.json(&["agent", "ls"]);
    let names: Vec<_> =
        object["agents"].as_array().unwrap().iter().map(|row| &row["agent"]).collect();
    assert_eq!(names, ["worker-1", "worker-2"]);
    // The person's own branch and files are unchanged.
    assert_eq!(world.env.git(&["rev-parse", "HEAD"]), head);
    assert_eq!(world.env.read("u1.txt"), None);
    // Another drive finds nothing to do.
    assert_eq!(world.sprag(&["run", "inbox", "--agents", "2"]).exit, Some(0));
    assert_eq!(world.turns(), 6);
}

#[test]
fn each_of_three_assignments_is_proven_by_the_commit_it_was_merged_with() {
    let world = world(AGENT, 3);
    world.env.git(&["add", ".sprag/config.yaml"]);
    world.env.git(&["commit", "-qm", "gates"]);
    let ran = world.sprag(&["run", "inbox", "--agents", "2"]);
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    let events = world.events();
    let runs = events.iter().filter_map(|event| event["run"].as_str());
    let runs: BTreeSet<_> = runs.filter(|run| run.starts_with("r-u")).collect();
    assert_eq!(runs.len(), 3, "{runs:?}");
    let all_proven = |when: &str| {
        for run in &runs {
            let report = world.sprag(&["report", run]).stdout;
            assert!(report.contains(" is done, and proven on the files "), "{when}: {report}");
            assert!(report.contains("Unproven   nothing"), "{when}: {report}");
            let again = world.sprag(&["report", run, "--verify"]);
            assert_eq!(again.exit, Some(0), "{when}: {}{}", again.stdout, again.stderr);
        }
    };
    all_proven("not merged");
    world.env.git(&["merge", "-q", "--no-edit", "sprag/inbox"]);
    all_proven("merged");
    // After a merge the reports are about the person's own files, as for any other run.
    world.env.write("code.txt", "good, and more\n");
    for run in &runs {
        let report = world.sprag(&["report", run]).stdout;
        assert!(report.contains(" is done and was proven; the files "), "{report}");
    }
}

#[test]
fn only_the_assignment_that_changed_a_test_is_told_to_have_changed_it() {
    let agent = format!("case $prompt in u1:*) echo true >> test.sh ;; esac\n{AGENT}");
    let world = world(&agent, 1);
    world.env.git(&["add", ".sprag/config.yaml"]);
    world.env.git(&["commit", "-qm", "gates"]);
    add(&world, "u2", &["--needs", "u1"]);
    let ran = world.sprag(&["run", "inbox", "--agents", "2"]);
    assert_eq!(ran.exit, Some(3), "{}{}", ran.stdout, ran.stderr);
    let is_sent_back = |line: &&str| line.contains("Refused") && line.contains("test.sh");
    let sent_back: Vec<_> = ran.stdout.lines().filter(is_sent_back).collect();
    assert!(matches!(&sent_back[..], [one] if one.contains("u1")), "{}", ran.stdout);
    let events = world.events();
    let run_of = |unit: &str| {
        let mut runs = events.iter().filter_map(|event| event["run"].as_str());
        runs.find(|run| run.starts_with(&format!("r-{unit}-"))).unwrap().to_owned()
    };
    let doubted = |unit: &str| {
        let (report, _) = world.json(&["report", &run_of(unit)]);
        report["doubts"].to_string().contains("test.sh")
    };
    // A change that weakens a gate affects the next assignment as well, whichever agent made it.
    assert_eq!((doubted("u1"), doubted("u2")), (true, true));
    let next = format!("Next sprag approve {}", run_of("u1"));
    assert!(ran.stdout.contains(&next), "{}", ran.stdout);
    // A person who merges it has agreed.
    world.env.git(&["merge", "-q", "--no-edit", "sprag/inbox"]);
    assert_eq!((doubted("u1"), doubted("u2")), (false, false), "merged");
}

#[test]
fn what_an_assignment_takes_from_a_person_is_in_the_summary_of_the_inbox() {
    let agent = format!("rm -f wip.txt; git checkout -q mine.txt\n{AGENT}");
    let world = world(&agent, 1);
    world.env.write("mine.txt", "start\n");
    world.env.git(&["add", "."]);
    world.env.git(&["commit", "-qm", "gates"]);
    world.env.write("mine.txt", "mine\n");
    world.env.write("wip.txt", "mine\n");
    let (object, exit) = world.json(&["run", "inbox"]);
    assert_eq!(exit, Some(3), "{object}");
    let said = serde_json::json!(["your uncommitted edits are gone: mine.txt, wip.txt"]);
    assert_eq!(object["unproven"], said);
}

#[test]
fn the_summary_says_of_the_gates_what_the_reports_of_the_assignments_say() {
    // The agent of the second unit leaves other files behind and is never judged.
    let agent = format!("case $prompt in u2:*) echo new > more.txt; exit 3 ;; esac\n{AGENT}");
    let world = world(&agent, 2);
    let ran = world.sprag(&["run", "inbox"]);
    assert_ne!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    let (object, _) = world.json(&["status"]);
    let runs = object["runs"].as_array().unwrap().iter().filter_map(|run| run["id"].as_str());
    let first = runs.into_iter().find(|run| run.starts_with("r-u1-")).unwrap();
    let unproven = "passed on other files: sh test.sh";
    let report = world.sprag(&["report", first]).stdout;
    assert!(report.contains(&format!("Unproven   {unproven}\n")), "{report}");
    assert!(ran.stdout.contains("1 gate passed\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains(unproven), "{}", ran.stdout);
}

#[test]
fn an_assignment_that_is_cancelled_ends_its_agent_and_nobody_elses() {
    let agent = format!("case $prompt in u1:*) sleep 600; sleep 600 ;; esac\n{AGENT}");
    let world = world(&agent, 3);
    let child = world.start_heard(&["run", "inbox", "--agents", "2"]);
    world.env.wait_until("the others are done", || passed(&world).len() == 2);
    let events = world.events();
    let run = events.iter().filter_map(|event| event["run"].as_str());
    let run = run.into_iter().find(|run| run.starts_with("r-u1-")).unwrap();
    assert_eq!(world.sprag(&["cancel", run]).exit, Some(0));
    let out = child.wait_with_output().unwrap();
    let said = String::from_utf8(out.stdout).unwrap() + &String::from_utf8_lossy(&out.stderr);
    assert_ne!(out.status.code(), Some(10), "{said}");
    assert!(said.contains("Summary inbox"), "{said}");
    assert_ne!(status(&world, "u1"), "done");
    world.nobody_is_left();
}

#[test]
fn an_assignment_that_is_aborted_is_given_back_and_the_abort_answered() {
    let agent = format!("case $prompt in u1:*) sleep 600; sleep 600 ;; esac\n{AGENT}");
    let world = world(&agent, 1);
    let set = ["agent", "set", "polecat-a", "u1", "--as", "mayor"];
    assert_eq!(world.sprag(&set).exit, Some(0));
    let abort = ["agent", "nudge", "send", "polecat-a", "--type", "abort", "not this"];
    let ran = world.sprag(&[&abort[..], &["--as", "mayor"]].concat());
    assert_eq!(ran.exit, Some(0), "{}", ran.stderr);
    let ran = world.sprag(&["run", "inbox"]);
    assert!(ran.stdout.contains("Summary inbox"), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(status(&world, "u1"), "open");
    assert!(ran.stdout.contains("Aborted u1  by mayor: not this"), "{}", ran.stdout);
    let status = world.sprag(&["status", "--plain"]).stdout;
    assert!(!status.contains("NEEDS YOU") && !status.contains("sprag resume"), "{status}");
    let (object, _) = world.json(&["agent", "poll", "polecat-a"]);
    assert_eq!((&object["abort"], &object["status"]), (&Value::Null, &"empty".into()), "{object}");
    world.nobody_is_left();
}

#[test]
fn an_abort_of_the_originals_own_tools_ends_its_agent_and_nobody_elses() {
    let agent = format!("case $prompt in u1:*) sleep 600; sleep 600 ;; esac\n{AGENT}");
    for torn in [false, true] {
        let world = world(&agent, 3);
        let set = ["agent", "set", "polecat-a", "u1", "--as", "mayor"];
        assert_eq!(world.sprag(&set).exit, Some(0));
        let nudges = ".chipset/state/nudge/polecat-a";
        let slot = world.env.read(".chipset/state/hooks/polecat-a.json").unwrap();
        let slot: Value = serde_json::from_str(&slot).unwrap();
        let abort = format!(
            "{{\"from\":\"mayor\",\"type\":\"abort\",\"message\":\"halt\",\
             \"timestamp\":{},\"requires_response\":true}}",
            slot["work_item"]["assigned_at"]
        );
        world.env.write(format!("{nudges}/latest.json"), abort);
        if torn {
            // Then there is no answer where the sender looks for it.
            world.env.write(".chipset/state/nudge/mayor/replies", "");
        }
        let ran = world.sprag(&["run", "inbox", "--agents", "2"]);
        assert!(ran.stdout.contains("Summary inbox"), "{}{}", ran.stdout, ran.stderr);
        assert!(ran.stdout.contains("Aborted u1  by mayor: halt"), "{}", ran.stdout);
        assert_eq!(ran.stdout.contains("it could not be answered: "), torn, "{}", ran.stdout);
        assert_eq!(status(&world, "u1"), "open");
        let mut done = passed(&world);
        done.sort();
        assert_eq!(done, ["u2", "u3"]);
        assert_eq!(world.count("nudge.answered"), usize::from(!torn));
        world.nobody_is_left();
    }
}

#[test]
fn who_is_lost_waits_as_long_as_it_was_lost_whatever_becomes_of_others() {
    let agent = format!(
        "case $prompt in u1:*)\n\
         [ $turn -lt 3 ] || until grep -q '\"done\"' ../project/.chipset/state/work/u2.json; do sleep 0.05; done\n\
         exit 3 ;; esac\n{AGENT}"
    );
    let world = world(&agent, 2);
    let ran = world.sprag(&["run", "inbox", "--agents", "2"]);
    assert_eq!((ran.exit, status(&world, "u2")), (Some(5), "done".to_owned()), "{}", ran.stdout);
    assert_eq!(ran.stdout.matches(", after a loss").count(), 2, "{}", ran.stdout);
}

#[test]
fn a_driver_that_is_killed_is_gone_on_with_and_nothing_is_done_twice() {
    let agent = format!("[ $turn -gt 2 ] || sleep 600\n{AGENT}");
    let world = world(&agent, 4);
    let mut child = world.start(&["run", "inbox", "--agents", "2"]);
    world.env.wait_until("two agents at work", || world.turns() == 2);
    let gone = "paused: its driver is gone\n     sprag run inbox\n";
    let status = || world.sprag(&["status"]).stdout;
    assert!(!status().contains("NEEDS YOU"), "{}", status());
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(status().matches(gone).count(), 2, "{}", status());
    assert!(status().ends_with("\nNext: sprag run inbox\n"), "{}", status());
    let ran = world.sprag(&["run", "inbox", "--agents", "2"]);
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    each_once(&world, 4, 0);
    assert_eq!(world.turns(), 6);
}

#[test]
fn a_branch_that_is_removed_with_its_driver_is_put_back_with_all_that_is_merged() {
    // The first ends after the second; the third removes the branch into which they are merged.
    let agent = format!(
        "unit=${{prompt%%:*}}\n\
         is_done() {{ until grep -q '\"done\"' ../project/.chipset/state/work/$1.json; do sleep 0.05; done; }}\n\
         case $unit in u1) is_done u2 ;;\n\
         u3) [ -e ../removed ] || {{ is_done u1; is_done u2; : > ../removed\n\
         git update-ref -d refs/heads/sprag/inbox; kill -9 $PPID; sleep 0.1; }} ;; esac\n{AGENT}"
    );
    let world = world(&agent, 3);
    assert_eq!(world.sprag(&["run", "inbox", "--agents", "2"]).exit, None);
    let ran = world.sprag(&["run", "inbox", "--agents", "2"]);
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    each_once(&world, 3, 0);
}

#[test]
fn drivers_that_are_killed_at_random_lose_nothing() {
    let world = world(AGENT, 6);
    let mut seed = Seed::new(7);
    for _ in 0..6 {
        let mut child = world.start(&["run", "inbox", "--agents", "2"]);
        std::thread::sleep(Duration::from_millis(seed.below(400) as u64));
        let _ = child.kill();
        child.wait().unwrap();
    }
    let ran = world.sprag(&["run", "inbox", "--agents", "2"]);
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    each_once(&world, 6, 0);
}

#[test]
fn a_unit_whose_gate_never_passes_is_held_and_the_others_end() {
    let agent = format!(
        "{AGENT}\n[ -e ../mended ] && echo good > code.txt && exit\n\
         [ $unit != u2 ] || echo \"bad $turn\" > code.txt"
    );
    let world = world(&agent, 4);
    let (object, exit) = world.json(&["run", "inbox", "--agents", "2"]);
    assert_eq!(exit, Some(5), "{object}");
    assert_eq!(
        (&object["proven_units"], &object["outcome"]),
        (&3.into(), &"held".into()),
        "{object}"
    );
    let mut all = passed(&world);
    all.sort();
    assert_eq!(all, ["u1", "u3", "u4"]);
    assert_eq!(status(&world, "u2"), "in_progress");
    // It is reported once, by its run, which a person resumes.
    let human = object["next"]["human"].as_array().unwrap();
    assert_eq!(human.len(), 1, "{object}");
    let resume = human[0].as_str().unwrap();
    assert!(resume.starts_with("sprag resume r-u2-"), "{resume}");
    // Another drive does not touch it.
    let turns = world.turns();
    let (again, exit) = world.json(&["run", "inbox", "--agents", "2"]);
    assert_eq!((exit, world.turns()), (Some(5), turns), "{again}");
    // A person resumes it alone; the next driver clears the assignment.
    world.env.write("../mended", "");
    let ran = world.sprag(&["resume", resume.trim_start_matches("sprag resume ")]);
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(world.sprag(&["run", "inbox", "--agents", "2"]).exit, Some(0));
    each_once(&world, 4, 2);
    world.nobody_is_left();
}

#[test]
fn one_agent_works_in_the_project_and_the_urgent_comes_first() {
    let world = world(AGENT, 1);
    add(&world, "a1", &["--priority", "P3"]);
    add(&world, "z1", &["--priority", "P1", "--needs", "u1"]);
    add(&world, "z2", &["--priority", "P1", "--about", "In letters."]);
    let ran = world.sprag(&["run", "inbox"]);
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(passed(&world), ["z2", "u1", "z1", "a1"]);
    assert_eq!(world.env.read("z2.txt").as_deref(), Some("z2\n"));
    let told = "z2: Write z2\n\nIn letters.\n\nWhen you stop, this is checked: `sh test.sh`.";
    assert_eq!(world.told(1), told);
}

#[test]
fn without_gates_an_end_is_a_claim_and_said_to_be_one() {
    let world = world(AGENT, 2);
    world.env.write(".sprag/config.yaml", "v: 1\n");
    let (object, exit) = world.json(&["run", "inbox"]);
    assert_eq!(
        (exit, &object["claimed"], &object["proven_units"]),
        (Some(0), &2.into(), &0.into())
    );
    assert_eq!(object["claims"], serde_json::json!(["u1", "u2"]));
}

#[test]
fn work_of_another_session_is_left_alone_and_what_is_pending_is_begun() {
    let world = world(AGENT, 0);
    for (agent, unit) in [("polecat-alpha", "u1"), ("polecat-beta", "u2")] {
        let words = ["agent", "set", agent, unit, "--title", "Write it", "--as", "mayor"];
        assert_eq!(world.sprag(&words).exit, Some(0));
    }
    let words = ["agent", "activate", "polecat-alpha", "--as", "polecat-alpha"];
    assert_eq!(world.sprag(&words).exit, Some(0));
    let ran = world.sprag(&["run", "inbox"]);
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert_eq!((passed(&world), world.turns()), (vec!["u2".to_owned()], 1));
    assert_eq!(status(&world, "u1"), "in_progress");
    let (object, _) = world.json(&["agent", "poll", "polecat-alpha"]);
    assert_eq!(object["status"], "active", "{object}");
}

#[test]
fn an_agent_that_changes_the_gates_of_the_project_is_judged_by_those_before() {
    let agent = format!("{AGENT}\necho bad > code.txt; echo 'v: 1' > .sprag/config.yaml");
    let world = world(&agent, 1);
    let (object, exit) = world.json(&["run", "inbox"]);
    // The earlier gate fails, and nothing improves: the retry limit applies and is not bypassed.
    assert_eq!((exit, &object["proven_units"]), (Some(5), &0.into()), "{object}");
    // Accepting the change does not change the gates of this assignment.
    let resume = object["next"]["human"][0].as_str().unwrap().to_owned();
    let ran = world.sprag(&resume.split(' ').skip(1).collect::<Vec<_>>());
    assert_eq!(ran.exit, Some(5), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(passed(&world), Vec::<String>::new());
}

#[test]
fn an_interrupt_pauses_and_the_same_command_goes_on() {
    let agent = format!("[ $turn -gt 1 ] || sleep 600\n{AGENT}");
    let world = world(&agent, 2);
    let mut child = world.start(&["run", "inbox"]);
    world.env.wait_until("an agent at work", || world.turns() == 1);
    let pid = child.id().to_string();
    assert!(world.env.command("kill").args(["-INT", &pid]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(3));
    world.nobody_is_left();
    // The agents and their number need not be given again.
    let again = world.env.command(&world.sprag).args(["run", "inbox"]).output().unwrap();
    assert_eq!(again.status.code(), Some(0), "{}", String::from_utf8_lossy(&again.stderr));
    assert_eq!((passed(&world), world.turns()), (vec!["u1".to_owned(), "u2".to_owned()], 3));
}

#[test]
fn what_cannot_be_read_is_never_nothing_left() {
    let world = world(AGENT, 2);
    world.env.write(".chipset/state/work/u1.json", "{\n");
    let next = world.sprag(&["next", "inbox"]);
    assert_eq!((next.exit, next.stdout.lines().next()), (Some(0), Some("u2: Write u2")));
    let ran = world.sprag(&["run", "inbox"]);
    assert_eq!(ran.exit, Some(9), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(status(&world, "u2"), "done", "what can be read is worked on");
    let next = world.sprag(&["next", "inbox"]);
    assert_eq!(next.exit, Some(9), "{}", next.stdout);
    assert!(next.stderr.contains(".chipset/state/work/u1.json"), "{}", next.stderr);
    world.env.remove(".chipset/state/work/u1.json");
    world.env.write(".chipset/state/hooks/worker-1.json", "{\n");
    let next = world.sprag(&["next", "inbox"]);
    assert_eq!(next.exit, Some(9), "{}", next.stdout);
    assert!(next.stderr.contains(".chipset/state/hooks/worker-1.json"), "{}", next.stderr);
}

#[test]
fn a_unit_that_somebody_else_took_off_is_open_for_everybody() {
    let world = world(AGENT, 2);
    add(&world, "u3", &["--needs", "u2"]);
    let agent = |words: &str| {
        let words: Vec<&str> = ["agent"].into_iter().chain(words.split(' ')).collect();
        world.sprag(&words)
    };
    let clear = |name: &str| {
        let empty = format!("{{\"agent_id\": \"{name}\", \"status\": \"empty\"}}\n");
        world.env.write(format!(".chipset/state/hooks/{name}.json"), empty);
    };
    for words in ["set al u1 --as mayor", "set be u2 --as mayor", "activate be", "complete be"] {
        let ran = agent(words);
        assert_eq!(ran.exit, Some(0), "{words}: {}", ran.stderr);
    }
    clear("al");
    let next = world.sprag(&["next", "inbox"]);
    assert_eq!(next.stdout.lines().next(), Some("u1: Write u1"), "{}", next.stderr);
    let given = agent("set cy u1 --as mayor");
    assert_eq!(given.exit, Some(0), "{}", given.stderr);
    clear("cy");
    // A completed unit counts as verified.
    clear("be");
    let ran = world.sprag(&["run", "inbox"]);
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert_eq!((status(&world, "u1"), status(&world, "u3")), ("done".into(), "done".into()));
    assert_eq!(world.count("assignment.adopted"), 2, "al's and cy's");
}

//! Questions to a person at a terminal during a run, and the effect of the answers.

use std::io::Write as _;

use super::World;
use super::face::hear;
use super::terminal::rest;

const PLAN: &str = "---\nphase: 1\ntitle: One\n---\n\n<task id=\"01\" wave=\"1\">\n  <files>\n    \
    <file action=\"create\">a.txt</file>\n  </files>\n  <action>\n    Do a.\n  </action>\n  \
    <verify>\n    <check type=\"file\">a.txt exists</check>\n  </verify>\n  <done>a</done>\n\
    </task>\n\n<task id=\"02\" wave=\"2\">\n  <files>\n    <file action=\"create\">b.txt</file>\n  \
    </files>\n  <action>\n    Do b.\n  </action>\n  <verify>\n    \
    <check type=\"file\">b.txt exists</check>\n  </verify>\n  <done>b</done>\n</task>\n";

#[test]
fn a_plan_asks_in_its_own_words_and_again_where_it_is_answered_neither_yes_nor_no() {
    let world = World::new("echo a > a.txt; echo 'TASK COMPLETE'");
    world.env.write(".gsd/plans/phase-1/plan.md", PLAN);
    let mut child = world.on_terminal(&["run", "plan", "--mode", "interactive"]);
    let (mut out, mut typed) = (child.stdout.take().unwrap(), child.stdin.take().unwrap());
    hear(&mut out, "One (2 tasks in 2 waves). Proceed? [Y/n] ");
    typed.write_all(b"maybe\n").unwrap();
    hear(&mut out, "Type y or n: ");
    assert_eq!(world.turns(), 0);
    // An empty answer means yes.
    typed.write_all(b"\n").unwrap();
    hear(&mut out, "Wave 1 complete. Continue to Wave 2? [Y/n] ");
    assert_eq!(world.turns(), 1);
    typed.write_all(b"n\n").unwrap();
    let said = rest(&mut out);
    assert_eq!((child.wait().unwrap().code(), world.turns()), (Some(3), 1), "{said}");
    assert!(said.contains("user declined") && said.contains("sprag resume r-"), "{said}");
}

/// Creates a world with a plan that does not ask, and an agent that runs `first` and then does each
/// task.
fn planned(first: &str) -> World {
    let work = "case \"$prompt\" in *'Do a.'*) touch a.txt;; *'Do b.'*) touch b.txt;; *) printf '## Status: \
                passed\\n\\n%s\\n' $turn > .gsd/plans/phase-1/VERIFICATION.md;; esac; echo 'TASK COMPLETE'";
    let world = World::new(&format!("{first}\n{work}"));
    world.env.write(".gsd/plans/phase-1/plan.md", PLAN);
    world.env.write(".gsd/config.md", "---\nmode: yolo\n---\n");
    world
}

/// Makes the first agent ask.
const CHECKPOINT: &str = "[ $turn = 1 ] && { echo 'CHECKPOINT: tea or coffee'; exit; }";

#[test]
fn a_plan_that_is_told_to_ask_asks_before_its_first_agent() {
    let world = planned("");
    let ran = world.sprag(&["run", "plan", "--mode", "interactive"]);
    assert_eq!((ran.exit, world.turns()), (Some(3), 0), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("One (2 tasks in 2 waves). Proceed?"), "{}", ran.stdout);
    // Resuming is no answer.
    let ran = world.sprag(&["resume", &world.run()]);
    assert_eq!((ran.exit, world.turns()), (Some(3), 0), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(world.sprag(&["approve", &world.run()]).exit, Some(0));
    let ran = world.sprag(&["resume", &world.run()]);
    assert_eq!((ran.exit, world.turns()), (Some(3), 1), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("Continue to Wave 2?"), "{}", ran.stdout);
}

#[test]
fn an_answer_reaches_the_agent_that_asked() {
    let world = planned(CHECKPOINT);
    assert_eq!(world.sprag(&["run", "plan"]).exit, Some(3));
    // Resuming is no answer: no agent works, and the question is asked again.
    let ran = world.sprag(&["resume", &world.run()]);
    assert_eq!((ran.exit, world.turns()), (Some(3), 1), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(world.sprag(&["approve", &world.run()]).exit, Some(0));
    let ran = world.sprag(&["resume", &world.run()]);
    assert_eq!((ran.exit, world.turns()), (Some(0), 4), "{}{}", ran.stdout, ran.stderr);
    assert!(world.told(2).contains("<decision>"), "{}", world.told(2));

    let world = planned(CHECKPOINT);
    let mut child = world.on_terminal(&["run", "plan"]);
    let (mut out, mut typed) = (child.stdout.take().unwrap(), child.stdin.take().unwrap());
    hear(&mut out, "\ntea or coffee ");
    typed.write_all(b"coffee\n").unwrap();
    let said = rest(&mut out);
    assert_eq!((child.wait().unwrap().code(), world.turns()), (Some(0), 4), "{said}");
    assert!(world.told(2).contains("<decision>coffee</decision>"), "{}", world.told(2));
}

#[test]
fn what_was_begun_before_a_plan_was_to_ask_goes_on() {
    let world = planned(CHECKPOINT);
    assert_eq!(world.sprag(&["run", "plan"]).exit, Some(3));
    world.env.write(".gsd/config.md", "---\nmode: interactive\n---\n");
    assert_eq!(world.sprag(&["approve", &world.run()]).exit, Some(0));
    let ran = world.sprag(&["resume", &world.run()]);
    assert_eq!((ran.exit, world.turns()), (Some(3), 2), "{}{}", ran.stdout, ran.stderr);
    assert!(world.env.read("a.txt").is_some());
    assert!(ran.stdout.contains("Continue to Wave 2?"), "{}", ran.stdout);
}

#[test]
fn what_nobody_can_go_on_with_is_not_waited_for() {
    let world = planned(CHECKPOINT);
    assert_eq!(world.sprag(&["run", "plan"]).exit, Some(3));
    // A person removes the task whose agent asked.
    let (from, to) = (PLAN.find("<task id=\"01\"").unwrap(), PLAN.find("<task id=\"02\"").unwrap());
    let without = format!("{}{}", &PLAN[..from], &PLAN[to..]);
    world.env.write(".gsd/plans/phase-1/plan.md", without);
    assert_eq!(world.sprag(&["approve", &world.run()]).exit, Some(0));
    let ran = world.sprag(&["resume", &world.run()]);
    assert_eq!((ran.exit, world.turns()), (Some(0), 3), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(world.count("attempt.lost"), 1);
}

/// Creates a world with a workflow whose only phase needs a person's approval.
fn needs_approval() -> World {
    let world = World::new("echo plan > PLAN.md; echo done");
    let dev = ".sprag/workflows/dev";
    let workflow = "name: Dev\ncommandName: dev\ninitialMessage: 'Begin'\nphases: [plan.md]\n";
    world.env.write(format!("{dev}/workflow.yaml"), workflow);
    let plan = "---\nid: plan\nname: Plan\nemoji: P\ngates:\n  - file: PLAN.md\n  \
                - human: approve PLAN.md\n---\nPlan it.\n";
    world.env.write(format!("{dev}/plan.md"), plan);
    let notify = "v: 1\nnotify: {command: [sh, -c, 'echo \"$0\" >> ../told']}\n";
    world.env.write(".sprag/config.yaml", notify);
    world
}

#[test]
fn a_human_gate_is_asked_at_the_terminal_and_whoever_went_away_is_told_meanwhile() {
    let world = needs_approval();
    let mut child = world.on_terminal(&["run", "dev", "Do it"]);
    let (mut out, mut typed) = (child.stdout.take().unwrap(), child.stdin.take().unwrap());
    hear(&mut out, "approve PLAN.md\r\nApprove? [y/N] ");
    let told = || std::fs::read_to_string(world.env.top().join("told")).unwrap();
    assert!(told().contains("needs you: asks: approve PLAN.md; type: sprag approve"), "{}", told());
    typed.write_all(b"y\n").unwrap();
    let said = rest(&mut out);
    assert_eq!(child.wait().unwrap().code(), Some(0), "{said}");
    let told = told();
    let lines: Vec<_> = told.lines().collect();
    assert!(lines.len() == 2 && lines[1].contains("is done"), "{told}");
}

#[test]
fn what_waits_for_a_word_is_the_next_command_and_what_is_open_is_not_proven() {
    let world = needs_approval();
    let ran = world.sprag(&["run", "dev", "Do it"]);
    assert_eq!(ran.exit, Some(3), "{}{}", ran.stdout, ran.stderr);
    let next = format!("Next sprag approve {}\n", world.run());
    assert!(ran.stdout.ends_with(&next), "{}", ran.stdout);

    let world = World::new("echo $turn >> a.txt; echo 'TASK COMPLETE'");
    world.env.write(".gsd/plans/phase-1/plan.md", PLAN);
    world.env.write(".gsd/config.md", "---\nmode: yolo\n---\n");
    let ran = world.sprag(&["run", "plan"]);
    assert_eq!(ran.exit, Some(5), "{}{}", ran.stdout, ran.stderr);
    let open = "Unproven 1 of 2 tasks not done: T02; fails: b.txt exists; passed on other files: \
                a.txt exists\n";
    let summary = ran.stdout.replace("\n             ", " ");
    assert!(summary.contains(open), "{}", ran.stdout);
}

#[test]
fn ctrl_c_at_a_question_ends_and_says_on_a_line_of_its_own_how_to_go_on() {
    let world = needs_approval();
    let mut child = world.on_terminal(&["run", "dev", "Do it"]);
    let (mut out, mut typed) = (child.stdout.take().unwrap(), child.stdin.take().unwrap());
    hear(&mut out, "Approve? [y/N] ");
    typed.write_all(b"\x03").unwrap();
    let said = rest(&mut out);
    // As `script` reports a signal.
    assert_eq!(child.wait().unwrap().code(), Some(130), "{said}");
    let end = said.lines().rev().find(|line| line.contains("sprag resume r-"));
    assert!(end.is_some_and(|line| !line.contains("Approve")), "{said}");
    assert!(said.lines().any(|line| line.contains("at once") && !line.contains("^C")), "{said}");
    world.nobody_is_left();
}

#[test]
fn ctrl_c_at_a_question_of_a_plan_ends_and_says_how_to_go_on_and_nothing_is_answered() {
    let world = planned("");
    for (question, turns) in [("Proceed? [Y/n] ", 0), ("Continue to Wave 2? [Y/n] ", 1)] {
        let words: &[&str] = &["run", "plan", "--mode", "interactive"];
        let run = (turns > 0).then(|| world.run());
        let words = run.as_ref().map_or(words.to_vec(), |run| vec!["resume", run]);
        let mut child = world.on_terminal(&words);
        let (mut out, mut typed) = (child.stdout.take().unwrap(), child.stdin.take().unwrap());
        if turns > 0 {
            hear(&mut out, "Proceed? [Y/n] ");
            typed.write_all(b"y\n").unwrap();
        }
        hear(&mut out, question);
        typed.write_all(b"\x03").unwrap();
        let said = rest(&mut out);
        assert_eq!((child.wait().unwrap().code(), world.turns()), (Some(130), turns), "{said}");
        let line = format!("sprag resume {}", world.run());
        let end = said.lines().rev().find(|said| said.contains(&line));
        assert!(end.is_some_and(|end| !end.contains("[Y/n]")), "{said}");
        world.nobody_is_left();
    }
}

#[test]
fn whoever_closes_the_input_or_says_no_leaves_it_held() {
    for answer in ["n\n", "\x04"] {
        let world = needs_approval();
        let mut child = world.on_terminal(&["run", "dev", "Do it"]);
        let (mut out, mut typed) = (child.stdout.take().unwrap(), child.stdin.take().unwrap());
        hear(&mut out, "Approve? [y/N] ");
        typed.write_all(answer.as_bytes()).unwrap();
        let said = rest(&mut out);
        assert_eq!(child.wait().unwrap().code(), Some(3), "{said}");
        assert!(said.contains("sprag approve r-"), "{said}");
        let beside = said.lines().next().unwrap();
        assert!(!beside.contains("Summary"), "it has a line of its own: {said}");
    }
}

#[test]
fn whoever_does_not_let_its_commands_run_has_no_run_left() {
    for answer in ["n\n", "\x03", "\x04"] {
        let world = needs_approval();
        let agent = world.host();
        let words = ["run", "dev", "Do it", "--host", &agent];
        let mut child = world.on_terminal(&words);
        let (mut out, mut typed) = (child.stdout.take().unwrap(), child.stdin.take().unwrap());
        hear(&mut out, "Let this run on your machine? [y/N] ");
        typed.write_all(answer.as_bytes()).unwrap();
        let said = rest(&mut out);
        assert_eq!((child.wait().unwrap().code(), world.turns()), (Some(3), 0), "{said}");
        assert_eq!((world.count("run.started"), world.count("run.cancelled")), (1, 1), "{said}");
    }
}

#[test]
fn a_command_that_nobody_let_run_holds_before_the_first_agent() {
    let world = needs_approval();
    add_phase(&world, "  - run: sh test.sh\n");
    let host = World::agent(&world.env, "agent.sh", "echo good > code.txt; echo p > PLAN.md");
    let plan = world.env.read(".sprag/workflows/dev/plan.md").unwrap();
    let plan = plan.replace("  - human: approve PLAN.md\n", "");
    world.env.write(".sprag/workflows/dev/plan.md", plan);
    let (object, exit) = world.json(&["run", "dev", "Do it", "--host", &host]);
    assert_eq!((exit, world.turns()), (Some(3), 0), "{object}");
    // The notification command needs approval too.
    let why = r#"`sh -c 'echo "$0" >> ../told'` and `sh test.sh` is not yet allowed to run here"#;
    assert_eq!(object["why"], why, "{object}");
    let approve = format!("sprag approve {}", world.run());
    assert_eq!(object["next"]["human"], serde_json::json!([approve]), "{object}");
    assert_eq!(world.sprag(&["resume", &world.run()]).exit, Some(3), "it asks again");
    assert_eq!((world.sprag(&["approve", &world.run()]).exit, world.turns()), (Some(0), 0));
    let ran = world.sprag(&["resume", &world.run()]);
    assert_eq!((ran.exit, world.turns()), (Some(0), 2), "{}{}", ran.stdout, ran.stderr);
}

/// Adds a phase with the gates of the first, and with another question or none.
fn add_phase(world: &World, asks: &str) {
    let plan = world.env.read(".sprag/workflows/dev/plan.md").unwrap();
    let build = plan.replace("id: plan", "id: build").replace("  - human: approve PLAN.md\n", asks);
    world.env.write(".sprag/workflows/dev/build.md", build);
    let flow = world.env.read(".sprag/workflows/dev/workflow.yaml").unwrap();
    let flow = flow.replace("[plan.md]", "[plan.md, build.md]");
    world.env.write(".sprag/workflows/dev/workflow.yaml", flow);
}

#[test]
fn an_answer_starts_no_agents_and_says_what_is_typed_next() {
    for words in [&["approve"][..], &["approve", "approve PLAN.md", "--waive", "not now"]] {
        let world = needs_approval();
        add_phase(&world, "");
        assert_eq!(world.sprag(&["run", "dev", "Do it"]).exit, Some(3));
        let next = format!("sprag resume {}", world.run());
        let said = world.sprag(words);
        assert!(said.stdout.ends_with(&format!("\nNext: {next}\n")), "{}", said.stdout);
        assert_eq!(world.sprag(&["resume", &world.run()]).exit, Some(0));
    }

    let world = needs_approval();
    add_phase(&world, "");
    assert_eq!(world.sprag(&["run", "dev", "Do it"]).exit, Some(3));
    let next = format!("sprag resume {}", world.run());
    assert_eq!(world.json(&["approve"]).0["next"]["human"], serde_json::json!([next]));
}

#[test]
fn what_waits_again_in_the_same_words_is_told_again() {
    let told = |world: &World| {
        let told = std::fs::read_to_string(world.env.top().join("told")).unwrap_or_default();
        told.lines().filter(|line| line.contains("needs you")).count()
    };
    // Another unit asks the same.
    let world = needs_approval();
    add_phase(&world, "  - human: approve PLAN.md\n");
    assert_eq!((world.sprag(&["run", "dev", "Do it"]).exit, told(&world)), (Some(3), 1));
    assert_eq!(world.sprag(&["approve"]).exit, Some(0));
    assert_eq!((world.sprag(&["resume", &world.run()]).exit, told(&world)), (Some(3), 2));
    assert_eq!(world.sprag(&["approve"]).exit, Some(0));

    // The same unit is held again after a person resumed it.
    let world = World::new("echo done");
    let notify = "v: 1\nnotify: {command: [sh, -c, 'echo \"$0\" >> ../told']}\n";
    world.env.write(".sprag/config.yaml", notify);
    let ran = world.sprag(&["run", "Be good", "--until", "sh test.sh"]);
    assert_eq!((ran.exit, told(&world)), (Some(5), 1), "{}", ran.stdout);
    let ran = world.sprag(&["resume", &world.run()]);
    assert_eq!((ran.exit, told(&world)), (Some(5), 2), "{}", ran.stdout);
}

#[test]
fn who_is_told_of_a_command_that_prints_nothing_reads_a_sentence() {
    let world = World::new("echo done");
    let notify = "v: 1\nnotify: {command: [sh, -c, 'echo \"$0\" >> ../told']}\n";
    world.env.write(".sprag/config.yaml", notify);
    let ran = world.sprag(&["run", "Do it", "--until", "false"]);
    let told = std::fs::read_to_string(world.env.top().join("told")).unwrap();
    let run = world.run();
    let why =
        format!("{run} needs you: no progress: `task`: false fails; type: sprag resume {run}\n");
    assert_eq!(told, why, "{}{}", ran.stdout, ran.stderr);
}

//! Agents without host hooks that write into the state of their own run.

use super::{Ran, World, together};

fn driven(agent: &str) -> (World, Ran) {
    let world = World::new(agent);
    let ran = world.sprag(&["run", "Be good", "--until", "sh test.sh"]);
    (world, ran)
}

#[test]
fn a_changed_state_is_held_and_a_person_takes_it_as_theirs() {
    for (what, change) in [
        ("run.yaml", "echo '# mine' >> .sprag/runs/$SPRAG_RUN/run.yaml"),
        (
            "agents.json",
            "sed -i 's/\"agents\": 1/\"agents\": 1 /' .sprag/runs/$SPRAG_RUN/agents.json",
        ),
    ] {
        let world = World::new(&format!("{change}; echo good > code.txt"));
        let (object, exit) = world.json(&["run", "Be good", "--until", "sh test.sh"]);
        assert_eq!((exit, world.turns()), (Some(3), 1), "{what}: {object}");
        let said = format!("{what}` changed while `agent.sh` worked; `sprag resume` takes it as");
        assert!(object["why"].as_str().unwrap().contains(&said), "{what}: {object}");
        assert_eq!(world.count("gate.receipt"), 0, "{what}: nothing is judged before");
        let ran = world.sprag(&["resume", &world.run()]);
        assert_eq!((ran.exit, world.turns()), (Some(0), 1), "{what}: {}{}", ran.stdout, ran.stderr);
    }
}

#[test]
fn a_configuration_that_an_agent_brings_waits_for_a_person() {
    let world = World::new("echo 'tests: name' > .sprag/config.yaml; echo good > code.txt");
    let (object, exit) = world.json(&["run", "Be good", "--until", "sh test.sh"]);
    assert_eq!((exit, world.turns()), (Some(3), 2), "{object}");
    assert!(object["why"].as_str().unwrap().contains(".sprag/config.yaml"), "{object}");
}

#[test]
fn one_that_writes_that_its_run_is_over_is_held() {
    let without = "awk '/^attempts:/ {skip = 1; next} /^[a-z]/ {skip = 0} !skip' $run > ../new; \
                   cat ../new > $run";
    let green = "sed -i 's/^  start: \\(.*\\)/&\\n  green: \\1/' $run";
    for change in
        [&format!("{without}; {green}"), "echo 'ended: \"2026-01-01T00:00:00.000Z\"' >> $run"]
    {
        let (world, ran) = driven(&format!("run=.sprag/runs/$SPRAG_RUN/run.yaml; {change}"));
        assert_eq!((ran.exit, world.turns()), (Some(3), 1), "{}{}", ran.stdout, ran.stderr);
        let said = "run.yaml` changed while `agent.sh` worked";
        assert!(ran.stdout.contains(said), "{change}: {}", ran.stdout);
    }
}

#[test]
fn who_cleans_up_and_commits_everything_takes_no_state_along() {
    let clean = "git clean -fdq; git add -A; git commit -qm all --allow-empty";
    let (world, ran) = driven(&format!("{clean}; echo good > code.txt"));
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(world.env.git(&["ls-files", ".sprag"]), "");
    // A lost one is restored.
    world.env.remove(".sprag/.gitignore");
    assert_eq!(world.sprag(&["run", "Again", "--until", "true"]).exit, Some(0));
    assert_eq!(world.env.git(&["status", "--short", ".sprag"]), "");
}

#[test]
fn a_ruined_state_ends_it_with_who_had_the_turn_and_what_to_do() {
    for (why, ruin) in [
        ("`.sprag` is gone", "rm -rf .sprag"),
        ("`.sprag` is gone", "git clean -fdxq"),
        ("agents.json: ", "echo '{{{' > .sprag/runs/$SPRAG_RUN/agents.json"),
        ("`.sprag/journal` is gone", "rm -rf .sprag/journal"),
        ("`.sprag/journal` is gone", "find .sprag/journal -type f -delete"),
        ("run.yaml", "rm .sprag/runs/$SPRAG_RUN/run.yaml"),
        ("/receipts` ", "ln -s ../.. .sprag/runs/$SPRAG_RUN/receipts"),
        ("/output` ", "echo > .sprag/runs/$SPRAG_RUN/output"),
    ] {
        let (world, ran) = driven(&format!("{ruin}; (setsid sleep 600 &); echo good > code.txt"));
        assert_eq!((ran.exit, world.turns()), (Some(9), 1), "{why}: {}{}", ran.stdout, ran.stderr);
        let flat = ran.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains("ruined while `agent.sh` worked on `task`"), "{}", ran.stderr);
        assert!(flat.contains(why) && flat.contains("sprag doctor"), "{why}: {}", ran.stderr);
        world.nobody_is_left();
        if why == "`.sprag` is gone" {
            assert!(!world.env.project().join(".sprag/runs").exists(), "nothing is made anew");
            let said = world.sprag(&["doctor"]).stderr;
            assert!(said.contains("the journal was gone; restored it"), "{said}");
            assert!(world.env.project().join(".sprag/runs").exists(), "a person's command does");
        }
    }
}

#[test]
fn a_change_of_the_agent_of_a_killed_driver_is_held_by_the_next_one() {
    let world = World::new(
        "[ $turn = 1 ] && { echo '# mine' >> .sprag/runs/$SPRAG_RUN/run.yaml; kill -9 $PPID; \
         sleep 600; }\necho good > code.txt",
    );
    world.sprag(&["run", "Be good", "--until", "sh test.sh"]);
    let run = world.run();
    let ran = world.sprag(&["run", &run]);
    assert_eq!((ran.exit, world.turns()), (Some(3), 1), "{}{}", ran.stdout, ran.stderr);
    let ran = world.sprag(&["resume", &run]);
    assert_eq!((ran.exit, world.turns()), (Some(0), 2), "{}{}", ran.stdout, ran.stderr);
    world.nobody_is_left();
}

#[test]
fn a_journal_that_is_gone_with_its_driver_is_restored_and_the_next_one_holds_the_run() {
    let world = World::new(
        "[ $turn = 1 ] && { rm -rf .sprag/journal; kill -9 $PPID; sleep 600; }\n\
         echo good > code.txt",
    );
    world.sprag(&["run", "Be good", "--until", "sh test.sh"]);
    let runs = world.env.project().join(".sprag/runs");
    let run = std::fs::read_dir(runs).unwrap().next().unwrap().unwrap().file_name();
    let run = run.into_string().unwrap();
    let ran = world.sprag(&["run", &run]);
    assert_eq!((ran.exit, world.turns()), (Some(3), 1), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains("the journal was gone; restored it"), "{}", ran.stderr);
    assert!(ran.stdout.contains("`.sprag/journal` changed while"), "{}", ran.stdout);
    let ran = world.sprag(&["resume", &run]);
    assert_eq!((ran.exit, world.turns()), (Some(0), 2), "{}{}", ran.stdout, ran.stderr);
    world.nobody_is_left();
}

/// A plan of one task that never succeeds, and an agent that makes this change to `STATE.md`.
fn planned(change: &str) -> World {
    let world = World::new(&format!("echo $turn > b.txt; {change}; echo 'TASK COMPLETE'"));
    let plan = "---\nphase: 1\ntitle: One\n---\n\n<task id=\"01\" wave=\"1\">\n  <files>\n    \
        <file action=\"create\">a.txt</file>\n  </files>\n  <action>\n    Do a.\n  </action>\n  \
        <verify>\n    <check type=\"file\">a.txt exists</check>\n  </verify>\n  <done>a</done>\n\
        </task>\n";
    world.env.write(".gsd/plans/phase-1/plan.md", plan);
    world.env.write(".gsd/config.md", "---\nmode: yolo\n---\n");
    world
}

#[test]
fn who_changes_what_its_own_plan_is_judged_by_is_judged_by_the_text_before() {
    for (doc, change) in [
        // A check that cannot be decided leaves nothing that could fail.
        (".gsd/plans/phase-1/plan.md", "sed -i 's/a.txt exists/all is well/'"),
        (".gsd/config.md", "sed -i 's/mode: yolo/mode: yolo\\nmax_parallel: 9/'"),
    ] {
        let world = planned(&format!("{change} {doc}"));
        let (object, exit) = world.json(&["run", "plan"]);
        assert_eq!((exit, world.turns()), (Some(5), 3), "{object}");
        let why = object["why"].as_str().unwrap();
        assert!(why.contains("`a.txt exists` failed 3 times in the same way"), "{object}");
    }
}

const PHASE: &str = ".gsd/plans/phase-1/plan.md";

/// Four tasks, and an agent that does more when its prompt contains these words.
fn together_with(when: &str, more: &str) -> World {
    let world = together::world(1);
    let script = world.env.read("../agent.sh").unwrap();
    let own = format!("case \"$prompt\" in {when}) {more} ;; esac\ncase \"$prompt\" in");
    world.env.write("../agent.sh", script.replacen("case \"$prompt\" in", &own, 1));
    world
}

/// Asserts that a run waits for a person because of its plan, also when it is run again.
fn waits_for_plan(world: &World, (object, exit): (serde_json::Value, Option<i32>)) {
    assert_eq!(exit, Some(3), "{object}");
    let why = object["why"].as_str().unwrap();
    assert!(why.contains(&format!("the agent changed `{PHASE}")), "{object}");
    let (report, _) = world.json(&["report"]);
    let doubts = report["doubts"].as_array().unwrap();
    assert!(doubts.iter().all(|doubt| doubt["role"] == "law"), "{report}");
    assert_eq!((doubts.len(), &report["proven"]), (1, &false.into()), "{report}");
    assert_eq!(report["next"]["human"].as_array().unwrap().len(), 1, "{report}");
}

#[test]
fn who_changes_the_plan_waits_for_a_person_and_the_text_before_judges() {
    for agents in ["1", "2"] {
        // The checks of all other tasks are gone.
        let plan = format!("../project/{PHASE}");
        let more = format!("sed -i 's/f0[2-4].txt exists/all is well/' {plan}");
        let world = together_with("*'Write f01'*", &more);
        let ran = world.json(&["run", "plan", "--agents", agents]);
        assert_eq!(ran.0["proven_units"], 0, "{}", ran.0);
        waits_for_plan(&world, ran);
        let run = world.run();
        waits_for_plan(&world, world.json(&["run", &run]));
        let claimed = world.json(&["report"]).0["claims"].to_string();
        assert!(!claimed.contains("all is well"), "the text before judges: {claimed}");
        let ran = world.sprag(&["approve", &run]);
        assert_eq!(ran.exit, Some(3), "the diff must be shown: {}{}", ran.stdout, ran.stderr);
        let ran = world.sprag(&["approve", &run, "--yes"]);
        assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
        let ran = world.sprag(&["run", &run]);
        assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    }
}

#[test]
fn who_changes_the_plan_in_its_worktree_waits_before_that_is_merged() {
    let more = format!("sed -i 's/f02.txt exists/all is well/' {PHASE}");
    let world = together_with("*'Write f01'*", &more);
    waits_for_plan(&world, world.json(&["run", "plan", "--agents", "2"]));
    let branch = format!("sprag/{}:{PHASE}", world.run());
    assert!(!world.env.git(&["show", &branch]).contains("all is well"), "nothing of it is merged");
    let ran = world.sprag(&["approve", &world.run(), "--yes"]);
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    let ran = world.sprag(&["resume", &world.run()]);
    assert_eq!(ran.exit, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert!(world.env.git(&["show", &branch]).contains("all is well"));
}

#[test]
fn what_changed_in_a_worktree_waits_also_where_the_driver_was_killed_before_it_looked() {
    for when in ["Write f01", "hold conflicts"] {
        let more = format!(
            "mkdir ../once 2> /dev/null && {{ echo '# mine' >> {PHASE}; kill -9 $PPID; sleep 600; }}"
        );
        let world = together_with(&format!("*'{when}'*"), &more);
        let killed = world.sprag(&["run", "plan", "--agents", "2"]);
        assert_eq!(killed.exit, None, "{when}: {}{}", killed.stdout, killed.stderr);
        let run = world.run();
        waits_for_plan(&world, world.json(&["run", &run]));
        let ran = world.sprag(&["approve", &run, "--yes"]);
        assert_eq!(ran.exit, Some(0), "{when}: {}{}", ran.stdout, ran.stderr);
        let ran = world.sprag(&["resume", &run]);
        assert_eq!(ran.exit, Some(0), "{when}: {}{}", ran.stdout, ran.stderr);
        let merged = world.env.git(&["show", &format!("sprag/{run}:{PHASE}")]);
        assert!(merged.ends_with("# mine"), "{when}: {merged}");
        world.nobody_is_left();
    }
}

#[test]
fn that_an_agent_ended_and_that_it_changed_something_is_one_line() {
    let (world, ran) = driven("echo '# mine' >> .sprag/runs/$SPRAG_RUN/run.yaml");
    assert_eq!(ran.exit, Some(3), "{}{}", ran.stdout, ran.stderr);
    let log = world.sprag(&["log", "-n", "100000", "--json"]).stdout;
    let line = log.lines().find(|line| line.contains("\"agent.ended\"")).unwrap();
    assert!(line.contains("\"run.paused\""), "a driver killed after it has the hold: {line}");
}

#[test]
fn what_an_agent_sets_in_the_state_of_its_plan_is_put_back_and_prose_is_free() {
    let second = |change: &str| format!("[ $turn = 1 ] || sed -i '{change}' .gsd/STATE.md");
    let reset = "s/^  task_retries:.*/  task_retries: {}/; /^    [T0-9\"]*1\"*: [0-9]*$/d";
    for (change, named) in [
        (reset, "task_retries: {}"),
        ("s/^  max_iterations: .*/  max_iterations: 900/", "max_iterations: 900"),
        ("/^  active: /a\\  completed: true", "completed: true"),
        ("s/^  active: .*/  active: false/", "active: false"),
        ("s/^  type: .*/  type: verify/", "type: verify"),
        ("s/^  session_id: .*/  session_id: mine/", "session_id: mine"),
        ("s/^task: .*/task: 1\\/1/", "task: 1/1"),
    ] {
        let world = planned(&second(change));
        let (object, exit) = world.json(&["run", "plan"]);
        assert_eq!((exit, world.turns()), (Some(5), 3), "{named}: {object}");
        let lines = object["put_back"].as_array().unwrap();
        let said = format!("the agent set {named} in .gsd/STATE.md; put back");
        assert!(lines[0].as_str().unwrap().starts_with(&said), "{object}");
        let (report, _) = world.json(&["report"]);
        assert_eq!(report["put_back"], object["put_back"]);
    }

    let world = planned("echo 'I was here.' >> .gsd/STATE.md");
    let ran = world.sprag(&["run", "plan"]);
    assert_eq!((ran.exit, world.turns()), (Some(5), 3), "{}{}", ran.stdout, ran.stderr);
}

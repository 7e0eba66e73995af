//! `sprag check`: the gates, every problem with its position, and the schemas.

use std::path::Path;

use serde_json::{Value, json};
use sprag_store::Place;
use sprag_testkit::Test;
use sprag_world::trust;

use crate::support::{object, project, sprag};

const PHASE: &str = "---\nid: plan\nname: Plan\nemoji: 🧭\n---\nWrite the plan.\n";

fn head(command: &str, phases: &str) -> String {
    format!("name: Dev\ncommandName: {command}\ninitialMessage: Begin.\nphases: {phases}\n")
}

/// A project with a guard and a workflow with three kinds of entries.
fn sound() -> Test {
    let build = PHASE
        .replace("plan", "build")
        .replace("---\nWrite", "gates:\n  - run: make test\n  - human: look at it\n---\nWrite");
    project()
        .file(".sprag/config.yaml", "guard:\n  gates:\n    - run: npm test\n")
        .file(".sprag/workflows/dev/workflow.yaml", head("dev", "[a.md, b.md, {subworkflow: qa}]"))
        .file(".sprag/workflows/dev/a.md", PHASE)
        .file(".sprag/workflows/dev/b.md", build)
        .file("../home/.pi/agent/workflows/qa/workflow.yaml", head("qa", "[a.md]"))
        .file("../home/.pi/agent/workflows/qa/a.md", PHASE)
}

#[test]
fn it_says_what_holds_each_phase_and_which_commands_would_not_run() {
    sound()
        .run(["check"])
        .stdout(
            "
                 Checked .sprag/config.yaml
                         guard  gated     npm test (not approved)
                 Checked ~/.pi/agent/workflows/qa/workflow.yaml  1 phase, 1 ungated
                         plan  ungated   the agent says when it is done
                 Checked .sprag/workflows/dev/workflow.yaml  3 phases, 1 ungated
                         plan   ungated   the agent says when it is done
                         build  gated     make test (not approved), look at it (a person)
                         qa     workflow
                 Waiting 2 commands are not approved, so they will not run: make test, npm test
                Finished 1 configuration, 2 workflows: 0 errors, 0 warnings, in 0 ms
            ",
        )
        .exit(0);
}

#[test]
fn a_workflow_that_ends_without_a_gate_after_one_that_has_some_is_warned_of() {
    let test = sound();
    test.env.write(".sprag/workflows/dev/workflow.yaml", head("dev", "[b.md, a.md]"));
    let (said, test) = test.run(["check", ".sprag/workflows/dev"]).output();
    let warned = "warning[K0202]: `plan` comes last and has no gate: `make test` may fail after it\n  \
                  ──▶ .sprag/workflows/dev/workflow.yaml\nhelp: add to `plan` the gates that must \
                  hold at the end\n";
    assert!(said.stdout.contains(warned), "{}{}", said.stdout, said.stderr);
    test.env.write(".sprag/workflows/dev/workflow.yaml", head("dev", "[a.md, b.md]"));
    let (said, _) = test.run(["check", ".sprag/workflows/dev"]).output();
    assert!(said.stdout.contains("0 warnings"), "{}", said.stdout);
}

#[test]
fn an_approved_command_does_not_wait_unless_none_may_run() {
    let test = sound();
    let state = test.env.home().join(".local/state/sprag");
    let commands = [["make", "test"], ["npm", "test"]];
    let digests = commands.map(|words| trust::digest(&words.map(str::to_owned), "", &[]));
    trust::approve(&state, &Place::of(test.env.project()), &digests).unwrap();
    let (said, test) = test.run(["check"]).output();
    assert!(!said.stdout.contains("approved"), "{}", said.stdout);
    let never = "checks: {run: never}\nguard:\n  gates:\n    - run: npm test\n";
    let (said, _) = test.file(".sprag/config.yaml", never).run(["check"]).output();
    assert!(said.stdout.contains("npm test (not approved)"), "{}", said.stdout);
}

fn broken() -> Test {
    project()
        .file(".sprag/config.yaml", "off: 1\ngaurd: {}\nguard:\n  gates:\n    - run: a | b\n")
        .file(
            ".sprag/workflows/bad/workflow.yaml",
            "name: Bad\ncommandName: bad\ninitialMessage: Go.\nloopable: maybe\nphases:\n  - p.md\n  - ../../x.md\n",
        )
        .file(
            ".sprag/workflows/bad/p.md",
            "---\nid: p\nname: P\nemoji: 🧭\ngates:\n  - run: make\n    timout: 5m\n  - file: /etc/passwd\n---\nGo.\n",
        )
        .file(".sprag/workflows/good/workflow.yaml", head("good", "[a.md]"))
        .file(".sprag/workflows/good/a.md", PHASE)
        .file(".sprag/workflows/ref/workflow.yaml", head("ref", "[{subworkflow: ghost}]"))
        .file(".sprag/workflows/twice/workflow.yaml", head("good", "[../good/a.md]"))
}

#[test]
fn every_problem_of_every_file_is_shown_with_its_place() {
    broken()
        .run(["check", "--plain"])
        .stdout(
            r#"
             Checked .sprag/workflows/good/workflow.yaml  1 phase, 1 ungated
                     plan  ungated   the agent says when it is done
             Checked .sprag/workflows/twice/workflow.yaml  1 phase, 1 ungated
                     plan  ungated   the agent says when it is done

            error[K0102]: expected a boolean, found a number
              --> .sprag/config.yaml:1:6
               |
             1 | off: 1
               |      ^

            error[K0102]: `|` needs a shell, and there is none
              --> .sprag/config.yaml:5:12
               |
             5 |     - run: a | b
               |            ^
            help: write `run: [sh, -c, "a | b"]` to use a shell

            warning[K0203]: `loopable` is neither true nor false and ignored
              --> .sprag/workflows/bad/workflow.yaml:4:1
               |
             4 | loopable: maybe
               | ^

            warning[K0106]: unknown key `gates[0].timout`
              --> .sprag/workflows/bad/p.md:7:5
               |
             7 |     timout: 5m
               |     ^
            help: did you mean `timeout`?

            error[K0201]: `/etc/passwd` is not a path inside the project: it must be relative, with one `/` between names
              --> .sprag/workflows/bad/p.md:8:11
               |
             8 |   - file: /etc/passwd
               |           ^

            error[K0201]: Phase file path escapes workflows root: ../../x.md in .sprag/workflows/bad/workflow.yaml
              --> .sprag/workflows/bad/workflow.yaml:7:5
               |
             7 |   - ../../x.md
               |     ^

            error[K0201]: Workflow "ref" references non-existent subworkflow "ghost". Skipping.
              --> .sprag/workflows/ref/workflow.yaml:4:10
               |
             4 | phases: [{subworkflow: ghost}]
               |          ^

            warning[K0202]: Duplicate commandName "good" in workflows "good" and "twice". The first one found will be used.
              --> .sprag/workflows/twice/workflow.yaml:2:1
               |
             2 | commandName: good
               | ^

              Failed 5 errors, 3 warnings; good: 2 workflows, in 0 ms
            "#,
        )
        .exit(6);
}

#[test]
fn the_json_has_what_is_good_and_every_problem() {
    let (said, exit) = object(broken().run(["check", "--json"]));
    assert_eq!((&said["ok"], exit), (&json!(false), Some(6)));
    let keys = |said: &Value| -> Vec<String> {
        let checked = said["checked"].as_array().unwrap().iter();
        checked.map(|one| one["key"].as_str().unwrap_or("-").to_owned()).collect()
    };
    assert_eq!(keys(&said), ["good", "twice"]);
    let problems = said["problems"].as_array().unwrap();
    assert_eq!(problems.len(), 8);
    let expected = json!({
        "level": "error", "code": "K0102", "message": "expected a boolean, found a number",
        "file": ".sprag/config.yaml", "line": 1, "column": 6, "help": null,
    });
    assert_eq!(problems[0], expected);

    let (said, exit) = object(sound().run(["check", "--json"]));
    assert_eq!((&said["ok"], exit), (&json!(true), Some(0)));
    assert_eq!(keys(&said), ["-", "qa", "dev"]);
    let build = json!({
        "id": "build", "gated": true,
        "gates": [
            {"name": "make test", "kind": "run",
             "commands": [{"argv": ["make", "test"], "approved": false}]},
            {"name": "look at it", "kind": "human", "commands": []},
        ],
    });
    let dev = &said["checked"][2];
    assert_eq!((&dev["phases"][1], &dev["phases"][2]), (&build, &json!({"workflow": "qa"})));
    assert_eq!(dev["digest"].as_str().unwrap().len(), 64);
}

#[test]
fn one_file_or_folder_is_checked_for_itself() {
    let test = broken();
    for path in [".sprag/workflows/good", ".sprag/workflows/good/workflow.yaml"] {
        let expected = "
                 Checked .sprag/workflows/good/workflow.yaml  1 phase, 1 ungated
                         plan  ungated   the agent says when it is done
                Finished 1 workflow: 0 errors, 0 warnings, in 0 ms
            ";
        broken().run(["check", path]).stdout(expected).exit(0);
    }
    let test = test
        .run(["check", ".sprag/workflows/good/a.md"])
        .stdout(
            "
                 Checked .sprag/workflows/good/a.md
                         plan  ungated   the agent says when it is done
                Finished 1 phase: 0 errors, 0 warnings, in 0 ms
            ",
        )
        .exit(0);
    for (path, errors) in [
        (".sprag/config.yaml", 2),
        (".sprag/workflows/bad/p.md", 1),
        (".sprag/workflows/bad", 2),
        (".sprag/workflows", 3),
        (".sprag", 5),
        (".", 5),
    ] {
        let (said, exit) = object(broken().run(["check", "--json", path]));
        let of = |level: &str| {
            let problems = said["problems"].as_array().unwrap().iter();
            problems.filter(|one| one["level"] == level).count()
        };
        assert_eq!((of("error"), exit), (errors, Some(6)), "{path}");
    }
    let (said, _) =
        test.run(["check", "--json", ".sprag/workflows/good", ".sprag/config.yaml"]).output();
    assert_eq!(said.exit, Some(6), "one of two is wrong");
}

#[test]
fn a_path_that_is_not_there_or_not_known_is_not_found() {
    let help = "help: give it a project, a workflow's folder, a workflow.yaml, a phase (.md), a config.yaml, a plan or the metadata.yaml of a pull request";
    project()
        .file("notes.txt", "")
        .folder("empty")
        .run(["check", "nowhere"])
        .stderr(&format!(
            "error[K0009]: cannot be checked: No such file or directory (os error 2)\n  ──▶ nowhere\n{help}\n"
        ))
        .exit(4)
        .run(["check", "notes.txt"])
        .stderr(&format!("error[K0009]: there is nothing that sprag checks\n  ──▶ notes.txt\n{help}\n"))
        .exit(4)
        .run(["check", "empty"])
        .stderr(&format!("error[K0009]: there is nothing that sprag checks\n  ──▶ empty\n{help}\n"))
        .exit(4);
    let (said, _) = sprag().run(["check"]).output();
    assert_eq!(said.exit, Some(4), "no project");
}

#[test]
fn an_empty_project_has_nothing_to_check() {
    project()
        .run(["check"])
        .stdout("Finished nothing to check: 0 errors, 0 warnings, in 0 ms\n")
        .exit(0);
}

#[test]
fn the_example_of_this_repository_is_accepted() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/feature");
    let (said, _) = sprag().run([Path::new("check"), &example]).output();
    let lines: Vec<_> = said.stdout.lines().skip(1).collect();
    assert_eq!(
        lines,
        [
            "         plan    gated     file docs/PLAN.md, approve the plan (a person)",
            "         build   gated     make test, content CHANGELOG.md",
            "         review  ungated   the agent says when it is done",
            "         done    gated     everything together",
            "Finished 1 workflow: 0 errors, 0 warnings, in 0 ms",
        ]
    );
    assert_eq!(said.exit, Some(0));
}

#[test]
fn schemas_are_listed_and_printed() {
    let test = sprag()
        .run(["check", "--schema"])
        .stdout(
            "
            config    .sprag/config.yaml
            workflow  workflow.yaml in a workflow's folder
            phase     the front matter of a phase file
            Next: sprag check --schema config
            ",
        )
        .exit(0);
    let (said, test) = test.run(["check", "--schema", "phase"]).output();
    assert_eq!(said.stdout, include_str!("../../../../schemas/phase.schema.json"));
    let (said, _) = object(test.run(["check", "--schema", "--json"]));
    assert_eq!(said["config"]["title"], json!("sprag: config.yaml"));
    let (said, _) = sprag().run(["check", "--schema", "plan"]).output();
    assert_eq!(said.exit, Some(2));
}

#[test]
fn hostile_names_and_texts_stay_on_their_line() {
    let test = project()
        .file(".sprag/workflows/x/workflow.yaml", head("x", "[a.md]"))
        .file(".sprag/workflows/x/a.md", PHASE.replace("id: plan", "id: \"a\\u001b[2Jb\""));
    let (said, _) = test.run(["check"]).output();
    assert!(said.stdout.contains("a\\u{1b}[2Jb"), "{}", said.stdout);
    assert!(!said.stdout.contains('\u{1b}'));
}

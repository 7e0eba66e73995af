//! `sprag`: the current state.

use serde_json::{Value, json};

use crate::support::{RUN, TWO, commit, object, project, sprag};

#[test]
fn without_a_project_it_says_so_and_what_to_do() {
    sprag()
        .run([""; 0])
        .stdout(
            "
            no project here: [PROJECT]
            Next: sprag init
            ",
        )
        .exit(0);
}

#[test]
fn without_a_project_the_json_is_one_object_too() {
    let (said, exit) = object(sprag().run(["--json"]));
    let expected = json!({"ok": true, "project": null, "next": {"safe": ["sprag demo"], "human": ["sprag init"]}});
    assert_eq!((said, exit), (expected, Some(0)));
}

#[test]
fn an_empty_project_is_one_line_and_the_next_command() {
    let test = project()
        .run([""; 0])
        .stdout(
            "
            project · event 0 · 0 runs

            Next: sprag log
            ",
        )
        .exit(0);
    assert_eq!(test.env.files(), Vec::<String>::new(), "looking changes nothing");
}

#[test]
fn a_foreign_folder_alone_is_a_project() {
    let test = sprag().file(".gsd/STATE.md", "");
    test.run(["status"]).stdout("project · event 0 · 0 runs\n\nNext: sprag log\n").exit(0);
}

#[test]
fn branch_commit_events_and_runs_are_shown() {
    let test = project().git(&["init", "-q"]).file("a", "1").git(&["add", "a"]);
    let test = test.git(&["commit", "-qm", "one"]);
    let short = test.env.git(&["rev-parse", "--short=7", "HEAD"]);
    commit(&test, Some("r-7k2m"), "run.started", &Value::Null, Some(RUN));
    test.run([""; 0])
        .stdout(&format!(
            "
            project · main @ {short} · event 2 · 1 run

             RUNS
              r-7k2m  guard                               nobody           ready    30 min

            Next: sprag log
            "
        ))
        .exit(0);
}

#[test]
fn the_json_has_ok_and_next() {
    let test = project().git(&["init", "-q"]);
    commit(&test, Some("r-7k2m"), "run.started", &Value::Null, Some(RUN));
    let (said, exit) = object(test.run(["--json"]));
    let expected = json!({
        "ok": true,
        "project": {"name": "project", "path": "[PROJECT]", "branch": "main", "commit": null},
        "guard": [],
        "unheld": [],
        "seq": 2,
        "runs": [{
            "id": "r-7k2m",
            "source": "guard",
            "task": null,
            "life": "ready",
            "at": "guard",
            "session": null,
            "started": "2026-03-05T10:00:00.000Z",
            "ended": null,
            "gates": [],
            "stale": [],
            "limits": [],
        }],
        "waits": [],
        "unmerged": [],
        "trouble": [],
        "free": [],
        "unknown": [],
        "notes": [],
        "pending": [],
        "foreign": [],
        "redone": [],
        "leftovers": [],
        "busy": false,
        "let_go": {"count": 0, "last": null},
        "off": false,
        "next": {"safe": ["sprag log"], "human": []},
    });
    assert_eq!((said, exit), (expected, Some(0)));
}

#[test]
fn what_cannot_be_read_is_named_and_ends_with_9() {
    project()
        .file(".sprag/runs/r-7k2m/run.yaml", b"task: \xff\n")
        .run([""; 0])
        .stdout(
            "
            project · event 0 · 0 runs · 1 cannot be read

             UNREADABLE: FIX THESE FIRST
              ✗ .sprag/runs/r-7k2m/run.yaml
                byte 6 is not UTF-8

            Next: sprag doctor
            ",
        )
        .exit(9);
}

#[test]
fn a_run_that_cannot_be_read_is_not_taken_for_none() {
    for words in [
        &["why"][..],
        &["step", "status"],
        &["step", "next"],
        &["resume"],
        &["approve"],
        &["cancel"],
    ] {
        let test = project().file(".sprag/runs/r-7k2m/run.yaml", "v: 9\nid: r-7k2m\n");
        let (said, _) = test.run(words.iter().copied()).output();
        assert_eq!(said.exit, Some(9), "{words:?}: {}{}", said.stdout, said.stderr);
        assert!(said.stderr.contains(".sprag/runs/r-7k2m/run.yaml"), "{}", said.stderr);
    }
}

#[test]
fn hostile_names_move_nothing_on_the_screen() {
    let test = project().folder(".sprag/runs/r\u{1b}[2J\n\u{202e}x").folder(".sprag/runs/-rf");
    let (said, _) = test.run([""; 0]).output();
    assert_eq!(said.exit, Some(9));
    assert!(
        said.stdout.contains("✗ .sprag/runs/r\\u{1b}[2J\\u{a}\\u{202e}x/run.yaml"),
        "{}",
        said.stdout
    );
    assert!(!said.stdout.contains(['\u{1b}', '\u{202e}']), "{}", said.stdout);
}

#[test]
fn a_broken_journal_leaves_a_person_s_command() {
    let test = project().file(".sprag/journal/00000000000000000001.jsonl", "{}\n{}\n");
    let (said, exit) = object(test.run(["--json"]));
    assert_eq!((&said["ok"], exit), (&json!(false), Some(9)));
    let next = json!({"safe": ["sprag doctor"], "human": ["sprag doctor --fix"]});
    assert_eq!(said["next"], next);
    // Unknown is never empty.
    assert_eq!((&said["runs"], &said["seq"]), (&json!(null), &json!(null)));
}

#[test]
fn what_a_killed_process_left_half_done_is_said() {
    let test = project();
    commit(&test, None, "one", &Value::Null, Some(RUN));
    // As if the second commit had been killed right after its line.
    let head = test.env.read(".sprag/journal/head").unwrap();
    commit(&test, None, "two", &Value::Null, Some(TWO));
    test.file(".sprag/journal/head", head)
        .file(".sprag/runs/r-7k2m/run.yaml", RUN)
        .run([""; 0])
        .stdout(
            "
            project · event 3 · 1 run

             RUNS
              r-7k2m  guard                               nobody           ready    30 min

             COMMITTED, NOT YET WRITTEN
              ! .sprag/runs/r-7k2m/run.yaml

            Next: sprag doctor
            ",
        )
        .exit(0);
}

#[test]
fn a_hand_edit_is_said_once_it_was_noticed() {
    let test = project();
    commit(&test, None, "one", &Value::Null, Some(RUN));
    let test = test.file(".sprag/runs/r-7k2m/run.yaml", "v: 1 # mine\n");
    commit(&test, None, "two", &Value::Null, None);
    let (said, _) = object(test.run(["--json"]));
    assert_eq!(said["foreign"], json!([".sprag/runs/r-7k2m/run.yaml"]));
}

#[test]
fn a_worktree_shows_the_runs_of_the_main_one() {
    let test = project().git(&["init", "-q"]).file(".sprag/config.yaml", "v: 1\nid: r-7k2m\n");
    let test = test.git(&["add", "."]).git(&["commit", "-qm", "one"]);
    let test = test.git(&["worktree", "add", "-q", "../linked"]);
    commit(&test, Some("r-7k2m"), "run.started", &Value::Null, Some(RUN));
    let (said, _) = object(test.at("../linked").run(["--json"]));
    assert_eq!(said["runs"][0]["id"], json!("r-7k2m"));
    assert_eq!(said["project"]["path"], json!("[TOP]/linked"));
}

#[test]
fn a_worktree_that_leads_nowhere_is_unreadable() {
    project()
        .file(".git", "gitdir: /nowhere\n")
        .run([""; 0])
        .stderr(
            "
            error[K0101]: cannot tell where the state of this git worktree is: `/nowhere`: No such file or directory (os error 2)
              ──▶ [PROJECT]/.git
            help: run `git worktree repair` in the main worktree
            ",
        )
        .exit(9);
}

#[test]
fn the_named_root_wins_and_must_be_a_folder() {
    let test = sprag().folder("inner").set("SPRAG_ROOT", "inner");
    let test = test.run([""; 0]).stdout("inner · event 0 · 0 runs\n\nNext: sprag log\n").exit(0);
    test.set("SPRAG_ROOT", "nowhere")
        .run([""; 0])
        .stderr(
            "
            error[K0008]: `[PROJECT]/nowhere` is not a folder
            help: SPRAG_ROOT names it; correct it or unset it
            ",
        )
        .exit(4);
}

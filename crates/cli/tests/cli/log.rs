//! `sprag log`: past events.

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

use serde_json::{Value, json};
use sprag_testkit::Test;

use crate::support::{RUN, SPRAG, commit, object, project, sprag};

fn three() -> Test {
    let test = project();
    commit(&test, Some("r-7k2m"), "run.started", &json!({"task": "Add CSV"}), Some(RUN));
    commit(&test, Some("r-9p0q"), "future.kind", &json!({"deep": [1], "n": 2}), None);
    commit(&test, Some("r-7k2m"), "run.done", &Value::Null, None);
    test
}

#[test]
fn events_are_aligned_lines_and_unknown_kinds_are_shown() {
    three()
        .run(["log", "-n", "3"])
        .stdout(
            "
            #2     2026-03-05 10:30:00 r-7k2m   run.started      task=Add CSV
            #3     2026-03-05 10:30:00 r-9p0q   future.kind      deep=[1] n=2
            #4     2026-03-05 10:30:00 r-7k2m   run.done
            ",
        )
        .exit(0);
}

#[test]
fn only_one_run_is_shown_by_a_prefix_of_its_name() {
    let test = three().run(["log", "r-7"]).stdout(
        "
        #2     2026-03-05 10:30:00 r-7k2m   run.started      task=Add CSV
        #4     2026-03-05 10:30:00 r-7k2m   run.done
        ",
    );
    // The journal still has runs whose folder is gone.
    let test = test.exit(0).run(["log", "r-9p0q", "-n1"]);
    test.stdout("#3     2026-03-05 10:30:00 r-9p0q   future.kind      deep=[1] n=2\n").exit(0);
}

#[test]
fn a_run_nobody_knows_and_a_prefix_of_two_are_not_found() {
    three()
        .run(["log", "r-x"])
        .stderr("error[K0007]: the journal knows no run `r-x`\nhelp: `sprag` lists the runs\n")
        .exit(4)
        .file(".sprag/runs/r-7zzz/run.yaml", RUN.replace("7k2m", "7zzz"))
        .run(["log", "r-7"])
        .stderr("error[K0007]: `r-7` may be `r-7k2m` or `r-7zzz`\nhelp: type more of the name\n")
        .exit(4);
}

#[test]
fn one_line_is_shown_whole() {
    three()
        .run(["log", "--at", "2", "--plain"])
        .stdout(
            "
            event 2  2026-03-05T10:30:00.000Z  by test
              run.started  r-7k2m
                {
                  \"task\": \"Add CSV\"
                }
              edited .sprag/runs/r-7k2m/run.yaml  none -> 1bf0b300
            ",
        )
        .exit(0)
        .run(["log", "--at", "99"])
        .stderr(
            "
            error[K0006]: the journal has no event 99
            help: `sprag log` shows the last ones
            ",
        )
        .exit(4);
}

#[test]
fn json_is_a_line_each() {
    let (said, _) = three().run(["log", "--json", "-n", "2"]).output();
    let lines: Vec<Value> =
        said.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let seqs: Vec<_> = lines.iter().map(|line| line["seq"].as_u64().unwrap()).collect();
    assert_eq!(seqs, [3, 4]);
    assert_eq!(lines[0]["events"][0]["kind"], json!("future.kind"));
}

#[test]
fn an_empty_journal_says_so_and_has_no_lines() {
    let test = project().run(["log"]).stdout("nothing has happened here yet\n").exit(0);
    test.run(["log", "--json"]).exit(0);
}

#[test]
fn without_a_project_there_is_no_journal() {
    sprag()
        .run(["log"])
        .stderr(
            "
            error[K0004]: no project here
              ──▶ [PROJECT]
            help: go to a folder with .sprag, .gsd, .chipset, .thoughts or .pi/workflows
            ",
        )
        .exit(4);
}

#[test]
fn a_broken_journal_is_an_error_that_names_the_file() {
    let test = project().file(".sprag/journal/00000000000000000001.jsonl", "{}\n{}\n");
    let (said, exit) = object(test.run(["log", "--json"]));
    assert_eq!(exit, Some(9));
    assert_eq!(said["ok"], json!(false));
    assert_eq!(said["error"]["code"], json!("K0103"));
    let file = "[PROJECT]/.sprag/journal/00000000000000000001.jsonl";
    assert_eq!(said["error"]["file"], json!(file));
    assert_eq!(said["next"], json!({"safe": [], "human": ["sprag doctor --fix"]}));
}

#[test]
fn following_shows_what_comes_and_ends_with_its_reader() {
    let test = three();
    let mut command = test.env.command(SPRAG);
    let mut child =
        command.args(["log", "--follow", "-n", "1"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.next().unwrap().unwrap().ends_with("r-7k2m   run.done"));
    commit(&test, None, "later", &Value::Null, None);
    assert!(lines.next().unwrap().unwrap().ends_with("-        later"));
    // No more events come, so it must notice the end by itself.
    drop(lines);
    assert!(child.wait().unwrap().success());
}

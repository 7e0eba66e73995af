//! `sprag doctor`: problems and their repair.

use serde_json::{Value, json};
use sprag_testkit::{Ran, Test};

use crate::support::{RUN, TWO, commit, object, project, sprag};

/// Runs `doctor` and removes the parts that differ between machines: sprag's path and git's
/// version.
fn lines(ran: Ran) -> (Vec<String>, Option<i32>, Test) {
    let (said, test) = ran.output();
    let mut lines = said.stdout.lines().map(str::to_owned);
    assert!(lines.next().unwrap().starts_with(" + sprag 0.1.0 at /"), "{}", said.stdout);
    assert!(lines.next().unwrap().starts_with(" + git 2."), "{}", said.stdout);
    (lines.collect(), said.exit, test)
}

#[test]
fn a_sound_project_is_all_good() {
    let (said, exit, _) = lines(project().run(["doctor", "--plain"]));
    let expected =
        [" + project [PROJECT]", " + no journal yet, 0 runs", " 4 ok - 0 notes - 0 problems"];
    assert_eq!((said, exit), (expected.map(str::to_owned).to_vec(), Some(0)));
}

#[test]
fn without_a_project_it_still_looks_at_the_rest() {
    let (said, exit, _) = lines(sprag().run(["doctor", "--plain"]));
    assert_eq!(said, [" ! no project here", " 2 ok - 1 note - 0 problems"]);
    assert_eq!(exit, Some(0));
}

#[test]
fn a_missing_git_is_a_problem() {
    let (said, _) = project().set("PATH", "/nowhere").run(["doctor"]).output();
    assert_eq!(said.exit, Some(1));
    assert!(said.stdout.contains(" ✗ git cannot be started\n   fix: install git\n"));
    assert!(said.stdout.ends_with(" 3 ok · 0 notes · 1 problem\n"));
}

#[test]
fn an_unreadable_document_ends_with_9() {
    let test = project().file(".sprag/runs/r-7k2m/run.yaml", b"\xff");
    let (said, exit, _) = lines(test.run(["doctor", "--plain"]));
    let expected = [
        " + project [PROJECT]",
        " + no journal yet, 0 runs",
        " x .sprag/runs/r-7k2m/run.yaml cannot be read",
        "   byte 0 is not UTF-8",
        "   fix: mend or remove it, then sprag doctor",
        " 4 ok - 0 notes - 1 problem",
    ];
    assert_eq!((said, exit), (expected.map(str::to_owned).to_vec(), Some(9)));
}

#[test]
fn what_runs_left_in_git_is_named_with_its_size_and_work_is_taken_over_before_it_is_removed() {
    let test = project().file("a.txt", "0123456789").git(&["init", "-q"]).git(&["add", "a.txt"]);
    let test = test.git(&["commit", "-qm", "first"]).git(&["branch", "sprag/r-7k2m"]);
    let tree = ["worktree", "add", "-q", "-b", "sprag/r-7k2m-t1", "../project-r-7k2m-t1"];
    let test = test.git(&tree).file("../project-r-7k2m-t1/new", "not committed");
    // A run whose work is not merged.
    let test = test.git(&["checkout", "-q", "-b", "sprag/r-9p0q"]);
    let test =
        test.git(&["commit", "-q", "--allow-empty", "-m", "work"]).git(&["checkout", "-q", "-"]);
    let (said, exit, test) = lines(test.run(["doctor", "--plain"]));
    let folder = test.env.normal(&test.env.top().join("project-r-7k2m-t1").display().to_string());
    let said = said.join("\n");
    assert_eq!(exit, Some(0), "{said}");
    let expected =
        " ! branch sprag/r-7k2m: merged, no worktree\n   fix: git branch -D sprag/r-7k2m\n";
    assert!(said.contains(expected), "{said}");
    let dirty = " ! branch sprag/r-7k2m-t1: with changes that are not committed, ";
    assert!(said.contains(dirty), "{said}");
    let fix = format!(
        "   there is work in it that is nowhere else\n   look: git -C {folder} status\n   \
         fix: git -C {folder} add -A && git -C {folder} commit -m Work && git merge sprag/r-7k2m-t1\n"
    );
    assert!(said.contains(&fix), "{said}");
    let unmerged = " ! branch sprag/r-9p0q: not merged, no worktree\n   \
                    there is work in it that is nowhere else\n   \
                    look: git diff HEAD...sprag/r-9p0q\n   fix: git merge sprag/r-9p0q\n";
    assert!(said.contains(unmerged), "{said}");
}

#[test]
fn the_json_has_a_check_each() {
    let (said, exit) = object(project().run(["doctor", "--json"]));
    assert_eq!((&said["ok"], exit), (&json!(true), Some(0)));
    assert_eq!(said["checks"].as_array().unwrap().len(), 4);
    assert_eq!(said["next"], json!({"safe": [], "human": []}));
}

#[test]
fn nothing_to_mend_needs_no_agreement() {
    project().run(["doctor", "--fix"]).stdout("nothing that --fix can mend\n").exit(0);
    // A problem that only an editor can fix is reported, but not repaired.
    let broken = project().file(".sprag/runs/r-1/run.yaml", "v: [\n");
    let (said, _) = broken.run(["doctor", "--fix", "--plain"]).output();
    assert_eq!((said.exit, said.stdout.as_str()), (Some(9), ""));
    assert!(said.stderr.contains("--> .sprag/runs/r-1/run.yaml"), "{}", said.stderr);
}

#[test]
fn mending_is_a_person_s() {
    for mark in ["CLAUDECODE", "CODEX_THREAD_ID", "GEMINI_CLI", "COPILOT_CLI", "SPRAG_SESSION"] {
        project()
            .set(mark, "1")
            .run(["doctor", "--fix", "--yes"])
            .stderr(&format!(
                "
                error[K0005]: only a person may run `sprag doctor --fix`, and this looks like an agent ({mark})
                help: ask your person to run `sprag doctor --fix`
                "
            ))
            .exit(3);
    }
}

fn broken() -> Test {
    let test = project();
    commit(&test, None, "one", &Value::Null, Some(RUN));
    test.file(".sprag/journal/00000000000000000001.jsonl", "{}\n{}\n")
}

#[test]
fn mending_needs_an_agreement() {
    let test = broken()
        .run(["doctor", "--fix"])
        .stdout(
            "will set .sprag/journal aside and begin a new one from the documents as they are\n",
        )
        .stderr(
            "
            error[K0005]: this asks before it goes on, and there is no terminal to ask at
            help: `sprag doctor --fix --yes` does not ask
            ",
        )
        .exit(3);
    let (_, exit, _) = lines(test.run(["doctor", "--plain"]));
    assert_eq!(exit, Some(9), "nothing was changed");
}

#[test]
fn a_broken_journal_is_set_aside_and_nothing_else_is_touched() {
    let test = broken()
        .run(["doctor", "--fix", "--yes"])
        .stdout(
            "
            will set .sprag/journal aside and begin a new one from the documents as they are
            Mended. The old journal is .sprag/journal.aside-1. Next: sprag doctor
            ",
        )
        .exit(0);
    assert_eq!(test.env.read(".sprag/runs/r-7k2m/run.yaml").as_deref(), Some(RUN));
    let aside = ".sprag/journal.aside-1/00000000000000000001.jsonl";
    assert_eq!(test.env.read(aside).as_deref(), Some("{}\n{}\n"));
    let (_, exit, _) = lines(test.run(["doctor", "--plain"]));
    assert_eq!(exit, Some(0));
}

#[test]
fn what_a_killed_process_left_is_finished_and_removed() {
    let test = project();
    commit(&test, None, "one", &Value::Null, Some(RUN));
    let head = test.env.read(".sprag/journal/head").unwrap();
    commit(&test, None, "two", &Value::Null, Some(TWO));
    let test = test
        .file(".sprag/journal/head", head)
        .file(".sprag/runs/r-7k2m/run.yaml", RUN)
        .file(".sprag/runs/r-7k2m/.sprag-tmp-1-1", TWO)
        .run(["doctor", "--fix", "--yes"])
        .stdout(
            "
            will write 1 document that is committed, and remove 1 file left behind
            Mended. Next: sprag doctor
            ",
        )
        .exit(0);
    assert_eq!(test.env.read(".sprag/runs/r-7k2m/run.yaml").as_deref(), Some(TWO));
    assert_eq!(test.env.read(".sprag/runs/r-7k2m/.sprag-tmp-1-1"), None);
}

#[test]
fn a_lock_held_too_long_is_a_conflict() {
    let test = broken();
    let lock = std::fs::File::open(test.env.project().join(".sprag/lock")).unwrap();
    lock.lock().unwrap();
    let (said, test) = test.run(["doctor", "--fix", "--yes"]).output();
    assert_eq!(said.exit, Some(8));
    let expected = "error[K0104]: another sprag command is writing here (5000 ms)\n\
                    help: try again in a moment\n";
    assert_eq!(said.stderr, expected);
    let (said, _) = test.run(["doctor", "--plain"]).output();
    assert!(said.stdout.contains(" ! another sprag command is writing here just now\n"));
}

#[test]
fn a_document_that_is_not_yaml_is_shown_with_its_line() {
    let test = project().file(".sprag/config.yaml", "# ours\r\nguard:\r\n\tgates: []\r\n");
    let (said, exit, test) = lines(test.run(["doctor", "--plain"]));
    let expected = [
        " + project [PROJECT]",
        " + no journal yet, 0 runs",
        " x .sprag/config.yaml cannot be read",
        "   error[K0102]: a tab is used as indentation",
        "     --> .sprag/config.yaml:3:2",
        "      |",
        "    3 |     gates: []",
        "      |     ^",
        "   help: replace tabs by spaces",
        " 4 ok - 0 notes - 1 problem",
    ];
    assert_eq!((said, exit), (expected.map(str::to_owned).to_vec(), Some(9)));
    let (said, _) = object(test.run(["--json"]));
    assert_eq!(said["unknown"][0]["line"], json!(3));
}

#[test]
fn a_misspelt_key_is_a_note() {
    let test = project().file(".sprag/config.yaml", "v: 1\ngaurd: {}\n");
    let (said, exit, _) = lines(test.run(["doctor", "--plain"]));
    let expected = [
        " ! .sprag/config.yaml has an unknown key",
        "   warning[K0106]: ",
        "     --> .sprag/config.yaml:2:1",
        "      |",
        "    2 | gaurd: {}",
        "      | ^",
        "   help: did you mean `guard`?",
    ];
    assert_eq!(exit, Some(0));
    for (said, expected) in said[2..].iter().zip(expected) {
        assert!(said.starts_with(expected), "{said}");
    }
}

/// Creates runs that ended long ago, recently, not yet, and one that is unreadable.
fn with_old_runs() -> Test {
    let run = |id: &str, rest: &str| RUN.replace("r-7k2m", id) + rest;
    let ended = |at: &str| format!("ended: {at}\n");
    // Exactly 90 days before the fixed clock, and one millisecond more.
    let (kept, old) = ("2025-12-05T10:30:00.000Z", "2025-12-05T10:29:59.999Z");
    project()
        .file(".sprag/runs/r-0a1b/run.yaml", run("r-0a1b", &ended(old)))
        .file(".sprag/runs/r-0a1b/receipts/x.json", "{}\n")
        .file(".sprag/runs/r-0a1c/run.yaml", run("r-0a1c", &ended("2020-01-01T00:00:00Z")))
        .file(".sprag/runs/r-kept/run.yaml", run("r-kept", &ended(kept)))
        .file(".sprag/runs/r-runs/run.yaml", run("r-runs", ""))
}

#[test]
fn old_runs_are_counted_and_forgotten_by_a_person() {
    let (said, exit, test) = lines(with_old_runs().run(["doctor", "--plain"]));
    let expected = [
        " ! 2 runs ended more than 90 days ago (359 B)",
        "   fix: sprag doctor --fix forgets them",
        " 4 ok - 1 note - 0 problems",
    ];
    assert_eq!((&said[2..], exit), (&expected.map(str::to_owned)[..], Some(0)));
    let (said, _) = object(with_old_runs().run(["doctor", "--json"]));
    assert_eq!(said["next"]["human"], json!(["sprag doctor --fix"]));
    let test = test
        .run(["doctor", "--fix", "--yes"])
        .stdout(
            "
            will forget 2 runs that ended more than 90 days ago (359 B)
            Mended. Next: sprag doctor
            ",
        )
        .exit(0);
    let left = |run: &str| test.env.project().join(".sprag/runs").join(run).exists();
    assert_eq!(["r-0a1b", "r-0a1c", "r-kept", "r-runs"].map(left), [false, false, true, true]);
    let (log, test) = test.run(["log", "--json"]).output();
    assert_eq!(log.stdout.matches("run.forgotten").count(), 2, "{}", log.stdout);
    let (said, exit, _) = lines(test.run(["doctor", "--plain"]));
    assert_eq!(
        (said.last().map(String::as_str), exit),
        (Some(" 4 ok - 0 notes - 0 problems"), Some(0))
    );
}

#[test]
fn a_run_that_cannot_be_read_is_never_forgotten() {
    let later = RUN.replace("v: 1", "v: 2") + "ended: 2020-01-01T00:00:00Z\n";
    let test = with_old_runs().file(".sprag/runs/r-late/run.yaml", later.clone());
    let (said, test) = test.run(["doctor", "--fix", "--yes", "--plain"]).output();
    assert_eq!(said.exit, Some(9), "{}", said.stderr);
    assert_eq!(test.env.read(".sprag/runs/r-late/run.yaml").as_deref(), Some(&*later));
    assert_eq!(test.env.read(".sprag/runs/r-0a1c/run.yaml"), None, "the others are");
}

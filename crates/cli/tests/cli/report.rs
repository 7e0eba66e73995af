//! `sprag report`: a real run of a guard, from the first refused stop to a forged receipt.

use sprag_testkit::{Output, Test};

use crate::pages;
use crate::support::{object, sprag};

/// A project whose guard runs `sh test.sh`, set up by a person who committed that.
fn guarded() -> Test {
    let test = sprag()
        .set("SPRAG_TEST_IDS", "")
        .set("SPRAG_TEST_NOW", "")
        .file("test.sh", "grep -q good code.txt || { echo 'code.txt: not good'; exit 1; }\n")
        .file("code.txt", "good\n")
        .git(&["init", "-q"])
        .git(&["add", "-A"])
        .git(&["commit", "-q", "-m", "start"]);
    let words = ["init", "--yes", "--gate", "sh test.sh", "--host", "claude"];
    let (said, test) = test.run(words).output();
    assert_eq!(said.exit, Some(0), "{}{}", said.stdout, said.stderr);
    let test = test.git(&["add", "-A"]).git(&["commit", "-q", "-m", "guard"]);
    hook(hook(test, "SessionStart", ""), "PreToolUse", ",\"tool_name\":\"Edit\",\"tool_input\":{}")
}

fn hook(test: Test, event: &str, more: &str) -> Test {
    let (said, test) = heard(test, event, more);
    assert_eq!(said.exit, Some(0), "{}", said.stderr);
    test
}

/// Calls a host hook, and returns its answer.
fn heard(test: Test, event: &str, more: &str) -> (Output, Test) {
    let cwd = test.env.project().display().to_string();
    let payload = format!(
        "{{\"session_id\":\"s1\",\"cwd\":\"{cwd}\",\"hook_event_name\":\"{event}\"{more}}}"
    );
    test.stdin(&payload).run(["hook", "claude", event]).output()
}

#[test]
fn the_documented_report_is_what_is_said() {
    let page = pages::steps(include_str!("../../../../docs/report.md"));
    let shown: Vec<&str> = page[0].said.iter().map(String::as_str).collect();
    assert_eq!(page[0].command, "sprag report");
    let (told, test) = object_of(done(), &["report", "--json"]);
    let (said, _) = test.run(["report"]).output();
    let said = said.stdout.replace(told["run"].as_str().unwrap(), "r-7k2m");
    let said: Vec<&str> = said.trim_end().lines().map(str::trim_end).collect();
    assert!(pages::tells(&shown, &said), "{}", said.join("\n"));
}

#[test]
fn a_person_s_agreement_to_other_files_is_stale_for_every_face_as_for_the_judge() {
    let test = sprag()
        .set("SPRAG_TEST_IDS", "")
        .set("SPRAG_TEST_NOW", "")
        .file(".sprag/config.yaml", "guard: {gates: [{human: is it nice?}]}\n")
        .file("code.txt", "one\n")
        .git(&["init", "-q"])
        .git(&["add", "-A"])
        .git(&["commit", "-q", "-m", "start"]);
    let test = hook(test, "SessionStart", "");
    let test = hook(test, "PreToolUse", ",\"tool_name\":\"Edit\",\"tool_input\":{}");
    test.env.write("code.txt", "two\n");
    let test = hook(test, "Stop", "");
    let (said, test) = test.run(["approve"]).output();
    assert_eq!(said.exit, Some(0), "{}{}", said.stdout, said.stderr);
    let faces = |test: Test| {
        let (status, test) = object_of(test, &["--json"]);
        let (report, test) = object_of(test, &["report", "--json"]);
        let (why, test) = test.run(["why"]).output();
        let says = why.stdout.contains("(the files have changed since)");
        ((status["runs"][0]["stale"].clone(), report["unproven"].clone(), says), test)
    };
    let (agreed, test) = faces(test);
    assert_eq!(agreed, (serde_json::json!([]), serde_json::json!([]), false));
    test.env.write("code.txt", "three\n");
    let (stale, _) = faces(test);
    let unproven = serde_json::json!(["passed on other files: is it nice?"]);
    assert_eq!(stale, (serde_json::json!(["is it nice?"]), unproven, true));
}

/// The same after a refused stop, a fix, and an allowed stop.
fn done() -> Test {
    let test = guarded();
    test.env.write("code.txt", "bad\n");
    let test = hook(test, "Stop", "");
    test.env.write("code.txt", "good\nand more\n");
    hook(test, "Stop", "")
}

fn receipt_files(test: &Test) -> Vec<String> {
    let files = test.env.files().into_iter();
    files.filter(|file| file.contains("/r-") && file.contains("/receipts/")).collect()
}

#[test]
fn a_run_is_told_whole_and_its_files_are_counted() {
    let (said, test) = done().run(["report"]).output();
    assert_eq!((said.exit, said.stderr.as_str()), (Some(0), ""), "{}", said.stdout);
    let head: Vec<&str> = said.stdout.lines().take(5).collect();
    assert!(head[0].ends_with("is done, and proven on the files as they are now"), "{head:?}");
    assert_eq!(head[1..3], ["Unproven   nothing", "Waiting    nothing waits for you"]);
    assert!(head[4].starts_with("Diff       git diff "), "{head:?}");
    assert!(said.stdout.contains("  code.txt "), "{}", said.stdout);
    assert!(said.stdout.lines().all(|line| line.chars().count() <= 80), "{}", said.stdout);
    let (told, _) = object(test.run(["report", "--json"]));
    assert_eq!((&told["ok"], &told["outcome"]), (&true.into(), &"done".into()), "{told}");
    assert_eq!((&told["refused"], &told["retries"]), (&1.into(), &1.into()), "{told}");
    assert_eq!(told["files"]["exact"], true, "the commit was written down");
    assert!(told["next"]["safe"][0].as_str().unwrap().starts_with("git diff "));
}

#[test]
fn files_that_changed_since_make_a_proof_stale() {
    let test = done();
    test.env.write("code.txt", "good and other\n");
    let (told, test) = object_of(test, &["report", "--json"]);
    assert_eq!(told["gates"][0]["standing"], "passed on other files");
    let (said, _) = test.run(["report", "--verify"]).output();
    assert_eq!(said.exit, Some(0), "{}", said.stdout);
    assert!(said.stdout.contains("holds now, receipt g-"), "{}", said.stdout);
}

#[test]
fn new_files_are_counted_and_shown_by_a_command_that_leaves_the_index_alone() {
    let test = done();
    test.env.write("fresh.txt", "one\ntwo\nthree");
    test.env.write("raw.bin", "\0\n");
    let (said, test) = test.run(["report"]).output();
    let line = |begins: &str| {
        let line = said.stdout.lines().find(|line| line.starts_with(begins));
        line.unwrap_or_else(|| panic!("{}", said.stdout)).to_owned()
    };
    assert!(line("Diff ").ends_with("(3 files, +4 −0, 2 new)"), "{}", said.stdout);
    assert!(line("  fresh.txt ").ends_with(" +3 −0  new"), "{}", said.stdout);
    assert!(line("  raw.bin ").ends_with(" not text  new"), "{}", said.stdout);
    assert!(said.stdout.lines().all(|line| line.chars().count() <= 80), "{}", said.stdout);
    // The command is wrapped in the text, but in one line in the object.
    let shown = said.stdout.split("new files; this does:\n").nth(1).unwrap();
    let shown: Vec<&str> = shown.lines().take_while(|line| !line.is_empty()).collect();
    let (told, test) = object_of(test, &["report", "--json"]);
    let index = || std::fs::read(test.env.project().join(".git/index")).unwrap();
    let before = index();
    for command in [told["files"]["command"].as_str().unwrap(), &shown.join("\n")] {
        let out = test.env.command("sh").args(["-c", command]).output().unwrap();
        let (diff, trouble) = (String::from_utf8(out.stdout).unwrap(), out.stderr);
        assert_eq!(String::from_utf8(trouble).unwrap(), "", "{command}");
        for what in ["+and more", "+three", "b/raw.bin differ"] {
            assert!(diff.contains(what), "{command}: {diff}");
        }
        assert_eq!(diff.matches("\ndiff --git ").count() + 1, 3, "as many as are counted: {diff}");
    }
    assert_eq!(index(), before);
}

#[test]
fn the_command_shows_the_files_that_are_counted_wherever_it_is_typed() {
    let test =
        sprag().file("shop/src/a", "").file("shop/code.txt", "good\n").file("other.txt", "one\n");
    let test = test.file("shop/.gsd/STATE.md", "old\n").file("shop/.thoughts/a", "old\n");
    let test = test.git(&["init", "-q"]).git(&["add", "-A"]).git(&["commit", "-q", "-m", "start"]);
    let words = ["-C", "shop", "init", "--yes", "--gate", "true", "--host", "claude"];
    let (said, test) = test.run(words).output();
    assert_eq!(said.exit, Some(0), "{}{}", said.stdout, said.stderr);
    let (said, test) =
        test.run(["-C", "shop", "run", "it", "--until", "true", "--host", "cat"]).output();
    assert_eq!(said.exit, Some(0), "{}{}", said.stdout, said.stderr);
    for path in ["shop/code.txt", "other.txt", "shop/.gsd/STATE.md", "shop/.thoughts/a"] {
        test.env.write(path, "new\n");
    }
    let (told, test) = object_of(test, &["-C", "shop", "report", "--json"]);
    assert_eq!(told["files"]["changed"][0]["path"], "code.txt", "{told}");
    assert_eq!(told["files"]["changed"].as_array().unwrap().len(), 1, "{told}");
    let command = told["files"]["command"].as_str().unwrap();
    for folder in [".", "shop/src"] {
        let typed = format!("cd {folder} && {command}");
        let out = test.env.command("sh").args(["-c", &typed]).output().unwrap();
        let diff = String::from_utf8(out.stdout).unwrap();
        let files: Vec<&str> = diff.lines().filter(|line| line.starts_with("+++ ")).collect();
        assert_eq!(files, ["+++ b/shop/code.txt"], "{typed}");
    }
}

fn object_of(test: Test, words: &[&str]) -> (serde_json::Value, Test) {
    let (said, test) = test.run(words).output();
    assert_eq!(said.stderr, "");
    (serde_json::from_str(&said.stdout).unwrap(), test)
}

#[test]
fn verify_runs_the_gates_again_and_says_what_no_longer_holds() {
    let test = done();
    let before = receipt_files(&test).len();
    test.env.write("code.txt", "bad\n");
    let (said, test) = test.run(["report", "--verify"]).output();
    assert_eq!(said.exit, Some(1), "{}", said.stdout);
    assert!(said.stdout.contains("fails now: exit 1, receipt g-"), "{}", said.stdout);
    assert!(said.stdout.ends_with(" does not hold\n"), "{}", said.stdout);
    assert_eq!(receipt_files(&test).len(), before + 1, "only a new receipt was left");
}

#[test]
fn a_forged_receipt_is_named_and_counts_for_nothing() {
    let test = guarded();
    test.env.write("code.txt", "bad\n");
    let test = hook(test, "Stop", "");
    let files = receipt_files(&test);
    let forged = test.env.read(&files[0]).unwrap().replace("\"fail\"", "\"pass\"");
    test.env.write(&files[0], forged.replace("\"exit\": 1", "\"exit\": 0"));
    let (said, test) = test.run(["report", "--verify"]).output();
    assert_eq!(said.exit, Some(1), "{}", said.stdout);
    assert!(said.stdout.contains(": changed after it was written"), "{}", said.stdout);
    let (said, test) = test.run(["doctor"]).output();
    assert_eq!(said.exit, Some(1), "{}", said.stdout);
    assert!(said.stdout.contains("1 receipt unlike the journal's record"), "{}", said.stdout);
    // A stop is judged by the engine's own check, not by the file.
    let (said, test) = heard(test, "Stop", "");
    assert!(said.stdout.contains("Not finished"), "{}", said.stdout);
    test.env.remove(&files[0]);
    let (said, _) = test.run(["report", "--verify"]).output();
    assert_eq!(said.exit, Some(1), "{}", said.stdout);
    assert!(said.stdout.contains(": it is missing"), "{}", said.stdout);
}

#[test]
fn the_page_is_written_where_it_was_asked_for_and_shown_where_it_can_be() {
    let (said, test) = done().run(["report", "--html", "-"]).output();
    assert!(said.stdout.starts_with("<!doctype html>"), "{}", said.stdout);
    let (_, test) = test.run(["report", "--html", "page.html"]).output();
    assert!(test.env.read("page.html").unwrap().ends_with("</html>\n"));
    let (refused, test) = test.run(["report", "--html", "none/page.html"]).output();
    assert_eq!(refused.exit, Some(1), "{}", refused.stderr);
    // Without a program to open it, the page is still saved, and its path printed.
    let (said, test) = test.set("PATH", "/nowhere").run(["report", "--open"]).output();
    assert_eq!(said.exit, Some(0), "{}", said.stderr);
    let path = said.stdout.strip_prefix("Report  [PROJECT]/").unwrap().trim_end();
    assert!(test.env.read(path).unwrap().starts_with("<!doctype html>"), "{path}");
}

#[test]
fn without_a_run_there_is_nothing_to_report() {
    let tests = [sprag().folder(".sprag").run(["report"]), sprag().run(["report"])];
    let named = done().run(["report", "r-nobody"]);
    for ran in tests.into_iter().chain([named]) {
        let (said, _) = ran.output();
        assert_eq!((said.exit, said.stdout.as_str()), (Some(4), ""), "{}", said.stderr);
        assert!(said.stderr.starts_with("error["), "{}", said.stderr);
    }
}

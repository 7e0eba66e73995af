//! Issues of beads through the command line: import and export, and malformed files.

use sprag_testkit::{Output, Test};

use crate::support::SPRAG;

/// Imports a file of issues, which must end with this code.
#[track_caller]
fn imported(issues: &str, code: i32) -> (Output, Test) {
    let test = Test::of(SPRAG).file("issues.jsonl", issues);
    let (output, test) = test.run(["agent", "import", "issues.jsonl", "--as", "mayor"]).output();
    assert_eq!(output.exit, Some(code), "{}{}", output.stdout, output.stderr);
    (output, test)
}

fn export(test: Test) -> (String, Test) {
    let (output, test) = test.run(["agent", "export"]).output();
    assert_eq!(output.exit, Some(0), "{}", output.stderr);
    (output.stdout, test)
}

#[test]
fn what_nobody_changed_goes_back_byte_for_byte() {
    let issues = concat!(
        r#"{"id":"gt-1","title":"a\u003cb \ud83d\ude00","status":"deferred","priority":0,"z":{"b":1e3,"a":[]},"assignee":null}"#,
        "\n",
        r#"{ "title": "Spaced", "id": "gt-1.2",  "description": "", "priority": 4, "unknown": 0.10 }"#,
        "\n",
        r#"{"id":"gt-1-a","title":"No status"}"#,
        "\n",
    );
    let sorted = |text: &str| {
        let mut lines: Vec<&str> = text.lines().collect();
        lines.sort_by_key(|line| {
            serde_json::from_str::<serde_json::Value>(line).unwrap()["id"].to_string()
        });
        lines.join("\n")
    };
    let (_, test) = imported(issues, 0);
    let (back, test) = export(test);
    let lines: Vec<&str> = back.lines().collect();
    assert_eq!(lines[0], issues.lines().next().unwrap());
    assert_eq!(lines[2], issues.lines().nth(1).unwrap(), "by id: gt-1, gt-1-a, gt-1.2");
    assert_eq!(lines[1], issues.lines().nth(2).unwrap());
    // The export of an imported export is the same.
    let (again, _) = imported(&back, 0).1.run(["agent", "export"]).output();
    assert_eq!(again.stdout, back);
    assert_eq!(sorted(&back), back.trim_end());
    let (second, _) = test.run(["agent", "import", "issues.jsonl", "--as", "mayor"]).output();
    assert_eq!(second.stdout, "0 new, 0 changed, 3 as they were\n");
}

#[test]
fn only_what_we_know_better_is_changed() {
    let issue = r#"{"title":"One","x":[1, 2],"status":"open","id":"gt-1","priority":3,"y":null}"#;
    let (_, test) = imported(&format!("\u{feff}{issue}\r\n"), 0);
    let verbs = [
        "set polecat-1 gt-1 --as mayor",
        "activate polecat-1 --as polecat-1",
        "complete polecat-1 --as polecat-1",
        "clear polecat-1 --as mayor",
    ];
    let (back, test) = export(worked(test, &verbs));
    // Beads rejects a closed issue without its time.
    let (line, closed) = back.trim_end().split_once(",\"closed_at\":\"").unwrap();
    assert_eq!(format!("{line}}}"), issue.replace("open", "closed"));
    sprag_core::Time::parse(closed.strip_suffix("\"}").unwrap()).unwrap();
    let (again, test) = export(test);
    assert_eq!(again, back, "and the time stays");
    let (add, test) =
        test.run(["agent", "work", "add", "Ours", "--id", "gt-2", "--needs", "gt-1"]).output();
    assert_eq!(add.exit, Some(0), "{}", add.stderr);
    let (back, _) = export(test);
    let ours = back.lines().nth(1).unwrap();
    assert_eq!(
        ours,
        r#"{"id":"gt-2","priority":2,"status":"open","title":"Ours","dependencies":[{"issue_id":"gt-2","depends_on_id":"gt-1","type":"blocks"}]}"#
    );
}

#[test]
fn a_file_with_one_wrong_line_is_refused_whole_and_the_line_is_named() {
    let long = format!(r#"{{"id":"gt-9","title":"{}"}}"#, "x".repeat(300 << 10));
    let deep =
        format!(r#"{{"id":"gt-9","title":"T","x":{}{}}}"#, "[".repeat(5000), "]".repeat(5000));
    let wrong = [
        r#"{"id":"gt-1","title":"again"}"#,
        r#"{"id":"../../x","title":"T"}"#,
        r#"{"id":"a/b","title":"T"}"#,
        r#"{"id":"a\u0000b","title":"T"}"#,
        r#"{"id":"","title":"T"}"#,
        r#"{"id":7,"title":"T"}"#,
        r#"{"title":"T"}"#,
        r#"{"id":"gt-9"}"#,
        r#"{"id":"gt-9","title":"T","priority":"P1"}"#,
        r#"{"id":"gt-9","title":"T","dependencies":"gt-1"}"#,
        r#"{"id":"gt-9","title":"T","dependencies":[{"depends_on_id":"../x"}]}"#,
        r#"["gt-9"]"#,
        r#"{"id":"gt-9","title":"T""#,
        "\0",
        &long,
        &deep,
    ];
    for line in wrong {
        let (output, test) =
            imported(&format!("{{\"id\":\"gt-1\",\"title\":\"T\"}}\n\n{line}\n"), 6);
        let short: String = line.chars().take(60).collect();
        assert!(output.stderr.contains("line 3: "), "{short}: {}", output.stderr);
        assert!(output.stderr.contains("issues.jsonl"), "{short}: {}", output.stderr);
        assert!(!output.stderr.contains('\0'), "{short}");
        assert!(test.env.read(".chipset/state/work/gt-1.json").is_none(), "{short}");
    }
}

#[test]
fn units_that_wait_for_each_other_are_said_and_not_assigned() {
    let issues = r#"{"id":"gt-1","title":"T","dependencies":[{"depends_on_id":"gt-2","type":"blocks"}]}
{"id":"gt-2","title":"T","dependencies":["gt-1"]}
{"id":"gt-3","title":"T","dependencies":["gt-3", "nobody-knows"]}"#;
    let (output, test) = imported(issues, 0);
    assert_eq!(
        output.stdout,
        "3 new, 0 changed, 0 as they were\n\
         none of these can be assigned, they wait for each other: gt-1, gt-2\n\
         gt-3 can never be assigned, it waits for itself\n"
    );
    let (list, test) = test.run(["agent", "work", "ls"]).output();
    assert!(list.stdout.contains("gt-3 can never be assigned"), "{}", list.stdout);
    let (set, test) = test.run(["agent", "set", "polecat-1", "gt-3", "--as", "mayor"]).output();
    assert!(set.stderr.contains("waits for gt-3, nobody-knows"), "{}", set.stderr);
    let (alone, test) =
        test.run(["agent", "work", "add", "T", "--id", "gt-4", "--needs", "gt-4"]).output();
    assert!(alone.stderr.contains("gt-4 cannot wait for itself"), "{}", alone.stderr);
    let words = ["agent", "work", "add", "T", "--id", "nobody-knows", "--needs", "gt-3"];
    let (round, _) = test.run(words).output();
    assert!(round.stderr.contains("nobody-knows cannot wait for itself"), "{}", round.stderr);
}

/// Assigns a unit to an agent, and runs these commands on it.
fn worked(mut test: Test, verbs: &[&str]) -> Test {
    for words in verbs {
        let words: Vec<&str> = std::iter::once("agent").chain(words.split(' ')).collect();
        let (output, after) = test.run(words).output();
        assert_eq!(output.exit, Some(0), "{}", output.stderr);
        test = after;
    }
    test
}

#[test]
fn what_is_closed_there_and_worked_on_here_is_named() {
    let issue =
        |status: &str| format!("{{\"id\":\"gt-1\",\"title\":\"T\",\"status\":\"{status}\"}}\n");
    let (_, test) = imported(&issue("open"), 0);
    let begun = ["set polecat-1 gt-1 --as mayor", "activate polecat-1 --as polecat-1"];
    let test = worked(test, &begun).file("issues.jsonl", issue("closed"));
    let import = ["agent", "import", "issues.jsonl", "--as", "mayor"];
    let (output, test) = test.run(import).output();
    let said = "gt-1 is closed in beads, but polecat-1 has it here: it stays as it is here\n";
    assert_eq!(output.stdout, format!("0 new, 1 changed, 0 as they were\n{said}"));
    let ended = ["complete polecat-1 --as polecat-1", "clear polecat-1 --as mayor"];
    let test = worked(test, &ended).file("issues.jsonl", issue("blocked"));
    let (output, test) = test.run([&import[..], &["--json"]].concat()).output();
    let said: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
    let why = "not closed in beads, but done here";
    assert_eq!(said["conflicts"], serde_json::json!([{ "unit": "gt-1", "why": why }]));
    let (output, _) = test.run(import).output();
    assert_eq!(output.stdout, "0 new, 0 changed, 1 as they were\n", "that is said once");
}

#[test]
fn what_beads_closed_and_opened_again_is_open_and_goes_back_as_it_came() {
    let closed = "{\"id\":\"gt-1\",\"title\":\"T\",\"status\":\"closed\"}\n";
    let open = closed.replace("closed", "open");
    let test = imported(closed, 0).1.file("issues.jsonl", &open);
    let (output, test) = test.run(["agent", "import", "issues.jsonl", "--as", "mayor"]).output();
    assert_eq!(output.stdout, "0 new, 1 changed, 0 as they were\n");
    let (back, test) = export(test);
    assert_eq!(back, open);
    worked(test, &["set polecat-1 gt-1 --as mayor"]);
}

#[test]
fn what_somebody_has_elsewhere_a_person_opens_and_the_same_file_does_not_close_it() {
    let issues = r#"{"id":"gt-1","title":"T","status":"in_progress"}
{"id":"gt-2","title":"T","status":"blocked"}
{"id":"gt-3","title":"T","status":"hooked"}
{"id":"gt-4","title":"T","status":"tombstone"}
{"id":"gt-5","title":"T","dependencies":["gt-4"]}"#;
    let mut test = imported(issues, 0).1;
    for (unit, code, said) in [
        ("gt-1", 0, "gt-1: open again\n"),
        ("gt-2", 0, "gt-2: open again\n"),
        ("gt-3", 0, "gt-3: open again\n"),
        ("gt-4", 4, ""),
        ("gt-5", 4, ""),
    ] {
        let (refused, after) =
            test.run(["agent", "set", "polecat-0", unit, "--as", "mayor"]).output();
        let hint = refused.stderr.contains(&format!("a person can open it: `sprag resume {unit}`"));
        assert_eq!(hint, code == 0, "{}", refused.stderr);
        let (resumed, after) = after.run(["resume", unit]).output();
        assert_eq!(
            (resumed.stdout.as_str(), resumed.exit),
            (said, Some(code)),
            "{}",
            resumed.stderr
        );
        test = worked(after, &["clear polecat-0 --as mayor"]);
    }
    let (again, test) = test.run(["agent", "import", "issues.jsonl", "--as", "mayor"]).output();
    assert_eq!(again.stdout, "0 new, 0 changed, 5 as they were\n");
    let each = [1, 2, 3, 5].map(|n| format!("set polecat-{n} gt-{n} --as mayor"));
    worked(test, &each.each_ref().map(String::as_str));
}

#[test]
fn what_names_an_agent_that_does_not_have_it_is_opened_too() {
    let work = ".chipset/state/work/gt-1.json";
    let left = r#"{"beadId":"gt-1","title":"T","status":"in_progress","assignee":"polecat-1"}"#;
    let (resumed, test) = Test::of(SPRAG).file(work, left).run(["resume", "gt-1"]).output();
    assert_eq!(resumed.stdout, "gt-1: open again\n", "{}", resumed.stderr);
    worked(test, &["set polecat-2 gt-1 --as mayor"]);
}

#[test]
fn line_endings_go_back_as_they_came() {
    let issues = "{\"id\":\"gt-1\",\"title\":\"T\"}\r\n{\"id\":\"gt-2\",\"title\":\"T\"}\n";
    let (back, test) = export(imported(issues, 0).1);
    assert_eq!(back, issues);
    let (second, _) = test.run(["agent", "import", "issues.jsonl", "--as", "mayor"]).output();
    assert_eq!(second.stdout, "0 new, 0 changed, 2 as they were\n");
}

#[test]
fn names_and_titles_that_are_none_are_usage() {
    for words in [
        "set polecat-1 ../x --as mayor",
        "set ../x gt-1 --as mayor",
        "set polecat-1 gt-1 --key ../x --as mayor",
        "work show ../x",
        "work add T --id ../x",
        "work add T --needs ../x",
        "poll ../x",
        "mail send ../x Hello --as mayor",
        "nudge send ../x Hello --as mayor",
    ] {
        let words: Vec<&str> = std::iter::once("agent").chain(words.split(' ')).collect();
        let (output, test) = Test::of(SPRAG).run(&words).output();
        assert_eq!(output.exit, Some(2), "{words:?}: {}", output.stderr);
        assert!(output.stderr.contains("`../x` is not an id: "), "{words:?}: {}", output.stderr);
        assert_eq!(test.env.files(), [""; 0]);
    }
    for words in [
        &["agent", "set", "polecat-1", "gt-1", "--title", "", "--as", "mayor"][..],
        &["agent", "work", "add", " "],
    ] {
        let (output, test) = Test::of(SPRAG).run(words).output();
        assert_eq!(output.exit, Some(2), "{words:?}: {}", output.stderr);
        assert_eq!(test.env.files(), [""; 0]);
    }
}

#[test]
fn a_unit_whose_line_is_none_is_unknown() {
    let unit = r#"{"beadId":"gt-1","title":"T","beads":"{torn"}"#;
    let test = Test::of(SPRAG).file(".chipset/state/work/gt-1.json", unit);
    let (set, test) = test.run(["agent", "set", "polecat-1", "gt-1", "--as", "mayor"]).output();
    assert_eq!(set.exit, Some(9), "{}", set.stderr);
    assert!(set.stderr.contains("no line of beads"), "{}", set.stderr);
    let (export, _) = test.run(["agent", "export"]).output();
    assert_eq!(export.exit, Some(9), "{}", export.stderr);
    let test = Test::of(SPRAG).file(".chipset/state/work/a b.json", "{}");
    let (export, _) = test.run(["agent", "export"]).output();
    assert_eq!(export.exit, Some(9), "{}", export.stderr);
    assert!(export.stderr.contains("work/a b.json"), "{}", export.stderr);
}

#[test]
fn what_comes_next_in_the_inbox_is_what_would_be_pulled() {
    let next = |test: Test, code: i32, said: &str| {
        let before = test.env.files();
        let (output, test) = test.run(["next", "inbox"]).output();
        assert_eq!((output.stdout.as_str(), output.exit), (said, Some(code)), "{}", output.stderr);
        assert_eq!(test.env.files(), before, "and nothing changes");
        test
    };
    let issues = r#"{"id":"gt-1","title":"One","priority":2}
{"id":"gt-2","title":"Two","priority":1,"dependencies":["gt-1"]}
{"id":"gt-3","title":"Three","status":"closed"}"#;
    let test = imported(issues, 0).1;
    let test = next(test, 0, "gt-1: One\n  it is open, and would be given to worker-1\n");
    let test = worked(test, &["set polecat-1 gt-1 --as mayor"]);
    let test = next(test, 0, "gt-1: One\n  it is assigned to polecat-1\n");
    let (any, test) = test.run(["next", "--json"]).output();
    let any: serde_json::Value = serde_json::from_str(&any.stdout).unwrap();
    assert_eq!((&any["unit"], &any["agent"]), (&"gt-1".into(), &"polecat-1".into()));
    let test = worked(test, &["activate polecat-1 --as polecat-1"]);
    let said = "nothing can be begun: gt-2 waits for gt-1, which is not done\n";
    let test = next(test, 3, said);
    let ended = ["complete polecat-1 --as polecat-1", "clear polecat-1 --as mayor"];
    let test = worked(test, &ended);
    next(test, 0, "gt-2: Two\n  it is open, and would be given to polecat-1\n");
    let itself = imported(r#"{"id":"gt-1","title":"T","dependencies":["gt-1"]}"#, 0).1;
    let said = "nothing can be begun: gt-1 can never be assigned, it waits for itself\n";
    next(itself, 3, said);
    let done = imported(r#"{"id":"gt-1","title":"T","status":"closed"}"#, 0).1;
    next(done, 0, "nothing is assigned or open\n");
}

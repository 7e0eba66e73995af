//! Issues of beads through the command line: there and back, and files that nobody should have.

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
    // What was exported is what would be exported again.
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
    let mut test = test;
    for words in [
        "set polecat-1 gt-1 --as mayor",
        "activate polecat-1 --as polecat-1",
        "complete polecat-1 --as polecat-1",
        "clear polecat-1 --as mayor",
    ] {
        let words: Vec<&str> = std::iter::once("agent").chain(words.split(' ')).collect();
        let (output, after) = test.run(words).output();
        assert_eq!(output.exit, Some(0), "{}", output.stderr);
        test = after;
    }
    let (back, test) = export(test);
    assert_eq!(back.trim_end(), issue.replace("open", "closed"));
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
         none of these can be assigned, they wait for each other: gt-1, gt-2\n"
    );
    let (set, test) = test.run(["agent", "set", "polecat-1", "gt-3", "--as", "mayor"]).output();
    assert!(set.stderr.contains("waits for gt-3, nobody-knows"), "{}", set.stderr);
    let (alone, _) =
        test.run(["agent", "work", "add", "T", "--id", "gt-4", "--needs", "gt-4"]).output();
    assert!(alone.stderr.contains("gt-4 cannot wait for itself"), "{}", alone.stderr);
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

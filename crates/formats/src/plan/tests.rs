use std::fmt::Write as _;

use super::*;

/// A task with all required parts.
fn task(attributes: &str, file: &str) -> String {
    format!(
        "<task {attributes}>\n  <files>\n    <file action=\"create\">{file}</file>\n  </files>\n  \
         <action>\n    Do it.\n  </action>\n  <verify>\n    <check type=\"file\">{file} exists</check>\n  \
         </verify>\n  <done>It is done</done>\n</task>\n"
    )
}

fn plan(tasks: &[String]) -> String {
    format!("---\nphase: 1\ntitle: T\n---\n{}", tasks.concat())
}

fn names(text: &str) -> Vec<String> {
    read(text).problems.iter().map(Problem::name).collect()
}

fn places(text: &str) -> String {
    read(text).problems.iter().fold(String::new(), |mut all, problem| {
        let _ = writeln!(all, "{}:{} {}", problem.place.line, problem.place.col, problem.name());
        all
    })
}

#[test]
fn everything_wrong_is_said_at_once_with_its_place() {
    let text = [
        "---",
        "phase: 1",
        "title: T",
        "task_count: 9",
        "---",
        "<task wave=\"1\">",
        "  <files>",
        "    <file action=\"rename\">a</file>",
        "    <file>/etc/x</file>",
        "  </files>",
        "  <action>x</action>",
        "</task>",
        "  <task id=\"02\" wave=\"-1\" depends=\"02, 7\">",
        "  </task>",
        "<task id='02' wave='1' depends='03'>",
        "</task>",
        "<task id='03' wave='2'>",
        "  <action>",
        "    cut o",
    ];
    assert_eq!(
        places(&text.join("\n")),
        [
            "4:13 W_TASK_COUNT",
            "6:1 E_NO_ID",
            "6:1 E_MISSING::verify",
            "6:1 E_MISSING::done",
            "8:5 E_BAD_FILE_ACTION",
            "9:5 E_PATH",
            "13:3 E_BAD_WAVE:02",
            "13:3 E_MISSING:02:files",
            "13:3 E_MISSING:02:action",
            "13:3 E_MISSING:02:verify",
            "13:3 E_MISSING:02:done",
            "13:3 E_SELF_DEP:02",
            "13:3 E_UNKNOWN_DEP:02->7",
            "15:1 E_MISSING:02:files",
            "15:1 E_MISSING:02:action",
            "15:1 E_MISSING:02:verify",
            "15:1 E_MISSING:02:done",
            "15:1 E_DUP_ID:02",
            "15:1 E_DEP_LATER_WAVE:02->03",
            "18:3 E_TASK_UNCLOSED:03",
            "",
        ]
        .join("\n")
    );
}

#[test]
fn ids_are_found_by_name_then_by_number() {
    let depends = |written: &str| {
        let tasks = [
            task("id='01' wave='1'", "a"),
            task("id='T2' wave='1'", "b"),
            task("id='FIX-01' wave='1'", "c"),
            task(&format!("id='9' wave='2' depends='{written}'"), "d"),
        ];
        read(&plan(&tasks)).plan.tasks[3].depends.join(" ")
    };
    assert_eq!(depends("01,T2 FIX-01"), "01 T2 FIX-01");
    assert_eq!(depends("T01"), "01");
    assert_eq!(depends("1 t1, 001"), "01");
    assert_eq!(depends("2"), "T2");
    assert_eq!(depends(""), "");
    assert_eq!(depends("FIX-1"), "");
}

#[test]
fn an_id_names_one_task_and_can_be_written_anywhere() {
    let long = "x".repeat(65);
    for id in ["", " ", "a b", "a\tb", "verify", "a,b", "a>b", &long] {
        let found = names(&plan(&[task(&format!("id=\"{id}\" wave='1'"), "a")]));
        assert_eq!(found, ["E_NO_ID"], "{id}");
    }
    for (one, other) in [("1", "1"), ("1", "01"), ("T01", "1"), ("01a", "T01a"), ("a", "a")] {
        let tasks = [
            task(&format!("id='{one}' wave='1'"), "a"),
            task(&format!("id='{other}' wave='1'"), "b"),
        ];
        assert_eq!(names(&plan(&tasks)), [format!("E_DUP_ID:{other}")]);
    }
    let tasks = [
        task("id='a' wave='1'", "a"),
        task("id='A' wave='1'", "b"),
        task("id='FIX-1' wave='1'", "c"),
    ];
    assert_eq!(names(&plan(&tasks)), [""; 0]);
}

#[test]
fn circles_are_named_whole_and_once() {
    let tasks = [
        task("id='a' wave='1' depends='c'", "a"),
        task("id='b' wave='1' depends='a'", "b"),
        task("id='c' wave='1' depends='b'", "c"),
        task("id='d' wave='1' depends='c e'", "d"),
        task("id='e' wave='1' depends='f'", "e"),
        task("id='f' wave='1' depends='e'", "f"),
    ];
    assert_eq!(
        names(&plan(&tasks)),
        ["E_CYCLE:a>c>b>a", "W_DEP_SAME_WAVE:d->c", "W_DEP_SAME_WAVE:d->e", "E_CYCLE:e>f>e"]
    );
}

#[test]
fn a_missing_wave_follows_from_what_a_task_waits_for() {
    let tasks = [
        task("id='1' depends='3'", "a"),
        task("id='2'", "b"),
        task("id='3' wave='4'", "c"),
        task("id='4' wave='1' depends='3'", "d"),
    ];
    let read = read(&plan(&tasks));
    let waves: Vec<u32> = read.plan.tasks.iter().map(|task| task.wave).collect();
    assert_eq!(waves, [5, 1, 4, 1]);
    let names: Vec<String> = read.problems.iter().map(Problem::name).collect();
    assert_eq!(
        names,
        ["W_WAVE_DERIVED:1", "W_WAVE_DERIVED:2", "W_WAVE_GAP", "E_DEP_LATER_WAVE:4->3"]
    );
}

#[test]
fn the_head_may_be_missing_open_or_broken() {
    let body = task("id='1' wave='1'", "a");
    assert_eq!(names(&body), ["W_NO_FRONTMATTER"]);
    assert_eq!(names(&format!("---\nphase: 1\n{body}")), ["E_FRONTMATTER_UNTERMINATED"]);
    assert_eq!(names(&format!("---\nphase: [\n---\n{body}")), ["E_FRONTMATTER_YAML"]);
    assert_eq!(names(&format!("---\na: 1\na: 2\n---\n{body}")), ["E_FRONTMATTER_YAML"]);
    let keys = ["W_FRONTMATTER_KEY:phase", "W_FRONTMATTER_KEY:title"];
    assert_eq!(names(&format!("---\n---\n{body}")), keys);
    assert_eq!(
        places("---\nphase: 1\ntitle: x: y\n---\n").lines().next(),
        Some("3:9 E_FRONTMATTER_YAML")
    );
    assert_eq!(names("---\nphase: 1\ntitle: T\n---\n"), ["E_EMPTY"]);
    assert_eq!(names(""), ["W_NO_FRONTMATTER", "E_EMPTY"]);
}

#[test]
fn entities_are_decoded_where_the_grammar_says() {
    let text = "<task id='1' wave='1'>\n <files><file>a&amp;b</file></files>\n \
<action>x &amp;&amp; <y></action>\n <verify><check type='test' cmd='a &quot;b&quot;'>&lt;c&gt;</check></verify>\n \
<done>a &lt; b</done>\n</task>\n";
    let read = read(text);
    let task = &read.plan.tasks[0];
    assert_eq!(task.files[0].path.as_str(), "a&b");
    assert_eq!(task.action, "x &amp;&amp; <y>");
    assert_eq!(
        (task.checks[0].text.as_str(), task.checks[0].cmd.as_deref()),
        ("<c>", Some("a \"b\""))
    );
    assert_eq!(task.done, "a < b");
}

#[test]
fn line_ends_of_any_kind_leave_no_trace() {
    let text =
        plan(&[task("id='1' wave='1'", "a b.txt"), task("id='2' wave='2' depends='1'", "c")]);
    let expected = read(&text);
    assert_eq!(expected.problems, []);
    for end in ["\r\n", "\r"] {
        let other = format!("\u{feff}{}", text.replace('\n', end));
        assert_eq!(read(&other), expected, "{end:?}");
    }
}

#[test]
fn a_fake_tail_is_said_and_a_cut_plan_is_refused_whole() {
    let fake = "<task id='1' wave='1'>\n  <files><file>a.b</file></files>\n  <verify><check type='file'>a.b exists</check></verify>\n  \
<done>d</done>\n  <action>\n    text\n  </action>\n</task>\nmore text\n  </action>\n</task>\n";
    assert_eq!(names(&plan(&[fake.to_owned()])), ["W_STRAY_TAG"]);
    let whole = plan(&[task("id='1' wave='1'", "a"), task("id='2' wave='1'", "b")]);
    let cut = &whole[..whole.rfind("</task>").unwrap()];
    assert_eq!(names(cut), ["E_TASK_UNCLOSED:2"]);
    assert!(parse(cut).is_err() && parse(&whole).is_ok());
}

#[test]
fn half_a_command_is_no_command() {
    let text =
        task("id='1' wave='1'", "a").replace("type=\"file\"", "type='test' cmd=\"grep \"x y\" f\"");
    let read = read(&plan(&[text]));
    assert!(matches!(
        &read.plan.tasks[0].checks[0].decision,
        sprag_core::plan::CheckDecision::Claim { why } if why.contains("cut off")
    ));
}

#[test]
fn the_plan_of_the_original_reads_as_its_authors_meant_it() {
    let read = read(include_str!("../../tests/data/loop-mechanism.md"));
    assert_eq!(read.problems.iter().map(Problem::name).collect::<Vec<_>>(), ["W_VAGUE:02"]);
    let tasks = &read.plan.tasks;
    let waves: Vec<u32> = tasks.iter().map(|task| task.wave).collect();
    assert_eq!(waves, [1, 1, 1, 2, 2, 3, 3]);
    assert_eq!(tasks[6].depends, ["04", "05"]);
    assert_eq!((read.plan.must_haves.len(), read.plan.links.len()), (7, 6));
    let claims = |task: &sprag_core::plan::Task| {
        let is_claim = |check: &&sprag_core::plan::PlanCheck| {
            matches!(check.decision, sprag_core::plan::CheckDecision::Claim { .. })
        };
        (task.checks.len(), task.checks.iter().filter(is_claim).count())
    };
    let checks: Vec<_> = tasks.iter().map(claims).collect();
    assert_eq!(checks, [(3, 0), (4, 1), (3, 0), (4, 0), (4, 0), (3, 0), (2, 0)]);
}

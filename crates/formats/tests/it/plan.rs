//! Compares plans with the manual, and bounds the time for hostile ones.

use std::time::Duration;

use sprag_core::plan::{Report, schedule};
use sprag_formats::plan::{Code, parse, read, roadmap, verification};

use crate::mutate::{filled, timed};
use crate::support::numbered;

const PAGE: &str = include_str!("../../../../docs/plans.md");

#[test]
fn every_problem_has_its_line_in_the_manual() {
    for code in Code::ALL {
        assert!(PAGE.contains(&format!("`{}`", code.as_str())), "{code:?}");
    }
}

#[test]
fn the_plan_in_the_manual_is_one() {
    let sample = PAGE.split("```\n").nth(1).unwrap();
    let plan = parse(sample).unwrap();
    assert_eq!((plan.tasks.len(), plan.must_haves.len(), plan.links.len()), (1, 1, 1));
    assert_eq!(plan.tasks[0].checks.len(), 4);
}

/// Far above the time of any of these without optimisation, and far below quadratic time.
const LIMIT: Duration = Duration::from_secs(5);

const HEAD: &str = "---\nphase: 1\ntitle: T\n---\n";

fn task(attributes: &str, files: &str, checks: &str) -> String {
    format!(
        "<task {attributes}>\n  <files>{files}</files>\n  <action>x</action>\n  \
         <verify>{checks}</verify>\n  <done>x</done>\n</task>\n"
    )
}

fn many(count: usize, one: impl Fn(usize) -> String) -> String {
    format!("{HEAD}{}", numbered(count, one))
}

/// Plans of ten thousand tasks, and a megabyte of texts that a reader might search repeatedly.
fn hostile() -> Vec<(&'static str, String)> {
    let check = "<check type=\"file\">a.b exists</check>";
    let one_file = |n: usize| task(&format!("id='{n}' wave='1'"), "<file>a.b</file>", check);
    let chain = |n: usize| {
        task(
            &format!("id='{}' wave='1' depends='{n}'", n + 1),
            &format!("<file>{n}.b</file>"),
            check,
        )
    };
    let files = numbered(256, |n| format!("<file>d{n}/e/f.b</file>"));
    let checks = numbered(256, |n| format!("<check type='content'>f{n}.b has \"x\"</check>"));
    let in_task = |text: &str| format!("{HEAD}{}", task("id='1' wave='1'", &filled(text), check));
    vec![
        ("one file", many(10_000, one_file)),
        ("a chain", many(10_000, chain)),
        (
            "many files and checks",
            many(40, |n| task(&format!("id='{n}' wave='1'"), &files, &checks)),
        ),
        ("tags without an end", in_task("<file ")),
        ("quotes without an end", in_task("<file a='")),
        ("files that are none", in_task("<file>../x</file>")),
        (
            "ends that are none",
            format!("{HEAD}<task id='1'>\n  <action>\n{}", filled("  </action>\n\n")),
        ),
        ("tasks in tasks", filled("<task id='1' wave='1'>\n")),
        (
            "quotes in a check",
            task(
                "id='1' wave='1'",
                "<file>a.b</file>",
                &format!("<check type='content'>{}</check>", filled("“")),
            ),
        ),
        ("links", format!("## Key Links\n{}", filled("| a | b |\n"))),
        ("gaps", format!("## Gaps\n{}", filled("<gap file='"))),
        ("phases", filled("## Phase 1\n**Status:** X\n")),
        ("markers", filled("TASK FAILED: {x}\n")),
        ("one line", filled("x")),
    ]
}

#[test]
fn no_plan_takes_longer_than_its_length() {
    for (name, text) in hostile() {
        let time = timed(LIMIT, || {
            let found = read(&text);
            if found.errors().next().is_none() {
                assert!(!schedule(&found.plan).is_empty());
            }
            verification::read(&text);
            roadmap::phases(&text);
            Report::read(&text);
        });
        println!("{name}: {time:?}");
        assert!(time < LIMIT, "{name} took {time:?}");
    }
}

//! What is said of plans elsewhere, held against what they are.

use sprag_formats::plan::{Code, parse};

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

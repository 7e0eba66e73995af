use sprag_engine::plan::Stands;

use super::driver::{project, start, state};

#[test]
fn next_says_what_would_run_together_and_changes_nothing() {
    let world = project("yolo", "loop: {max_parallel: 4}\n");
    let before = state(&world);
    let view = world.engine().plan_next(None).unwrap();
    assert_eq!(view.run, None);
    assert_eq!(view.stands, Stands::Ready);
    let together: Vec<_> = view.together.iter().map(|(unit, _)| unit.id.as_str()).collect();
    assert_eq!(together, ["T01", "T02"]);
    assert_eq!(view.claims, [("01".to_owned(), "it looks nice".to_owned())]);
    assert_eq!(state(&world), before);
    let run = start(&world);
    assert_eq!(world.engine().plan_next(Some("1")).unwrap().run, Some(run));
    assert!(world.engine().plan_next(Some("7")).unwrap_err().to_string().contains("phase 7"));
}

#[test]
fn one_at_a_time_is_the_default_and_is_said() {
    let world = project("yolo", "");
    let view = world.engine().plan_next(Some("1")).unwrap();
    assert_eq!(view.together.len(), 1);
    assert_eq!(view.after[0].1, "at most 1 at the same time");
}

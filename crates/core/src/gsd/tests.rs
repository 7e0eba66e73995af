use super::*;
use crate::{Check, Closes, DocPath, Name, UnitId};

fn path(text: &str) -> DocPath {
    DocPath::parse(text).unwrap()
}

fn task(id: &str, ticked: bool) -> Task {
    let home = path(&format!(".gsd/milestones/M001/slices/S01/tasks/{id}-PLAN.md"));
    let papers = [(Paper::Plan, home)].into_iter().collect();
    Task {
        id: id.to_owned(),
        title: format!("Do {id}"),
        ticked,
        boxed: true,
        papers,
        ..Task::default()
    }
}

/// A milestone with one slice, whose tasks are done or not.
fn tree(done: &[bool]) -> Tree {
    let ids = (1..).map(|number| format!("T{number:02}"));
    let tasks = ids.zip(done).map(|(id, done)| task(&id, *done)).collect();
    let folder = path(".gsd/milestones/M001/slices/S01");
    let plan = folder.join("S01-PLAN.md").unwrap();
    let slice = SliceFolder {
        plan: Some(Plan { tasks, ..Plan::default() }),
        papers: [(Paper::Plan, plan)].into_iter().collect(),
        tasks: Some(TaskFolder {
            folder: folder.join("tasks").unwrap(),
            names: vec!["T01-PLAN.md".to_owned(), "T01-REVIEW-PASS.md".to_owned()],
        }),
        ..SliceFolder::new("S01", folder)
    };
    let listed = Slice { id: "S01".to_owned(), title: "One".to_owned(), ..Slice::default() };
    let milestone = Milestone {
        roadmap: Some(Roadmap { slices: vec![listed], ..Roadmap::default() }),
        planned: true,
        slices: vec![slice],
        ..Milestone::new("M001", path(".gsd/milestones/M001"))
    };
    Tree { milestones: vec![milestone], ..Tree::default() }
}

fn decide(tree: &Tree) -> Dispatched {
    dispatch(tree, &derive(tree), &nothing_skipped)
}

fn unit_of(found: &Dispatched) -> String {
    match &found.decision {
        Decision::Dispatch { kind, at } => format!("{kind} {at}"),
        Decision::Stop { why, .. } | Decision::Skip { why, .. } => why.clone(),
    }
}

#[test]
fn the_first_open_task_is_next_and_every_row_above_says_why_not() {
    let found = decide(&tree(&[true, false, false]));
    assert_eq!(unit_of(&found), "execute-task M001/S01/T02");
    assert_eq!(found.row, "executing → execute-task");
    assert_eq!(found.above.len(), 25);
    assert!(found.above.iter().all(|passed| !passed.why.is_empty()));
}

#[test]
fn a_task_is_done_by_its_box_or_its_summary() {
    let mut tree = tree(&[false, false]);
    let slice = &mut tree.milestones[0].slices[0];
    let summary = path(".gsd/milestones/M001/slices/S01/tasks/T01-SUMMARY.md");
    slice.plan.as_mut().unwrap().tasks[0].papers =
        [(Paper::Summary, summary)].into_iter().collect();
    assert_eq!(derive(&tree).task.unwrap().id, "T02");
}

#[test]
fn what_cannot_be_read_is_never_taken_for_nothing_to_do() {
    let mut tree = Tree::default();
    assert_eq!(decide(&tree).row, "before the table: no active milestone");
    let home = path(".gsd/PREFERENCES.md");
    tree.unreadable.push(Unread { path: home, why: "line 2".to_owned() });
    let found = decide(&tree);
    assert_eq!(found.row, "before the table: unreadable");
    assert_eq!(unit_of(&found), ".gsd/PREFERENCES.md cannot be read: line 2");
}

#[test]
fn a_skipped_task_gives_way_to_the_next_and_never_loops() {
    let tree = tree(&[false, false]);
    let state = derive(&tree);
    let skip = |skipped: &'static [&'static str]| {
        move |_: &Name, at: &UnitId| {
            skipped.contains(&at.as_str()).then(|| "the rule `docs`".to_owned())
        }
    };
    let one = dispatch(&tree, &state, &skip(&["M001/S01/T01"]));
    assert_eq!(unit_of(&one), "execute-task M001/S01/T02");
    let both = dispatch(&tree, &state, &skip(&["M001/S01/T01", "M001/S01/T02"]));
    let said = "Nothing is left to do: execute-task M001/S01/T01 is skipped by the rule `docs`.";
    assert_eq!(unit_of(&both), said);
}

#[test]
fn an_earlier_milestone_with_open_slices_holds_the_later_one() {
    let mut tree = tree(&[false]);
    let mut first = tree.milestones[0].clone();
    first.id = "M000".to_owned();
    first.context = Some(Context { depends_on: vec!["M009".to_owned()], ..Context::default() });
    tree.milestones.insert(0, first);
    let found = decide(&tree);
    assert_eq!(found.row, "guard: prior slice");
    let said = "Cannot dispatch execute-task M001/S01/T01: earlier slice M000/S01 is not complete.";
    assert_eq!(unit_of(&found), said);
}

#[test]
fn what_is_done_and_was_not_begun_is_known_beside_what_a_unit_is_about() {
    let open = tree(&[true, false, false]).open("M001");
    let names: Vec<_> = open.iter().map(UnitId::as_str).collect();
    assert_eq!(names, ["M001", "M001/S01", "M001/S01/T02", "M001/S01/T03"]);
    let found = |tree: &Tree, about| -> Vec<String> {
        tree.unbegun(&open, &UnitId::literal(about)).collect()
    };
    assert_eq!(found(&tree(&[true, true, false]), "M001/S01/T02"), [""; 0]);
    let said = "M001/S01/T03 is done, and nobody began it";
    assert_eq!(found(&tree(&[true, true, true]), "M001/S01/T02"), [said]);
    assert_eq!(found(&tree(&[true, true]), "M001/S01/T02"), [""; 0], "it was taken out");
    assert_eq!(found(&tree(&[true, true, true]), "M001/S01"), [""; 0], "it is about all of it");
    let mut ticked = tree(&[true, true, false]);
    ticked.milestones[0].roadmap.as_mut().unwrap().slices[0].done = true;
    assert_eq!(found(&ticked, "M001/S01/T02").len(), 2, "the slice, and with it the task");
}

#[test]
fn a_unit_ends_when_its_artefact_is_there() {
    let tree = tree(&[false]);
    let (kind, at) = (Name::literal("execute-task"), UnitId::literal("M001/S01/T01"));
    let unit = unit(&kind, &at, &tree).unwrap();
    assert_eq!(unit.id.as_str(), "execute-task M001/S01/T01");
    assert_eq!(unit.closes, Closes::Stop);
    let Check::All { of } = &unit.gates[0].check else { panic!("{:?}", unit.gates) };
    let summary = path(".gsd/milestones/M001/slices/S01/tasks/T01-SUMMARY.md");
    assert_eq!(of[0], Check::File { path: summary });
    assert!(matches!(&of[1], Check::Any { of } if of.len() == 2), "a box may be x or X");
    assert!(super::unit(&kind, &UnitId::literal("M001/S01/T09"), &tree).is_none());
    assert_eq!(tree.names(&at), ["PLAN.md", "REVIEW-PASS.md"]);
    let beside = tree.beside(&at, "REVIEW.md").unwrap();
    assert_eq!(beside.as_str(), ".gsd/milestones/M001/slices/S01/tasks/T01-REVIEW.md");
}

#[test]
fn a_finished_task_is_never_dispatched_whatever_is_skipped() {
    for bits in 0..1_u32 << 12 {
        let done: Vec<bool> = (0..6).map(|at| bits & (1 << at) != 0).collect();
        let skips: Vec<bool> = (6..12).map(|at| bits & (1 << at) != 0).collect();
        let tree = tree(&done);
        let number = |at: &UnitId| -> Option<usize> {
            at.as_str().strip_prefix("M001/S01/T").map(|id| id.parse().unwrap())
        };
        let skipped = |_: &Name, at: &UnitId| {
            number(at).filter(|id| skips[id - 1]).map(|_| "a rule".to_owned())
        };
        let found = dispatch(&tree, &derive(&tree), &skipped);
        if let Decision::Dispatch { kind, at } = &found.decision
            && kind.as_str() == "execute-task"
        {
            let id = number(at).unwrap();
            assert!(!done[id - 1] && !skips[id - 1], "{done:?} {skips:?} {at}");
        }
    }
}

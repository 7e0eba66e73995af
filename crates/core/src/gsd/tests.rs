use super::*;
use crate::rules::{Chain, Rule};
use crate::{
    Ask, Check, Closes, DocPath, Facts, Fence, Hash, Name, Next, Plain, Receipt, Run, RunId, Seq,
    Signal, Stored as _, Time, Unit, UnitId, Verdict, Word, next, step,
};

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
        DispatchOutcome::Dispatch { kind, at } => format!("{kind} {at}"),
        DispatchOutcome::Stop { why, .. } | DispatchOutcome::Skip { why, .. } => why.clone(),
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
    first.context = Some(MilestoneContext {
        depends_on: vec!["M009".to_owned()],
        ..MilestoneContext::default()
    });
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
    let said = "M001/S01/T03 done, never begun";
    assert_eq!(found(&tree(&[true, true, true]), "M001/S01/T02"), [said]);
    assert_eq!(found(&tree(&[true, true]), "M001/S01/T02"), [""; 0], "it was taken out");
    assert_eq!(found(&tree(&[true, true, true]), "M001/S01"), [""; 0], "it is about all of it");
    let mut ticked = tree(&[true, true, false]);
    ticked.milestones[0].roadmap.as_mut().unwrap().slices[0].done = true;
    assert_eq!(found(&ticked, "M001/S01/T02").len(), 2, "the slice, and with it the task");
}

#[test]
fn only_its_planning_unit_takes_a_task_out_of_the_tree() {
    let open = tree(&[true, false, false]).open("M001");
    let left = tree(&[true, true]);
    let altered = |kind: &'static str, about: &'static str| {
        left.altered(&open, &Name::literal(kind), &UnitId::literal(about))
    };
    let gone = "M001/S01/T03 is gone from the tree";
    assert_eq!(altered("execute-task", "M001/S01/T02"), [gone]);
    assert_eq!(altered("execute-task", "M001/S01/T03")[0], gone, "nor itself");
    assert_eq!(altered("complete-slice", "M001/S01"), [gone]);
    let both = altered("reactive-execute", "M001/S01/reactive+T02,T03");
    assert_eq!(both, [gone], "what is done of it is its own");
    for (kind, about) in [
        ("plan-slice", "M001/S01"),
        ("replan-slice", "M001/S01"),
        ("plan-milestone", "M001"),
        ("reassess-roadmap", "M001/S00"),
    ] {
        let found = altered(kind, about);
        assert!(!found.contains(&gone.to_owned()), "{kind}: {found:?}");
    }
    assert!(altered("plan-slice", "M001/S02").contains(&gone.to_owned()), "not its own");
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
        if let DispatchOutcome::Dispatch { kind, at } = &found.decision
            && kind.as_str() == "execute-task"
        {
            let id = number(at).unwrap();
            assert!(!done[id - 1] && !skips[id - 1], "{done:?} {skips:?} {at}");
        }
    }
}

/// A run of a tree with reviewed tasks; its only documents are those that commits settle.
struct ReviewedTree {
    definition: Definition,
    run: Run<Position>,
    facts: Facts,
}

impl ReviewedTree {
    fn new(done: &[bool]) -> Self {
        let mut tree = tree(done);
        let plan = tree.milestones[0].slices[0].plan.as_mut().unwrap();
        for task in &mut plan.tasks {
            let at = UnitId::parse(&format!("M001/S01/{}", task.id)).unwrap();
            let home = task.papers.path(Paper::Plan).unwrap().clone();
            task.kept = Some(RuleValues { at, home, values: Vec::new() });
        }
        let rules = Chain::new(vec![Rule::shipped("review-loop").unwrap()]);
        Self::of(Definition::new(tree, rules))
    }

    /// A fresh run of a tree.
    fn of(definition: Definition) -> Self {
        let start = Position::start(&definition);
        let run = Run::new::<Gsd>(RunId::parse("r-7k2m").unwrap(), &definition, start);
        let facts = Facts::new(Time::from_millis(0), Seq(1), Hash::of("0"));
        Self { definition, run, facts }
    }

    fn unit(&self) -> Unit {
        match next::<Gsd>(&self.definition, &self.run, &self.facts) {
            Next::Units(units) => units.into_iter().next().unwrap(),
            other @ (Next::Wait { .. }
            | Next::Held(_)
            | Next::Done
            | Next::Cancelled
            | Next::Ask(_)) => panic!("{other:?}"),
        }
    }

    /// Handles a signal and commits the result: everything is then read again.
    fn take(&mut self, signal: &Signal) {
        self.facts.seq = self.facts.seq.next();
        let run = step::<Gsd>(&self.definition, &self.run, signal, &self.facts).unwrap().run;
        let settled = settle(&self.definition, &run).unwrap();
        self.definition = self.definition.settled(&settled);
        self.run = Run::lift(&run.lower_trimmed()).unwrap();
        self.run.learn::<Gsd>(&self.definition);
    }

    /// Runs the next unit: writes `text` to its answer file and passes.
    fn works(&mut self, file: &str, text: &str) -> String {
        let unit = self.unit();
        let begin = Signal::Begin { unit: unit.id.clone(), agent: None, session: None };
        self.take(&begin);
        let fence = Fence(self.facts.seq);
        if unit.kind.as_str() == "execute-task" {
            let mut tree = self.definition.tree.clone();
            let plan = tree.milestones[0].slices[0].plan.as_mut().unwrap();
            let open = plan.tasks.iter_mut().find(|task| !task.ticked);
            open.unwrap().ticked = true;
            self.definition = Definition::new(tree, self.definition.rules.clone());
        }
        let at = UnitId::literal("M001/S01/T01");
        let path = self.definition.tree.beside(&at, file).unwrap();
        self.facts.answers.insert(Ask::Text(path), text.into());
        let receipt = |gate: &crate::Gate| Receipt {
            gate: gate.name.clone(),
            verdict: Verdict::Pass,
            exit: None,
            why: String::new(),
            tail: String::new(),
            tree: self.facts.tree,
            at: self.facts.now,
            doubt: None,
        };
        let receipts = unit.gates.iter().map(receipt).collect();
        self.take(&Signal::End {
            fence,
            word: Word::Done,
            receipts,
            worth: Some(crate::basis::Worth::Proven),
        });
        unit.id.to_string()
    }
}

#[test]
fn what_commits_settle_is_all_that_a_review_goes_on_from() {
    let mut world = ReviewedTree::new(&[false, false]);
    assert_eq!(world.works("", ""), "execute-task M001/S01/T01");
    let found = "VERDICT: issues\n- [critical] a.rs:1: one";
    assert_eq!(world.works("CODE-REVIEW.md", found), "review-task M001/S01/T01");
    // Another run that knows only the tree continues with the same unit.
    let mut other = ReviewedTree::of(world.definition.clone());
    assert_eq!(other.definition.worded(&other.unit()), world.definition.worded(&world.unit()));
    assert_eq!(other.works("CODE-REVIEW-REPLY.md", ""), "fix-task M001/S01/T01");
    assert_eq!(other.works("CODE-REVIEW-2.md", "VERDICT: pass"), "review-task M001/S01/T01");
    assert_eq!(other.unit().id.as_str(), "execute-task M001/S01/T02");
    let at = UnitId::literal("M001/S01/T01");
    let kept = other.definition.state.kept(&at, "review-loop").unwrap();
    let Plain::Map(kept) = kept else { panic!("{kept:?}") };
    assert_eq!(kept.iter().map(|(key, _)| key.as_str()).collect::<Vec<_>>(), ["completedReviews"]);
}

#[test]
fn what_a_rule_keeps_is_laid_over_what_it_kept_and_may_be_forgotten() {
    let mut definition = ReviewedTree::new(&[false]).definition;
    let at = UnitId::literal("M001/S01/T01");
    let home = definition.state.home(&at).unwrap().clone();
    for value in [Plain::Int(1), Plain::Int(2), Plain::Null] {
        let keep = Keep { at: at.clone(), rule: Name::literal("mine"), value: value.clone() };
        definition = definition.settled(&Settled::from([(&home, vec![&keep])]));
        let kept = definition.state.kept(&at, "mine").cloned();
        assert_eq!(kept, Some(value).filter(|value| *value != Plain::Null));
    }
}

#[test]
fn nothing_is_kept_with_what_has_no_document() {
    let world = ReviewedTree::of(Definition::new(tree(&[false]), Chain::default()));
    let mut run = world.run.clone();
    let (at, rule) = (UnitId::literal("M001/S01/T01"), Name::literal("mine"));
    run.position.keeps.push(Keep { at: at.clone(), rule: rule.clone(), value: Plain::Int(1) });
    assert_eq!(settle(&world.definition, &run), Err(Homeless { rule, at }));
}

use super::*;
use crate::pr::TurnRole;
use crate::{Driven, Outcome, Plain, RunId, Stored as _, Unstarted};

const ALL: [Subject; 3] = [Subject::Phase, Subject::Task, Subject::Pull];

/// A reason in the words of the page, and the hold of each subject that it can happen to.
struct Row {
    reason: &'static str,
    holds: Vec<(Subject, Hold)>,
}

impl Row {
    fn of(end: &ReviewEnd) -> Self {
        let (reason, subjects) = reason(end);
        let holds = subjects.iter().map(|of| (*of, end.clone().hold(*of))).collect();
        Self { reason, holds }
    }

    /// Returns the lines of the page: one for all subjects with the same hold, the reason in the
    /// first.
    fn lines(&self) -> Vec<String> {
        let mut groups: Vec<(Vec<&str>, String)> = Vec::new();
        for (of, hold) in &self.holds {
            let ends = outcome(hold);
            match groups.iter_mut().find(|group| group.1 == ends) {
                Some(group) => group.0.push(name(*of)),
                None => groups.push((vec![name(*of)], ends)),
            }
        }
        let reasons = std::iter::once(self.reason).chain(std::iter::repeat(""));
        let line = |(reason, (of, ends)): (&str, (Vec<&str>, String))| {
            format!("| {reason} | {} | {ends} |", of.join(", ")).replace("|  |", "| |")
        };
        reasons.zip(groups).map(line).collect()
    }
}

const fn name(of: Subject) -> &'static str {
    match of {
        Subject::Phase => "phase",
        Subject::Task => "task",
        Subject::Pull => "pull request",
    }
}

/// Returns the reason in the words of the page, and the subjects that it can happen to.
fn reason(end: &ReviewEnd) -> (&'static str, &'static [Subject]) {
    match end {
        ReviewEnd::Round(RoundEnd::RoundsOver { .. }) => ("the rounds ran out", &ALL),
        ReviewEnd::Round(RoundEnd::Repeats { .. }) => (
            "a review only repeats the one before, or one finding remains for three rounds or \
             came back twice",
            &ALL,
        ),
        ReviewEnd::Round(RoundEnd::NotFewer { .. }) => {
            ("the findings do not get fewer for three rounds", &ALL)
        }
        ReviewEnd::Round(RoundEnd::Disputed { .. }) => ("a refused finding is found again", &ALL),
        ReviewEnd::FindingsLeft => {
            ("the findings were neither dealt with nor refused", &[Subject::Phase, Subject::Pull])
        }
        ReviewEnd::NotCounted { .. } => (
            "a review did not count twice: not understood, not written, or the reviewer changed \
             files",
            &ALL,
        ),
        ReviewEnd::Failed { .. } => (FAILED, &ALL),
        ReviewEnd::NoReviewer { .. } => (NO_REVIEWER, &ALL),
        ReviewEnd::FilesMove => {
            ("files keep changing between the gates and the review", &[Subject::Phase])
        }
        ReviewEnd::HalfDone { .. } => ("the developer was lost in an answer", &[Subject::Pull]),
        ReviewEnd::Unpushed { .. } => {
            ("the changes of an answer are not on the forge", &[Subject::Pull])
        }
        ReviewEnd::NoForge { .. } => ("the forge was not reached twice", &[Subject::Pull]),
    }
}

const NO_REVIEWER: &str = "the reviewer is not here, or cannot be started";
const FAILED: &str = "reviewer or fixer was lost or failed until its retries ran out";

/// Returns the kind of hold, the exit code and the command that a person is shown.
fn outcome(hold: &Hold) -> String {
    let Plain::Map(stored) = hold.lower() else { panic!("a hold is stored as a map") };
    let kind = stored[0].0.replace('_', " ");
    let (code, ways) = (Outcome::from(hold).exit_code(), hold.ways());
    format!("{kind} | {code} | `{} RUN`", ways.first().verb())
}

/// One of each kind of end, in the order of the page.
fn ends() -> Vec<ReviewEnd> {
    let text = String::new;
    vec![
        ReviewEnd::Round(RoundEnd::RoundsOver { rounds: 5 }),
        ReviewEnd::Round(RoundEnd::Repeats { what: text() }),
        ReviewEnd::Round(RoundEnd::NotFewer { rounds: text() }),
        ReviewEnd::FindingsLeft,
        ReviewEnd::Round(RoundEnd::Disputed { what: text() }),
        ReviewEnd::NotCounted { why: text() },
        ReviewEnd::FilesMove,
        ReviewEnd::HalfDone { what: text() },
        ReviewEnd::Unpushed { why: text() },
        ReviewEnd::NoForge { why: text() },
    ]
}

/// The ends that kernel and driver hold, as they hold any unit.
fn ends_of_the_driver() -> Vec<Row> {
    let text = String::new;
    let spent = || Hold::Exhausted { bound: Name::literal("retry"), used: 3 };
    let failed = ReviewEnd::Failed { what: text() }.hold(Subject::Task);
    let alone = ReviewEnd::NoReviewer { why: text() }.hold(Subject::Phase);
    let by = Driven::of(&RunId::parse("r-1").unwrap());
    let unstarted = Hold::NoHost(Unstarted { host: text(), why: text(), by });
    let missing = Hold::NoPart { part: TurnRole::Reviewer, host: text() };
    vec![
        Row {
            reason: FAILED,
            holds: vec![
                (Subject::Phase, spent()),
                (Subject::Task, failed),
                (Subject::Pull, spent()),
            ],
        },
        Row {
            reason: NO_REVIEWER,
            holds: vec![
                (Subject::Phase, alone),
                (Subject::Task, unstarted),
                (Subject::Pull, missing),
            ],
        },
    ]
}

#[test]
fn the_table_of_the_page_is_this_one() {
    let page = include_str!("../../../../../docs/reviews.md");
    let section = page.split("## When it holds").nth(1).unwrap().split("\n## ").next().unwrap();
    let documented: Vec<_> =
        section.lines().filter(|line| line.starts_with("| ")).skip(1).map(str::to_owned).collect();
    let rows = ends().iter().map(Row::of).chain(ends_of_the_driver()).collect::<Vec<_>>();
    let ours: Vec<_> = rows.iter().flat_map(Row::lines).collect();
    assert_eq!(documented, ours, "the page needs:\n{}", ours.join("\n"));
}

/// What a person may expect to be equal: the same reason has the same exit code everywhere.
#[test]
fn a_reason_has_one_exit_code_for_a_phase_a_task_and_a_pull_request() {
    for row in ends().iter().map(Row::of).chain(ends_of_the_driver()) {
        let mut codes = row.holds.iter().map(|(_, hold)| Outcome::from(hold).exit_code());
        let first = codes.next();
        assert!(codes.all(|code| Some(code) == first), "{}", row.reason);
    }
}

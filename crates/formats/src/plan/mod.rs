//! The documents of opti-gsd 0.6 to 0.8: `plan.md`, and each of the other documents in `.gsd` in
//! its own module.
//!
//! A plan is read as a whole: all problems are reported at once, each with its line and column. If
//! there is one error, none of the tasks is run.

pub mod answer;
mod blocks;
pub mod config;
mod decide;
mod graph;
mod head;
pub mod later;
mod lines;
mod loose;
mod markdown;
mod names;
mod path;
pub mod plugin;
mod problem;
mod quoted;
pub mod roadmap;
mod sections;
pub mod state;
pub mod summary;
mod table;
mod tag;
mod task;
pub mod verification;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use sprag_core::plan::Plan;

use self::blocks::Body;
use self::head::{Counted, FrontMatterValues};
use self::lines::TextLines;
use self::problem::Problems;
use self::task::TaskDraft;

pub use self::problem::{Code, Problem};

/// The largest plan, in bytes.
pub const MAX_PLAN: usize = 16 << 20;

/// The number of tasks above which a warning is given; the original advises two to four and writes
/// seven.
const MANY: usize = 10;

/// A plan with all of its problems.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadPlan {
    /// The readable part of the plan; not to be run while there are errors.
    pub plan: Plan,
    /// The errors and warnings, in the order of the file.
    pub problems: Vec<Problem>,
}

impl ReadPlan {
    pub fn errors(&self) -> impl Iterator<Item = &Problem> {
        self.problems.iter().filter(|problem| problem.code.is_error())
    }

    pub fn warnings(&self) -> impl Iterator<Item = &Problem> {
        self.problems.iter().filter(|problem| !problem.code.is_error())
    }
}

/// Parses a plan, or returns every error in it.
pub fn parse(text: &str) -> Result<Plan, Vec<Problem>> {
    let read = read(text);
    if read.errors().next().is_none() {
        return Ok(read.plan);
    }
    Err(read.problems.into_iter().filter(|problem| problem.code.is_error()).collect())
}

/// Reads a plan with all of its problems.
pub fn read(text: &str) -> ReadPlan {
    if text.len() > MAX_PLAN {
        let lines = TextLines::of("");
        let mut problems = Problems::new(&lines);
        let said = format!("the plan has {} bytes, the limit is {MAX_PLAN}", text.len());
        problems.add(Code::TooLong, 0, "", said);
        return ReadPlan { plan: Plan::default(), problems: problems.sorted() };
    }
    let lines = TextLines::of(text);
    let mut problems = Problems::new(&lines);
    let (head, from) = head::read(text, &lines, &mut problems);
    let body = blocks::scan(text, &lines, from);
    let sections = sections::read(&lines, &body.prose);
    let mut drafts: Vec<TaskDraft<'_>> =
        body.blocks.iter().map(|block| task::read(block, &mut problems)).collect();
    if drafts.is_empty() {
        let said = "there is no task in this plan".to_owned();
        problems.add(Code::Empty, text.len(), "", said);
    }
    graph::connect(&mut drafts, &mut problems);
    overlaps(&drafts, &mut problems);
    counts(&head, &drafts, &mut problems);
    strays(&lines, &body, &mut problems);
    let plan = Plan {
        phase: head.phase,
        title: head.title,
        gap_closure: head.gap_closure,
        tasks: drafts.into_iter().map(|draft| draft.task).collect(),
        must_haves: sections.must_haves,
        links: sections.links,
    };
    ReadPlan { plan, problems: problems.sorted() }
}

/// Reports tasks that touch a file which an earlier task of the same wave touches.
fn overlaps(drafts: &[TaskDraft<'_>], problems: &mut Problems<'_, '_>) {
    let mut touched: HashMap<(u32, &str), usize> = HashMap::new();
    for (at, draft) in drafts.iter().enumerate() {
        let mut shared = None;
        for file in &draft.task.files {
            let first = *touched.entry((draft.task.wave, file.path.as_str())).or_insert(at);
            if first != at {
                shared.get_or_insert((first, &file.path));
            }
        }
        if let Some((first, path)) = shared {
            let other = &drafts[first].task.id;
            let said = format!("`{path}` is touched by `{other}` too, so this one waits for it");
            problems.add(Code::FileOverlap, draft.at, &draft.task.id, said);
        }
    }
}

/// Compares the counts in the front matter with the actual numbers.
fn counts(head: &FrontMatterValues, drafts: &[TaskDraft<'_>], problems: &mut Problems<'_, '_>) {
    let waves: BTreeMap<u32, usize> =
        drafts.iter().rev().map(|draft| (draft.task.wave, draft.at)).collect();
    let mut differs = |code: Code, said: Option<Counted>, there: usize, what: &str| {
        if let Some(Counted { count, at }) = said.filter(|said| said.count != there as u64) {
            let said = format!("{count} {what} are announced, and there are {there}");
            problems.add(code, at, "", said);
        }
    };
    differs(Code::WaveCount, head.wave_count, waves.len(), "waves");
    differs(Code::TaskCount, head.task_count, drafts.len(), "tasks");
    let numbers: BTreeSet<u32> = waves.keys().copied().collect();
    let first = numbers.first().copied().filter(|first| *first > 1).map(|first| (1, first));
    let gaps = numbers.iter().zip(numbers.iter().skip(1)).map(|(one, next)| (one + 1, *next));
    for (missing, next) in first.into_iter().chain(gaps).filter(|(missing, next)| missing < next) {
        let at = waves.get(&next).copied().unwrap_or(0);
        let said = format!("there is no wave {missing}; wave {next} comes next");
        problems.add(Code::WaveGap, at, "", said);
    }
    if drafts.len() > MANY {
        let said = format!("{} tasks are many for one plan", drafts.len());
        let help = "two to four tasks a plan work best; split it into phases";
        problems.add_with(Code::TooManyTasks, drafts[MANY].at, "", said, Some(help));
    }
}

/// Reports closing tags outside tasks: the task before may have ended too early.
fn strays(lines: &TextLines<'_>, body: &Body<'_>, problems: &mut Problems<'_, '_>) {
    let stray =
        body.prose.iter().filter_map(|at| lines.get(*at)).find(|line| blocks::is_stray(line));
    if let Some(line) = stray {
        let said = "this closes nothing: the task before may have ended too early".to_owned();
        let help = "indent tags that are quoted in an `<action>` deeper than its own";
        problems.add_with(Code::StrayTag, line.at(), "", said, Some(help));
    }
}

#[cfg(test)]
mod tests;

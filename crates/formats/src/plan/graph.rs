//! The dependencies of tasks: ids resolved, cycles named, waves derived. §2.3 and §3 of opti-gsd.

use std::collections::{BTreeSet, HashMap};

use super::problem::{Code, Problems};
use super::task::{TaskDraft, Wave};

/// The dependencies of each task, as indexes into the plan; one entry per task.
pub(super) struct Graph {
    depends: Vec<Vec<usize>>,
    /// For each task, the cycle it belongs to, if any.
    circle: Vec<Option<usize>>,
}

/// Resolves the tasks' dependencies, and writes ids and waves into the tasks.
pub(super) fn connect(drafts: &mut [TaskDraft<'_>], problems: &mut Problems<'_, '_>) {
    let depends = resolve(drafts, problems);
    let (order, circle) = sort(&depends, drafts, problems);
    let graph = Graph { depends, circle };
    derive_waves(drafts, &graph, &order, problems);
    compare_waves(drafts, &graph, problems);
    let ids: Vec<String> = drafts.iter().map(|draft| draft.task.id.clone()).collect();
    for (draft, depends) in drafts.iter_mut().zip(&graph.depends) {
        draft.task.depends = depends.iter().map(|on| ids[*on].clone()).collect();
    }
}

/// Finds tasks by their ids.
struct Ids<'d> {
    exact: HashMap<&'d str, usize>,
    /// Keyed by the normal form that all spellings of an id share.
    alike: HashMap<&'d str, usize>,
}

/// Returns the normal form of an id: `1` for `01` and `T01`, `01a` for `T01a`.
fn alike(id: &str) -> &str {
    let is_digit = |c: char| c.is_ascii_digit();
    let rest = id.strip_prefix(['T', 't']).filter(|rest| rest.starts_with(is_digit));
    let rest = rest.unwrap_or(id);
    let short = rest.trim_start_matches('0');
    match (rest.chars().all(is_digit), short) {
        (false, _) => rest,
        (true, "") => "0",
        (true, short) => short,
    }
}

impl<'d> Ids<'d> {
    fn of(drafts: &'d [TaskDraft<'_>], problems: &mut Problems<'_, '_>) -> Self {
        let (mut exact, mut known) = (HashMap::new(), HashMap::new());
        for (at, draft) in drafts.iter().enumerate().filter(|(_, draft)| !draft.task.id.is_empty())
        {
            let id = draft.task.id.as_str();
            // `1`, `01` and `T01` are one task wherever retries are counted.
            if let Some(before) = known.get(alike(id)) {
                let other: &TaskDraft<'_> = &drafts[*before];
                let said = format!("`{id}` is the same as `{}` before", other.task.id);
                problems.add(Code::DupId, draft.at, id, said);
                continue;
            }
            exact.insert(id, at);
            known.insert(alike(id), at);
        }
        Self { exact, alike: known }
    }

    fn find(&self, written: &str) -> Option<usize> {
        self.exact.get(written).or_else(|| self.alike.get(alike(written))).copied()
    }
}

fn resolve(drafts: &[TaskDraft<'_>], problems: &mut Problems<'_, '_>) -> Vec<Vec<usize>> {
    let ids = Ids::of(drafts, problems);
    let mut all = Vec::with_capacity(drafts.len());
    for (at, draft) in drafts.iter().enumerate() {
        let id = draft.task.id.as_str();
        let mut seen = BTreeSet::new();
        let mut depends = Vec::new();
        for written in &draft.depends {
            match ids.find(written) {
                None => {
                    let said = format!("there is no task `{}`", written.escape_debug());
                    problems.add(Code::UnknownDep, draft.at, &format!("{id}->{written}"), said);
                }
                Some(on) if on == at => {
                    let said = "a task cannot depend on itself".to_owned();
                    problems.add(Code::SelfDep, draft.at, id, said);
                }
                Some(on) => {
                    if seen.insert(on) {
                        depends.push(on);
                    }
                }
            }
        }
        all.push(depends);
    }
    all
}

/// Returns the tasks in dependency order, and the cycles. A task that depends on a cycle is in
/// neither.
fn sort(
    depends: &[Vec<usize>],
    drafts: &[TaskDraft<'_>],
    problems: &mut Problems<'_, '_>,
) -> (Vec<usize>, Vec<Option<usize>>) {
    let mut waits: Vec<usize> = depends.iter().map(Vec::len).collect();
    let mut wanted_by: Vec<Vec<usize>> = vec![Vec::new(); depends.len()];
    for (at, on) in depends.iter().enumerate() {
        for on in on {
            wanted_by[*on].push(at);
        }
    }
    let mut order: Vec<usize> = (0..depends.len()).filter(|at| waits[*at] == 0).collect();
    let mut next = 0;
    while let Some(done) = order.get(next).copied() {
        for at in &wanted_by[done] {
            waits[*at] -= 1;
            if waits[*at] == 0 {
                order.push(*at);
            }
        }
        next += 1;
    }
    let mut circle = vec![None; depends.len()];
    let mut walked = vec![None; depends.len()];
    for start in (0..depends.len()).filter(|at| waits[*at] > 0) {
        // Each waiting task waits for another waiting task, so this walk ends at a task seen
        // before.
        let (mut at, mut path) = (start, Vec::new());
        while walked[at].is_none() {
            walked[at] = Some(start);
            path.push(at);
            at = depends[at].iter().copied().find(|on| waits[*on] > 0).unwrap_or(at);
        }
        if walked[at] == Some(start) {
            let begin = path.iter().position(|seen| *seen == at).unwrap_or(0);
            name_circle(&path[begin..], drafts, problems);
            for seen in &path[begin..] {
                circle[*seen] = Some(start);
            }
        }
    }
    (order, circle)
}

fn name_circle(circle: &[usize], drafts: &[TaskDraft<'_>], problems: &mut Problems<'_, '_>) {
    let first = (0..circle.len()).min_by_key(|at| circle[*at]).unwrap_or(0);
    let ring = circle[first..].iter().chain(&circle[..=first]);
    let ids: Vec<&str> = ring.map(|at| drafts[*at].task.id.as_str()).collect();
    let about = ids.join(">");
    let said = format!("these tasks wait for each other: {}", ids.join(" → "));
    problems.add(Code::Cycle, drafts[circle[first]].at, &about, said);
}

fn derive_waves(
    drafts: &mut [TaskDraft<'_>],
    graph: &Graph,
    order: &[usize],
    problems: &mut Problems<'_, '_>,
) {
    for draft in drafts.iter_mut() {
        draft.task.wave = match draft.wave {
            Wave::Written(wave) => wave,
            Wave::Wrong | Wave::Missing => 1,
        };
    }
    for at in order {
        let before = graph.depends[*at].iter().map(|on| drafts[*on].task.wave).max();
        let draft = &mut drafts[*at];
        let derived = before.map_or(1, |wave| wave.saturating_add(1));
        match draft.wave {
            Wave::Written(_) => {}
            // The problem was already reported.
            Wave::Wrong => draft.task.wave = derived,
            Wave::Missing => {
                draft.task.wave = derived;
                let said = format!("it says no wave, so it is taken for one of wave {derived}");
                problems.add(Code::WaveDerived, draft.at, &draft.task.id, said);
            }
        }
    }
}

fn compare_waves(drafts: &[TaskDraft<'_>], graph: &Graph, problems: &mut Problems<'_, '_>) {
    for (at, depends) in graph.depends.iter().enumerate() {
        let (draft, wave) = (&drafts[at], drafts[at].task.wave);
        for on in depends {
            let other = &drafts[*on].task;
            let about = format!("{}->{}", draft.task.id, other.id);
            if other.wave > wave {
                let said =
                    format!("`{}` comes in a later wave, {} after {wave}", other.id, other.wave);
                problems.add(Code::DepLaterWave, draft.at, &about, said);
            } else if other.wave == wave
                && (graph.circle[at].is_none() || graph.circle[at] != graph.circle[*on])
            {
                let said = format!("`{}` is in the same wave, so this one runs after it", other.id);
                problems.add(Code::DepSameWave, draft.at, &about, said);
            }
        }
    }
}

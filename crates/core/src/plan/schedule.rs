//! Computes which tasks may run together: waves in order, dependencies within a wave, and never two
//! tasks at once that touch the same file.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap};

use super::Plan;

/// Tasks that may run in parallel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    pub wave: u32,
    /// The tasks, as indexes in the plan.
    pub run: Vec<usize>,
}

/// Returns the batches of an error-free plan in order.
pub fn schedule(plan: &Plan) -> Vec<Batch> {
    let mut waves = BTreeMap::<u32, Vec<usize>>::new();
    for (at, task) in plan.tasks.iter().enumerate() {
        waves.entry(task.wave).or_default().push(at);
    }
    let known = TaskNumbers::of(plan);
    waves.into_iter().flat_map(|(wave, tasks)| known.wave(wave, &tasks)).collect()
}

/// Tasks and files as numbers, which avoids comparing texts repeatedly.
struct TaskNumbers {
    files: Vec<Vec<usize>>,
    depends: Vec<Vec<usize>>,
    kinds: usize,
}

impl TaskNumbers {
    fn of(plan: &Plan) -> Self {
        let places: HashMap<&str, usize> =
            plan.tasks.iter().enumerate().map(|(at, task)| (task.id.as_str(), at)).collect();
        let mut names = HashMap::new();
        let mut files = Vec::new();
        let mut depends = Vec::new();
        for task in &plan.tasks {
            let numbered: BTreeSet<usize> = task
                .files
                .iter()
                .map(|file| {
                    let next = names.len();
                    *names.entry(file.path.as_str()).or_insert(next)
                })
                .collect();
            files.push(numbered.into_iter().collect());
            let needs = task.depends.iter().filter_map(|id| places.get(id.as_str()).copied());
            depends.push(needs.collect());
        }
        Self { files, depends, kinds: names.len() }
    }

    /// Returns the batches of one wave. A task that needs a taken file queues at that file; when
    /// the file is free again, only the first task in its queue is reconsidered.
    fn wave(&self, wave: u32, tasks: &[usize]) -> Vec<Batch> {
        let here: BTreeSet<usize> = tasks.iter().copied().collect();
        let mut open = HashMap::new();
        let mut dependents = HashMap::<usize, Vec<usize>>::new();
        for task in tasks {
            let needs: Vec<_> = self.depends[*task].iter().filter(|at| here.contains(at)).collect();
            open.insert(*task, needs.len());
            for need in needs {
                dependents.entry(*need).or_default().push(*task);
            }
        }
        let mut ready: BinaryHeap<_> =
            tasks.iter().filter(|task| open[*task] == 0).map(|task| Reverse(*task)).collect();
        let mut floor = Floor { taken: vec![0; self.kinds], waiting: HashMap::new(), batch: 0 };
        let mut batches = Vec::new();
        while !ready.is_empty() {
            let run = floor.fill(&mut ready, &self.files);
            for task in &run {
                for next in dependents.get(task).into_iter().flatten() {
                    let left = open.entry(*next).or_default();
                    *left = left.saturating_sub(1);
                    if *left == 0 {
                        ready.push(Reverse(*next));
                    }
                }
                ready.extend(self.files[*task].iter().filter_map(|file| floor.wake(*file)));
            }
            batches.push(Batch { wave, run });
        }
        batches
    }
}

/// The owners of files in the current batch, and the queues.
struct Floor {
    taken: Vec<usize>,
    waiting: HashMap<usize, BTreeSet<usize>>,
    batch: usize,
}

impl Floor {
    /// Moves tasks that can run together from `ready` to the batch; the others queue at a file.
    fn fill(&mut self, ready: &mut BinaryHeap<Reverse<usize>>, files: &[Vec<usize>]) -> Vec<usize> {
        self.batch += 1;
        let mut run = Vec::new();
        while let Some(Reverse(task)) = ready.pop() {
            let busy = files[task].iter().find(|file| self.taken[**file] == self.batch);
            if let Some(file) = busy {
                self.waiting.entry(*file).or_default().insert(task);
                // Its other files may still be free for the next task in their queues.
                for file in &files[task] {
                    if self.taken[*file] != self.batch {
                        ready.extend(self.wake(*file));
                    }
                }
                continue;
            }
            for file in &files[task] {
                self.taken[*file] = self.batch;
            }
            run.push(task);
        }
        run.sort_unstable();
        run
    }

    fn wake(&mut self, file: usize) -> Option<Reverse<usize>> {
        self.waiting.get_mut(&file)?.pop_first().map(Reverse)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{PlanFile, Task};
    use super::*;
    use crate::DocPath;

    fn task(id: &str, wave: u32, depends: &[&str], files: &[&str]) -> Task {
        let file = |path: &&str| PlanFile {
            path: DocPath::parse(path).unwrap(),
            action: super::super::FileAction::Modify,
        };
        Task {
            id: id.to_owned(),
            wave,
            depends: depends.iter().map(|id| (*id).to_owned()).collect(),
            files: files.iter().map(file).collect(),
            ..Task::default()
        }
    }

    fn shown(tasks: Vec<Task>) -> Vec<(u32, Vec<String>)> {
        let plan = Plan { tasks, ..Plan::default() };
        let name = |at: &usize| plan.tasks[*at].id.clone();
        schedule(&plan)
            .iter()
            .map(|batch| (batch.wave, batch.run.iter().map(name).collect()))
            .collect()
    }

    #[test]
    fn overlaps_and_dependencies_of_a_wave_come_one_after_the_other() {
        let batches = shown(vec![
            task("00", 0, &[], &["a"]),
            task("01", 1, &["00"], &["x"]),
            task("02", 1, &[], &["x", "y"]),
            task("03", 1, &["02"], &["z"]),
            task("04", 1, &[], &["w"]),
            task("05", 3, &[], &["x"]),
        ]);
        let expected = [
            (0, vec!["00"]),
            (1, vec!["01", "04"]),
            (1, vec!["02"]),
            (1, vec!["03"]),
            (3, vec!["05"]),
        ];
        let expected: Vec<_> = expected
            .into_iter()
            .map(|(wave, run)| (wave, run.into_iter().map(str::to_owned).collect::<Vec<_>>()))
            .collect();
        assert_eq!(batches, expected);
    }

    #[test]
    fn no_task_is_lost_where_files_cross() {
        let tasks = vec![
            task("1", 1, &[], &["a", "b"]),
            task("2", 1, &[], &["b", "c"]),
            task("3", 1, &[], &["c"]),
            task("4", 1, &[], &["a", "c"]),
            task("5", 1, &["1"], &["b"]),
        ];
        let batches = shown(tasks);
        let mut all: Vec<_> = batches.iter().flat_map(|(_, run)| run.clone()).collect();
        all.sort();
        assert_eq!(all, ["1", "2", "3", "4", "5"]);
        assert_eq!(batches[0].1, ["1", "3"], "3 does not wait for 2, which waits itself");
    }

    #[test]
    fn many_tasks_are_ordered_at_once() {
        let one_file = (0..3000).map(|at| task(&at.to_string(), 1, &[], &["a"])).collect();
        assert_eq!(shown(one_file).len(), 3000);
    }
}

//! Measures the search for the next unit in a large milestone tree, with a new process each time.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::rounds::median;
use crate::{Failure, Figure};

const ROUNDS: usize = 30;
const SLICES: usize = 10;
const TASKS: usize = 4;

/// Measures `sprag next gsd` on 100 milestones, and how it grows from 10 to 400.
pub(crate) fn next(sprag: &Path, scratch: &Path) -> Result<Figure, Failure> {
    let mut measured = Vec::new();
    for milestones in [10, 100, 400] {
        let root = scratch.join(format!("gsd-{milestones}"));
        let files = make(&root, milestones)?;
        measured.push((milestones, files, millis(sprag, &root, milestones)?));
    }
    let [(_, _, few), (_, files, some), (_, _, many)] = measured[..] else {
        return Err("three trees were measured".into());
    };
    Ok(Figure {
        what: "`sprag next gsd`, 100 milestones",
        measured: some,
        goal: Some(60.0),
        unit: " ms",
        detail: format!("{files} files; 10 milestones: {few:.2} ms, 400: {many:.2} ms"),
    })
}

/// Returns the median time of a new process.
fn millis(sprag: &Path, root: &Path, milestones: usize) -> Result<f64, Failure> {
    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        let begun = Instant::now();
        let output = Command::new(sprag)
            .args(["next", "gsd", "--json"])
            .current_dir(root)
            .stderr(Stdio::null())
            .output()?;
        times.push(begun.elapsed());
        let said = String::from_utf8_lossy(&output.stdout);
        let wanted = format!("M{milestones:03}/S{SLICES:02}/T{TASKS:02}");
        if !said.contains(&format!("\"unitId\":\"{wanted}\"")) {
            return Err(format!("it does not say {wanted}: {said}").into());
        }
    }
    Ok(median(times).as_secs_f64() * 1e3)
}

/// Writes a tree in which only the very last task is open; returns the number of files.
fn make(root: &Path, milestones: usize) -> Result<usize, Failure> {
    let mut files = Files { root: root.join(".gsd/milestones"), written: 0 };
    for number in 1..=milestones {
        let id = format!("M{number:03}");
        let last = number == milestones;
        let done = |slice: usize| if last && slice == SLICES { " " } else { "x" };
        let slice = |n| format!("- [{}] **S{n:02}: Slice {n}** `risk:low` `depends:[]`", done(n));
        let slices = (1..=SLICES).map(slice).collect::<Vec<_>>().join("\n");
        let roadmap =
            format!("# {id}: Milestone {number}\n\n**Vision:** v\n\n## Slices\n\n{slices}");
        files.write(&format!("{id}/{id}-ROADMAP.md"), &roadmap)?;
        files.write(&format!("{id}/{id}-CONTEXT.md"), &format!("# {id}: Milestone {number}\n"))?;
        files.write(&format!("{id}/{id}-RESEARCH.md"), "# Research\n")?;
        if !last {
            let summary = format!("---\nid: {id}\nstatus: complete\n---\n\n# {id}: Milestone\n");
            files.write(&format!("{id}/{id}-SUMMARY.md"), &summary)?;
            files.write(&format!("{id}/{id}-VALIDATION.md"), "---\nverdict: pass\n---\n")?;
        }
        for slice in 1..=SLICES {
            files.slice(&id, slice, last && slice == SLICES)?;
        }
    }
    Ok(files.written)
}

struct Files {
    root: PathBuf,
    written: usize,
}

impl Files {
    fn slice(&mut self, milestone: &str, number: usize, open: bool) -> Result<(), Failure> {
        let id = format!("S{number:02}");
        let folder = format!("{milestone}/slices/{id}");
        let is_open = |task: usize| open && task == TASKS;
        let mark = |task: usize| if is_open(task) { " " } else { "x" };
        let task = |n| format!("- [{}] **T{n:02}: Task {n}** `est:30m`", mark(n));
        let tasks = (1..=TASKS).map(task).collect::<Vec<_>>().join("\n");
        self.write(
            &format!("{folder}/{id}-PLAN.md"),
            &format!("# {id}: S\n\n## Tasks\n\n{tasks}"),
        )?;
        for paper in ["RESEARCH", "UAT", "SUMMARY", "ASSESSMENT"] {
            self.write(&format!("{folder}/{id}-{paper}.md"), &format!("# {id}\n\ntext\n"))?;
        }
        for task in 1..=TASKS {
            let name = format!("{folder}/tasks/T{task:02}");
            let plan = format!("---\nestimated_steps: 4\n---\n\n# T{task:02}: t\n");
            self.write(&format!("{name}-PLAN.md"), &plan)?;
            if !is_open(task) {
                let summary = format!("---\nid: T{task:02}\nblocker_discovered: false\n---\n# T\n");
                self.write(&format!("{name}-SUMMARY.md"), &summary)?;
            }
        }
        Ok(())
    }

    fn write(&mut self, path: &str, text: &str) -> Result<(), Failure> {
        let path = self.root.join(path);
        std::fs::create_dir_all(path.parent().ok_or("no folder")?)?;
        self.written += 1;
        Ok(std::fs::write(path, text)?)
    }
}

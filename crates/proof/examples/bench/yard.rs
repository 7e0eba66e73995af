//! Measures an agent's way through a yard without agent and gates: a worktree, a commit, a merge.

use std::convert::Infallible;
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use sprag_core::{RunId, WorktreeName};
use sprag_engine::gate::GateRunner;
use sprag_formats::{Checks, WorktreeConfig};
use sprag_run::worktrees::{Merged, Worktrees};
use sprag_world::root::{self, RootSearch};
use sprag_world::trust::Deed;

use crate::rounds::median;
use crate::{Failure, Figure};

const FILES: usize = 1_000;
const ROUNDS: usize = 15;

/// Measures take, commit and merge on 1,000 files against git's three commands.
pub(crate) fn way(scratch: &Path) -> Result<Figure, Failure> {
    let top = scratch.join("yard/project");
    make(&top)?;
    let place = root::find(RootSearch { folder: &top, home: None, named: Some(&top) })?;
    let place = place.ok_or("no project")?;
    let environment: Vec<(OsString, OsString)> = std::env::vars_os().collect();
    let (deed, config) = (Deed::default(), WorktreeConfig::default());
    let bench = GateRunner {
        place: &place,
        environment: &environment,
        deed: &deed,
        checks: Checks::Ask,
        stop: None,
    };
    let yard = Worktrees::open(&bench, &RunId::parse("r-bench")?, &config)?;
    let mut ours: [Vec<Duration>; 3] = Default::default();
    let mut theirs = Vec::new();
    for round in 0..ROUNDS {
        let begun = Instant::now();
        let tree = yard.take(&WorktreeName::parse(&format!("t{round}"))?)?;
        ours[0].push(begun.elapsed());
        std::fs::write(tree.root().join(format!("new-{round}")), "new\n")?;
        let begun = Instant::now();
        yard.commit(&tree, "work\n")?;
        ours[1].push(begun.elapsed());
        let begun = Instant::now();
        let merged = yard.merge_then(&tree, |_| Ok::<_, Infallible>(true), Ok)?;
        ours[2].push(begun.elapsed());
        if !matches!(merged, Merged::Kept(_)) {
            return Err(format!("{merged:?}").into());
        }
        theirs.push(alone(&top, round)?);
    }
    let [take, commit, merge] = ours.map(|times| median(times).as_secs_f64() * 1e3);
    let alone = median(theirs).as_secs_f64() * 1e3;
    Ok(Figure {
        what: "worktree, commit, merge, 1,000 files / git alone",
        measured: (take + commit + merge) / alone,
        goal: None,
        unit: "×",
        detail: format!("{take:.0} + {commit:.0} + {merge:.0} ms, git alone {alone:.0} ms"),
    })
}

/// Does the same with git alone, on the current branch.
fn alone(top: &Path, round: usize) -> Result<Duration, Failure> {
    let (name, folder) = (format!("b{round}"), top.with_file_name(format!("alone-{round}")));
    let at = folder.display().to_string();
    let begun = Instant::now();
    git(top, &["worktree", "add", "-q", "-b", &name, &at])?;
    std::fs::write(folder.join(format!("other-{round}")), "new\n")?;
    git(&folder, &["add", "-A"])?;
    git(&folder, &["commit", "-qm", "work"])?;
    git(top, &["merge", "-q", "--no-ff", "--no-edit", &name])?;
    Ok(begun.elapsed())
}

fn make(top: &Path) -> Result<(), Failure> {
    for number in 0..FILES {
        let folder = top.join(format!("src/{}", number % 40));
        std::fs::create_dir_all(&folder)?;
        std::fs::write(folder.join(format!("{number}.txt")), format!("{number}\n").repeat(400))?;
    }
    std::fs::create_dir_all(top.join(".sprag"))?;
    std::fs::write(top.join(".sprag/.gitignore"), "/cache/\n")?;
    git(top, &["init", "-q"])?;
    git(top, &["config", "user.name", "Bench"])?;
    git(top, &["config", "user.email", "bench@example.com"])?;
    git(top, &["add", "-A"])?;
    git(top, &["commit", "-qm", "all"])
}

fn git(folder: &Path, words: &[&str]) -> Result<(), Failure> {
    let mut command = Command::new("git");
    let status = command.args(words).current_dir(folder).stdout(Stdio::null()).status()?;
    if status.success() { Ok(()) } else { Err(format!("git {words:?}: {status}").into()) }
}

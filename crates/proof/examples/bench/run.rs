//! A thousand units through `sprag run`, with an agent that does next to nothing: what each costs
//! beside its agent, and how much more memory the last needs than an early one.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::{Failure, Figure};

/// How many units there are: the first try and so many more.
const UNITS: usize = 1_000;
/// After how many of them memory is looked at first.
const EARLY: usize = 100;

/// Changes a file, so that every try is one, and is noted beside the project.
const AGENT: &str = "#!/bin/sh\ncat > /dev/null\necho $$ > number\necho x >> ../turns\n";
/// Fails in other words each time, so that nothing holds it before the tries are used up.
const GATE: &str = "date +%N | tr 0-9 a-j; exit 1\n";

/// Measures what a unit costs, and how memory grows.
pub(crate) fn units(sprag: &Path, scratch: &Path) -> Result<Vec<Figure>, Failure> {
    let driven = Driven::measure(sprag, &scratch.join("run"))?;
    let Driven { each, took, worked, early, late, most } = driven;
    let detail = format!("{took:.0} ms in all, {worked} ms of them the agents', gates included");
    let dispatch = Figure {
        what: "a unit of `sprag run`",
        measured: each,
        goal: Some(15.0),
        unit: " ms",
        detail,
    };
    let grown = f64::from(late) / f64::from(early.max(1));
    let detail = format!("{early} KiB, {late} KiB; {most} KiB while the end is told");
    let what = "memory of `sprag run`, unit 1,000 / unit 100";
    Ok(vec![dispatch, Figure { what, measured: grown, goal: Some(1.1), unit: "×", detail }])
}

/// A run of a thousand units. Times are in milliseconds, memory in KiB.
pub(crate) struct Driven {
    /// What a unit took beside its agent.
    pub(crate) each: f64,
    took: f64,
    worked: u64,
    early: u32,
    late: u32,
    most: u32,
}

impl Driven {
    pub(crate) fn measure(sprag: &Path, top: &Path) -> Result<Self, Failure> {
        let project = top.join("project");
        std::fs::create_dir_all(&project)?;
        std::fs::write(project.join("gate.sh"), GATE)?;
        std::fs::write(top.join("agent"), AGENT)?;
        let done = |command: &mut Command| -> Result<(), Failure> {
            let status = command.current_dir(&project).status()?;
            if status.success() { Ok(()) } else { Err(format!("{command:?}: {status}").into()) }
        };
        done(Command::new("chmod").arg("755").arg(top.join("agent")))?;
        // Of its own: the programs may stand in a repository, and this beside them.
        done(Command::new("git").args(["init", "-q"]))?;
        let begun = Instant::now();
        let mut child = Command::new(sprag)
            .args(["run", "nothing", "--until", "sh gate.sh", "--yes", "--json", "--host"])
            .arg(top.join("agent"))
            .args(["--max", &(UNITS - 1).to_string()])
            .current_dir(&project)
            .env("HOME", top)
            .env_remove("XDG_STATE_HOME")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()?;
        let (mut early, mut late, mut most) = (0, 0, 0);
        let ended = loop {
            let turns = std::fs::read_to_string(top.join("turns")).unwrap_or_default();
            let resident = resident(child.id());
            if turns.len() / 2 >= EARLY && early == 0 {
                early = resident;
            }
            if resident > 0 && turns.len() / 2 < UNITS {
                late = resident;
            }
            // After the last unit the report is made, and everything that happened is read once.
            most = most.max(resident);
            if let Some(status) = child.try_wait()? {
                break status;
            }
            std::thread::sleep(Duration::from_millis(20));
        };
        let took = begun.elapsed().as_secs_f64() * 1e3;
        let turns = std::fs::read_to_string(top.join("turns"))?.len() / 2;
        if ended.code() != Some(5) || turns != UNITS {
            return Err(format!("{turns} units, then {ended}").into());
        }
        let worked = worked(&project)?;
        #[expect(clippy::cast_precision_loss, reason = "small numbers")]
        let each = (took - worked as f64) / UNITS as f64;
        Ok(Self { each, took, worked, early, late, most })
    }
}

/// Returns how much memory a process has now, in KiB.
fn resident(process: u32) -> u32 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok()).unwrap_or(0)
}

/// Returns how long the agents of the only run worked, in milliseconds.
fn worked(project: &Path) -> Result<u64, Failure> {
    let runs = project.join(".sprag/runs");
    for run in std::fs::read_dir(runs)? {
        let ledger = run?.path().join("agents.json");
        if let Ok(text) = std::fs::read_to_string(ledger) {
            let ledger: serde_json::Value = serde_json::from_str(&text)?;
            return Ok(ledger["spent"]["millis"].as_u64().unwrap_or_default());
        }
    }
    Err("no run was driven".into())
}

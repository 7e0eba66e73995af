//! Drives a thousand units with `sprag run` and an agent that does almost nothing. Measures the
//! cost of each unit without its agent, and the growth of memory.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::{Failure, Figure};

/// The number of units: the first try and its retries.
const UNITS: usize = 1_000;
/// The number of units after which memory is first measured.
const EARLY: usize = 100;

/// Changes a file, so that every try counts, and records the turn outside the project.
const AGENT: &str = "#!/bin/sh\ncat > /dev/null\necho $$ > number\necho x >> ../turns\n";
/// Fails with a different message each time, so that no hold ends the run before the retries.
const GATE: &str = "date +%N | tr 0-9 a-j; exit 1\n";

/// Measures the cost of a unit and the growth of memory.
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
    /// The time per unit without its agent.
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
        // A repository of its own, since the surrounding folder may be in another one.
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
            // After the last unit the report is made, which reads all events once.
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

/// Returns the resident memory of a process, in KiB.
fn resident(process: u32) -> u32 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok()).unwrap_or(0)
}

/// Returns the working time of the only run's agents, in milliseconds.
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

//! Measures the peak memory of a host hook as Linux counts it.
//!
//! `strace` delays the process at its very end, so that its high-water mark (`VmHWM`) can be read
//! when it can no longer grow.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::{Failure, Figure, spawn};

const HELD: &str = "inject=exit_group:delay_enter=200000";

/// Measures the peak memory of a host hook in a folder that is no project.
pub(crate) fn of_hook(sprag: &Path) -> Result<Figure, Failure> {
    let folder = tempfile::tempdir()?;
    let payload = folder.path().join("payload");
    std::fs::write(&payload, spawn::PAYLOAD)?;
    let started = Command::new("strace")
        .args(["-qq", "-o", "/dev/null", "-e", "trace=exit_group", "-e", HELD])
        .arg(sprag)
        .args(["hook", "claude"])
        .current_dir(folder.path())
        .stdin(std::fs::File::open(&payload)?)
        .stdout(Stdio::null())
        .spawn();
    let mut child = started.map_err(|error| format!("peak memory needs strace: {error}"))?;
    let mut peak = 0;
    while child.try_wait()?.is_none() {
        peak = high_water(child.id(), sprag).unwrap_or(0).max(peak);
        std::thread::yield_now();
    }
    if peak == 0 {
        return Err("the peak memory could not be read from /proc".into());
    }
    let measured = f64::from(peak) / 1024.0;
    let detail = "VmHWM at exit".to_owned();
    Ok(Figure {
        what: "peak memory of a host hook",
        measured,
        goal: Some(8.0),
        unit: " MiB",
        detail,
    })
}

/// Returns the high-water mark, in KiB, of the child of `tracer` that runs `program`.
fn high_water(tracer: u32, program: &Path) -> Option<u32> {
    let children =
        std::fs::read_to_string(format!("/proc/{tracer}/task/{tracer}/children")).ok()?;
    children.split_whitespace().find_map(|child| {
        let folder = Path::new("/proc").join(child);
        // Before `exec` the child is a copy of strace, which must not be measured.
        if std::fs::read_link(folder.join("exe")).ok()? != program {
            return None;
        }
        let status = std::fs::read_to_string(folder.join("status")).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        line.trim().strip_suffix(" kB")?.parse().ok()
    })
}

//! Compares the binary under test with that of an earlier commit. Both are measured in alternation,
//! each in its own projects.

use std::path::Path;

use crate::rounds::Pair;
use crate::run::Driven;
use crate::spawn::Elsewhere;
use crate::stop::Refusals;
use crate::tool::Phases;
use crate::{Failure, Figure};

/// The maximum ratio of the binary's time to the base's.
const GOAL: f64 = 1.05;
/// How many times each binary drives its thousand units; the least disturbed run counts.
const DRIVES: usize = 3;

pub(crate) fn figures(
    sprag: &Path,
    base: &Path,
    scratch: &Path,
    runs: usize,
) -> Result<[Figure; 4], Failure> {
    let elsewhere = Elsewhere::new()?;
    let hook = Pair::measure(runs, || elsewhere.hook(sprag), || elsewhere.hook(base))?;

    let (ours, theirs) =
        (Refusals::new(sprag, scratch, "new")?, Refusals::new(base, scratch, "base")?);
    let prepare = || ours.prepare().and_then(|()| theirs.prepare());
    let stop = Pair::measure_after(runs, prepare, || ours.stop(), || theirs.stop())?;

    let (ours, theirs) =
        (Phases::new(sprag, scratch, "phases-new")?, Phases::new(base, scratch, "phases-base")?);
    let tool = Pair::measure(runs, || ours.denied_by(sprag), || theirs.denied_by(base))?;

    Ok([
        hook.ratio("`sprag hook claude`, not our folder / base", Some(GOAL)),
        stop.ratio("a refused stop, one commit / base", Some(GOAL)),
        tool.ratio("a tool call denied in a phase / base", Some(GOAL)),
        unit(sprag, base, scratch)?,
    ])
}

fn unit(sprag: &Path, base: &Path, scratch: &Path) -> Result<Figure, Failure> {
    let (mut first, mut second) = (f64::INFINITY, f64::INFINITY);
    for round in 0..DRIVES {
        let world = |whose: &str| scratch.join(format!("run-{whose}-{round}"));
        first = first.min(Driven::measure(sprag, &world("new"))?.each);
        second = second.min(Driven::measure(base, &world("base"))?.each);
    }
    let detail = format!("{first:.2} ms / {second:.2} ms, the best of {DRIVES}");
    let what = "a unit of `sprag run` / base";
    Ok(Figure { what, measured: first / second, goal: Some(GOAL), unit: "×", detail })
}

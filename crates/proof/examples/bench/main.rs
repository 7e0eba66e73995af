//! Measures the shipped binary: prints each figure with its goal. Ratios are measured in
//! alternation.
//!
//! `bench SPRAG [--base OLD] [--check] [--runs N]`; `scripts/bench` builds the binaries and calls
//! this. With `--base` it compares the binary with an earlier one. With `--check` a missed goal
//! gives exit code 1.
#![expect(clippy::disallowed_methods, reason = "measures time and starts processes")]

mod base;
mod commit;
mod gsd;
mod inbox;
mod journal;
mod loops;
mod memory;
mod own;
mod rounds;
mod run;
mod spawn;
mod stop;
mod tool;
mod workflows;
mod yard;

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

/// A measurement and its goal.
pub(crate) struct Figure {
    what: &'static str,
    measured: f64,
    goal: Option<f64>,
    unit: &'static str,
    detail: String,
}

impl Figure {
    fn is_met(&self) -> bool {
        self.goal.is_none_or(|goal| self.measured <= goal)
    }

    fn line(&self) -> String {
        let goal = self.goal.map_or(String::new(), |goal| format!("≤ {goal}{}", self.unit));
        let mark = if self.is_met() { "" } else { "  MISSED" };
        let measured = format!("{:.2}{}", self.measured, self.unit);
        format!("{:<52} {measured:>10}  {goal:<10} {}{mark}\n", self.what, self.detail)
    }
}

type Failure = Box<dyn std::error::Error>;

struct Arguments {
    sprag: PathBuf,
    base: Option<PathBuf>,
    check: bool,
    runs: usize,
}

fn arguments() -> Result<Arguments, Failure> {
    let usage = "usage: bench SPRAG [--base OLD] [--check] [--runs N]";
    let mut words = std::env::args().skip(1);
    let sprag = PathBuf::from(words.next().ok_or(usage)?).canonicalize()?;
    let mut found = Arguments { sprag, base: None, check: false, runs: 500 };
    while let Some(word) = words.next() {
        match word.as_str() {
            "--base" => {
                found.base = Some(PathBuf::from(words.next().ok_or(usage)?).canonicalize()?);
            }
            "--check" => found.check = true,
            "--runs" => found.runs = words.next().ok_or(usage)?.parse()?,
            _ => return Err(usage.into()),
        }
    }
    Ok(found)
}

fn run() -> Result<bool, Failure> {
    let Arguments { sprag, base, check, runs } = arguments()?;
    // Beside the programs, so on a real disk: /tmp may be in memory.
    let own = std::env::current_exe()?;
    let disk = own.parent().ok_or("no folder")?;
    let scratch = tempfile::Builder::new().prefix("sprag-bench-").tempdir_in(disk)?;
    let mut met = true;
    let mut out = std::io::stdout();
    let mut say = |figure: Result<Figure, Failure>| -> Result<(), Failure> {
        let figure = figure?;
        met &= figure.is_met();
        Ok(out.write_all(figure.line().as_bytes())?)
    };
    if let Some(base) = base {
        for figure in base::figures(&sprag, &base, scratch.path(), runs)? {
            say(Ok(figure))?;
        }
        return Ok(met || !check);
    }
    say(spawn::hook(&sprag, runs))?;
    // This comes first, before other measurements fill the disk cache.
    say(commit::against_append(scratch.path(), runs))?;
    say(spawn::status(&sprag, scratch.path(), runs))?;
    say(stop::refused(&sprag, scratch.path(), runs))?;
    for figure in stop::refused_among_many(&sprag, scratch.path(), runs)? {
        say(Ok(figure))?;
    }
    for figure in tool::denied(&sprag, scratch.path(), runs)? {
        say(Ok(figure))?;
    }
    let fresh = "a stop that finds its receipt, 2,000 files";
    say(stop::fresh(&sprag, scratch.path(), 2_000, fresh, Some(15.0)))?;
    let fresh = "the same, 20,000 files";
    say(stop::fresh(&sprag, scratch.path(), 20_000, fresh, None))?;
    let begins = "a session begins, 2,000 files of which 200 are tests";
    say(stop::begins(&sprag, scratch.path(), 2_000, begins))?;
    say(stop::begins(&sprag, scratch.path(), 20_000, "the same, 20,000 files, 2,000 tests"))?;
    for figure in loops::stops(&sprag, scratch.path(), runs)? {
        say(Ok(figure))?;
    }
    say(loops::many_tasks(&sprag, scratch.path()))?;
    let set = "assignments, 1 writer / lock, sync, rename";
    say(inbox::assignments(scratch.path(), 1, runs, set))?;
    let set = "assignments, 16 writers / the same";
    say(inbox::assignments(scratch.path(), 16, runs.div_ceil(16), set))?;
    say(inbox::poll(scratch.path(), runs))?;
    say(inbox::watch(scratch.path()))?;
    say(workflows::loading(scratch.path()))?;
    say(workflows::deepest_step())?;
    say(gsd::next(&sprag, scratch.path()))?;
    say(yard::way(scratch.path()))?;
    for figure in run::units(&sprag, scratch.path())? {
        say(Ok(figure))?;
    }
    say(memory::of_hook(&sprag))?;
    say(size(&sprag))?;
    Ok(met || !check)
}

#[expect(clippy::cast_precision_loss, reason = "sizes are far below 2^52")]
fn size(sprag: &std::path::Path) -> Result<Figure, Failure> {
    let measured = std::fs::metadata(sprag)?.len() as f64 / f64::from(1 << 20);
    Ok(Figure {
        what: "size of the binary",
        measured,
        goal: Some(10.0),
        unit: " MiB",
        detail: String::new(),
    })
}

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "bench: {error}");
            ExitCode::from(2)
        }
    }
}

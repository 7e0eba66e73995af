//! The script of the demo: its steps in order, and the events that must happen.

use sprag_core::RunId;
use sprag_core::reporting::ClaimSource;
use sprag_engine::engine::Engine;
use sprag_run::RunEnd;
use sprag_world::clock::Watch;

use super::job::CommaJob;
use super::scene::{DemoStory, asked, broken};
use super::scratch::Scratch;
use super::step::{Beat, DemoStep};
use super::units::{self, Units};
use crate::fault::EarlyExit;

/// The journal's name for the person that the demo plays.
const PERSON: &str = "person";
/// The protected file of the first job.
const TESTS: &str = "tests/csv.sh";

/// Plays the demo; `say` receives each step right after it happened.
pub(super) fn play(
    scratch: &Scratch,
    took: Watch,
    say: &mut dyn FnMut(&DemoStep) -> Result<(), EarlyExit>,
) -> Result<Vec<DemoStep>, EarlyExit> {
    let mut story = DemoStory::new(scratch, say)?;
    let (job, act) = quote_commas(scratch, &mut story)?;
    let (plan, units) = share(scratch, &mut story)?;
    let engine = Engine::open(&scratch.place, &scratch.environment)?;
    let reports = [engine.report(&job)?, engine.report(&plan)?];
    let receipts: usize = reports.iter().map(|report| report.evidence.gates.receipts.len()).sum();
    let claims = reports.iter().flat_map(|report| {
        report
            .evidence
            .units(ClaimSource::Ungated)
            .chain(report.evidence.units(ClaimSource::Judged))
    });
    let claims: Vec<_> = claims.collect();
    // A reviewer's verdict is a claim like any other.
    let whose = if claims.iter().all(|unit| act.is_review(unit)) { " (the review)" } else { "" };
    if !reports.iter().all(|report| report.evidence.is_done()) {
        return Err(broken(Beat::Done.missing()));
    }
    let tenths = took.micros() / 100_000;
    let what = format!(
        "{} of {} units, {receipts} receipts, {} only claimed{whose}, {}.{} s",
        units.done(),
        units::COUNT,
        claims.len(),
        tenths / 10,
        tenths % 10
    );
    story.tell((Beat::Done, what, String::new()), None)?;
    Ok(story.steps)
}

/// Gives an agent a job, and plays the person when one is needed.
fn quote_commas(
    scratch: &Scratch,
    story: &mut DemoStory<'_>,
) -> Result<(RunId, CommaJob), EarlyExit> {
    let task = ["run", "csv", "Quote fields with commas"];
    let who = ["--host", "../agent", "--or", "../reviewer", "--wall", "30s"];
    let run = story.runs.start(&[&task[..], &who].concat())?;
    let mut job = CommaJob::default();
    story.drive(&run, &mut job)?;
    story.must(&[Beat::Claim, Beat::Refused, Beat::SentBack, Beat::Protected])?;

    asked(scratch.git(&["checkout", "-q", "--", TESTS]))?;
    let engine = Engine::open(&scratch.place, &scratch.environment)?;
    engine.resume(&run, PERSON)?;
    let what = format!("git checkout {TESTS}; sprag resume {run}");
    story.tell((Beat::Restored, what, String::new()), None)?;

    let outcome = story.drive(&run, &mut job)?;
    is_done(&outcome)?;
    story.must(&[Beat::Passed, Beat::Found, Beat::Clean])?;
    asked(scratch.git(&["commit", "-qam", "Quote fields with commas"]))?;
    Ok((run, job))
}

/// Lets two agents share the units, and merges their work.
fn share(scratch: &Scratch, story: &mut DemoStory<'_>) -> Result<(RunId, Units), EarlyExit> {
    let words = ["run", "plan", "1", "--agents", "2", "--host", "../agent", "--wall", "30s"];
    let run = story.runs.start(&words)?;
    let mut units = Units::default();
    let outcome = story.drive(&run, &mut units)?;
    is_done(&outcome)?;
    story.must(&[Beat::Shared, Beat::Killed, Beat::Unit, Beat::TakenOver])?;
    let branch = format!("sprag/{run}");
    asked(scratch.git(&["merge", "-q", "--ff-only", &branch]))?;
    story.tell((Beat::Merged, format!("git merge {branch}"), String::new()), None)?;
    Ok((run, units))
}

fn is_done(outcome: &RunEnd) -> Result<(), EarlyExit> {
    match outcome {
        RunEnd::Done => Ok(()),
        RunEnd::Cancelled => Err(broken("a run was cancelled")),
        RunEnd::Held(hold) => Err(broken(&hold.to_string())),
        RunEnd::Spent(used) => Err(broken(&used.to_string())),
        RunEnd::Paused => Err(broken("it was interrupted")),
    }
}

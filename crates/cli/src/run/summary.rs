//! The summary at the end of a drive: what is proven and what only claimed, what waits, what
//! failed, and the next command.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::json;
use sprag_core::basis::ReportedChange;
use sprag_core::reporting::{Report, Unproven};
use sprag_core::{Hold, Outcome, RunId};
use sprag_engine::drive::{Far, NoticeResult, in_a_line, is_inbox};
use sprag_engine::engine::Engine;
use sprag_engine::waits::{Still, Wait};
use sprag_formats::Budget;
use sprag_run::{RunEnd, Runner};
use sprag_world::clock;

pub(super) use sprag_engine::drive::again;

use super::Drive;
use super::board::{cost, unbound};
use super::messages::{ProgressLine, short};
use super::notify;
use super::progress::ProgressView;
use crate::context::OutputFormat;
use crate::exit::Exit;
use crate::fault::{EarlyExit, Next};
use crate::screen;
use crate::style::{Tone, count};

/// How many unfinished units are named.
const NAMED: usize = Unproven::NAMED;

/// The contents of the summary.
struct RunSummary<'a> {
    run: &'a RunId,
    far: Far,
    /// How the driver stopped, the resulting outcome, and the reason.
    end: &'a RunEnd,
    outcome: Outcome,
    why: String,
    /// The waits for a person, with their numbers.
    waits: Vec<(usize, Wait)>,
    next: String,
    not_proven: NotProven,
    /// The branch that holds the work, if it is not in the user's files, and the command that takes
    /// it over.
    branch: Option<(String, String)>,
    /// Whether the user asked for `--strict`.
    is_strict: bool,
}

/// Prints the summary.
pub(super) fn tell(
    drive: &Drive<'_>,
    engine: &Engine<'_>,
    end: &RunEnd,
    progress: &ProgressView<'_>,
    runner: &Runner<'_>,
) -> Result<Exit, EarlyExit> {
    let Drive { call, run, kept, .. } = *drive;
    let chosen = progress.teller.board().chosen;
    let branch =
        runner.worktrees.as_ref().map(|worktrees| (worktrees.branch(), worktrees.take_over()));
    let is_strict = kept.is_strict();
    let summary = RunSummary { branch, is_strict, ..RunSummary::of(engine, run, end)? };
    let told = notify::end(engine, run, end, summary.outcome)?;
    for line in summary.lines(progress, &chosen) {
        // Indented lines are short, and must be copyable as they are.
        if line.text.starts_with(' ') {
            progress.teller.line(&line);
        } else {
            progress.teller.whole(&line);
        }
    }
    if let NoticeResult::Failed(why) = &told {
        progress.teller.line(&ProgressLine::new(Tone::Note, "Notify", format!("not sent: {why}")));
    }
    progress.teller.line(&ProgressLine::new(Tone::Strong, "Next", &summary.next));
    match call.answer {
        OutputFormat::Text => {}
        OutputFormat::Json => screen::print_json(&summary.object(progress))?,
    }
    Ok(summary.exit())
}

/// The unproven points of the run's report.
struct NotProven {
    /// Whether no unit has passed yet.
    all: bool,
    /// Whether something contradicts a pass: then no gate proves it.
    moved: bool,
    /// Problems with gates, receipts and reviews.
    found: Vec<String>,
    /// The first claims without proof, and the number of all.
    claims: Vec<String>,
    claimed: usize,
    /// Files in which agents resolved conflicts with other agents' work, with their units.
    conflicts: Vec<String>,
    /// Files that agents changed or left outside their units.
    strays: Vec<String>,
    /// Values in other systems' documents that agents set and sprag put back.
    put_back: Vec<String>,
    /// Changes to gate inputs that no person approved.
    doubts: Vec<ReportedChange>,
}

impl NotProven {
    fn of(report: &Report) -> Self {
        let evidence = &report.evidence;
        let is_done = evidence.is_done();
        // Open work is described from the units.
        let is_found =
            |one: &Unproven| !one.is_claim() && (is_done || one.count > 0 || one.is_everything());
        let unproven = evidence.unproven();
        let all = unproven.iter().any(Unproven::is_everything);
        let moved = unproven.iter().any(|one| one.count > 0);
        let found = unproven.iter().filter(|one| is_found(one)).map(Unproven::brief).collect();
        let mut claims = evidence.claimed();
        let claimed = claims.len();
        claims.truncate(NAMED);
        let each = |all: &[(String, String)]| {
            all.iter().map(|(unit, what)| format!("{unit}: {what}")).collect::<Vec<_>>()
        };
        let (strays, conflicts) = (each(&report.story.strays), each(&report.story.conflicts));
        let (put_back, doubts) = (report.story.put_back.clone(), evidence.doubted.clone());
        Self { all, moved, found, claims, claimed, conflicts, strays, put_back, doubts }
    }

    /// Describes the work that is only claimed, if any.
    fn claims(&self) -> Option<String> {
        let more = match self.claimed.saturating_sub(self.claims.len()) {
            _ if self.claims.is_empty() => return None,
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let all = count(self.claimed, "claim");
        Some(format!("{all} without proof: {}{more}", self.claims.join(", ")))
    }
}

impl<'a> RunSummary<'a> {
    fn of(engine: &Engine<'_>, run: &'a RunId, end: &'a RunEnd) -> Result<Self, EarlyExit> {
        let far = engine.drive_far(run)?;
        let all = engine.waits()?.into_iter().enumerate();
        let of_inbox = if is_inbox(run) { assignments(engine)? } else { Vec::new() };
        let is_ours = |wait: &Wait| {
            let work = is_inbox(run) && wait.still == Still::Work;
            wait.run == *run || work || of_inbox.contains(&wait.run)
        };
        let waits: Vec<_> =
            all.filter(|(_, wait)| is_ours(wait)).map(|(at, wait)| (at + 1, wait)).collect();
        let why = match end {
            RunEnd::Done | RunEnd::Cancelled => String::new(),
            RunEnd::Held(hold) => in_a_line(hold),
            RunEnd::Spent(used) => used.to_string(),
            RunEnd::Paused => Hold::Interrupted.said(),
        };
        let report = engine.report(run)?;
        let next = match end {
            RunEnd::Done | RunEnd::Cancelled => {
                waits.first().map_or_else(|| report_of(run), |(_, wait)| wait.command.clone())
            }
            // Resuming before a person agreed would make the agent start over; the inbox driver
            // continues with other assignments.
            RunEnd::Held(_) | RunEnd::Spent(_) => {
                let mut own = waits.iter().filter(|(_, wait)| !is_inbox(run) || wait.run == *run);
                own.next().map_or_else(|| again(run), |(_, wait)| wait.command.clone())
            }
            RunEnd::Paused => again(run),
        };
        let outcome = end.outcome(report.evidence.done());
        let not_proven = NotProven::of(&report);
        Ok(Self {
            run,
            far,
            end,
            outcome,
            why,
            waits,
            next,
            not_proven,
            branch: None,
            is_strict: false,
        })
    }

    /// Returns the exit code: with `--strict`, done but unproven work needs a person.
    fn exit(&self) -> Exit {
        needs_proof(self.is_strict, self.outcome).unwrap_or_else(|| self.outcome.into())
    }

    fn lines(&self, progress: &ProgressView<'_>, chosen: &Budget) -> Vec<ProgressLine> {
        let tone = if self.outcome.is_done() { Tone::Good } else { Tone::Note };
        let mut lines = vec![ProgressLine::new(tone, "Summary", self.headline(chosen))];
        if !self.why.is_empty() {
            lines.push(ProgressLine::new(Tone::Note, "", &self.why));
        }
        let unbound = unbound(&self.far.spent, chosen);
        lines.extend(unbound.map(|text| ProgressLine::new(Tone::Note, "", text)));
        let tally = &self.far.tally;
        if tally.refused > 0 {
            let refused = count(tally.refused as usize, "end");
            lines.push(ProgressLine::new(Tone::Quiet, "", format!("{refused} refused")));
        }
        let unproven = self.unproven();
        lines.push(if unproven.is_empty() {
            ProgressLine::new(Tone::Good, "Unproven", "nothing")
        } else {
            ProgressLine::new(Tone::Note, "Unproven", unproven.join("; "))
        });
        let strays = &self.not_proven.strays;
        let named = strays.iter().take(NAMED);
        lines.extend(named.map(|stray| ProgressLine::new(Tone::Note, "Stray", stray)));
        if strays.len() > NAMED {
            let more = format!("and {} more: sprag report {}", strays.len() - NAMED, self.run);
            lines.push(ProgressLine::new(Tone::Note, "", more));
        }
        let put_back = self.not_proven.put_back.iter();
        lines.extend(put_back.map(|text| ProgressLine::new(Tone::Note, "Put back", text)));
        lines.extend(self.conflicts().map(|text| ProgressLine::new(Tone::Note, "Conflict", text)));
        lines.extend(self.branch_lines(progress.teller.room()));
        // After an interrupt, only the command below is needed.
        let waits = self.waits.iter().filter(|_| *self.end != RunEnd::Paused);
        for (number, wait) in waits {
            let unit = wait.unit.as_ref().map_or_else(String::new, |unit| format!("{unit}: "));
            let (number, why) = (format!("{number}  "), in_a_line(&wait.hold));
            // The command is aligned with the text above, including wrapped lines.
            let hang = number.len();
            let text = format!("{number}{unit}{why}");
            lines.push(ProgressLine { hang, ..ProgressLine::new(Tone::Note, "Waits", text) });
            lines.push(ProgressLine::new(Tone::Note, "", format!("{:hang$}{}", "", wait.command)));
        }
        for (unit, why) in progress.failures() {
            lines.push(ProgressLine::new(Tone::Bad, "Failed", format!("{unit}  {why}")));
        }
        lines
    }

    /// Names the files with resolved conflicts: the agents may have dropped some of the others'
    /// work.
    fn conflicts(&self) -> Option<String> {
        let all = &self.not_proven.conflicts;
        let more = match all.len().saturating_sub(NAMED) {
            _ if all.is_empty() => return None,
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let first = all.get(..NAMED).unwrap_or(all).join(", ");
        Some(format!("given to an agent: {first}{more}"))
    }

    /// Shows the branch that holds the work, and the command that takes it over.
    fn branch_lines(&self, room: usize) -> Vec<ProgressLine> {
        let tally = &self.far.tally;
        let branch = self.branch.as_ref().filter(|_| tally.units() > 0);
        let Some((branch, command)) = branch else { return Vec::new() };
        let text = format!("{branch}  not in your files yet:");
        // A command broken in two cannot be copied.
        if text.len() + command.len() < room {
            return vec![ProgressLine::new(Tone::Note, "Branch", format!("{text} {command}"))];
        }
        let command = ProgressLine::new(Tone::Note, "", format!("   {command}"));
        vec![ProgressLine::new(Tone::Note, "Branch", text), command]
    }

    /// `r-7k2m done in 5h02m · $11.84 · 3 units · 9 gates proven`
    fn headline(&self, chosen: &Budget) -> String {
        let (far, tally) = (&self.far, &self.far.tally);
        // Without any passed gate no number is called proven; nor if some gates may not pass now.
        let gates = match (tally.gates, self.not_proven.moved) {
            (0, _) => "no gate passed".to_owned(),
            (some, true) => format!("{} passed", count(some as usize, "gate")),
            (some, false) => format!("{} proven", count(some as usize, "gate")),
        };
        let ended = match self.outcome {
            Outcome::Doubted => "done, not proven,",
            Outcome::Proven
            | Outcome::NotProven
            | Outcome::Held
            | Outcome::Paused
            | Outcome::GaveUp
            | Outcome::Unreadable
            | Outcome::Cancelled
            | Outcome::Failed => self.outcome.as_str(),
        };
        let parts = [
            format!("{} {ended} in {}", self.run, short(self.took())),
            cost(&far.spent, chosen),
            count(tally.units(), "unit"),
            gates,
        ];
        parts.join(" · ")
    }

    fn took(&self) -> Duration {
        let until = self.far.ended.unwrap_or_else(clock::now);
        Duration::from_millis(u64::try_from(until.since(self.far.started)).unwrap_or(0))
    }

    /// Lists all unproven points, as the report does.
    fn unproven(&self) -> Vec<String> {
        let (open, not_proven) = (self.open().into_iter(), &self.not_proven);
        open.chain(not_proven.found.iter().cloned()).chain(not_proven.claims()).collect()
    }

    /// Describes the unfinished work; `None` if the run is done, or if nothing has passed.
    fn open(&self) -> Option<String> {
        let count = &self.far.count;
        if self.outcome.is_done() || self.not_proven.all {
            return None;
        }
        let waiting = self.waits.iter().filter_map(|(_, wait)| wait.unit.as_ref());
        let names: BTreeSet<_> =
            self.far.open.iter().cloned().chain(waiting.map(ToString::to_string)).collect();
        let which = match names.len() {
            0 => String::new(),
            1..=NAMED => format!(": {}", names.into_iter().collect::<Vec<_>>().join(", ")),
            all => {
                let first: Vec<_> = names.into_iter().take(NAMED).collect();
                format!(": {} and {} more", first.join(", "), all - NAMED)
            }
        };
        let left = count.total.map(|total| (total.saturating_sub(count.done), total));
        Some(match left {
            Some((left, total)) if left > 0 => {
                format!("{left} of {total} {} not done{which}", count.of)
            }
            Some(_) | None => format!("the run is not done{which}"),
        })
    }

    fn object(&self, progress: &ProgressView<'_>) -> serde_json::Value {
        let (spent, tally) = (&self.far.spent, &self.far.tally);
        let waits = self.waits.iter();
        let mut human: Vec<String> = waits.map(|(_, wait)| wait.command.clone()).collect();
        // One approval may answer for several units.
        human.dedup();
        let is_over = matches!(self.end, RunEnd::Done | RunEnd::Cancelled);
        let (safe, human) = match (is_over, human.is_empty()) {
            (true, _) => (vec![report_of(self.run)], human),
            (false, true) => (vec![], vec![self.next.clone()]),
            (false, false) => (vec![], human),
        };
        json!({
            "ok": self.exit() == Exit::Done, "run": self.run.as_str(),
            "outcome": self.outcome.as_str(),
            "why": self.why, "ms": u64::try_from(self.took().as_millis()).unwrap_or(u64::MAX),
            "micro_usd": spent.known_money(), "tokens": spent.known_tokens(),
            "cost_unknown": spent.unknown,
            "proven": self.outcome == Outcome::Proven, "doubts": self.not_proven.doubts,
            "proven_units": tally.proven, "gates": tally.gates, "unproven": self.unproven(),
            "claimed": self.not_proven.claimed, "claims": self.not_proven.claims,
            "refused": tally.refused, "strays": self.not_proven.strays,
            "put_back": self.not_proven.put_back,
            "failed": progress.failures().into_iter().collect::<std::collections::BTreeMap<_, _>>(),
            "next": Next { safe, human },
        })
    }
}

fn report_of(run: &RunId) -> String {
    format!("sprag report {run}")
}

/// Returns the exit code for done but unproven work.
fn needs_proof(is_strict: bool, outcome: Outcome) -> Option<Exit> {
    match outcome {
        Outcome::NotProven => is_strict.then_some(Exit::NeedsPerson),
        Outcome::Doubted => Some(Exit::NeedsPerson),
        Outcome::Proven
        | Outcome::Held
        | Outcome::Paused
        | Outcome::GaveUp
        | Outcome::Unreadable
        | Outcome::Cancelled
        | Outcome::Failed => None,
    }
}

/// Returns the runs of assignments.
fn assignments(engine: &Engine<'_>) -> Result<Vec<RunId>, EarlyExit> {
    let runs = engine.shown()?.0.into_iter();
    Ok(runs.filter(|run| run.source.info().is_assigned).map(|run| run.id).collect())
}

//! A report as one JSON object.

use std::path::Path;

use serde_json::{Value, json};
use sprag_core::Outcome;
use sprag_core::event::ReviewEnded;
use sprag_core::reporting::{
    Bar, BranchState, Claim, ClaimSource, Doubt, Files, GateLine, Report, Reviewed, Slip, Timeline,
    WorkBranch,
};
use sprag_engine::verify::{Again, Checked};

use super::{end, is_waived, next};
use crate::exit::Exit;
use crate::status::limits_object;

/// Returns the object. `ok` means that no verified gate fails and that no receipt is doubtful.
pub(super) fn object(report: &Report, checked: Option<&[Checked]>, page: Option<&Path>) -> Value {
    let story = &report.story;
    let waiver = |one: &sprag_core::reporting::Waiver| json!({ "gate": one.gate, "by": one.by, "why": one.why, "at": one.at });
    let decision = |one: &sprag_core::reporting::AssumedAnswer| json!({ "question": one.question, "answer": one.answer, "at": one.at });
    let wait = |one: &sprag_core::reporting::Wait| {
        json!({
            "number": one.number, "unit": one.unit, "why": one.why, "command": one.command,
        })
    };
    json!({
        "ok": end(report, checked) == Exit::Done && report.evidence.doubts.is_empty(),
        "run": report.run.as_str(),
        "source": report.source,
        "task": report.task,
        "at": report.at,
        "started": report.started,
        "ended": report.ended,
        "outcome": report.evidence.outcome.map_or(Outcome::OPEN, Outcome::as_str),
        "tree": report.evidence.gates.files.now,
        "unproven": report.evidence.unproven().iter().map(ToString::to_string).collect::<Vec<_>>(),
        "gates": report.evidence.gates.lines.iter().map(gate).collect::<Vec<_>>(),
        "receipts": report.evidence.gates.receipts.iter().map(receipt).collect::<Vec<_>>(),
        "proven": report.evidence.outcome == Some(Outcome::Proven),
        "doubts": report.evidence.doubted,
        "changed_inputs": report.evidence.named,
        "bad_receipts": report.evidence.doubts.iter().map(doubt).collect::<Vec<_>>(),
        "claims": report.evidence.claims.iter().map(claim).collect::<Vec<_>>(),
        "waivers": report.evidence.waivers.iter().map(waiver).collect::<Vec<_>>(),
        "decisions": story.decisions.iter().map(decision).collect::<Vec<_>>(),
        "skipped": story.skipped.iter()
            .map(|(unit, rule)| json!({ "unit": unit, "rule": rule })).collect::<Vec<_>>(),
        "strays": story.strays.iter()
            .map(|(unit, what)| json!({ "unit": unit, "what": what })).collect::<Vec<_>>(),
        "put_back": story.put_back,
        "conflicts": story.conflicts.iter()
            .map(|(unit, file)| json!({ "unit": unit, "file": file })).collect::<Vec<_>>(),
        "reviews": report.evidence.reviews.iter().map(review).collect::<Vec<_>>(),
        "flaky": report.evidence.flaky,
        "refused": story.refused,
        "retries": story.retries,
        "lost": story.lost,
        "limited": story.limited,
        "findings": report.findings.map(|found| json!({
            "rounds": found.rounds, "found": found.found, "fixed": found.fixed,
            "refused": found.refused, "open": found.open,
        })),
        "cost": cost(report),
        "waits": report.waits.iter().map(wait).collect::<Vec<_>>(),
        "limits": limits_object(&report.limits),
        "branch": report.branch.as_ref().map(branch),
        "files": report.files.as_ref().map(|all| files(report, all)),
        "timeline": timeline(&report.timeline),
        "verified":
            checked.map(|all| all.iter().map(|one| again(report, one)).collect::<Vec<_>>()),
        "page": page.map(|path| path.display().to_string()),
        "next": next(report),
    })
}

fn gate(line: &GateLine) -> Value {
    json!({
        "phase": line.phase,
        "gate": line.gate,
        "standing": line.standing.as_str(),
        "times": line.times,
        "receipt": line.last.as_ref().map(|last| last.id.as_str()),
    })
}

fn receipt(slip: &Slip) -> Value {
    json!({
        "id": slip.id,
        "phase": slip.phase,
        "gate": slip.receipt.gate.as_str(),
        "kind": slip.kind,
        "command": slip.command,
        "verdict": slip.receipt.verdict.as_str(),
        "exit": slip.receipt.exit,
        "why": slip.receipt.why,
        "tree": slip.receipt.tree,
        "at": slip.receipt.at,
        "ms": slip.ms,
        "by": slip.by,
    })
}

fn doubt(one: &Doubt) -> Value {
    json!({ "receipt": one.id, "why": one.wrong.as_str() })
}

fn review(one: &Reviewed) -> Value {
    let ReviewEnded { phase, round, verdict, open, findings, refused, .. } = &one.ended;
    let refused: Vec<_> = refused.iter().map(ToString::to_string).collect();
    json!({
        "phase": phase, "round": round, "verdict": verdict.as_str(), "open": open,
        "findings": findings, "refused": refused, "by_writer": one.by_writer,
    })
}

fn claim(one: &Claim) -> Value {
    let source = match one.source {
        ClaimSource::Said => "said",
        ClaimSource::Ungated => "no gate",
        ClaimSource::Known => "failed before",
        ClaimSource::Judged => "agent's word",
    };
    json!({ "unit": one.unit, "at": one.at, "source": source, "text": one.text })
}

fn cost(report: &Report) -> Value {
    let cost = &report.cost;
    let known = |missing: usize, value: u64| (cost.agents > missing).then_some(value);
    json!({
        "agents": cost.agents,
        "micro_usd": known(cost.unpriced, cost.micro_usd),
        "unpriced": cost.unpriced,
        "tokens": known(cost.uncounted, cost.tokens),
        "uncounted": cost.uncounted,
        "ms": report.took(),
        "waited_ms": report.timeline.waited(),
    })
}

fn branch(branch: &WorkBranch) -> Value {
    let (stands, merged) = match &branch.at {
        BranchState::Empty => ("empty", false),
        BranchState::Open(_) | BranchState::Past { merged: false, .. } => ("open", false),
        BranchState::Merged(_) | BranchState::Past { merged: true, .. } | BranchState::Here => {
            ("merged", true)
        }
        BranchState::Gone { merged, .. } => ("gone", *merged),
    };
    json!({
        "name": branch.name, "stands": stands, "merged": merged, "commit": branch.commit(),
    })
}

fn files(report: &Report, files: &Files) -> Value {
    let (added, removed) = files.lines();
    let change = |one: &sprag_core::reporting::ChangedFile| json!({ "path": one.path, "added": one.added, "removed": one.removed, "untracked": one.untracked });
    json!({
        "since": files.since,
        "exact": files.exact,
        "command": report.whole_command(),
        "added": added,
        "removed": removed,
        "changed": files.changed.iter().map(change).collect::<Vec<_>>(),
        "tests": files.tests().map(|one| one.path.as_str()).collect::<Vec<_>>(),
    })
}

fn timeline(timeline: &Timeline) -> Value {
    let bar = |bar: &Bar| json!({ "from": bar.from, "to": bar.to, "how": bar.how.as_str(), "agent": bar.agent });
    let units = timeline.rows.iter().map(
        |row| json!({ "unit": row.unit, "attempts": row.bars.iter().map(bar).collect::<Vec<_>>() }),
    );
    let waits = timeline
        .waits
        .iter()
        .map(|wait| json!({ "from": wait.from, "to": wait.to, "why": wait.why }));
    json!({ "units": units.collect::<Vec<_>>(), "waits": waits.collect::<Vec<_>>() })
}

fn again(report: &Report, one: &Checked) -> Value {
    let (result, receipt, why) = match &one.result {
        Again::Holds { receipt } => ("holds", Some(receipt), None),
        Again::Fails { receipt, why } => ("fails", Some(receipt), Some(why)),
        Again::Unknown { why } => ("could not run", None, Some(why)),
        Again::Person => ("a person's word", None, None),
        Again::Untrusted { what } => ("not allowed to run", None, Some(what)),
    };
    json!({
        "gate": one.gate, "result": result, "waived": is_waived(report, one), "receipt": receipt,
        "why": why,
    })
}

//! The first act: one agent, one failing test. It claims, it weakens the test, it works, and what
//! it did is reviewed.

use std::collections::BTreeSet;

use serde_json::Value;
use sprag_core::Hold;
use sprag_core::reporting::Slip;
use sprag_store::Event;

use super::scene::{Act, Scene, Told, asked, short, text};
use super::step::Beat;
use crate::fault::Stop;

/// Who reviews.
pub(super) const REVIEWER: &str = "reviewer";

/// The first act, as far as it came.
#[derive(Debug, Default)]
pub(super) struct Job {
    turns: u32,
    /// The last receipt.
    receipt: Option<String>,
    /// What a gate said; told when the agent has heard it.
    refusal: Option<String>,
    /// The units that were reviews.
    reviews: BTreeSet<String>,
}

impl Act for Job {
    fn hear(&mut self, event: &Event, scene: &Scene<'_>) -> Result<Vec<Told>, Stop> {
        let data = &event.data;
        match event.kind.as_str() {
            "agent.ended" if text(data, "host") == REVIEWER => {
                self.reviews.insert(text(data, "unit").to_owned());
            }
            "agent.ended" => return self.ended(text(data, "said"), scene),
            "review.ended" => return Ok(vec![reviewed(data)]),
            "gate.receipt" => self.receipt = Some(text(data, "id").to_owned()),
            "attempt.stalled" => {
                let waits = scene.engine.waits()?;
                let doubt = waits.into_iter().find_map(|wait| {
                    let Hold::Doubtful { why, .. } = wait.hold else { return None };
                    (wait.run == *scene.run).then(|| why.to_string())
                });
                let why = doubt.unwrap_or_default().replace('`', "");
                return Ok(vec![(Beat::Protected, why, String::new())]);
            }
            "attempt.ended" => {
                let Some(slip) = self.slip(scene)? else { return Ok(Vec::new()) };
                return Ok(self.judged(data, &slip).into_iter().collect());
            }
            _ => {}
        }
        Ok(Vec::new())
    }
}

impl Job {
    /// Returns whether a unit was a review: what somebody says of the work, never the work.
    pub(super) fn is_review(&self, unit: &str) -> bool {
        self.reviews.contains(unit)
    }

    /// Tells what the agent was told, what it said and what it had changed.
    fn ended(&mut self, said: &str, scene: &Scene<'_>) -> Result<Vec<Told>, Stop> {
        self.turns += 1;
        let kept = |what| asked(scene.scratch.kept(&format!("{}.{what}", self.turns)));
        let (heard, changed) = (kept("told")?, kept("changed")?);
        let mut told = Vec::new();
        if let Some(refusal) = self.refusal.take() {
            let retry = heard.lines().find_map(|line| line.strip_prefix("Retry "));
            let note = retry.map(|retry| format!("retry {}", retry.trim_end_matches('.')));
            told.extend(note.map(|note| (Beat::Refused, refusal, note)));
        }
        let changed: Vec<_> = changed.lines().collect();
        let note = match changed.as_slice() {
            [] => "changed nothing".to_owned(),
            files => format!("changed {}", files.join(", ")),
        };
        told.push((Beat::Claim, format!("\"{said}\""), note));
        Ok(told)
    }

    fn slip(&self, scene: &Scene<'_>) -> Result<Option<Slip>, Stop> {
        let Some(id) = &self.receipt else { return Ok(None) };
        let report = scene.engine.report(scene.run)?;
        Ok(report.receipts.into_iter().find(|slip| slip.id.as_str() == id))
    }

    fn judged(&mut self, data: &Value, slip: &Slip) -> Option<Told> {
        let gate = &slip.receipt.gate;
        match text(data, "how") {
            "failed" => {
                let first = slip.receipt.tail.lines().find(|line| !line.trim().is_empty());
                let what = first.unwrap_or_default().split(':').next().unwrap_or_default();
                self.refusal = Some(format!("{gate}: {what}"));
                None
            }
            "passed" => {
                let (receipt, tree) = (short(slip.id.as_str()), slip.receipt.tree.short(7));
                let what = format!("{gate} in {} ms, receipt {receipt} on tree {tree}", slip.ms);
                Some((Beat::Passed, what, String::new()))
            }
            _ => None,
        }
    }
}

fn reviewed(data: &Value) -> Told {
    let note = format!("round {} of {}", data["round"], data["of"]);
    let open = data["open"].as_u64().unwrap_or_default();
    let first = data["findings"][0].as_str().unwrap_or_default();
    // What to do about it is for whoever fixes.
    let first = first.split(". Fix: ").next().unwrap_or(first);
    let first = first.rsplit(": ").next().unwrap_or_default();
    match (open, text(data, "verdict")) {
        (0, "pass") => (Beat::Clean, "0 findings".to_owned(), note),
        (1, _) => (Beat::Found, format!("1 finding: {first}"), note),
        (open, _) => (Beat::Found, format!("{open} findings: {first}"), note),
    }
}

//! The first act: one agent, one failing test. The agent claims success, weakens the test, insists,
//! then does the work, which is reviewed.

use std::collections::BTreeSet;

use sprag_core::event::{AttemptEnded, EndedBy, ReviewEnded, ReviewVerdict};
use sprag_core::reporting::Slip;
use sprag_core::{Event, Hold};

use super::scene::{Act, Scene, Told, asked, short};
use super::step::Beat;
use crate::fault::EarlyExit;

/// The name of the reviewing agent.
pub(super) const REVIEWER: &str = "reviewer";

/// The progress of the first act.
#[derive(Debug, Default)]
pub(super) struct CommaJob {
    turns: u32,
    receipt: Option<String>,
    /// A gate's refusal, told after the agent has received it.
    refusal: Option<String>,
    /// The units that were reviews.
    reviews: BTreeSet<String>,
}

impl Act for CommaJob {
    fn hear(&mut self, event: &Event, scene: &Scene<'_>) -> Result<Vec<Told>, EarlyExit> {
        if let Event::AgentEnded(ended) = event {
            if ended.host != REVIEWER {
                return self.ended(&ended.said, scene);
            }
            self.reviews.extend(ended.unit.clone());
        } else if let Event::ReviewEnded(ended) = event {
            return Ok(vec![reviewed(ended)]);
        } else if let Event::GateReceipt(left) = event {
            self.receipt = Some(left.id.clone());
        } else if let Event::AttemptStalled(_) = event {
            let waits = scene.engine.waits()?;
            let doubt = waits.into_iter().find_map(|wait| {
                let Hold::Doubtful { why, .. } = wait.hold else { return None };
                (wait.run == *scene.run).then(|| why.to_string())
            });
            let why = doubt.unwrap_or_default().replace('`', "");
            return Ok(vec![(Beat::Protected, why, "waits for a person".to_owned())]);
        } else if let Some(end) = event.ending() {
            let Some(slip) = self.slip(scene)? else { return Ok(Vec::new()) };
            return Ok(self.judged(end, &slip).into_iter().collect());
        }
        Ok(Vec::new())
    }
}

impl CommaJob {
    /// Returns whether a unit was a review and not the work itself.
    pub(super) fn is_review(&self, unit: &str) -> bool {
        self.reviews.contains(unit)
    }

    /// Tells which prompt the agent got, its claim, and the files it had changed.
    fn ended(&mut self, said: &str, scene: &Scene<'_>) -> Result<Vec<Told>, EarlyExit> {
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

    fn slip(&self, scene: &Scene<'_>) -> Result<Option<Slip>, EarlyExit> {
        let Some(id) = &self.receipt else { return Ok(None) };
        let report = scene.engine.report(scene.run)?;
        Ok(report.evidence.gates.receipts.into_iter().find(|slip| slip.id.as_str() == id))
    }

    fn judged(&mut self, end: &AttemptEnded, slip: &Slip) -> Option<Told> {
        let gate = &slip.receipt.gate;
        match end.how {
            EndedBy::Failed => {
                let first = slip.receipt.tail.lines().find(|line| !line.trim().is_empty());
                let what = first.unwrap_or_default().split(':').next().unwrap_or_default();
                self.refusal = Some(format!("{gate}: {what}"));
                None
            }
            EndedBy::Passed => {
                let (receipt, tree) = (short(slip.id.as_str()), slip.receipt.tree.short(7));
                let what = format!("{gate} in {} ms, receipt {receipt} on tree {tree}", slip.ms);
                Some((Beat::Passed, what, String::new()))
            }
            EndedBy::SentBack => {
                let what = format!("the agent changed {}", end.doubted.join(", "));
                Some((Beat::SentBack, what, "sent back once".to_owned()))
            }
            EndedBy::Waived | EndedBy::Claimed | EndedBy::Gone => None,
        }
    }
}

fn reviewed(ended: &ReviewEnded) -> Told {
    let note = format!("round {} of {}", ended.round, ended.of);
    let first = ended.findings.first().map_or("", String::as_str);
    // The suggested fix is for the fixing agent only.
    let first = first.split(". Fix: ").next().unwrap_or(first);
    let first = first.rsplit(": ").next().unwrap_or_default();
    match (ended.open, &ended.verdict) {
        (0, ReviewVerdict::Pass) => (Beat::Clean, "0 findings".to_owned(), note),
        (1, _) => (Beat::Found, format!("1 finding: {first}"), note),
        (open, _) => (Beat::Found, format!("{open} findings: {first}"), note),
    }
}

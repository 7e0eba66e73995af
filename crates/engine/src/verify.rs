//! `sprag report --verify`: evaluates the gates of a run again on the current files.
//!
//! Only approved commands run. The new receipts are added to the run; nothing else changes or is
//! decided.

use sprag_core::reporting::{GateLine, Report};
use sprag_core::{Check, Gate, GateSpec, Hold, Name, ReceiptId, RunId, Verdict};

use crate::drive::{driven, is_inbox};
use crate::engine::{Engine, EngineError};
use crate::judge::evaluate::Wanted;
use crate::judge::tx::Tx;
use crate::judge::{Known, Needs, Progress, Within};
use crate::open_run::OpenRun;
use crate::receipt::{self, GateOrigin, Record};

/// A gate that was evaluated again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The gate, with its phase.
    pub gate: String,
    pub result: Again,
}

/// The result of a gate that was evaluated again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Again {
    /// It passes on the current files.
    Holds { receipt: ReceiptId },
    Fails {
        receipt: ReceiptId,
        /// The exit code or the reason.
        why: String,
    },
    /// It could not be evaluated.
    Unknown { why: String },
    /// A person decided it and is not asked again.
    Person,
    /// A person has not approved its command.
    Untrusted { what: String },
}

impl Engine<'_> {
    /// Evaluates again every gate with a receipt in this run, and the current gates.
    pub fn verify(&self, run: &RunId, report: &Report) -> Result<Vec<Checked>, EngineError> {
        // All assignments share the project's gates, so the last one stands for the inbox.
        let last = if is_inbox(run) { self.look(driven)?.1.pop() } else { None };
        let run = last.as_ref().unwrap_or(run);
        let (case, mut records) = self.look(|view| {
            Ok((OpenRun::open(self.kinds, view, run)?, receipt::of_run(view, run)?.0))
        })?;
        records.extend(self.reused(run)?);
        let specs = case.run.live.every_gate();
        let definition = case.run.header.definition.as_ref().map(|known| known.digest);
        let gate = |line: &GateLine| {
            let spec = spec_of(&specs, line).or_else(|| rebuilt(&records, line))?;
            let asked = GateOrigin { run: run.clone(), phase: line.phase.clone(), definition };
            Some(Wanted { asked, spec })
        };
        let lines: Vec<_> =
            report.evidence.gates.lines.iter().map(|line| (line.name(), gate(line))).collect();
        let gates: Vec<_> = lines.iter().filter_map(|(_, gate)| gate.clone()).collect();
        self.settle("sprag", Within::Caller, &mut |_: &mut Tx<'_>, known: &Known| {
            if !known.is_evaluated() && !gates.is_empty() {
                let mut needs = Needs::new(&case.law.config, gates.clone(), Vec::new());
                needs.every = true;
                return Ok(Progress::Needs(Box::new(needs)));
            }
            let checked = |(name, gate): &(String, Option<Wanted>)| {
                let forgotten =
                    || Again::Unknown { why: "its definition is no longer known".to_owned() };
                let result = gate.as_ref().map_or_else(forgotten, |gate| result(known, gate));
                Checked { gate: name.clone(), result }
            };
            Ok(Progress::Looked(lines.iter().map(checked).collect()))
        })
    }
}

fn result(known: &Known, gate: &Wanted) -> Again {
    let name = &gate.spec.gate.name;
    let is_its =
        |record: &&Record| record.gate == name.as_str() && record.phase == gate.asked.phase;
    let records = known.evidence.iter().map(|evidence| &evidence.record);
    let Some(record) = records.rev().find(is_its) else {
        return match known.held.iter().find(|(_, held, _)| held == name) {
            Some((_, _, Hold::Untrusted { what })) => Again::Untrusted { what: what.to_string() },
            Some(_) => Again::Person,
            None => Again::Unknown { why: "it left nothing".to_owned() },
        };
    };
    let receipt = record.id.clone();
    let why = match record.exit {
        Some(code) if record.why.is_empty() => format!("exit {code}"),
        Some(_) | None => record.why.clone(),
    };
    match record.verdict {
        Verdict::Pass => Again::Holds { receipt },
        Verdict::Fail => Again::Fails { receipt, why },
        Verdict::Void | Verdict::Waived | Verdict::Unknown => Again::Unknown { why },
    }
}

fn spec_of(specs: &[(Option<String>, GateSpec)], line: &GateLine) -> Option<GateSpec> {
    let named = specs.iter().filter(|(_, spec)| spec.gate.name.as_str() == line.gate);
    let mut named = named.filter(|(phase, _)| line.phase.is_none() || *phase == line.phase);
    named.next().map(|(_, spec)| spec.clone())
}

/// Rebuilds a gate from the last receipt of its command: a plan's own gates are gone with the plan.
fn rebuilt(records: &[Record], line: &GateLine) -> Option<GateSpec> {
    let of = |record: &&Record| record.gate == line.gate && record.phase == line.phase;
    let argv = records.iter().rev().find(of)?.argv.clone()?;
    let gate = Gate { name: Name::parse(&line.gate).ok()?, check: Check::Run { argv } };
    Some(GateSpec { gate, timeout: None, protect: Vec::new() })
}

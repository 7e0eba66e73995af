//! Gates without a workflow: the guard of a session, and what is built on its machine.

use sprag_core::guard::{Definition, Guard, Position, UNIT};
use sprag_core::{GateSpec, Prompt, Run, Unit};

use crate::kind::{Info, Kind, OnMachine};
use crate::run_header::Header;

/// The guard of a session.
pub const INFO: Info = Info { is_automatic: true, is_guarded: true, ..BASE };

/// The properties of every run of this machine.
pub(super) const BASE: Info = Info { is_guard: true, ..Info::new("guard") };

/// A run that is judged by gates alone.
#[derive(Clone, Debug, PartialEq)]
pub struct GuardRun {
    /// What these gates hold: a session, an assignment, a task.
    pub(crate) info: &'static Info,
    /// Its gates, with the data to evaluate them.
    pub specs: Vec<GateSpec>,
    /// The same gates, as the kernel knows them.
    pub definition: Definition,
    pub run: Run<Position>,
}

/// Combines gates with their run.
pub(crate) fn guarding(
    info: &'static Info,
    gates: &[GateSpec],
    retry: Option<u32>,
    run: Run<Position>,
) -> GuardRun {
    GuardRun { info, specs: gates.to_vec(), definition: definition(gates, retry), run }
}

/// Returns the kernel's definition of a guard.
pub(crate) fn definition(gates: &[GateSpec], retry: Option<u32>) -> Definition {
    Definition {
        gates: gates.iter().map(|spec| spec.gate.clone()).collect(),
        retry: retry.unwrap_or(Definition::RETRY),
        unit: UNIT,
        once: false,
    }
}

impl OnMachine for GuardRun {
    type M = Guard;

    fn definition(&self) -> &Definition {
        &self.definition
    }

    fn run(&self) -> &Run<Position> {
        &self.run
    }

    fn take_run(&mut self, run: Run<Position>) {
        self.run = run;
    }
}

impl Kind for GuardRun {
    fn info(&self) -> &'static Info {
        self.info
    }

    fn line(&self) -> String {
        let names: Vec<_> = self.specs.iter().map(|spec| spec.gate.name.as_str()).collect();
        let colon = if names.is_empty() { "" } else { ": " };
        format!("{}{colon}{}", self.info.label, names.join(", "))
    }

    fn specs(&self) -> &[GateSpec] {
        &self.specs
    }

    fn retries(&self) -> Option<(u32, u32)> {
        self.run.bounds().values().next().map(|bound| (bound.used(), bound.max()))
    }

    fn order(&self, header: &Header, _: &Unit, _: &Prompt) -> String {
        header.task.clone().unwrap_or_default()
    }
}

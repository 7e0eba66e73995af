//! The review loop of a working tree's pull request.

use std::collections::BTreeSet;
use std::path::PathBuf;

use sprag_core::event::FieldsPutBack;
use sprag_core::pr::{Position, Pr, TurnRole};
use sprag_core::reporting::Findings;
use sprag_core::workflow::ReviewStep;
use sprag_core::{GateSpec, Unit, UnitId, Word};
use sprag_store::{Edit, Place, View};

use crate::engine::kind::{AnyRun, Entry, Info, Kind, Reading, check_kernel, on_machine};
use crate::engine::{Engine, EngineError};
use crate::integrity::law;
use crate::kinds::pull_request::{METADATA, PrRun};
use crate::unusable::Unusable;

pub const INFO: Info = Info {
    called: "the pull request",
    worktrees: false,
    needs_forge: true,
    is_released: true,
    is_measured: true,
    prompts_failures: true,
    ..Info::new("pr")
};

pub static ENTRY: Entry = Entry { info: &INFO, open, check: check_kernel::<Position> };

fn open(file: &Reading<'_>) -> Result<AnyRun, Unusable> {
    Ok(Box::new(PrRun::open(file.kernel()?, file.view)?))
}

on_machine!(PrRun, Pr);

impl Kind for PrRun {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn line(&self) -> String {
        self.at()
    }

    fn title(&self) -> Option<String> {
        self.definition.metadata.known()?.pull.title.clone()
    }

    fn specs(&self) -> &[GateSpec] {
        &[]
    }

    fn defined_by(&self, engine: &Engine<'_>, writes: &[PathBuf]) -> Option<String> {
        if !writes.contains(&engine.place.root.join(METADATA)) {
            return None;
        }
        let id = self.run.id();
        Some(format!("`{METADATA}` says where {id} stands; `sprag pr meta` sets fields"))
    }

    fn foreign_edits(&self) -> Result<Vec<Edit>, Unusable> {
        self.edits()
    }

    fn set_turn(&mut self, is_open: bool) {
        self.keep_own(is_open);
    }

    fn put_back(&self) -> Option<FieldsPutBack> {
        self.fields_put_back()
    }

    fn judged_by(&self, _: &View<'_>, place: &Place) -> Result<BTreeSet<String>, EngineError> {
        let mut docs = BTreeSet::from([self.prompts_file()?.to_string()]);
        // A forge runs its CI by these files, and the CI is a gate.
        docs.extend(law::ci_files(&place.root));
        Ok(docs)
    }

    fn findings(&self) -> Option<Findings> {
        Some(Findings::from(&self.run.position().ledger))
    }

    /// A review does not change the files under review.
    fn only_reads(&self, unit: &Unit) -> bool {
        unit.role.as_ref().is_some_and(|role| role.as_str() == TurnRole::Reviewer.as_str())
    }

    fn again(&self, unit: &Unit) -> Option<String> {
        self.run.position().again(unit).map(str::to_owned)
    }

    fn claim(&self, _: &UnitId, _: Option<ReviewStep>, said: &str) -> Word {
        Word::Said { text: said.to_owned() }
    }
}

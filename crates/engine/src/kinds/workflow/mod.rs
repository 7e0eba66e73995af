//! A workflow: phases, one after the other, each left only when its gates pass.

pub mod branch;
pub mod start;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use sprag_core::basis::Consent;
use sprag_core::review::LedgerEntry as Finding;
use sprag_core::workflow::{
    Definitions, FIX, OrderEntry as PhaseEntry, Phase, Position, REVIEW, ReviewStep, Started,
    View as PhaseView, Workflow,
};
use sprag_core::{
    Call, Facts, GateSpec, Hash, Plain, Prompt, Run, Stored as _, Unit, UnitId, Unreadable, Word,
};
use sprag_store::{Edit, Place, View};

use crate::definition_copy;
use crate::engine::kind::{
    AnyRun, Checking, Count, Entry, Info, Kernel as _, Kind, Moment, PhaseReview, ReadForm,
    Reading, ReviewResult, on_machine,
};
use crate::engine::{Engine, EngineError};
use crate::integrity::law;
use crate::now::Now;
use crate::run_file::Header;
use crate::unusable::Unusable;

pub const INFO: Info = Info {
    key: Some("KEY"),
    called: "{}",
    has_phases: true,
    has_copy: true,
    one_session: true,
    worktrees: false,
    is_released: true,
    ..Info::new("workflow")
};

pub static ENTRY: Entry = Entry { info: &INFO, open, check };

fn open(file: &Reading<'_>) -> Result<AnyRun, Unusable> {
    let run = file.kernel()?;
    let definitions = definition_copy::load(file.view, file.id)?;
    stands(file.header, &run, &definitions).map_err(|bad| file.bad(&bad))?;
    let key = file.header.source.key().to_owned();
    let (task_id, task) = (file.id.to_string(), file.header.task.clone().unwrap_or_default());
    let definition = Started { definitions, key, task_id, task };
    Ok(Box::new(WorkflowRun { definition, run }))
}

fn check(file: &Checking<'_>) -> Result<(), Unreadable> {
    let run = Run::lift(file.plain)?;
    (file.recorded)().map_or(Ok(()), |definitions| stands(file.header, &run, &definitions))
}

/// Checks that the position of an unfinished run exists in its workflow.
fn stands(
    header: &Header,
    run: &Run<Position>,
    definitions: &Definitions,
) -> Result<(), Unreadable> {
    match header.ended {
        Some(_) => Ok(()),
        None => run.position().check(header.source.key(), definitions),
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct WorkflowRun {
    /// The workflow as it was started.
    pub definition: Started,
    pub run: Run<Position>,
}

on_machine!(WorkflowRun, Workflow);

impl Kind for WorkflowRun {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn line(&self) -> String {
        let line = self.definition.status_line(self.run.position());
        line.unwrap_or_else(|| self.definition.name().to_owned())
    }

    fn specs(&self) -> &[GateSpec] {
        self.phase().map_or(&[], |phase| &phase.gates)
    }

    fn reachable_specs(&self) -> Vec<GateSpec> {
        let known = &self.definition.definitions;
        let mut specs = Vec::new();
        for key in known.reached(&self.definition.key) {
            for entry in known.get(key).map_or(&[][..], |known| &known.phases) {
                if let PhaseEntry::Phase(phase) = entry {
                    specs.extend(phase.gates.iter().cloned());
                }
            }
        }
        specs
    }

    fn every_gate(&self) -> Vec<(Option<String>, GateSpec)> {
        let gates = |phase: &Phase| -> Vec<_> {
            phase.gates.iter().map(|spec| (Some(phase.id.clone()), spec.clone())).collect()
        };
        self.definition.phases().flat_map(gates).collect()
    }

    fn may_change(&self, _: &UnitId) -> Vec<Consent> {
        self.phase().iter().flat_map(|phase| &phase.may_change).map(Consent::from).collect()
    }

    fn phase(&self) -> Option<&Phase> {
        self.definition.phase(self.run.position())
    }

    fn view(&self) -> Option<PhaseView> {
        let position = self.run.position();
        if position.done { None } else { self.definition.view(position) }
    }

    fn blocks(&self, call: &Call) -> Option<String> {
        self.definition.blocked(self.run.position(), call)
    }

    fn phase_review(&self) -> Option<PhaseReview> {
        let position = self.run.position();
        let reviewing = self.definition.reviewing(position);
        let review = self.phase()?.review.as_ref()?;
        Some(PhaseReview {
            reviewer: review.reviewer.clone(),
            is_begun: position.review.is_some(),
            is_held: reviewing.is_some_and(|(_, stand)| stand.held.is_some()),
        })
    }

    fn awaited_reviewer(&self, facts: &Facts) -> Option<String> {
        let unit = self.unit(facts).filter(|unit| unit.kind == REVIEW)?;
        let (review, _) = self.definition.reviewing(self.run.position())?;
        self.run.attempt_of(&unit.id).is_none().then(|| review.reviewer.clone())
    }

    fn review_stage(&self, unit: &UnitId, facts: &Facts) -> Option<ReviewStep> {
        let (_, stand) = self.definition.reviewing(self.run.position())?;
        let begun = self.begun(facts).into_iter().find(|begun| begun.id == *unit)?;
        [REVIEW, FIX].contains(&begun.kind).then_some(stand.stage)
    }

    fn reviewed(&self) -> ReviewResult {
        let Some((review, stand)) = self.definition.reviewing(self.run.position()) else {
            return ReviewResult::Clean;
        };
        if let Some(why) = &stand.again {
            return ReviewResult::Again { why: why.clone() };
        }
        let line = |entry: &Finding| {
            format!("[{}] {}", entry.finding.severity.as_str(), entry.finding.line())
        };
        let level = review.terms().level;
        let refused = stand.ledger.disputed(level);
        ReviewResult::Found {
            findings: stand.ledger.blocking(level).chain(refused).map(line).collect(),
        }
    }

    fn disputed(&self) -> Vec<String> {
        let Some((review, stand)) = self.definition.reviewing(self.run.position()) else {
            return Vec::new();
        };
        let disputed = stand.ledger.disputed(review.terms().level).filter_map(Finding::refusal);
        disputed.map(|one| one.to_string()).collect()
    }

    fn without_review(&self, position: Plain) -> Plain {
        let Plain::Map(entries) = position else { return position };
        Plain::Map(entries.into_iter().filter(|(key, _)| key != "review").collect())
    }

    fn patience(&self) -> Option<u32> {
        self.phase()?.limits.blocks_without_progress
    }

    fn notice(&self, cancelled: bool) -> Option<String> {
        self.definition.notice(self.run.position(), cancelled)
    }

    fn defined_by(&self, engine: &Engine<'_>, writes: &[PathBuf]) -> Option<String> {
        let folders = engine.search().folders();
        let is_there = |path: &&PathBuf| folders.iter().any(|folder| path.starts_with(folder));
        let found = writes.iter().find(is_there)?.display();
        let id = self.run.id();
        Some(format!("`{found}` may define {id}, so it is not for agents to change"))
    }

    fn as_read(&self) -> ReadForm {
        ReadForm::Values(self.kernel_copy())
    }

    fn judged_by(&self, view: &View<'_>, place: &Place) -> Result<BTreeSet<String>, EngineError> {
        // A run that begins just now has no copy yet.
        let files = self.copied_from(view);
        Ok(files.keys().map(|file| law::below(&place.root, file)).collect())
    }

    fn copied_from(&self, view: &View<'_>) -> BTreeMap<String, Hash> {
        definition_copy::files_of(view, self.run.id()).unwrap_or_default()
    }

    fn copy_again(
        &mut self,
        view: &View<'_>,
        now: &dyn Moment,
        header: &mut Header,
    ) -> Result<Vec<Edit>, EngineError> {
        start::copy_again(self, view, &Now::new(now.engine()), header)
    }

    fn host_of(&self, unit: &Unit) -> Option<String> {
        let (review, _) = self.definition.reviewing(self.run.position())?;
        (unit.kind == REVIEW).then(|| review.reviewer.clone())
    }

    /// The gates of a phase that was proven before its review decide whether an agent must work on
    /// it again, if its files changed since.
    fn is_proven_before(&self, unit: &Unit) -> bool {
        let has_failed = self.run.failed().contains_key(&unit.id);
        let is_own = ![REVIEW, FIX].contains(&unit.kind) && !has_failed;
        is_own && self.run.position().review.is_some()
    }

    fn claim(&self, _: &UnitId, stage: Option<ReviewStep>, said: &str) -> Word {
        match stage {
            Some(_) => Word::Said { text: said.to_owned() },
            None => Word::Done,
        }
    }

    fn order(&self, header: &Header, unit: &Unit, prompt: &Prompt) -> String {
        let first = |text: &str| joined(&self.definition.first_message(), text);
        if unit.kind == REVIEW {
            joined(&prompt.text, &changed(header))
        } else if unit.kind == FIX {
            first(&prompt.text)
        } else {
            first(&self.view().map_or_else(String::new, |view| view.alone()))
        }
    }

    fn reminder(&self, unit: &Unit, prompt: &Prompt) -> Option<String> {
        if [REVIEW, FIX].contains(&unit.kind) {
            return Some(prompt.text.clone());
        }
        self.view().map(|view| view.alone())
    }

    fn count(&self, _: usize) -> Count {
        let position = self.run.position();
        let known = self.definition.definitions.get(&self.definition.key);
        let total = known.map_or(0, |known| known.phases.len());
        let at = position.path.first().and_then(|first| usize::try_from(first.index).ok());
        let done = if position.done { total } else { at.unwrap_or(0).min(total) };
        Count { done, total: Some(total), of: "phases" }
    }
}

/// Explains to a reviewer how to see the changes.
fn changed(header: &Header) -> String {
    match &header.base {
        Some(base) => format!(
            "What changed since the phase began: `git diff {base}`, and the new files that `git \
             status --short` lists."
        ),
        None => "What changed is not known to git here: look at the files.".to_owned(),
    }
}

fn joined(first: &str, second: &str) -> String {
    let filled: Vec<_> = [first, second].into_iter().filter(|part| !part.is_empty()).collect();
    filled.join("\n\n")
}

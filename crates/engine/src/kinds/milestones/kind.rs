//! The milestone tree of a project.

use std::collections::BTreeSet;

use sprag_core::gsd::{Definition, Gsd, Position};
use sprag_core::rules::Rule;
use sprag_core::{Denied, Facts, GateSpec, Hash, Hold, Next, Plain, Run};
use sprag_store::{Edit, Place, View};

use crate::engine::EngineError;
use crate::engine::kind::{
    AnyRun, Count, Entry, Info, Kernel as _, Kind, OnMachine, Reading, check_kernel,
};
use crate::integrity::law;
use crate::kinds::milestones::{self, GsdRun, PREFERENCES, PREFERENCES_LOWER};
use crate::unusable::Unusable;

pub const INFO: Info = Info {
    called: "the milestone tree",
    has_rules: true,
    is_listed: true,
    is_released: true,
    is_dispatched: true,
    judges_anew: true,
    ..Info::new("gsd")
};

pub static ENTRY: Entry = Entry { info: &INFO, open, check: check_kernel::<Position> };

fn open(file: &Reading<'_>) -> Result<AnyRun, Unusable> {
    let run = file.kernel()?;
    let read = milestones::of_run(file.view, file.id, &run)?;
    Ok(Box::new(GsdRun::new(read, run, file.view)))
}

impl OnMachine for GsdRun {
    type M = Gsd;

    fn definition(&self) -> &Definition {
        &self.definition
    }

    fn run(&self) -> &Run<Position> {
        &self.run
    }

    fn take_run(&mut self, run: Run<Position>) {
        self.take(run);
    }
}

impl Kind for GsdRun {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn line(&self) -> String {
        self.definition.state.next_action.clone()
    }

    fn specs(&self) -> &[GateSpec] {
        &self.specs
    }

    fn rules(&self) -> &[Rule] {
        self.definition.rules.rules()
    }

    /// Only the driver runs the command again; a status query does not.
    fn stopped(&self, facts: &Facts) -> Option<&Hold> {
        let stopped = self.run.position().stopped.as_ref().filter(|known| !known.allowed)?;
        matches!(self.next(facts), Next::Ask(_)).then_some(&stopped.hold)
    }

    fn note_hold(&mut self, facts: &Facts) -> Result<(), Denied> {
        if let Some(noted) = sprag_core::gsd::note_hold(&self.definition, &self.run, facts)? {
            self.take(noted);
        }
        Ok(())
    }

    fn stored(&self) -> Plain {
        self.run.lower_trimmed()
    }

    fn foreign_edits(&self) -> Result<Vec<Edit>, Unusable> {
        self.edits()
    }

    fn digest(&self) -> Option<Hash> {
        Some(self.digest)
    }

    fn judged_by(&self, _: &View<'_>, _: &Place) -> Result<BTreeSet<String>, EngineError> {
        let mut docs = BTreeSet::from([PREFERENCES.to_owned(), PREFERENCES_LOWER.to_owned()]);
        docs.extend(law::rule_scripts(self).into_keys());
        Ok(docs)
    }

    fn skip(&self) -> Option<Edit> {
        self.skipped_by_writing()
    }

    fn count(&self, _: usize) -> Count {
        let progress = self.definition.state.progress;
        let (of, count) = match (progress.tasks, progress.slices) {
            (Some(tasks), _) => ("tasks", tasks),
            (None, Some(slices)) => ("slices", slices),
            (None, None) => ("milestones", progress.milestones),
        };
        Count { done: count.done, total: Some(count.total), of }
    }
}

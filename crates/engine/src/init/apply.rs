//! Carries out a plan step by step, and reports exactly how far it got.

use sprag_core::event::ProjectSetUp;
use sprag_core::{Hash, RunId};
use sprag_formats::{Checks, Schema};
use sprag_hosts::install::leave;
use sprag_store::{CacheDir, Edit, Lasting};
use sprag_world::init_memory::Memory;

use super::plan::InitPlan;
use super::setting::{self, FileChange, SettingPlan};
use crate::draft::Draft;
use crate::engine::{Engine, EngineError, PATIENT};
use crate::judge::evaluate::Wanted;
use crate::judge::tx::Tx;
use crate::judge::{Decision, Known, Progress, Within};
use crate::receipt::{GateOrigin, INIT, Record};
use crate::{config, receipt_index as receipts, weigh};

/// How far a plan got.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Applied {
    pub written: Vec<String>,
    /// The failed step with the reason; later steps were not tried.
    pub failed: Option<(String, String)>,
    /// The steps that were not tried.
    pub left: Vec<String>,
    /// Empty folders whose creator is unknown.
    pub empty: Vec<String>,
}

/// The name of the last step.
pub(super) const COMMANDS: &str = "the list of commands that may run";

impl Applied {
    /// Performs a step, unless an earlier one failed, and records the result.
    pub(super) fn step(&mut self, name: &str, act: impl FnOnce() -> Result<(), String>) {
        if self.failed.is_some() {
            self.left.push(name.to_owned());
            return;
        }
        match act() {
            Ok(()) => self.written.push(name.to_owned()),
            Err(why) => self.failed = Some((name.to_owned(), why)),
        }
    }
}

impl Engine<'_> {
    /// Writes the files of a plan. `by` is the person who agreed.
    pub fn apply(&self, plan: &InitPlan, by: &str) -> Applied {
        let mut applied = Applied::default();
        if plan.config.after.is_some() {
            applied.step(".sprag/config.yaml", || self.write_config(plan, by));
        }
        let settings = plan.files.iter().filter_map(|file| match &file.change {
            FileChange::Write(done) => Some((file, done.text.as_str())),
            FileChange::Already | FileChange::Keep { .. } | FileChange::Cannot { .. } => None,
        });
        self.write_settings(&settings.collect::<Vec<_>>(), &mut applied);
        if !plan.untrusted.is_empty() || !self.belongs().counts() {
            let trust = || self.trust_commands(&plan.untrusted).map_err(|error| error.to_string());
            applied.step(COMMANDS, trust);
        }
        applied
    }

    fn write_config(&self, plan: &InitPlan, by: &str) -> Result<(), String> {
        let Some(after) = &plan.config.after else { return Ok(()) };
        let doc = config::path().map_err(|error| error.to_string())?;
        self.remember(&self.place.root.join(doc.as_str()), plan.config.before.as_deref(), after)?;
        let gates: Vec<String> =
            plan.config.gates().iter().map(|spec| spec.gate.name.to_string()).collect();
        let written = self.commit(by, PATIENT, |view| {
            if view.read(&doc).text() != plan.config.before.as_deref() {
                let what = "another process changed it meanwhile".to_owned();
                return Err(EngineError::Refused { what, help: "try again".to_owned() });
            }
            let mut draft = Draft::default();
            draft.note(None, ProjectSetUp { gates: gates.clone() });
            draft.edit(Edit::Write { doc: doc.clone(), text: after.clone() });
            weigh::person_writes(self, view, (&doc, after), &mut draft)?;
            Ok((draft, ()))
        });
        written.map_err(|error| error.to_string())?;
        self.write_schema();
        Ok(())
    }

    /// Stores the schema at the path in the configuration's first line, for editors.
    fn write_schema(&self) {
        let name = format!("{}.schema.json", Schema::Config.name());
        let schemas = CacheDir::make_below(&self.place.root, ".sprag/cache/schemas");
        let Ok(schemas) = schemas else { return };
        let text = Schema::Config.text().as_bytes();
        // Without it, only the editor's help is missing.
        let _ = schemas.turn(PATIENT).map(|turn| turn.write(&name, text, 0o666, Lasting::Cached));
    }

    fn write_settings(&self, settings: &[(&SettingPlan, &str)], applied: &mut Applied) {
        if applied.failed.is_some() {
            applied.left.extend(settings.iter().map(|(setting, _)| setting.shown.clone()));
            return;
        }
        let done = self.alone(|memory, keep| {
            let known = memory.clone();
            // Recorded first, so that a kill in between leaves no unknown file.
            for (setting, after) in settings {
                let before = self.before_us(memory, setting);
                memory.note(&setting.spot.path(), before.as_deref(), after);
            }
            keep(memory)?;
            for (setting, after) in settings {
                let path = setting.spot.path();
                let mut made = None;
                applied.step(&setting.shown, || {
                    made = Some(setting.spot.replace(setting.before.as_deref(), Some(after))?);
                    Ok(())
                });
                match made {
                    Some(folders) => memory.note_folders(&path, folders),
                    None => memory.take_back(&path, &known),
                }
            }
            keep(memory)
        });
        if let (Err(why), Some((first, _))) = (done, settings.first()) {
            applied.failed.get_or_insert_with(|| (first.shown.clone(), why));
        }
    }

    /// Returns a file's content without sprag. If a file that we wrote has changed since, our
    /// entries are removed from its current text.
    fn before_us(&self, memory: &Memory, setting: &SettingPlan) -> Option<String> {
        let before = setting.before.as_deref()?;
        let path = setting.spot.path();
        if !memory.knows(&path) || memory.was(&path, before).is_some() {
            return Some(before.to_owned());
        }
        let left = leave(before, &setting.parts, setting.spot.host, &setting::key(self));
        left.map_or_else(|_| Some(before.to_owned()), |left| left.text)
    }

    fn remember(
        &self,
        path: &std::path::Path,
        before: Option<&str>,
        after: &str,
    ) -> Result<(), String> {
        self.alone(|memory, keep| {
            memory.note(path, before, after);
            keep(memory)
        })
    }

    /// Runs `act` with the memory while no other `init` writes settings. `act` decides when to
    /// store it.
    pub(super) fn alone(
        &self,
        act: impl FnOnce(&mut Memory, &dyn Fn(&Memory) -> Result<(), String>) -> Result<(), String>,
    ) -> Result<(), String> {
        let state = self.deeds().ok_or("there is no place to remember it")?;
        let kept = Memory::shelf(&state).map_err(|error| error.to_string())?;
        let turn = Memory::turn(&kept).map_err(|error| error.to_string())?;
        let keep = |memory: &Memory| memory.write(&turn).map_err(|error| error.to_string());
        act(&mut Memory::read(&state), &keep)
    }

    /// Evaluates the gates once on the current files and leaves the receipts, so that an earlier
    /// failure is recognised in a session. Known results are not evaluated again.
    pub fn check_now(&self, plan: &InitPlan) -> Result<Vec<Record>, EngineError> {
        if plan.config.config.checks == Checks::Never {
            return Ok(Vec::new());
        }
        let text = plan.config.after.as_ref().or(plan.config.before.as_ref());
        let asked =
            GateOrigin { run: RunId::parse(INIT)?, phase: None, definition: text.map(Hash::of) };
        self.settle("sprag", Within::Limits, &mut FirstCheck { plan, asked })
    }
}

/// The first evaluation of a project's gates.
struct FirstCheck<'a> {
    plan: &'a InitPlan,
    asked: GateOrigin,
}

impl Decision for FirstCheck<'_> {
    type Out = Vec<Record>;

    fn decide(
        &mut self,
        tx: &mut Tx<'_>,
        known: &Known,
    ) -> Result<Progress<Vec<Record>>, EngineError> {
        if known.is_evaluated() {
            let records = known.evidence.iter().map(|evidence| evidence.record.clone());
            return Ok(Progress::Looked(records.collect()));
        }
        let gates = self.plan.config.gates();
        let found = receipts::find(tx.engine(), tx.view, tx.now.tree()?.hash(), gates);
        if !found.is_empty() || gates.is_empty() {
            return Ok(Progress::Looked(found));
        }
        let gates = gates.iter().cloned();
        let gates = gates.map(|spec| Wanted { asked: self.asked.clone(), spec }).collect();
        Ok(Progress::needs(&self.plan.config.config, gates, Vec::new()))
    }

    /// If another process keeps evaluating gates, the first stop will evaluate these.
    fn late(&mut self, _: &[Wanted]) -> Result<Vec<Record>, EngineError> {
        Ok(Vec::new())
    }
}

//! A person holds one session until a command passes: `/sprag:until cargo test`.
//!
//! It is a run of the guard's machine, separate from the project's own guard. The guard holds a
//! session only for its own changes. This run holds it in any case, because a person asked for it:
//! untouched files and an earlier failure are no excuse. A person typed the command, so it is
//! trusted. It is stored in the run, out of reach of the configuration.

use sprag_core::event::RunStarted;
use sprag_core::guard::{Guard, Position};
use sprag_core::{Facts, GateSpec, Hash, Run, RunId, SessionId, Signal};
use sprag_formats::{Checks, command_gate};
use sprag_store::View;

use super::guard::{BASE, definition, guarding, typed_gate};
use crate::attach::{claim, new_run};
use crate::draft::Draft;
use crate::engine::kind::{AnyRun, Entry, Info, Reading, check_kernel};
use crate::engine::{Engine, EngineError, PATIENT};
use crate::gate;
use crate::now::Now;
use crate::persons::Said;
use crate::run_file::{DefinitionOrigin, Header, RunFile, Source};
use crate::snapshot::Snapshot;
use crate::unusable::Unusable;

pub const INFO: Info = Info { word: "until", label: "until", is_typed: true, ..BASE };

pub static ENTRY: Entry = Entry { info: &INFO, open, check: check_kernel::<Position> };

fn open(file: &Reading<'_>) -> Result<AnyRun, Unusable> {
    let run = file.kernel()?;
    let gate = typed_gate(file, file.header.task.as_deref())?;
    Ok(Box::new(guarding(&INFO, &[gate], None, run)))
}

/// The hash that stands for the files at the beginning. No files have it, so there is always
/// something to prove.
const NO_TREE: &str = "until";

impl Engine<'_> {
    /// Holds a session until a command passes; replaces an earlier command.
    pub fn hold_until(&self, id: &SessionId, command: &str, by: &str) -> Result<Said, EngineError> {
        let spec = command_gate(command)
            .map_err(|bad| EngineError::Refused { what: bad.why, help: bad.help })?;
        let now = Now::new(self);
        self.look(|view| may_hold(&Snapshot::load(view, id, &now)?))?;
        let argv = gate::commands(&spec.gate.check).into_iter().map(<[String]>::to_vec);
        self.trust_commands(&argv.collect::<Vec<_>>())?;
        self.commit(by, PATIENT, |view| {
            let mut draft = Draft::default();
            let mut sitting = Snapshot::load(view, id, &now)?;
            end(view, &mut sitting, &now, &mut draft)?;
            // A held session is no longer free.
            sitting.file.paused = None;
            let mut run = begin(new_run(view)?, command, &spec, &now);
            let (task, session) = (Some(command.to_owned()), Some(id.to_string()));
            draft.note(Some(run.id()), RunStarted { task, session, ..RunStarted::of("until") });
            let facts = Facts::new(now.at, view.seq(), now.tree()?.hash());
            claim(&mut run, &sitting.id, &facts, &mut draft);
            sitting.file.until = Some(run.id().clone());
            sitting.runs.push(run);
            sitting.save(&mut draft)?;
            let name = &spec.gate.name;
            Ok((draft, format!("this session ends only when `{name}` passes")))
        })
    }

    /// Releases a session from its command.
    pub fn hold_no_longer(&self, id: &SessionId, by: &str) -> Result<Said, EngineError> {
        let now = Now::new(self);
        self.commit(by, PATIENT, |view| {
            let mut draft = Draft::default();
            let mut sitting = Snapshot::load(view, id, &now)?;
            let ended = end(view, &mut sitting, &now, &mut draft)?;
            sitting.save(&mut draft)?;
            let said = match ended {
                Some(was) => format!("`{was}` does not hold this session any more"),
                None => "no `/sprag:until` holds this session".to_owned(),
            };
            Ok((draft, said))
        })
    }
}

/// Refuses if sprag is off or commands may not run.
fn may_hold(sitting: &Snapshot) -> Result<(), EngineError> {
    let refused = |what: &str, help: &str| {
        Err(EngineError::Refused { what: what.to_owned(), help: help.to_owned() })
    };
    let config = &sitting.law.config;
    match config.checks {
        _ if config.off => {
            refused("`off: true` keeps sprag out of this project", "change `.sprag/config.yaml`")
        }
        Checks::Never => refused(
            "`checks: {run: never}` lets no command run here",
            "change that in `.sprag/config.yaml` first",
        ),
        Checks::Ask | Checks::Allow => Ok(()),
    }
}

fn begin(id: RunId, command: &str, spec: &GateSpec, now: &Now<'_>) -> RunFile {
    let gates = std::slice::from_ref(spec);
    let position = Position::new(Hash::of(NO_TREE), &[]);
    let run = Run::new::<Guard>(id, &definition(gates, None), position);
    let typed = DefinitionOrigin { path: "/sprag:until".to_owned(), digest: Hash::of(command) };
    let mut header = Header::new(Source::of(&ENTRY), typed, now.at);
    header.task = Some(command.to_owned());
    RunFile::new(header, Box::new(guarding(&INFO, gates, None, run)))
}

/// Ends the session's current hold and returns its command.
fn end(
    view: &View<'_>,
    sitting: &mut Snapshot,
    now: &Now<'_>,
    draft: &mut Draft,
) -> Result<Option<String>, EngineError> {
    let Some(id) = sitting.file.until.take() else { return Ok(None) };
    let Some(run) = sitting.runs.iter_mut().find(|run| *run.id() == id) else {
        return Ok(None);
    };
    if !run.live.is_cancelled() {
        let facts = Facts::new(now.at, view.seq(), now.tree()?.hash());
        draft.tell(&run.id().clone(), run.live.step(&Signal::Cancel, &facts)?);
    }
    run.header.ended = Some(now.at);
    run.header.notified = true;
    Ok(run.header.task.clone())
}

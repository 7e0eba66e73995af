//! A person holds one session until a command passes: `/sprag:until cargo test`.
//!
//! It is a run of the guard's machine beside the project's own guard. That one holds a session for
//! what it changed; this one holds it in any case, because a person said so: files that were not
//! touched and a failure from before excuse nobody. The command was typed by a person, so it is
//! trusted. It stands in the run itself, and no change of the configuration reaches it.

use sprag_core::event::RunStarted;
use sprag_core::guard::{Guard, Position};
use sprag_core::{Facts, GateSpec, Hash, Run, RunId, SessionId, Signal};
use sprag_formats::{Checks, command_gate};
use sprag_store::View;

use crate::engine::{Engine, EngineError, PATIENT};
use crate::gate;
use crate::live::Live;
use crate::persons::Said;
use crate::run_file::{Definition, Header, RunFile, Source, definition, guarding};
use crate::sitting::{Now, Sitting};
use crate::tx::Draft;
use crate::whose::{claim, new_run};

/// What stands for the files at the beginning: none are like that, so there is always something to
/// be proven.
const NO_TREE: &str = "until";

impl Engine<'_> {
    /// Holds a session until a command passes, in the place of the one before.
    pub fn hold_until(&self, id: &SessionId, command: &str, by: &str) -> Result<Said, EngineError> {
        let spec = command_gate(command)
            .map_err(|bad| EngineError::Refused { what: bad.why, help: bad.help })?;
        let now = Now::new(self);
        self.look(|view| may_hold(&Sitting::load(view, id, &now)?))?;
        let argv = gate::commands(&spec.gate.check).into_iter().map(<[String]>::to_vec);
        self.trust_commands(&argv.collect::<Vec<_>>())?;
        self.commit(by, PATIENT, |view| {
            let mut draft = Draft::default();
            let mut sitting = Sitting::load(view, id, &now)?;
            end(view, &mut sitting, &now, &mut draft)?;
            // Who is to be held is not free.
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

    /// Does not hold a session for a command any longer.
    pub fn hold_no_longer(&self, id: &SessionId, by: &str) -> Result<Said, EngineError> {
        let now = Now::new(self);
        self.commit(by, PATIENT, |view| {
            let mut draft = Draft::default();
            let mut sitting = Sitting::load(view, id, &now)?;
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

/// Refuses where nothing is held or nothing may run.
fn may_hold(sitting: &Sitting) -> Result<(), EngineError> {
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
    let typed = Definition { path: "/sprag:until".to_owned(), digest: Hash::of(command) };
    let mut header = Header::new(Source::Until, typed, now.at);
    header.task = Some(command.to_owned());
    RunFile::new(header, Live::Guard(Box::new(guarding(gates, None, run))))
}

/// Ends what the session was held for; returns the command.
fn end(
    view: &View<'_>,
    sitting: &mut Sitting,
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

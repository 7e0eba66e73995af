//! Records a person's consent to changes of the inputs that agents are judged by: `--may-change`,
//! `/sprag:ok`.

use sprag_core::basis::{MayChange, OpenDoubt};
use sprag_core::{RunId, SessionId};

use crate::draft::Draft;
use crate::engine::{Engine, EngineError, PATIENT};
use crate::now::Now;
use crate::persons::Said;
use crate::run_file::RunFile;
use crate::snapshot::Snapshot;
use crate::weigh::agree_to;

impl Engine<'_> {
    /// Adds globs that the agents of a run may change; earlier consents stay.
    pub fn may_change(&self, run: &RunId, may: &[MayChange], by: &str) -> Result<(), EngineError> {
        if may.is_empty() {
            return Ok(());
        }
        self.commit(by, PATIENT, |view| {
            let mut draft = Draft::default();
            let mut file = RunFile::open(self.kinds, view, run, None)?;
            add(&mut file.header.may_change, may);
            draft.run(&file)?;
            Ok((draft, ()))
        })
    }

    /// Adds globs that the agent of a session may change, and agrees to the changes of these files
    /// that it has already left in doubt.
    pub fn ok_globs(
        &self,
        id: &SessionId,
        may: &[MayChange],
        by: &str,
    ) -> Result<Said, EngineError> {
        let now = Now::new(self);
        self.transact(by, &now, |tx| {
            let mut sitting = Snapshot::load(tx.view, id, &now)?;
            if sitting.law.config.off {
                return Err(EngineError::Refused {
                    what: "`off: true` keeps sprag out of this project".to_owned(),
                    help: "change `.sprag/config.yaml`".to_owned(),
                });
            }
            add(&mut sitting.file.may_change, may);
            let all: Vec<_> =
                sitting.file.may_change.iter().map(|one| format!("`{one}`")).collect();
            let said = format!("the agent of this session may change {}", all.join(", "));
            sitting.save(tx)?;
            if sitting.is_new() {
                return Ok(said);
            }
            let is_meant =
                |doubt: &OpenDoubt| may.iter().any(|one| one.names(&doubt.key, doubt.role));
            let agreed = agree_to(tx, id, is_meant)?;
            Ok(match agreed.as_slice() {
                [] => said,
                agreed => format!("agreed to {}, and {said}", agreed.join(", ")),
            })
        })
    }
}

/// Adds consents to the stored ones, without duplicates.
fn add(stored: &mut Vec<String>, may: &[MayChange]) {
    for one in may.iter().map(MayChange::as_str) {
        if !stored.iter().any(|known| known == one) {
            stored.push(one.to_owned());
        }
    }
}

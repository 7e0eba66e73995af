//! What follows a step of a run: notices, a new phase, the end.

use sprag_core::{Effect, Signal};

use crate::engine::EngineError;
use crate::judge::tx::Tx;
use crate::run_file::RunFile;
use crate::snapshot::protected;
use crate::weigh::of_unit;

/// Records a run's new phase or end, and performs the notices in its outbox.
pub(crate) fn after_step(tx: &mut Tx<'_>, run: &mut RunFile) -> Result<Vec<String>, EngineError> {
    let mut say = Vec::new();
    for effect in run.live.outbox().to_vec() {
        if let Effect::Notify { text } = &effect {
            say.push(text.clone());
            tx.step(run, &Signal::Performed { effect })?;
        }
    }
    let facts = tx.facts()?;
    if run.live.info().has_phases && run.has_moved() {
        run.header.protected = protected(tx.now, run.live.specs())?;
        run.header.entered = Some(facts.now);
        run.header.base = run.is_reviewed().then(|| tx.now.engine.checked_out()).flatten();
    }
    of_unit::enters(tx.view, run, facts, tx.now)?;
    if let Some(notice) = run.ending(facts) {
        run.header.ended = Some(facts.now);
        run.header.notified = true;
        say.extend(notice);
    }
    Ok(say)
}

/// Records the run's hold, so that queries need not run a rule's command.
pub(crate) fn note_hold(tx: &Tx<'_>, run: &mut RunFile) -> Result<(), EngineError> {
    Ok(run.live.note_hold(tx.facts()?)?)
}

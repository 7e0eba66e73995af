//! Sessions are forgotten by themselves: when one begins, some of those go that were not seen for
//! ninety days. A guard that nothing waits for ends with its session.

use sprag_core::{DocPath, Facts, RunId, Time};
use sprag_store::{Edit, View};

use crate::engine::{Engine, EngineError};
use crate::retention::is_old;
use crate::run_file::RunFile;
use crate::session::{self, Known};
use crate::tx::Draft;

/// How many go at once, so that the beginning of a session stays quick.
const AT_ONCE: usize = 20;

impl Engine<'_> {
    /// Forgets some of the sessions that were not seen for long.
    pub(crate) fn forget_sessions(
        &self,
        view: &View<'_>,
        now: Time,
        draft: &mut Draft,
    ) -> Result<(), EngineError> {
        let folder = DocPath::parse(session::FOLDER)?;
        let seen = self.store.seen(&folder)?;
        let old = seen.into_iter().filter(|(_, at)| is_old(*at, now)).map(|(name, _)| name);
        for name in old.take(AT_ONCE) {
            let Some(id) = session::of_file(&name) else { continue };
            // One that cannot be read is shown to a person, not forgotten.
            let Known::Seen(file) = session::read(view, &id)? else { continue };
            for guard in file.guard.iter().chain(&file.until).chain(file.other_guards()) {
                end_guard(view, guard, now, draft)?;
            }
            if file.runs.is_empty() {
                draft.edit(Edit::Remove { doc: session::path(&id)? });
            }
        }
        Ok(())
    }
}

/// Ends the guard of a session that is gone, unless something in it waits for a person.
pub(crate) fn end_guard(
    view: &View<'_>,
    guard: &RunId,
    now: Time,
    draft: &mut Draft,
) -> Result<(), EngineError> {
    let Ok(mut run) = RunFile::open(view, guard, None) else { return Ok(()) };
    close_guard(&mut run, now, view);
    draft.run(&run)
}

/// Notes that a guard is over, where nothing in it waits for a person.
pub(crate) fn close_guard(run: &mut RunFile, now: Time, view: &View<'_>) {
    let facts = Facts::new(now, view.seq(), sprag_core::Hash::of(""));
    if run.header.ended.is_none() && run.live.waiting(&facts).is_empty() {
        run.header.ended = Some(now);
    }
}

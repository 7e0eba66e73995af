//! Removes old sessions: each new session removes some of those not seen for ninety days. A guard
//! with no hold for a person ends with its session.

use sprag_core::{DocPath, Facts, RunId, Time};
use sprag_store::{Edit, View};

use crate::draft::Draft;
use crate::engine::kind::Kinds;
use crate::engine::{Engine, EngineError};
use crate::retention::is_old;
use crate::run_file::RunFile;
use crate::session::{self, LoadedSession};

/// How many sessions are removed at once, so that a session begins quickly.
const AT_ONCE: usize = 20;

impl Engine<'_> {
    /// Removes some of the old sessions.
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
            // A session that cannot be read is reported to a person, not removed.
            let LoadedSession::Seen(file) = session::read(view, &id)? else { continue };
            for guard in file.guard.iter().chain(&file.until).chain(file.other_guards()) {
                end_guard(self.kinds, view, guard, now, draft)?;
            }
            if file.runs.is_empty() {
                draft.edit(Edit::Remove { doc: session::path(&id)? });
            }
        }
        Ok(())
    }
}

/// Ends the guard of a removed session, unless it waits for a person.
pub(crate) fn end_guard(
    kinds: Kinds,
    view: &View<'_>,
    guard: &RunId,
    now: Time,
    draft: &mut Draft,
) -> Result<(), EngineError> {
    let Ok(mut run) = RunFile::open(kinds, view, guard, None) else { return Ok(()) };
    close_guard(&mut run, now, view);
    draft.run(&run)
}

/// Marks a guard as ended, unless it waits for a person.
pub(crate) fn close_guard(run: &mut RunFile, now: Time, view: &View<'_>) {
    let facts = Facts::new(now, view.seq(), sprag_core::Hash::of(""));
    if run.header.ended.is_none() && run.live.waiting(&facts).is_empty() {
        run.header.ended = Some(now);
    }
}

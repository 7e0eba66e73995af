//! Ends what a session works on, by what is known of the gates.

use sprag_core::{Ask, Denied, Facts, Fence, Session, Signal, Vote};
use sprag_store::View;

use crate::draft::Draft;
use crate::engine::EngineError;
use crate::evaluate::Gathered;
use crate::live::Live;
use crate::run_file::RunFile;
use crate::sitting::Sitting;
use crate::standing::Standing;

/// Ends the session's attempts in one run, beginning one where the run would refuse; returns what
/// must be known first.
pub(super) fn end(
    view: &View<'_>,
    sitting: &mut Sitting,
    at: usize,
    standing: &Standing,
    facts: &Facts,
    gathered: &Gathered,
    draft: &mut Draft,
) -> Result<Vec<Ask>, EngineError> {
    let desk = sitting.desk();
    let session = sitting.session.clone();
    let run = &mut sitting.runs[at];
    let id = run.id().clone();
    let mut fences = mine(run, &session);
    // Of a unit of a tree nobody was told yet, so there is nothing to judge.
    if fences.is_empty()
        && !matches!(run.live, Live::Gsd(_))
        && let Ok(Vote::Refuse { unit }) = run.live.vote(&desk, facts)
    {
        let begin = Signal::Begin { unit: unit.id, agent: None, session: Some(session) };
        draft.tell(&id, run.live.step_reading(view, &begin, facts)?);
        fences.push(Fence(facts.seq));
    }
    let stands = gathered.held.iter().find(|(of, ..)| of.as_str() == id.as_str());
    let mut wanted = Vec::new();
    for fence in fences {
        let signal = match stands {
            Some((_, _, hold)) => Signal::Stall { fence, hold: hold.clone() },
            None => {
                Signal::End { fence, word: run.live.word(), receipts: standing.receipts.clone() }
            }
        };
        match run.live.step_reading(view, &signal, facts) {
            Ok(events) => standing.tell(draft, &id, events),
            Err(Denied::Needs(asks)) => wanted.extend(asks),
            // It goes on as it was.
            Err(
                Denied::Unchanged { .. }
                | Denied::Unclaimed { .. }
                | Denied::Held(_)
                | Denied::Stale { .. },
            ) => {}
            Err(other) => return Err(other.into()),
        }
    }
    Ok(wanted)
}

/// Returns the fences of the session's attempts in a run.
pub(crate) fn mine(run: &RunFile, session: &Session) -> Vec<Fence> {
    let attempts = run.live.attempts().iter();
    attempts.filter(|a| a.session() == Some(session)).map(sprag_core::Attempt::fence).collect()
}

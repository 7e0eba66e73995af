//! What of `STATE.md` nobody but us may count: an agent may write prose there, but not how often it
//! was tried, nor how far the plan is.

use sprag_core::Hash;
use sprag_core::plan::LoopState;

/// Returns what stands for the counters and the stage of a loop.
pub(crate) fn kept(state: &LoopState) -> Hash {
    let LoopState {
        kind,
        iteration,
        max_iterations,
        task_retries,
        gaps_remaining,
        history,
        completed,
        // These tell, or hold the loop; none of them lets anything through.
        active: _,
        phase: _,
        started: _,
        last_iteration: _,
        paused: _,
        pause_reason: _,
        last_error: _,
        final_iteration: _,
        awaiting: _,
        resume_after: _,
        // Without ours it cannot be opened.
        session_id: _,
    } = state;
    // No count is a count of none.
    let retries: Vec<_> = task_retries.iter().filter(|(_, count)| **count > 0).collect();
    let counts = (iteration, max_iterations, gaps_remaining);
    Hash::of(format!("{kind:?} {counts:?} {retries:?} {history:?} {completed}"))
}

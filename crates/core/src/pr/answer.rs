//! The decision as plain values: the answer of `sprag next pr --json`.

use super::{
    End, LoopSection, LoopState, Metadata, PullRecord, Severities, Trust, TurnAction, TurnDecision,
    TurnRole, decide,
};
use crate::{Plain, Stored as _};

/// The message for resuming a finished loop; the original's words.
const OVER: &str = "Review loop completed. Start a new loop with /start-loop.";
/// The message for resuming without a loop; the original's words.
const NONE: &str = "No active or paused review loop found in this worktree.";

/// Returns the whole answer.
pub fn answer(metadata: &Metadata) -> Plain {
    let decision = decide(metadata, Trust::Computed);
    let (part, agent) = who(&decision.action);
    let mut entries = vec![
        ("action", decision.action.as_str().into()),
        ("role", part.map_or(Plain::Null, |part| part.as_str().into())),
        ("agent", agent.map_or(Plain::Null, Plain::from)),
        ("reason", decision.action.reason().into()),
        ("storedTurn", decision.stored.lower()),
        ("computedTurn", decision.computed.as_ref().map(|computed| computed.turn).lower()),
        ("round", decision.round.lower()),
        ("maxRounds", decision.max_rounds.lower()),
        ("why", decision.computed.map(|computed| computed.why).lower()),
    ];
    if let Some(known) = metadata.known() {
        entries.push(("pendingChecks", decision.lights.pending.lower()));
        entries.push(("failingChecks", decision.lights.failing.lower()));
        entries.push(("advisoryChecks", decision.lights.advisory.lower()));
        entries.extend(judged(known));
        entries.extend(then(known, &decision.action));
    }
    Plain::Map(entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
}

fn who(action: &TurnAction) -> (Option<TurnRole>, Option<&str>) {
    match action {
        TurnAction::Run { part, agent, .. } => (Some(*part), Some(agent)),
        TurnAction::Wait { .. } | TurnAction::Stop(_) | TurnAction::Error(_) => (None, None),
    }
}

/// Returns the counts of findings and the approval, if there are reviews.
fn judged(known: &PullRecord) -> Vec<(&'static str, Plain)> {
    if known.pull.reviews.is_empty() {
        return Vec::new();
    }
    let found = Severities::of(known);
    let approval = found.approval(known.level, known.pull.decision.as_deref());
    let counts = Plain::map([
        ("critical", found.critical.lower()),
        ("important", found.important.lower()),
        ("minor", found.minor.lower()),
        ("unresolvedThreads", found.unresolved.lower()),
    ]);
    vec![("severities", counts), ("approvalVerdict", approval.as_str().into())]
}

/// Returns the decision that would follow a person's action on a stopped loop.
fn then(known: &PullRecord, action: &TurnAction) -> Option<(&'static str, Plain)> {
    let TurnAction::Stop(end) = action else { return None };
    let with = |review_loop: LoopSection| {
        let known = PullRecord { review_loop: Some(review_loop), ..known.clone() };
        decide(&Metadata::Known(Box::new(known)), Trust::Computed)
    };
    match end {
        End::Paused { .. } => {
            let resumed =
                LoopSection { active: true, paused_at: None, ..known.review_loop.clone()? };
            Some(("afterResume", short(&with(resumed), true)))
        }
        End::NoLoop => {
            let begun = LoopSection {
                active: true,
                max_rounds: LoopSection::ROUNDS,
                reviewer: Some(String::new()),
                developer: Some(String::new()),
                ..LoopSection::default()
            };
            Some(("afterInit", short(&with(begun), false)))
        }
        End::Approved => {
            let set = Plain::map([("reviewLoop.active", Plain::Bool(false))]);
            Some(("then", Plain::map([("set", set)])))
        }
        End::Completed => Some(("resumeError", OVER.into())),
        End::NoPr | End::MaxRounds { .. } | End::CiFailed { .. } => None,
    }
}

/// Returns the short form of a decision; the agents of a loop that has not begun are unknown.
fn short(decision: &TurnDecision, named: bool) -> Plain {
    let (part, agent) = who(&decision.action);
    let mut entries = vec![("action", Plain::from(decision.action.as_str()))];
    entries.extend(part.map(|part| ("role", part.as_str().into())));
    entries.extend(agent.filter(|_| named).map(|agent| ("agent", agent.into())));
    Plain::Map(entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
}

/// Returns why a person cannot resume a loop, in the original's words.
pub fn not_resumed(known: &PullRecord) -> Option<&'static str> {
    match known.review_loop.as_ref().map(LoopSection::state) {
        None => Some(NONE),
        Some(LoopState::Completed) => Some(OVER),
        Some(LoopState::Running | LoopState::Paused) => None,
    }
}

//! Displays the loop: `sprag pr status` and `sprag next pr`.

use std::fmt::Write as _;

use serde_json::{Value, json};
use sprag_core::Time;
use sprag_core::plain_json;
use sprag_core::pr::{
    LoopState, Metadata, Trouble, Trust, TurnAction, TurnDecision, answer, decide,
};
use sprag_engine::engine::Engine;
use sprag_world::clock;

use crate::context::{CommandContext, OutputFormat};
use crate::exit::Exit;
use crate::fault::EarlyExit;
use crate::style::{StreamStyle, Tone, WIDTH};
use crate::{env, screen};

/// The column in which verbs end.
const VERB: usize = 8;

/// Shows what would be dispatched now, and why.
pub(crate) fn next(call: &CommandContext) -> Result<Exit, EarlyExit> {
    let (place, _) = call.project_to_show()?;
    let environment = env::all();
    let metadata = Engine::open(&place, &environment)?.review_metadata()?;
    let decision = decide(&metadata, Trust::Computed);
    match call.answer {
        OutputFormat::Text => screen::print(&text(call.look, &decision))?,
        OutputFormat::Json => screen::print_json(&object(&metadata))?,
    }
    Ok(exit(&decision))
}

/// Shows the pull request and its loop.
pub(super) fn status(call: &CommandContext, engine: &Engine<'_>) -> Result<Exit, EarlyExit> {
    let metadata = engine.review_metadata()?;
    let decision = decide(&metadata, Trust::Computed);
    match call.answer {
        OutputFormat::Text => {
            let about = about(call.look, &metadata);
            screen::print(&format!("{about}{}", text(call.look, &decision)))?;
        }
        OutputFormat::Json => {
            let mut said = object(&metadata);
            if let Some(known) = metadata.known() {
                said["pr"] = known.pull.number.into();
                said["title"] = known.pull.title.clone().into();
                said["approved"] = known.approved.into();
                said["resolveLevel"] = known.level.as_str().into();
                said["loop"] = state(&metadata).into();
            }
            screen::print_json(&said)?;
        }
    }
    Ok(exit(&decision))
}

/// Summarizes a loop for the person who ends it.
pub(super) fn figures(metadata: &Metadata) -> String {
    let Some(known) = metadata.known() else { return String::new() };
    let (pull, round) = (&known.pull, known.round());
    let open = pull.threads.iter().filter(|thread| !thread.resolved).count();
    let began = known.review_loop.as_ref().and_then(|one| one.started_at.as_deref());
    let since = began.and_then(Time::parse).map(|began| clock::now().since(began) / 60_000);
    let since = since.map_or_else(String::new, |minutes| format!(" in {minutes} min"));
    let approved = if known.approved { "approved" } else { "not approved" };
    let (reviews, comments) = (pull.reviews.len(), pull.comments.len());
    format!(
        ": {approved} after {round} rounds{since}; {reviews} reviews, {comments} comments, {open} \
         open threads"
    )
}

fn object(metadata: &Metadata) -> Value {
    let mut said = plain_json::json(&answer(metadata));
    said["ok"] = json!(true);
    said
}

/// Returns the exit code, which tells whether a decision could be made.
fn exit(decision: &TurnDecision) -> Exit {
    match &decision.action {
        TurnAction::Run { .. } | TurnAction::Wait { .. } | TurnAction::Stop(_) => Exit::Done,
        TurnAction::Error(Trouble::NeedsFetch { .. }) => Exit::NotFound,
        TurnAction::Error(Trouble::InvalidTurn { .. }) => Exit::Unreadable,
        TurnAction::Error(Trouble::NoAgent { .. }) => Exit::Invalid,
    }
}

fn state(metadata: &Metadata) -> &'static str {
    let known = metadata.known().and_then(|known| known.review_loop.as_ref());
    match known.map(sprag_core::pr::LoopSection::state) {
        None => "none",
        Some(LoopState::Running) => "running",
        Some(LoopState::Paused) => "paused",
        Some(LoopState::Completed) => "completed",
    }
}

fn line(look: StreamStyle, out: &mut String, tone: Tone, verb: &str, said: &str) {
    let space = " ".repeat(VERB.saturating_sub(verb.len()));
    let said = look.clip(said, WIDTH - VERB - 1);
    let _ = writeln!(out, "{space}{} {said}", look.paint(tone, verb));
}

fn about(look: StreamStyle, metadata: &Metadata) -> String {
    let mut out = String::new();
    let Some(known) = metadata.known() else { return out };
    let title = known.pull.title.as_deref().unwrap_or_default();
    line(look, &mut out, Tone::Quiet, "Pull", &format!("#{} {title}", known.pull.number));
    let level = known.level.as_str();
    let approved = if known.approved { "approved" } else { "not approved" };
    let said = format!("{}; {approved} at level {level}", state(metadata));
    line(look, &mut out, Tone::Quiet, "Loop", &said);
    out
}

fn text(look: StreamStyle, decision: &TurnDecision) -> String {
    let mut out = String::new();
    let reason = decision.action.reason();
    match &decision.action {
        TurnAction::Run { part, agent, .. } => {
            line(look, &mut out, Tone::Good, "Next", &format!("{} {agent}", part.as_str()));
            line(look, &mut out, Tone::Quiet, "Says", &reason);
        }
        TurnAction::Wait { .. } => line(look, &mut out, Tone::Note, "Wait", &reason),
        TurnAction::Stop(_) => line(look, &mut out, Tone::Note, "Stop", &reason),
        TurnAction::Error(_) => line(look, &mut out, Tone::Bad, "Error", &reason),
    }
    if let Some(round) = decision.round {
        let max = decision.max_rounds.map_or_else(String::new, |max| format!(" of {max}"));
        line(look, &mut out, Tone::Quiet, "Round", &format!("{round}{max}"));
    }
    let computed = decision.computed.as_ref();
    if let Some(computed) = computed {
        let stored = decision.stored.as_deref().unwrap_or("none");
        let turns = format!("{stored} is written, {} is what the forge shows", computed.turn);
        line(look, &mut out, Tone::Quiet, "Turn", &turns);
        for why in &computed.why {
            line(look, &mut out, Tone::Quiet, "Why", why);
        }
    }
    out
}

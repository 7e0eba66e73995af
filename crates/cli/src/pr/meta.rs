//! `sprag pr meta OP`: the original's names, replies and exit codes, so that its scripts keep
//! working.

use std::ffi::OsString;

use serde_json::json;
use sprag_core::pr::{Patience, PullRecord};
use sprag_engine::engine::Engine;
use sprag_engine::pr::{METADATA, MetaError, MetaOp, Posting, Refreshed, Waited, local, wait};
use sprag_store::Place;
use sprag_world::clock;
use sprag_world::forge::GitHub;

use crate::exit::Exit;
use crate::fault::{EarlyExit, Fault};
use crate::{person, screen};

pub(super) fn perform(
    engine: &Engine<'_>,
    place: &Place,
    environment: &[(OsString, OsString)],
    op: &str,
    words: &[String],
) -> Result<Exit, EarlyExit> {
    let path = place.root.join(METADATA).display().to_string();
    if op == "fetch" {
        return match super::refresh(engine, place, environment, Posting::Send) {
            Ok(synced) => {
                let message = match synced.found {
                    Refreshed::Pull(_) => format!("PR metadata written to {path}"),
                    Refreshed::None => "No open PR found for the branch".to_owned(),
                };
                let said = json!({ "status": "ok", "message": message, "path": path });
                screen::print(&format!("{said}\n"))?;
                Ok(Exit::Done)
            }
            Err(EarlyExit::Fault(fault)) => {
                Ok(refuse(&json!({ "error": fault.diagnostic.message })))
            }
            Err(stop @ EarlyExit::Closed) => Err(stop),
        };
    }
    if op == "wait-ci" {
        return wait_ci(engine, place, environment);
    }
    let asked = match asked(op, words) {
        Ok(asked) => asked,
        Err(text) => return Ok(refuse(&json!({ "error": text }))),
    };
    if ends_the_loop(&asked) {
        person::only("pr meta")?;
    }
    match engine.review_meta(&asked) {
        Ok(said) => {
            screen::print(&format!("{said}\n"))?;
            let failed = asked == MetaOp::Ensure && said.contains("\"needs_fetch\"");
            Ok(if failed { Exit::Failed } else { Exit::Done })
        }
        Err(error @ MetaError::NotFound) => {
            Ok(refuse(&json!({ "error": error.to_string(), "needs_fetch": true })))
        }
        Err(error @ MetaError::Said(_)) => Ok(refuse(&json!({ "error": error.to_string() }))),
        Err(MetaError::Engine(error)) => {
            let fault = Fault::from(error);
            screen::complain(&format!("{}\n", json!({ "error": fault.diagnostic.message })));
            Ok(fault.exit)
        }
    }
}

/// Waits for the checks of the head commit; like the original, a timeout is no error.
fn wait_ci(
    engine: &Engine<'_>,
    place: &Place,
    environment: &[(OsString, OsString)],
) -> Result<Exit, EarlyExit> {
    let here = local(&place.root)?;
    let metadata = engine.review_metadata()?;
    let of_loop = metadata.known().filter(|known| known.review_loop.is_some());
    // Without a loop, wait as long as the original does.
    let usual = Patience { most: 600_000, ..Patience::default() };
    let own = of_loop.map(PullRecord::patience).filter(|own| *own != Patience::default());
    let began = clock::now();
    let known = metadata.known().map(|known| known.pull.number);
    let waited = GitHub::of(&place.root, &here, environment, known).and_then(|forge| {
        wait(&forge, &here.branch, &own.unwrap_or(usual), &clock::now, &std::thread::sleep)
    });
    let status = match waited {
        Ok(Waited::Ended) => "ok",
        Ok(Waited::TooLong) => "timeout",
        Err(error) => return Ok(refuse(&json!({ "error": error.to_string() }))),
    };
    let seconds = clock::now().since(began) / 1000;
    let said = json!({ "status": status, "branch": here.branch, "waited": seconds });
    screen::print(&format!("{said}\n"))?;
    Ok(Exit::Done)
}

fn refuse(said: &serde_json::Value) -> Exit {
    screen::complain(&format!("{said}\n"));
    Exit::Failed
}

/// Parses an operation.
fn asked(op: &str, words: &[String]) -> Result<MetaOp, String> {
    let first = words.first().cloned();
    let value = words.get(1).cloned();
    let field = |first: Option<String>| {
        first.filter(|field| !field.is_empty()).ok_or_else(|| "Field name required".to_owned())
    };
    let word = |missing: &str| {
        first.clone().filter(|word| !word.is_empty()).ok_or_else(|| missing.to_owned())
    };
    Ok(match op {
        "ensure" => MetaOp::Ensure,
        "read" => MetaOp::Read(field(first)?),
        "update" => match (first, value) {
            (Some(field), Some(value)) => MetaOp::Update(field, value),
            (_, _) => return Err("Field and value required".to_owned()),
        },
        "remove-field" => MetaOp::Remove(field(first)?),
        "set-resolve-level" => MetaOp::SetLevel(word("Resolve level required")?),
        "set-approved" => MetaOp::SetApproved(word("Approved value required (true/false)")?),
        "set-turn" => MetaOp::SetTurn(word("Turn value required")?),
        "clear-ci-status" => MetaOp::ClearCi,
        "update-latest-commit" => MetaOp::UpdateCommit,
        "post-push" => MetaOp::PostPush,
        other => return Err(format!("Unknown operation: {other}")),
    })
}

/// Returns whether an operation could release an agent from its own loop: only a person may do
/// that.
fn ends_the_loop(op: &MetaOp) -> bool {
    let own = |field: &str| {
        let name = field.trim_start_matches('.').split(['.', '[']).next();
        name.is_some_and(|name| ["approved", "resolveLevel", "reviewLoop"].contains(&name))
    };
    match op {
        MetaOp::SetApproved(value) => value == "true",
        MetaOp::Update(field, _) | MetaOp::Remove(field) => own(field),
        // The developer may not decide which comments must be resolved.
        MetaOp::SetLevel(_) => true,
        MetaOp::Ensure
        | MetaOp::Read(_)
        | MetaOp::SetTurn(_)
        | MetaOp::ClearCi
        | MetaOp::UpdateCommit
        | MetaOp::PostPush => false,
    }
}

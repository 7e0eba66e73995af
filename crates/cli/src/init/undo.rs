//! `sprag init --undo`.

use serde_json::json;
use sprag_engine::engine::Engine;
use sprag_engine::init::undo::{Undo, Undoing};
use sprag_store::Store;
use sprag_world::clock;

use super::text::{change, entries, file, line};
use super::{failure, question, scope};
use crate::args::{Consent, Init};
use crate::context::{CommandContext, OutputFormat};
use crate::exit::Exit;
use crate::fault::{EarlyExit, Next};
use crate::style::{StreamStyle, count};
use crate::{env, screen};

/// Removes sprag from the current project.
pub(super) fn perform(call: &CommandContext, asked: &Init, by: &str) -> Result<Exit, EarlyExit> {
    let (place, _) = call.project_to_show()?;
    let environment = env::all();
    let engine = Engine::open(&place, &environment)?;
    let undoing = engine.undoing(scope(asked))?;
    if call.answer == OutputFormat::Text {
        screen::print(&plan(call.look, &undoing))?;
    }
    let stays = asked.consent() == Consent::NotWanted || undoing.is_nothing();
    let mut empty = Vec::new();
    if !stays {
        if asked.consent() == Consent::Asked {
            question::agreed("sprag init --undo --yes", || diffs(call.look, &undoing))?;
        }
        let applied = engine.undo(&undoing, by);
        if let Some(fault) = failure(&applied) {
            return Err(fault.help("`sprag init --undo` continues from here").into());
        }
        empty = applied.empty;
    }
    if asked.consent() != Consent::NotWanted {
        // Otherwise the copy would turn the abandoned folder into a project again.
        let _ = Store::open(&place, clock::first()).and_then(|store| store.forget_copy());
    }
    match call.answer {
        OutputFormat::Text if stays => {}
        OutputFormat::Text => {
            for folder in &empty {
                let about = file(folder, "it is empty now, and nothing says that init made it");
                screen::print(&line(call.look, "Keep", &about))?;
            }
            let about = "sprag is out. `.sprag` keeps the journal and the receipts; it is yours.";
            screen::print(&line(call.look, "Done", about))?;
        }
        OutputFormat::Json => {
            let name = |one: &Undo| one.shown.clone();
            screen::print_json(&json!({
                "ok": true,
                "applied": !stays,
                "files": undoing.files.iter().map(name).collect::<Vec<_>>(),
                "kept": undoing.kept,
                "empty": empty,
                "next": Next { safe: vec!["sprag".to_owned()], human: vec!["sprag init".to_owned()] },
            }))?;
        }
    }
    Ok(Exit::Done)
}

fn plan(look: StreamStyle, undoing: &Undoing) -> String {
    if undoing.is_nothing() && undoing.kept.is_empty() {
        return "nothing of init is here\n".to_owned();
    }
    let mut out = String::new();
    for (folder, number) in emptied(&undoing.files) {
        out.push_str(&line(look, "Remove", &file(&folder, &count(number, "file"))));
    }
    for one in undoing.files.iter().filter(|one| !is_command(one)) {
        let (verb, about) = match (&one.after, one.removed) {
            (None, _) => ("Remove", String::new()),
            (Some(_), None) => ("Restore", "as it was before init".to_owned()),
            (Some(_), Some(removed)) => {
                ("Change", format!("-{}; it was changed since", entries(removed)))
            }
        };
        out.push_str(&line(look, verb, &file(&one.shown, &about)));
    }
    for (shown, why) in &undoing.kept {
        out.push_str(&line(look, "Keep", &file(shown, why)));
    }
    if undoing.trusted {
        out.push_str(&line(look, "Forget", "which commands of this project may run"));
    }
    out
}

/// Returns the folders of slash commands with the number of files removed from each.
fn emptied(files: &[Undo]) -> Vec<(String, usize)> {
    let mut folders: Vec<(String, usize)> = Vec::new();
    for folder in files.iter().filter(|one| is_command(one)).filter_map(folder) {
        match folders.iter_mut().find(|(known, _)| known == folder) {
            Some((_, number)) => *number += 1,
            None => folders.push((folder.to_owned(), 1)),
        }
    }
    folders
}

/// Returns whether the file is a removed slash command.
fn is_command(one: &Undo) -> bool {
    one.after.is_none() && folder(one).is_some_and(|folder| folder.ends_with("/commands/sprag/"))
}

fn folder(one: &Undo) -> Option<&str> {
    one.shown.rfind('/').map(|at| &one.shown[..=at])
}

fn diffs(look: StreamStyle, undoing: &Undoing) -> String {
    let shown = |one: &Undo| {
        change(look, &one.shown, &one.before, one.after.as_deref().unwrap_or_default())
    };
    undoing.files.iter().map(shown).collect()
}

//! Delivers a message as a new file in a mailbox, safe against other writers.

use sprag_core::event::MailSent;
use sprag_core::{DocPath, Id, RequestKey, Time};
use sprag_formats::Edit;
use sprag_formats::chipset::{Letter, Mail};
use sprag_store::{Doc, View};
use sprag_world::ids;

use super::assignment_files::{put, unreadable};
use super::mail::mailbox;
use super::paths;
use crate::draft::Draft;
use crate::engine::EngineError;

/// How many file names are tried before the mailbox counts as full.
const TRIES: u32 = 64;

/// Writes a letter into its receiver's mailbox and returns its name there. `given` lists the names
/// that this commit has already taken.
pub(crate) fn post(
    view: &View<'_>,
    letter: &Letter,
    now: Time,
    given: &mut Vec<DocPath>,
    draft: &mut Draft,
) -> Result<String, EngineError> {
    post_once(view, letter, None, now, given, draft)
}

/// Like [`post`], but a repeated request with the same key finds the existing message.
pub(super) fn post_once(
    view: &View<'_>,
    letter: &Letter,
    key: Option<&RequestKey>,
    now: Time,
    given: &mut Vec<DocPath>,
    draft: &mut Draft,
) -> Result<String, EngineError> {
    let (from, to) = (Id::parse(&letter.from)?, Id::parse(&mailbox(view, &letter.to)?)?);
    let letter = Letter { to: to.to_string(), ..letter.clone() };
    let folder = paths::folder(&format!("mail/{to}"))?;
    let at = now.to_string().replace(':', "-");
    let stem = key.map_or_else(|| format!("{at}-{from}"), |key| format!("{at}-{from}-{key}"));
    let mut name = format!("{stem}.json");
    for _ in 0..TRIES {
        let path = folder.join(&name)?;
        let there = view.read(&path);
        if let Doc::Unknown(why) = &there {
            return Err(unreadable(&path, why.to_string()));
        }
        if !given.contains(&path) && there == Doc::Absent {
            let mut edits = letter.made(now);
            edits.extend(key.map(|key| Edit::set([Mail::KEY], key.as_str())));
            put(&path, None, &edits, draft)?;
            let (to, from) = (to.to_string(), from.to_string());
            draft.note(None, MailSent { to, from, name: name.clone() });
            given.push(path);
            return Ok(name);
        }
        name = format!("{stem}-{}.json", ids::suffix());
    }
    Err(EngineError::Refused {
        what: format!("no name is free in the mailbox of {to}"),
        help: "try again".to_owned(),
    })
}

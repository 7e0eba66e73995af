//! Mail: durable messages that their receiver reads and acknowledges; old ones are archived.

use sprag_core::event::MailRead;
use sprag_core::inbox::Who;
use sprag_core::{Agent, DocPath, Id, RequestKey, Time};
use sprag_formats::chipset::{AgentFile, Letter, Mail};
use sprag_store::{Doc, Edit, Listing, View};
use sprag_world::{clock, ids};

use super::assignment_files::{put, text, unreadable, wrong};
use super::paths;
use super::post::post_once;
use super::recipient::{Recipient, STANDING, recipient};
use crate::draft::Draft;
use crate::engine::{Engine, EngineError, PATIENT};

/// How long a read message stays in the mailbox, in milliseconds.
const FRESH: i64 = 24 * 3_600_000;
/// How many old messages are archived at once.
const AT_ONCE: usize = 16;
/// The most bytes of a message, as in the original.
pub const MAX: usize = 64 << 10;

/// A message in a mailbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailMessage {
    /// The name of its file in the mailbox.
    pub name: String,
    /// The message, or the error of an unreadable one.
    pub mail: Result<Mail, String>,
}

/// A message that was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Posted {
    /// The owner of the mailbox.
    pub to: String,
    /// The name of its file in the mailbox.
    pub name: String,
    /// A note about the receiver, for the sender.
    pub note: Option<String>,
}

impl Engine<'_> {
    /// Sends a message, unless one with the same key was sent before.
    pub fn mail_send(
        &self,
        letter: &Letter,
        key: Option<&RequestKey>,
        who: &Who,
    ) -> Result<Posted, EngineError> {
        let size = letter.subject.len() + letter.body.len();
        if size > MAX {
            return Err(EngineError::Refused {
                what: format!("a message has at most {MAX} bytes, and this one {size}"),
                help: "put it into a file and name that".to_owned(),
            });
        }
        self.commit_at_once(who.name(), PATIENT, |view| {
            let mut draft = Draft::default();
            let Recipient { to, note } = recipient(view, &letter.to)?;
            let letter = Letter { to: to.clone(), ..letter.clone() };
            if let Some(name) = key.map(|key| sent(view, &letter, key)).transpose()?.flatten() {
                return Ok((draft, Posted { to, name, note }));
            }
            let name = post_once(view, &letter, key, clock::now(), &mut Vec::new(), &mut draft)?;
            Ok((draft, Posted { to, name, note }))
        })
    }

    /// Returns the messages of a mailbox, oldest first.
    pub fn mail(&self, to: &str) -> Result<Vec<MailMessage>, EngineError> {
        self.look(|view| {
            let folder = folder(&mailbox(view, to)?)?;
            let mut found = Vec::new();
            for name in names(view, &folder)? {
                let path = folder.join(&name)?;
                let mail = match text(view, &path) {
                    Ok(Some(text)) => Mail::read(&text).map_err(|fault| fault.to_string()),
                    Ok(None) => continue,
                    Err(error) => Err(error.to_string()),
                };
                found.push(MailMessage { name, mail });
            }
            Ok(found)
        })
    }

    /// Reads or acknowledges a message, and archives messages that were read over a day ago.
    pub fn mail_take(
        &self,
        to: &str,
        name: &str,
        acknowledge: bool,
        who: &Who,
    ) -> Result<Mail, EngineError> {
        self.commit_at_once(who.name(), PATIENT, |view| {
            let now = clock::now();
            let mut draft = Draft::default();
            let to = mailbox(view, to)?;
            let folder = folder(&to)?;
            let name = whole(view, &folder, name)?;
            let path = folder.join(&name)?;
            let Some(old) = text(view, &path)? else {
                return Err(EngineError::NotFound { what: format!("no mail `{name}` for {to}") });
            };
            let mail = Mail::read(&old).map_err(|fault| wrong(&path, &fault))?;
            let edits = match (acknowledge, &mail.acked) {
                (true, None) => Mail::acknowledge(now),
                (true, Some(_)) | (false, _) => vec![Mail::mark_read()],
            };
            put(&path, Some(&old), &edits, &mut draft)?;
            put_away(view, &folder, &name, now, &mut draft)?;
            draft.note(None, MailRead { to, name, acked: acknowledge });
            Ok((draft, mail))
        })
    }
}

/// Returns the message that was sent with this key, if there is one. Only files whose name fits are
/// read.
fn sent(view: &View<'_>, letter: &Letter, key: &RequestKey) -> Result<Option<String>, EngineError> {
    let end = format!("-{}-{key}.json", letter.from);
    let folder = folder(&letter.to)?;
    for place in [folder.clone(), folder.join("archive")?] {
        for name in names(view, &place)?.into_iter().filter(|name| name.ends_with(&end)) {
            let path = place.join(&name)?;
            let Some(text) = text(view, &path)? else { continue };
            let mail = Mail::read(&text).map_err(|fault| wrong(&path, &fault))?;
            if mail.letter.from == letter.from && mail.key.as_deref() == Some(key.as_str()) {
                return Ok(Some(name));
            }
        }
    }
    Ok(None)
}

/// Archives old messages that were read; unread ones stay forever.
fn put_away(
    view: &View<'_>,
    folder: &DocPath,
    but: &str,
    now: Time,
    draft: &mut Draft,
) -> Result<(), EngineError> {
    let archive = folder.join("archive")?;
    let mut moved = 0;
    for name in names(view, folder)?.into_iter().filter(|name| name != but) {
        let path = folder.join(&name)?;
        let Ok(Some(text)) = text(view, &path) else { continue };
        let Ok(mail) = Mail::read(&text) else { continue };
        let old = Time::parse(&mail.sent).is_some_and(|sent| now.since(sent) > FRESH);
        if !mail.read || !old {
            continue;
        }
        let mut to = archive.join(&name)?;
        if view.read(&to) != Doc::Absent {
            to = archive.join(&format!("{}-{name}", ids::suffix()))?;
        }
        draft.edit(Edit::Write { doc: to, text });
        draft.edit(Edit::Remove { doc: path });
        moved += 1;
        if moved == AT_ONCE {
            break;
        }
    }
    Ok(())
}

/// Resolves a name to a mailbox. A bare role means the only agent of that role, whose name begins
/// with it, as in the original. So only few of many agents are read.
pub(super) fn mailbox(view: &View<'_>, name: &str) -> Result<String, EngineError> {
    let own = Id::parse(name)?.to_string();
    if !STANDING.contains(&name) {
        return Ok(own);
    }
    let agent = Agent::parse(name)?;
    if view.read(&paths::agent(&agent)?) != Doc::Absent {
        return Ok(own);
    }
    let folder = paths::folder("agents")?;
    let mut of_role = Vec::new();
    let begins = |file: &String| file.strip_prefix(name).is_some_and(|rest| rest.starts_with('-'));
    for file in names(view, &folder)?.into_iter().filter(begins) {
        let text = text(view, &folder.join(&file)?)?;
        let agent = text.and_then(|text| AgentFile::read(&text).ok());
        of_role.extend(agent.filter(|agent| agent.role == name && is_there(agent)));
    }
    match of_role.as_slice() {
        [one] => Ok(Id::parse(&one.id)?.to_string()),
        _ => Ok(own),
    }
}

fn is_there(agent: &AgentFile) -> bool {
    agent.status != AgentFile::TERMINATED
}

/// Resolves the beginning of a message's name.
fn whole(view: &View<'_>, folder: &DocPath, begin: &str) -> Result<String, EngineError> {
    let mut like: Vec<_> =
        names(view, folder)?.into_iter().filter(|name| name.starts_with(begin)).collect();
    match (like.len(), like.iter().any(|name| name == begin)) {
        (_, true) => Ok(begin.to_owned()),
        (1, false) => Ok(like.remove(0)),
        (0, false) => {
            Err(EngineError::NotFound { what: format!("no mail `{}` here", begin.escape_debug()) })
        }
        (_, false) => Err(EngineError::Several {
            what: format!("more than one message begins with `{}`", begin.escape_debug()),
            names: like,
        }),
    }
}

fn folder(to: &str) -> Result<DocPath, EngineError> {
    paths::folder(&format!("mail/{to}"))
}

/// Returns the documents of a folder.
pub(super) fn names(view: &View<'_>, folder: &DocPath) -> Result<Vec<String>, EngineError> {
    let mut names = listed(view, folder)?;
    names.retain(|name| name.strip_suffix(".json").is_some());
    Ok(names)
}

/// Returns all entries of a folder.
pub(super) fn listed(view: &View<'_>, folder: &DocPath) -> Result<Vec<String>, EngineError> {
    match view.list(folder) {
        Listing::Absent => Ok(Vec::new()),
        Listing::Names(names) => Ok(names),
        Listing::Unknown(why) => Err(unreadable(folder, why.to_string())),
    }
}

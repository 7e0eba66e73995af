//! Adds all parts to a text and removes them again.

use super::bridge;
use super::component::Component;
use super::entry::Wanted;
use super::merge::install;
use super::refused::Refused;
use super::stamp::{Owner, owner, stamped};
use super::uninstall::uninstall;
use super::{server, server_table};
use crate::Host;
use crate::row::ServerFormat;

/// A text with our parts in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entered {
    /// The new text; unchanged if nothing was to be done.
    pub text: String,
    /// The number of entries added.
    pub added: usize,
    /// The number of our entries that were corrected.
    pub mended: usize,
    /// The number of other programs' entries, which stay as they are.
    pub kept: usize,
    /// Whether the file is the person's own now, and was left alone.
    pub theirs: bool,
}

/// A text without our parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cleaned {
    /// The new text, or `None` if nothing else was in it.
    pub text: Option<String>,
    /// The number of our items that were removed.
    pub removed: usize,
}

/// Adds parts to a text; `None` means that there is no file yet.
pub fn enter(
    text: Option<&str>,
    parts: &[Component],
    wanted: &Wanted<'_>,
) -> Result<Entered, Refused> {
    let mut now = Entered { text: text.unwrap_or_default().to_owned(), ..Entered::default() };
    for part in parts {
        let before = (!now.text.is_empty()).then_some(now.text.as_str());
        match part {
            Component::Entries => {
                let done = install(before, wanted)?;
                now.text = done.text;
                (now.added, now.mended, now.kept) = (done.added, done.mended, done.kept);
            }
            Component::Server | Component::ServerHere => {
                let done = match wanted.host.row().install.server {
                    ServerFormat::Toml => server_table::add(&now.text, wanted)?,
                    ServerFormat::Json { kind, lists_tools } => {
                        let value = server::value(wanted, kind, lists_tools);
                        server::add(&now.text, *part, wanted.root, value)?
                    }
                };
                now.text = done.unwrap_or(now.text);
            }
            Component::Bridge | Component::Command(_) | Component::Ignore => {
                whole(&mut now, *part, wanted);
            }
        }
    }
    Ok(now)
}

/// Writes a whole file of ours, unless a person owns or has edited it.
fn whole(now: &mut Entered, part: Component, wanted: &Wanted<'_>) {
    let Some(text) = file(part, wanted) else { return };
    match owner(&now.text) {
        Owner::Ours => {}
        Owner::Theirs if now.text.is_empty() => {}
        Owner::Edited | Owner::Theirs => {
            now.theirs = true;
            return;
        }
    }
    now.mended = usize::from(!now.text.is_empty() && now.text != text);
    now.text = text;
}

/// The whole text of a file that contains nothing but ours.
fn file(part: Component, wanted: &Wanted<'_>) -> Option<String> {
    let own = &wanted.host.row().install;
    let text = match part {
        Component::Bridge => bridge::text(wanted)?,
        Component::Command(slash) => own.command?(slash),
        Component::Ignore => own.ignore.to_owned(),
        Component::Entries | Component::Server | Component::ServerHere => return None,
    };
    Some(stamped(&text, part))
}

/// Removes parts from a text. Refuses a file of ours that was edited, because it is the person's
/// now.
pub fn leave(text: &str, parts: &[Component], host: Host, root: &str) -> Result<Cleaned, Refused> {
    let mut left = Cleaned { text: Some(text.to_owned()), removed: 0 };
    for part in parts.iter().rev() {
        let Some(now) = &left.text else { return Ok(left) };
        match part {
            Component::Entries => {
                let done = uninstall(now, host)?;
                left = Cleaned { text: done.text, removed: left.removed + done.removed };
            }
            Component::Server | Component::ServerHere => {
                let done = match host.row().install.server {
                    ServerFormat::Toml => server_table::remove(now),
                    ServerFormat::Json { .. } if now.trim().is_empty() => None,
                    ServerFormat::Json { .. } => server::remove(now, *part, root)?,
                };
                if let Some(text) = done {
                    let bare = text.split_whitespace().collect::<String>();
                    let empty = bare.is_empty() || bare == "{}";
                    left = Cleaned { text: (!empty).then_some(text), removed: left.removed + 1 };
                }
            }
            Component::Bridge | Component::Command(_) | Component::Ignore => match owner(now) {
                Owner::Ours => left = Cleaned { text: None, removed: left.removed + 1 },
                Owner::Edited => return Err(Refused::new("it was edited since, so it is yours")),
                Owner::Theirs => {}
            },
        }
    }
    Ok(left)
}

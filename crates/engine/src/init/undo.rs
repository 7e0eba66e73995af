//! Removes sprag from a project: exactly what `init` added, and nothing else.
//!
//! An unchanged file gets its original bytes back, or is removed if `init` created it. From a file
//! that changed since, only our entries are removed. Entries that apply to all of a person's
//! projects stay until the last project is undone. The journal and the receipts stay.

use sprag_core::event::ProjectUndone;
use sprag_hosts::Host;
use sprag_hosts::install::{Component, FileSpec, Scope, leave};
use sprag_store::{Doc, Edit};
use sprag_world::init_memory::{Memory, Was};
use sprag_world::trust;

use super::apply::{Applied, COMMANDS};
use super::spot::HostFile;
use super::{rival, setting};
use crate::config;
use crate::draft::Draft;
use crate::engine::{Engine, EngineError, PATIENT};

/// The planned removal.
#[derive(Clone, Debug, Default)]
pub struct Undoing {
    /// The files to change.
    pub files: Vec<Undo>,
    /// Things that stay, with the reason.
    pub kept: Vec<(String, String)>,
    /// Whether commands of the project are approved now.
    pub trusted: bool,
}

/// The planned change of one file.
#[derive(Clone, Debug)]
pub struct Undo {
    /// The display path.
    pub shown: String,
    /// The current text.
    pub before: String,
    /// The new text; `None` if the file is removed.
    pub after: Option<String>,
    /// The number of entries removed; `None` if the file gets its original bytes back.
    pub removed: Option<usize>,
    target: UndoTarget,
}

#[derive(Clone, Debug)]
enum UndoTarget {
    Config,
    Setting(HostFile),
}

/// A file without our entries, in the terms of [`Undo`].
struct Without {
    after: Option<String>,
    removed: Option<usize>,
}

/// The inputs that apply to every file.
struct UndoInputs<'a> {
    memory: &'a Memory,
    /// How many other projects of this person use sprag.
    others: usize,
    scope: Scope,
}

impl Undoing {
    pub fn is_nothing(&self) -> bool {
        self.files.is_empty() && !self.trusted
    }

    fn has(&self, shown: &str) -> bool {
        let kept = self.kept.iter().any(|(kept, _)| kept == shown);
        kept || self.files.iter().any(|one| one.shown == shown)
    }
}

impl Engine<'_> {
    /// Plans the removal. Shared settings belong to the project: they are changed only if they are
    /// still as `init` left them, or if `scope` includes them.
    pub fn undoing(&self, scope: Scope) -> Result<Undoing, EngineError> {
        let state = self.deeds();
        let memory = state.as_deref().map(Memory::read).unwrap_or_default();
        // A linked worktree shares the approvals of the main one, which may stay in use.
        let main = self.place.root != self.place.state
            && self.place.state.join(config::path()?.as_str()).exists();
        let others = state.as_deref().map_or(0, |folder| trust::others(folder, self.place))
            + usize::from(main);
        let trusted = self.deed().has_commands() && !main;
        let mut undoing = Undoing { trusted, ..Undoing::default() };
        let look = UndoInputs { memory: &memory, others, scope };
        for &host in self.hosts {
            // In reverse order, so that a folder is empty when the file it was created for is
            // removed.
            let scopes = [Scope::Personal, Scope::Shared].into_iter();
            for piece in scopes.flat_map(|scope| host.pieces(scope).iter().rev()) {
                self.undo_piece(host, piece, &look, &mut undoing);
            }
        }
        self.undo_switch(&memory, &mut undoing);
        self.undo_config(&memory, &mut undoing)?;
        Ok(undoing)
    }

    fn undo_piece(
        &self,
        host: Host,
        piece: &FileSpec,
        look: &UndoInputs<'_>,
        undoing: &mut Undoing,
    ) {
        let Some(spot) = HostFile::at(host, piece.setting, self.place, self.environment) else {
            return;
        };
        let shown = setting::shown(self, &spot);
        // The personal and the shared file may be the same.
        if undoing.has(&shown) {
            return;
        }
        let before = match spot.read() {
            Ok(Some(before)) => before,
            Ok(None) => return,
            Err(why) => {
                undoing.kept.push((shown, why));
                return;
            }
        };
        let known = look.memory.knows(&spot.path());
        let Without { after, removed } = match self.without(&spot, piece, &before, look) {
            Ok(Some(without)) => without,
            Err(why) if known || setting::is_whole(piece.parts) => {
                undoing.kept.push((shown, why));
                return;
            }
            Ok(None) | Err(_) => return,
        };
        let shared = host.pieces(Scope::Shared).iter().any(|one| one.setting == piece.setting)
            && !self.is_kept_out(host, piece);
        if shared && look.scope == Scope::Personal && !known {
            let why = "it is shared; --undo --shared takes our entries out".to_owned();
            undoing.kept.push((shown, why));
        } else if setting::holds_everywhere(&spot, piece.parts) && look.others > 0 {
            let them = if look.others == 1 { "another project uses" } else { "other projects use" };
            undoing.kept.push((shown, format!("{them} sprag")));
        } else {
            let target = UndoTarget::Setting(spot);
            undoing.files.push(Undo { shown, before, after, removed, target });
        }
    }

    /// Returns whether an ignore file of ours excludes this file from the project's history: then
    /// it is personal, even if the memory does not list it.
    fn is_kept_out(&self, host: Host, piece: &FileSpec) -> bool {
        let folder =
            |piece: &FileSpec| piece.setting.path.rsplit_once('/').map(|(folder, _)| folder);
        host.pieces(Scope::Personal).iter().any(|one| {
            let beside = one.parts == [Component::Ignore] && folder(one) == folder(piece);
            let spot = || HostFile::at(host, one.setting, self.place, self.environment);
            let ours = |text: String| leave(&text, one.parts, host, "").map(|left| left.removed);
            let read = || spot()?.read().ok()?;
            beside && read().is_some_and(|text| ours(text) == Ok(1))
        })
    }

    /// Returns the file without our entries; `None` if it has none.
    fn without(
        &self,
        spot: &HostFile,
        piece: &FileSpec,
        before: &str,
        look: &UndoInputs<'_>,
    ) -> Result<Option<Without>, String> {
        // Entries of other projects in the same file came after our first write.
        let alone = look.others == 0 || !piece.parts.contains(&Component::ServerHere);
        match look.memory.was(&spot.path(), before).filter(|_| alone) {
            Some(Was::Nothing) => return Ok(Some(Without { after: None, removed: None })),
            Some(Was::Text(old)) => return Ok(Some(Without { after: Some(old), removed: None })),
            None => {}
        }
        let left = leave(before, piece.parts, spot.host, &setting::key(self));
        let left = left.map_err(|refused| refused.why)?;
        let removed = Some(left.removed);
        Ok((left.removed > 0).then_some(Without { after: left.text, removed }))
    }

    /// Restores pi-workflows, if `init --switch` removed it.
    fn undo_switch(&self, memory: &Memory, undoing: &mut Undoing) {
        for place in rival::SETTINGS {
            let Some(spot) = rival::spot(self, place).filter(|spot| memory.knows(&spot.path()))
            else {
                continue;
            };
            let shown = setting::shown(self, &spot);
            let Ok(Some(before)) = spot.read() else { continue };
            match memory.was(&spot.path(), &before) {
                Some(Was::Text(old)) => {
                    let target = UndoTarget::Setting(spot);
                    undoing.files.push(Undo {
                        shown,
                        before,
                        after: Some(old),
                        removed: None,
                        target,
                    });
                }
                Some(Was::Nothing) | None => {
                    let why = "it was changed since; `pi install` brings pi-workflows back";
                    undoing.kept.push((shown, why.to_owned()));
                }
            }
        }
    }

    fn undo_config(&self, memory: &Memory, undoing: &mut Undoing) -> Result<(), EngineError> {
        let doc = config::path()?;
        let path = self.place.root.join(doc.as_str());
        let Doc::Text(before) = self.look(|view| Ok(view.read(&doc)))? else { return Ok(()) };
        let shown = doc.to_string();
        match memory.was(&path, &before) {
            None if memory.knows(&path) => {
                undoing.kept.push((shown, "it was changed since".to_owned()));
            }
            None if undoing.is_nothing() => {}
            None => undoing.kept.push((shown, "nothing says that init wrote it".to_owned())),
            Some(was) => {
                let after = match was {
                    Was::Nothing => None,
                    Was::Text(old) => Some(old),
                };
                let target = UndoTarget::Config;
                undoing.files.push(Undo { shown, before, after, removed: None, target });
            }
        }
        Ok(())
    }

    /// Carries out the plan. `by` is the person who agreed.
    pub fn undo(&self, undoing: &Undoing, by: &str) -> Applied {
        let mut applied = Applied::default();
        let mut forgotten = Vec::new();
        for one in &undoing.files {
            applied.step(&one.shown, || match &one.target {
                UndoTarget::Config => self.restore_config(one, by),
                UndoTarget::Setting(spot) => {
                    let known = self.restore(spot, one)?;
                    forgotten.extend((!known).then_some(spot));
                    Ok(())
                }
            });
        }
        let bare = forgotten.into_iter().filter_map(HostFile::empty_folder);
        applied.empty = bare.map(|folder| setting::shown(self, &folder) + "/").collect();
        applied.empty.dedup();
        // Last, so that after a failure the next try still finds the rest to do.
        if undoing.trusted {
            applied.step(COMMANDS, || self.forget_commands());
        }
        applied
    }

    /// Restores a file. Returns whether the folders created for it were known.
    fn restore(&self, spot: &HostFile, one: &Undo) -> Result<bool, String> {
        let path = spot.path();
        let mut known = true;
        self.alone(|memory, keep| {
            spot.replace(Some(&one.before), one.after.as_deref())?;
            known = memory.knows(&path);
            if one.after.is_none() {
                let made = if known { memory.folders(&path) } else { spot.own_folders() };
                spot.tidy(&made);
            }
            memory.forget(&path);
            keep(memory)
        })?;
        Ok(known)
    }

    fn restore_config(&self, one: &Undo, by: &str) -> Result<(), String> {
        let doc = config::path().map_err(|error| error.to_string())?;
        let path = self.place.root.join(doc.as_str());
        let written = self.commit(by, PATIENT, |view| {
            if view.read(&doc).text() != Some(one.before.as_str()) {
                let what = "another process changed it meanwhile".to_owned();
                return Err(EngineError::Refused { what, help: "try again".to_owned() });
            }
            let mut draft = Draft::default();
            draft.note(None, ProjectUndone);
            draft.edit(match &one.after {
                Some(text) => Edit::Write { doc: doc.clone(), text: text.clone() },
                None => Edit::Remove { doc: doc.clone() },
            });
            Ok((draft, ()))
        });
        written.map_err(|error| error.to_string())?;
        self.alone(|memory, keep| {
            memory.forget(&path);
            keep(memory)
        })
    }

    fn forget_commands(&self) -> Result<(), String> {
        let folder = self.deeds().ok_or("it is nowhere")?;
        trust::forget(&folder, self.place).map_err(|error| error.to_string())
    }
}

//! The parts of sprag in a host, and the files that they go into.
//!
//! A part can be added to a text and removed from it. Parts in the same file form one [`FileSpec`], so
//! that the file is written once.

use super::commands::Slash;
use super::settings_layout::Scope;
use crate::{Host, Setting};

/// One part of sprag in a host's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Component {
    /// The host hooks: an entry for each event.
    Entries,
    /// The tools of `sprag mcp`, for every project that reads the file.
    Server,
    /// The tools of `sprag mcp` for this project only, in a file for all projects.
    ServerHere,
    /// The bridge: a whole file.
    Bridge,
    /// A slash command: a whole file.
    Command(Slash),
    /// An ignore file that keeps ours out of the project's history.
    Ignore,
}

/// A file and our parts in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileSpec {
    pub setting: Setting,
    pub parts: &'static [Component],
}

impl Host {
    /// Every file that `init` writes for this host.
    pub const fn pieces(self, scope: Scope) -> &'static [FileSpec] {
        match scope {
            Scope::Personal => self.row().install.personal,
            Scope::Shared => self.row().install.shared,
        }
    }

    /// The environment variables that move a folder below the home directory, each with the path
    /// prefix that it replaces.
    pub const fn moved(self) -> &'static [(&'static str, &'static str)] {
        self.row().install.moved
    }
}

impl FileSpec {
    /// A file in the project.
    pub const fn project(path: &'static str, parts: &'static [Component]) -> Self {
        Self { setting: Setting::project(path), parts }
    }

    /// A file in the person's home folder.
    pub const fn home(path: &'static str, parts: &'static [Component]) -> Self {
        Self { setting: Setting::home(path), parts }
    }
}

pub(crate) const UNTIL: &[Component] = &[Component::Command(Slash::Until)];
pub(crate) const START: &[Component] = &[Component::Command(Slash::Start)];
pub(crate) const WHY: &[Component] = &[Component::Command(Slash::Why)];
pub(crate) const PAUSE: &[Component] = &[Component::Command(Slash::Pause)];
pub(crate) const OK: &[Component] = &[Component::Command(Slash::Ok)];

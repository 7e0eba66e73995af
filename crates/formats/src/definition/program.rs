//! Finds the project's file for a program's name.

use std::collections::BTreeMap;

use sprag_core::Hash;
use sprag_core::definition::{DefinedPart, KnownThen, PartKey, PartRole};

use super::paths::{below, file_name, folder_of, upwards};
use super::resolver::{CallSite, Resolver};
use crate::shell::ShellWord;

/// How much newer a lock file must be than a program, in milliseconds, for the two not to be from
/// the same installation.
const LATER: i64 = 10_000;

/// Folders that a package manager fills.
const INSTALLED: [&str; 4] = ["node_modules", ".venv", "venv", "vendor"];

/// The lock files from which a package manager fills each folder.
const LOCKS: [(&str, &[&str]); 4] = [
    (
        "node_modules",
        &[
            "package-lock.json",
            "npm-shrinkwrap.json",
            "yarn.lock",
            "pnpm-lock.yaml",
            "bun.lock",
            "bun.lockb",
        ],
    ),
    (".venv", PYTHON_LOCKS),
    ("venv", PYTHON_LOCKS),
    ("vendor", &["composer.lock", "Gemfile.lock"]),
];

const PYTHON_LOCKS: &[&str] = &[
    "uv.lock",
    "poetry.lock",
    "pdm.lock",
    "Pipfile.lock",
    "pixi.lock",
    "requirements.txt",
    "requirements-dev.txt",
    "requirements_dev.txt",
];

impl Resolver<'_> {
    /// Adds the file for a program's name. Returns whether it is in the project.
    pub(super) fn program(&mut self, word: &ShellWord, site: &CallSite) -> bool {
        let text = &*word.text;
        if text.contains('/') {
            let Some(path) = self.located(word, site) else { return false };
            if installed(&path).is_some() {
                return self.add_program(&path, file_name(text), site);
            }
            return self.script(&path, site);
        }
        let name = text.to_owned();
        if name.is_empty() || !word.known {
            return false;
        }
        let searched = self.files.search_folders();
        let bins: Vec<&String> = site.bins.iter().chain(&searched).collect();
        for bin in &bins {
            let path = below(bin, &name);
            let is_found = match installed(&path) {
                Some(_) => self.add_program(&path, &name, site),
                None => self.first_program(&path, &name, site),
            };
            if is_found {
                return true;
            }
        }
        if !bins.is_empty() && self.files.is_elsewhere(&name) {
            self.know(KnownThen::Elsewhere(name.clone()));
        }
        for bin in bins {
            if installed(&below(bin, &name)).is_some() && !self.files.is_folder(bin) {
                self.know(KnownThen::Missing(bin.clone()));
            }
        }
        self.perhaps_program(&name, site)
    }

    /// Adds a program or script of the project that is found before all others of its name.
    fn first_program(&mut self, path: &str, name: &str, site: &CallSite) -> bool {
        if self.script(path, site) {
            if let Some(part) = self.found.parts.get_mut(&PartKey::file(path)) {
                (part.role, part.program) = (PartRole::Program, Some(name.to_owned()));
            }
            return true;
        }
        // A built program is the agent's work, unless it hides another one.
        !site.is_subject && self.files.is_elsewhere(name) && self.add_program(path, name, site)
    }

    /// Adds a program from a folder that is only possibly searched. A new one there hides no other.
    fn perhaps_program(&mut self, name: &str, site: &CallSite) -> bool {
        let path = site.perhaps_bins.iter().map(|bin| below(bin, name)).find(|p| self.exists(p));
        let Some(path) = path else { return false };
        let is_added = self.add_program(&path, name, site);
        self.adds(&PartKey::file(&path));
        is_added
    }

    /// Adds a program in the project.
    pub(super) fn add_program(&mut self, path: &str, name: &str, site: &CallSite) -> bool {
        let Some(hash) = self.hash(path) else { return false };
        let (program, locks) = (Some(name.to_owned()), self.locks(path));
        let own = self.files.changed_at(path);
        let is_later = |lock: &String| {
            own.zip(self.files.changed_at(lock)).is_some_and(|(own, lock)| lock - own > LATER)
        };
        let is_stale = locks.keys().any(is_later);
        let part = Self::part(PartRole::Program, hash, site);
        self.add(PartKey::file(path), DefinedPart { program, locks, is_stale, ..part });
        self.interpreter_line(path, site);
        true
    }

    /// Returns the lock files of a program, in its folder and above.
    fn locks(&mut self, path: &str) -> BTreeMap<String, Hash> {
        let Some((folder, names)) = installed(path) else { return BTreeMap::new() };
        let mut found = BTreeMap::new();
        for folder in upwards(&folder) {
            for name in names {
                let lock = below(&folder, name);
                found.extend(self.hash(&lock).map(|hash| (lock, hash)));
            }
        }
        found
    }
}

/// Returns the folder in which a package manager installed this program, and its lock files.
pub(super) fn installed(path: &str) -> Option<(String, &'static [&'static str])> {
    let names: Vec<&str> = folder_of(path).split('/').collect();
    let at = names.iter().position(|name| INSTALLED.contains(name))?;
    let (_, locks) = LOCKS.iter().find(|(folder, _)| *folder == names[at])?;
    Some((names[..at].join("/"), locks))
}

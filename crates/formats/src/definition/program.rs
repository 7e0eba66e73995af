//! Finds the file of the project that a program's name stands for.

use std::collections::BTreeMap;

use sprag_core::Hash;
use sprag_core::definition::{DefinedPart, KnownThen, PartKey, PartRole};

use super::paths::{below, file_name, folder_of, upwards};
use super::resolver::{CallSite, Resolver};
use crate::shell::Word;

/// Folders that a package manager fills.
const INSTALLED: [&str; 4] = ["node_modules", ".venv", "venv", "vendor"];

/// The lock files by which a package manager fills such a folder.
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
    /// Adds the file that a program's name stands for; returns whether it is one of the project.
    pub(super) fn program(&mut self, word: &Word, site: &CallSite) -> bool {
        let text = &*word.text;
        if text.contains('/') {
            let Some(path) = self.located(word, site) else { return false };
            if installed(&path).is_some() {
                return self.add_program(&path, file_name(text), site);
            }
            return self.script(&path, site);
        }
        let name = text.to_owned();
        if name.is_empty() || site.bins.is_empty() || !word.known {
            return false;
        }
        let mut is_found = false;
        for bin in site.bins.clone() {
            let path = below(&bin, &name);
            is_found = match installed(&path) {
                Some(_) => self.add_program(&path, &name, site),
                None => self.script(&path, site),
            };
            if is_found {
                break;
            }
        }
        if !is_found && self.files.is_elsewhere(&name) {
            self.know(KnownThen::Elsewhere(name));
        }
        is_found
    }

    /// Adds a program that lies in the project.
    pub(super) fn add_program(&mut self, path: &str, name: &str, site: &CallSite) -> bool {
        let Some(hash) = self.hash(path) else { return false };
        let (program, locks) = (Some(name.to_owned()), self.locks(path));
        let part = Self::part(PartRole::Program, hash, site);
        self.add(PartKey::file(path), DefinedPart { program, locks, ..part });
        true
    }

    /// Returns the lock files that belong to a program, here and above.
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
fn installed(path: &str) -> Option<(String, &'static [&'static str])> {
    let names: Vec<&str> = folder_of(path).split('/').collect();
    let at = names.iter().position(|name| INSTALLED.contains(name))?;
    let (_, locks) = LOCKS.iter().find(|(folder, _)| *folder == names[at])?;
    Some((names[..at].join("/"), locks))
}

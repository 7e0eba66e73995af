//! One settings file on this machine: its place, its text, and replacing it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use sprag_core::DocPath;
use sprag_hosts::install::Scope;
use sprag_hosts::{Host, PathBase, Setting};
use sprag_store::{ExternalFiles, PathError, Place, Reached};

use super::variable;

/// A file of a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostFile {
    /// The host that reads it.
    pub host: Host,
    /// Whether it is the person's, which applies to every project, or the project's.
    pub at: PathBase,
    base: PathBuf,
    below: DocPath,
}

/// The size limit of a settings file.
const CAP: u64 = 4 << 20;

impl HostFile {
    /// Returns a host's file for entries of this scope.
    pub fn of(
        host: Host,
        scope: Scope,
        place: &Place,
        environment: &[(OsString, OsString)],
    ) -> Option<Self> {
        let form = host.form()?;
        Self::at(host, form.setting(scope), place, environment)
    }

    /// Returns every file that a host reads entries from.
    pub fn all(host: Host, place: &Place, environment: &[(OsString, OsString)]) -> Vec<Self> {
        let Some(form) = host.form() else { return Vec::new() };
        let of = |setting: &Setting| Self::at(host, *setting, place, environment);
        form.read.iter().filter_map(of).collect()
    }

    /// Returns a file of a host, or `None` without a home directory.
    pub fn at(
        host: Host,
        Setting { at, path }: Setting,
        place: &Place,
        environment: &[(OsString, OsString)],
    ) -> Option<Self> {
        let moved = host.moved().iter().find_map(|(name, begins)| {
            let below = path.strip_prefix(begins)?;
            Some((PathBuf::from(variable(environment, name)?), below))
        });
        let (base, below) = match (at, moved) {
            (PathBase::Project, _) => (place.root.clone(), path),
            (PathBase::Home, Some(moved)) => moved,
            (PathBase::Home, None) => (PathBuf::from(variable(environment, "HOME")?), path),
        };
        Some(Self { host, at, base, below: DocPath::parse(below).ok()? })
    }

    /// Returns a file of a host in a folder that the host named.
    pub(super) fn within(host: Host, folder: &Path, below: &str) -> Option<Self> {
        let base = folder.is_absolute().then(|| folder.to_path_buf())?;
        Some(Self { host, at: PathBase::Home, base, below: DocPath::parse(below).ok()? })
    }

    /// Returns the absolute path.
    pub fn path(&self) -> PathBuf {
        self.base.join(self.below.as_str())
    }

    /// Returns the display path: relative to the project, or from `~`.
    pub fn shown(&self, place: &Place, home: Option<&Path>) -> String {
        let path = self.path();
        if let Ok(below) = path.strip_prefix(&place.root) {
            return below.display().to_string();
        }
        match home.and_then(|home| path.strip_prefix(home).ok()) {
            Some(below) => format!("~/{}", below.display()),
            None => path.display().to_string(),
        }
    }

    /// Reads the file, or returns `None` if it does not exist.
    pub fn read(&self) -> Result<Option<String>, String> {
        let Some(outside) = self.open()? else { return Ok(None) };
        match outside.read(&self.below, CAP).map_err(|error| error.source.to_string())? {
            // A write would replace the link.
            Reached::Absent if self.path().is_symlink() => {
                Err("it is a link that leads nowhere".to_owned())
            }
            Reached::Absent => Ok(None),
            Reached::Elsewhere => Err("a link leads out of the folder".to_owned()),
            Reached::File { bytes, .. } => match String::from_utf8(bytes) {
                Ok(text) => Ok(Some(text)),
                Err(_) => Err("it is not UTF-8".to_owned()),
            },
        }
    }

    /// Replaces the file if its text still is `before`; returns the folders created for it.
    pub(crate) fn replace(
        &self,
        before: Option<&str>,
        after: Option<&str>,
    ) -> Result<Vec<String>, String> {
        let missing = || format!("the folder {} is missing", self.base.display());
        let outside = self.open()?.ok_or_else(missing)?;
        let bytes = |text: Option<&str>| text.map(|text| text.as_bytes().to_vec());
        let made = outside.replace(&self.below, bytes(before).as_deref(), bytes(after).as_deref());
        let made = made.map_err(|error: PathError| error.source.to_string())?;
        Ok(made.iter().map(ToString::to_string).collect())
    }

    /// Removes the empty folders that were created for it, innermost first.
    pub(crate) fn tidy(&self, folders: &[String]) {
        let Ok(Some(outside)) = self.open() else { return };
        for folder in folders.iter().rev().filter_map(|folder| DocPath::parse(folder).ok()) {
            outside.remove_empty(&folder);
        }
    }

    /// Returns its parent folders that have our name, so that only we can have created them.
    pub(crate) fn own_folders(&self) -> Vec<String> {
        let path = self.below.as_str();
        let ends = path.match_indices("/sprag/").map(|(at, _)| at + "/sprag".len());
        ends.map(|end| path[..end].to_owned()).collect()
    }

    /// Returns its innermost existing parent folder, if that is empty.
    pub(crate) fn empty_folder(&self) -> Option<Self> {
        let mut folder = self.below.parent();
        while let Some(below) = folder {
            if let Ok(mut entries) = std::fs::read_dir(self.base.join(below.as_str())) {
                return entries.next().is_none().then(|| Self { below, ..self.clone() });
            }
            folder = below.parent();
        }
        None
    }

    /// Returns every JSON file in its folder, sorted by name.
    pub(crate) fn beside(&self) -> Vec<Self> {
        let Some((folder, _)) = self.below.as_str().rsplit_once('/') else { return Vec::new() };
        let entries = std::fs::read_dir(self.base.join(folder));
        let names = entries.into_iter().flatten().filter_map(Result::ok);
        let names = names.filter_map(|entry| entry.file_name().into_string().ok());
        let is_json = |name: &String| Path::new(name).extension().is_some_and(|end| end == "json");
        let mut names: Vec<String> = names.filter(is_json).collect();
        names.sort();
        let paths = names.iter().map(|name| DocPath::parse(&format!("{folder}/{name}")));
        paths.filter_map(Result::ok).map(|below| Self { below, ..self.clone() }).collect()
    }

    fn open(&self) -> Result<Option<ExternalFiles>, String> {
        ExternalFiles::open(&self.base).map_err(|error| error.source.to_string())
    }
}

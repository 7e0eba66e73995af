//! One settings file on this machine: where it is, what is in it, and changing that.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use sprag_core::DocPath;
use sprag_hosts::install::{Form, Scope};
use sprag_hosts::{At, Host, Setting};
use sprag_store::{Outside, PathError, Place, Reached};

use super::variable;

/// A settings file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    /// The host that reads it.
    pub host: Host,
    /// Whether it is the person's, and so holds for every project.
    pub at: At,
    base: PathBuf,
    below: DocPath,
}

/// Larger files are no settings.
const CAP: u64 = 4 << 20;

impl Spot {
    /// Returns the file that a host has for this scope.
    pub fn of(
        host: Host,
        scope: Scope,
        place: &Place,
        environment: &[(OsString, OsString)],
    ) -> Option<Self> {
        let form = host.form()?;
        Self::at(host, form, form.setting(scope), place, environment)
    }

    /// Returns every file that a host reads entries from.
    pub fn all(host: Host, place: &Place, environment: &[(OsString, OsString)]) -> Vec<Self> {
        let Some(form) = host.form() else { return Vec::new() };
        let of = |setting: &Setting| Self::at(host, form, *setting, place, environment);
        form.read.iter().filter_map(of).collect()
    }

    fn at(
        host: Host,
        form: &Form,
        Setting { at, path }: Setting,
        place: &Place,
        environment: &[(OsString, OsString)],
    ) -> Option<Self> {
        let (base, below) = match at {
            At::Project => (place.root.clone(), path),
            At::Home => {
                let moved = form.moved_by.and_then(|name| variable(environment, name));
                match (moved, path.split_once('/')) {
                    (Some(folder), Some((_, rest))) => (PathBuf::from(folder), rest),
                    (Some(_) | None, _) => (PathBuf::from(variable(environment, "HOME")?), path),
                }
            }
        };
        Some(Self { host, at, base, below: DocPath::parse(below).ok()? })
    }

    /// Returns its whole path.
    pub fn path(&self) -> PathBuf {
        self.base.join(self.below.as_str())
    }

    /// Returns its path as people say it: below the project, or from `~`.
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

    /// Reads it; nothing where there is none.
    pub fn read(&self) -> Result<Option<String>, String> {
        let Some(outside) = self.open()? else { return Ok(None) };
        match outside.read(&self.below, CAP).map_err(|error| error.source.to_string())? {
            Reached::Absent => Ok(None),
            Reached::Elsewhere => Err("a link leads out of the folder".to_owned()),
            Reached::File { bytes, .. } => match String::from_utf8(bytes) {
                Ok(text) => Ok(Some(text)),
                Err(_) => Err("it is not UTF-8".to_owned()),
            },
        }
    }

    /// Replaces it, if it still is `before`; returns the folders that were made for it.
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

    /// Removes folders that were made for it and are empty again, the innermost first.
    pub(crate) fn tidy(&self, folders: &[String]) {
        let Ok(Some(outside)) = self.open() else { return };
        for folder in folders.iter().rev().filter_map(|folder| DocPath::parse(folder).ok()) {
            outside.remove_empty(&folder);
        }
    }

    fn open(&self) -> Result<Option<Outside>, String> {
        Outside::open(&self.base).map_err(|error| error.source.to_string())
    }
}

//! The members of a package workspace.

use sprag_core::Glob;
use sprag_core::definition::{KnownThen, WhenNew};

use super::paths::{below, folder_of, join};
use super::read::Datum;
use super::resolver::{CallSite, Resolver};

/// The most members that are read.
const MOST: usize = 300;

impl Resolver<'_> {
    /// Returns the call sites of the named members, or of all if none is named, and adds the member
    /// list.
    pub(super) fn chosen_members(&mut self, names: &[String], site: &CallSite) -> Vec<CallSite> {
        let folders = self.package_members(site);
        let mut chosen = Vec::new();
        for folder in folders {
            if names.is_empty() || self.is_named(&folder, names, site) {
                self.know(KnownThen::Member(folder.clone()));
                chosen.push(CallSite { member: Some(folder.clone()), ..site.within(&folder) });
            }
        }
        chosen
    }

    fn is_named(&mut self, folder: &str, names: &[String], site: &CallSite) -> bool {
        let values = self.values(&below(folder, "package.json"), Datum::json, site);
        let own = values.as_ref().and_then(|values| values.at(&["name"])?.text());
        names.iter().any(|name| {
            let bare = name.trim_start_matches("...").trim_end_matches("...");
            let bare = bare.trim_matches(['{', '}']);
            let is_pattern = bare.contains('*');
            own == Some(bare)
                || join(&site.folder, bare).as_deref() == Some(folder)
                || is_pattern
                || bare.starts_with('!')
        })
    }

    /// Returns the folders of all members of the workspace here.
    fn package_members(&mut self, site: &CallSite) -> Vec<String> {
        let mut found = Vec::new();
        if let Some((path, values)) = self.manifest("package.json", site) {
            let list =
                values.at(&["workspaces", "packages"]).or_else(|| values.at(&["workspaces"]));
            if let Some(list) = list {
                let patterns: Vec<String> = list.texts().map(str::to_owned).collect();
                found.extend(self.matched(&path, "workspaces", &patterns, "package.json", site));
            }
        }
        for folder in super::paths::upwards(&site.folder) {
            let path = below(&folder, "pnpm-workspace.yaml");
            let Some(values) = self.values(&path, Datum::yaml, site) else { continue };
            let Some(list) = values.at(&["packages"]) else { continue };
            let patterns: Vec<String> = list.texts().map(str::to_owned).collect();
            found.extend(self.matched(&path, "packages", &patterns, "package.json", site));
        }
        found.sort();
        found.dedup();
        found.truncate(MOST);
        found
    }

    /// Adds each pattern of a member list, and returns the matching folders.
    ///
    /// A new pattern is free, because it adds members; a new exception is not.
    pub(super) fn matched(
        &mut self,
        path: &str,
        part: &str,
        patterns: &[String],
        manifest: &str,
        site: &CallSite,
    ) -> Vec<String> {
        let top = folder_of(path).to_owned();
        let mut found: Vec<String> = Vec::new();
        for pattern in patterns.iter().take(MOST) {
            let key = format!("{part}.{pattern}");
            if let Some(other) = pattern.strip_prefix('!') {
                self.runner(path, &key, "", site);
                let out = self.folders_like(&top, other, manifest);
                found.retain(|folder| !out.contains(folder));
            } else {
                self.runner_if(path, &key, "", site, WhenNew::Free);
                found.extend(self.folders_like(&top, pattern, manifest));
            }
        }
        found
    }

    /// Returns the folders that match a pattern and have a manifest.
    fn folders_like(&mut self, top: &str, pattern: &str, manifest: &str) -> Vec<String> {
        let Some(path) = join(top, pattern.trim_end_matches('/')) else { return Vec::new() };
        if !path.contains(['*', '?']) {
            let has = self.exists(&below(&path, manifest));
            return if has { vec![path] } else { Vec::new() };
        }
        let Ok(glob) = Glob::parse(&below(&path, manifest)) else { return Vec::new() };
        let paths = self.paths();
        let fits = paths.iter().filter(|path| glob.matches(path.as_bytes()));
        fits.take(MOST).map(|path| folder_of(path).to_owned()).collect()
    }
}

//! Django: the settings that choose how `manage.py test` runs the tests.

use sprag_core::definition::PartRole;

use super::paths::{folder_of, join};
use super::read::python_statements;
use super::resolver::{CallSite, FileText, Resolver};

/// The most files of settings that import each other.
const MOST: usize = 10;

impl Resolver<'_> {
    /// Adds the settings of the tests, if this program of the project names a module of settings.
    pub(super) fn django(&mut self, text: &str, site: &CallSite) {
        let Some((_, rest)) = text.split_once("DJANGO_SETTINGS_MODULE") else { return };
        let name = rest.split(['\'', '"']).nth(2).unwrap_or_default();
        let mut open: Vec<String> = self.module(&site.folder, name).into_iter().collect();
        let mut seen = Vec::new();
        while let Some(path) = open.pop().filter(|_| seen.len() < MOST) {
            if seen.contains(&path) {
                continue;
            }
            seen.push(path.clone());
            let FileText::Text(text) = self.text(&path) else { continue };
            let Some(statements) = python_statements(&text) else {
                self.whole(&path, PartRole::Runner, site);
                continue;
            };
            for statement in statements {
                let is_own =
                    statement.name.as_deref().is_some_and(|name| name.starts_with("TEST_"))
                        || statement.text.contains("TEST_RUNNER");
                if is_own {
                    let name = statement.name.as_deref().unwrap_or("TEST_RUNNER");
                    let key = self.runner(&path, name, &statement.text, site);
                    let value = statement.text.split(['\'', '"']).nth(1).unwrap_or_default();
                    let module = value.rsplit_once('.').map_or(value, |(module, _)| module);
                    if let Some(file) = self.module(&site.folder, module) {
                        self.whole(&file, PartRole::Script, &site.through(&key));
                    }
                }
                // `from .base import *`
                let imported = statement.text.strip_prefix("from ");
                let imported = imported.and_then(|rest| rest.split_whitespace().next());
                if let Some(name) = imported.filter(|_| statement.text.contains('*')) {
                    let folder =
                        if name.starts_with('.') { folder_of(&path) } else { &site.folder };
                    open.extend(self.module(folder, name.trim_start_matches('.')));
                }
            }
        }
    }

    /// Returns the file of a module.
    fn module(&mut self, folder: &str, name: &str) -> Option<String> {
        let stem = name.replace('.', "/");
        let files = [format!("{stem}.py"), format!("{stem}/__init__.py")];
        files.iter().filter_map(|file| join(folder, file)).find(|file| self.exists(file))
    }
}

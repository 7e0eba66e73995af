//! The files that a program of the project imports.
//!
//! What a program imports may be the work that it checks. So only the files beside it count, and
//! only if it starts other commands, or if it takes what it checks from another folder.

use std::collections::BTreeSet;

use super::paths::{below, folder_of, has_ending, join};
use super::process_calls::process_calls;
use super::python::packages;
use super::resolver::{CallSite, Resolver};

/// The most files that one program imports.
const MOST: usize = 40;

impl Resolver<'_> {
    /// Follows the files beside a program that belong to it.
    pub(super) fn helpers(&mut self, path: &str, text: &str, site: &CallSite) {
        let folder = folder_of(path);
        let (own, is_outside) =
            if has_ending(path, &["py"]) || text.starts_with("#!") && text.contains("python") {
                self.python_imports(folder, text, site)
            } else {
                self.relative_imports(folder, text)
            };
        let is_runner = !process_calls(text).is_empty();
        if is_runner || is_outside && folder != site.folder {
            for file in own.into_iter().filter(|file| file != path).take(MOST) {
                self.script(&file, site);
            }
        }
    }

    /// Returns the imported files in or below a folder, and whether others are imported as well.
    fn relative_imports(&mut self, folder: &str, text: &str) -> (BTreeSet<String>, bool) {
        let (mut own, mut is_outside) = (BTreeSet::new(), false);
        for start in ["require(", "require_relative", "import", "from", "__DIR__"] {
            for (at, _) in text.match_indices(start) {
                let rest = text[at + start.len()..].trim_start_matches(['(', ' ', '.']);
                let Some(quote) = rest.chars().next().filter(|c| "'\"`".contains(*c)) else {
                    continue;
                };
                let name = rest[1..].split(quote).next().unwrap_or_default();
                is_outside |= name.starts_with("../");
                let bare = name.trim_start_matches('/');
                let bare = bare.strip_prefix("./").unwrap_or(bare);
                let is_beside =
                    name.starts_with("./") || start.starts_with("require_") || start == "__DIR__";
                let stem = join(folder, bare).filter(|_| is_beside);
                let Some(stem) = stem.filter(|_| !bare.starts_with("../")) else { continue };
                let endings = ["js", "mjs", "cjs", "ts", "mts", "cts", "rb", "php", "lua", "pl"];
                let files = std::iter::once(stem.clone())
                    .chain(endings.iter().map(|ending| format!("{stem}.{ending}")))
                    .chain([below(&stem, "index.js"), below(&stem, "index.ts")]);
                own.extend(files.into_iter().find(|file| self.exists(file)));
                if own.len() > MOST {
                    break;
                }
            }
        }
        (own, is_outside)
    }

    fn python_imports(
        &mut self,
        folder: &str,
        text: &str,
        site: &CallSite,
    ) -> (BTreeSet<String>, bool) {
        let (mut own, mut is_outside) = (BTreeSet::new(), false);
        for line in text.lines().take(2000) {
            let mut words = line.split_whitespace();
            let names: Vec<&str> = match words.next() {
                Some("import") => words.filter(|word| *word != "as").collect(),
                Some("from") => words.take(1).collect(),
                Some(_) | None => continue,
            };
            for name in names {
                let name = name.trim_end_matches(',').trim_start_matches('.');
                if name.is_empty() {
                    continue;
                }
                let path = name.replace('.', "/");
                let top = name.split('.').next().unwrap_or(name);
                let beside: Vec<String> = std::iter::once(format!("{path}.py"))
                    .chain(packages(name))
                    .filter_map(|file| join(folder, &file))
                    .filter(|file| self.exists(file))
                    .collect();
                if beside.is_empty() {
                    let roots = [site.folder.clone(), below(&site.folder, "src")];
                    is_outside |= roots.iter().any(|root| {
                        let stem = below(root, top);
                        self.exists(&format!("{stem}.py")) || self.files.is_folder(&stem)
                    });
                }
                own.extend(beside);
                if own.len() > MOST {
                    break;
                }
            }
        }
        (own, is_outside)
    }
}

//! Checks of a forge: the workflow file that ran, and the project's workflows and actions that it
//! uses.

use sprag_core::definition::{PartKey, PartRole};

use super::config::option_values;
use super::paths::{below, file_name, folder_of, has_ending, join};
use super::resolver::{CallSite, FileText, MAX_SCRIPT_DEPTH, Resolver};

const FOLDER: &str = ".github/workflows";

/// The most workflows that are read.
const MOST: usize = 100;

impl Resolver<'_> {
    /// Follows `gh pr checks`, `gh run watch`, `act`: the named workflows, or all of them. A new
    /// workflow only adds checks.
    pub(super) fn ci(&mut self, name: &str, args: &[String], site: &CallSite) {
        let verbs = ["pr", "run", "workflow"];
        if name == "gh" && !args.first().is_some_and(|verb| verbs.contains(&&**verb)) {
            return;
        }
        let named: Vec<String> = ["--workflow", "--workflows", "-w", "-W"]
            .iter()
            .flat_map(|option| option_values(args, option))
            .filter(|name| has_ending(name, &["yml", "yaml"]))
            .collect();
        let is_asked = |path: &String| {
            named.is_empty() || named.iter().any(|name| file_name(name) == file_name(path))
        };
        let mut found = self.paths_below(FOLDER);
        found.retain(|path| has_ending(path, &["yml", "yaml"]) && is_asked(path));
        for path in found.into_iter().take(MOST) {
            self.workflow(&path, site, 0);
            self.adds(&PartKey::file(&path));
        }
    }

    /// Adds a workflow and the project's files that it uses.
    pub(super) fn workflow(&mut self, path: &str, site: &CallSite, depth: usize) {
        if !self.whole(path, PartRole::Runner, site) || depth >= MAX_SCRIPT_DEPTH {
            return;
        }
        let site = site.through(&PartKey::file(path));
        let FileText::Text(text) = self.text(path) else { return };
        for line in text.lines() {
            let Some((_, used)) = line.split_once("uses:") else { continue };
            let used = used.trim().trim_matches(['"', '\'']);
            let Some(used) = used.strip_prefix("./").and_then(|used| join("", used)) else {
                continue;
            };
            let is_file = folder_of(&used) == ".github/workflows";
            let names = if is_file {
                vec![used]
            } else {
                vec![below(&used, "action.yml"), below(&used, "action.yaml")]
            };
            for name in names {
                if !self.found.parts.contains_key(&PartKey::file(&name)) {
                    self.workflow(&name, &site, depth + 1);
                }
            }
        }
    }
}

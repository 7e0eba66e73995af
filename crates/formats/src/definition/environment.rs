//! The environment of a gate's programs: assignments before a command, and files of them.

use sprag_core::definition::PartRole;
use sprag_core::runners::Family;

use super::command::assign;
use super::config::option_values;
use super::paths::{below, join};
use super::resolver::{CallSite, FileText, Resolver};
use crate::shell::ShellWord;

/// Ends of the names of variables that change how programs run, whatever the program.
const ENDS: [&str; 11] = [
    "ARGS",
    "ENV_FILE",
    "FLAGS",
    "OPT",
    "OPTIONS",
    "OPTS",
    "PATH",
    "PRELOAD",
    "SHELL",
    "SHELLOPTS",
    "STARTUP",
];

/// Whole names of such variables.
const NAMES: [&str; 6] =
    ["BASH_ENV", "ENV", "MAKEFILES", "NODE_ENV_FILE", "PYTEST_PLUGINS", "TEST_RUNNER"];

/// Returns whether a variable changes how programs run.
pub(super) fn changes_programs(name: &str) -> bool {
    NAMES.contains(&name) || ENDS.iter().any(|end| name.ends_with(end))
}

impl Resolver<'_> {
    /// Records an assignment in the environment of a command, and follows the files that it makes
    /// its program load.
    pub(super) fn assigned(&mut self, text: &str, site: &mut CallSite) {
        assign(text, site);
        let Some((name, value)) = text.split_once('=') else { return };
        match name {
            "BASH_ENV" | "ENV" => {
                let inner = CallSite { in_caller: true, ..site.clone() };
                self.script_word(&ShellWord::known(value), &inner);
            }
            "NODE_OPTIONS" | "RUBYOPT" | "PERL5OPT" => self.loaded(value, site),
            "PYTHONPATH" => {
                for entry in value.split(':') {
                    let entry = entry.strip_prefix("*/").unwrap_or(entry);
                    let folder = join(&site.folder, entry).filter(|path| !path.contains('*'));
                    site.python_path.extend(folder);
                }
                site.python_path.truncate(20);
            }
            _ => {}
        }
    }

    /// Follows the files that options make an interpreter load: `--require ./x.js`.
    fn loaded(&mut self, options: &str, site: &CallSite) {
        for word in options.split([' ', '=']).filter(|word| word.contains(['.', '/'])) {
            self.script_word(&ShellWord::known(word), site);
        }
    }

    /// Adds the files of variables that the words of a command name.
    pub(super) fn env_files(&mut self, words: &[String], site: &CallSite) {
        for option in ["--env-file", "--env-file-if-exists"] {
            for name in option_values(words, option) {
                self.env_file(&name, site);
            }
        }
    }

    /// Adds the files of variables that a wrapper reads.
    pub(super) fn wrapper_env_files(&mut self, phrase: &str, own: &[ShellWord], site: &CallSite) {
        if !["dotenv", "dotenvx run", "pipenv run"].contains(&phrase) {
            return;
        }
        let texts: Vec<String> = own.iter().map(|word| word.text.clone()).collect();
        let mut names = option_values(&texts, "-e");
        names.extend(option_values(&texts, "-f"));
        if names.is_empty() {
            names.push(".env".to_owned());
        }
        for name in names {
            self.env_file(&name, site);
        }
    }

    /// Adds the files of variables that a runner reads by itself.
    pub(super) fn runner_env_files(&mut self, family: Family, site: &CallSite) {
        if family == Family::Bun {
            for name in [".env", ".env.local", ".env.test", ".env.test.local"] {
                self.env_file(name, site);
            }
        }
    }

    /// Adds the variables of a file that change how programs run.
    pub(super) fn env_file(&mut self, name: &str, site: &CallSite) {
        let Some(path) = join(&site.folder, name) else { return };
        let text = match self.text(&path) {
            FileText::Absent => return,
            FileText::Opaque => {
                self.whole(&path, PartRole::Runner, site);
                return;
            }
            FileText::Text(text) => text,
        };
        for line in text.lines() {
            let line = line.trim();
            let line = line.strip_prefix("export ").unwrap_or(line);
            let Some((name, value)) = line.split_once('=') else { continue };
            if changes_programs(name.trim()) {
                let (name, value) = (name.trim(), value.trim().trim_matches(['"', '\'']));
                self.runner(&path, name, value, site);
                self.assigned(&format!("{name}={value}"), &mut site.clone());
            }
        }
    }

    /// Adds the fields of a manifest that npm puts into the environment, as far as a text uses them.
    pub(super) fn package_variables(&mut self, text: &str, site: &CallSite) {
        const START: &str = "npm_package_config_";
        if !text.contains(START) {
            return;
        }
        let Some((path, values)) = self.manifest("package.json", site) else { return };
        for (at, _) in text.match_indices(START).take(50) {
            let rest = &text[at + START.len()..];
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            let Some(value) = values.at(&["config", &rest[..end]]) else { continue };
            let part = format!("config.{}", &rest[..end]);
            self.runner(&path, &part, &value.canonical(), site);
            if let Some(line) = value.text() {
                let mut inner = site.clone();
                super::command::add_bins(sprag_core::runners::BinFolder::Node, &mut inner);
                self.shell(line, &inner);
            }
        }
    }

    /// Adds the program of an interpreter line: `#!/usr/bin/env node` finds it in `PATH`.
    pub(super) fn interpreter_line(&mut self, path: &str, site: &CallSite) {
        let FileText::Text(text) = self.text(path) else { return };
        let line = text.strip_prefix("#!").and_then(|rest| rest.lines().next());
        let mut words = line.unwrap_or_default().split_whitespace();
        if !words.next().is_some_and(|first| first.ends_with("/env")) {
            return;
        }
        let name = words.find(|word| !word.starts_with('-') && !word.contains('='));
        if let Some(name) = name.filter(|name| !name.contains('/')) {
            let is_itself = site.bins.iter().any(|bin| below(bin, name) == path);
            if !is_itself {
                self.program(&ShellWord::known(name), site);
            }
        }
    }
}

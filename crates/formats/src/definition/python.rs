//! python, its modules, tox, nox, coverage.

use sprag_core::definition::{KnownThen, PartKey, PartRole};
use sprag_core::runners::runner;

use super::config::{is_python_test, option_values};
use super::paths::{below, folder_of, join, upwards};
use super::read::{Datum, ini, toml};
use super::resolver::{CallSite, FileText, Resolver};
use crate::shell::Word;

/// Modules that come with Python and are run by `-m`.
const OWN_MODULES: [&str; 8] =
    ["unittest", "doctest", "compileall", "py_compile", "trace", "cProfile", "venv", "pip"];

impl Resolver<'_> {
    /// Looks at `python file`, `python -m module`, `python -c code`.
    pub(super) fn python(&mut self, words: &[Word], site: &CallSite) {
        let mut at = 0;
        while let Some(word) = words.get(at) {
            match &*word.text {
                "-m" => {
                    if let Some(module) = words.get(at + 1) {
                        self.python_module(&module.text, &words[at + 2..], site);
                    }
                    return;
                }
                "-c" => {
                    let code = words.get(at + 1).map(|word| word.text.clone()).unwrap_or_default();
                    self.calls_in(&code, site);
                    return;
                }
                "-W" | "-X" => at += 2,
                option if option.starts_with('-') && option.len() > 1 => at += 1,
                _ => {
                    self.script_word(word, site);
                    return;
                }
            }
        }
        if !site.input.is_empty() {
            self.calls_in(&site.input.clone(), site);
        }
    }

    /// Looks at a module: the file of the project that Python would find first, and its runner.
    pub(super) fn python_module(&mut self, name: &str, args: &[Word], site: &CallSite) {
        let top = name.split('.').next().unwrap_or(name);
        let is_runner = runner(top).is_some() || OWN_MODULES.contains(&top);
        if is_runner || self.files.is_elsewhere(top) {
            self.know(KnownThen::Elsewhere(top.to_owned()));
        }
        let shadows =
            [format!("{top}.py"), format!("{top}/__init__.py"), format!("{top}/__main__.py")];
        for shadow in shadows.iter().filter(|_| is_runner) {
            let path = below(&site.folder, shadow);
            self.add_program(&path, top, site);
        }
        for name in ["sitecustomize.py", "usercustomize.py"] {
            self.whole(&below(&site.folder, name), PartRole::Runner, site);
        }
        if is_runner {
            self.know_tests(site);
            if let Some(runner) = runner(top) {
                let texts: Vec<String> = args.iter().map(|word| word.text.clone()).collect();
                self.runner_of(runner, top, args, &texts, site);
            }
            return;
        }
        let path = name.replace('.', "/");
        for file in [format!("{path}.py"), format!("{path}/__main__.py")] {
            if let Some(path) = join(&site.folder, &file) {
                self.script(&path, site);
            }
        }
    }

    /// Notes the folders that have tests in or below them.
    pub(super) fn know_tests(&mut self, site: &CallSite) {
        let tests = self.paths_below(&site.folder);
        for path in tests.iter().filter(|path| is_python_test(path)) {
            for folder in upwards(folder_of(path)) {
                self.know(KnownThen::Tests(folder));
            }
        }
    }

    /// Looks at `coverage run -m pytest`, `coverage run file`.
    pub(super) fn coverage(&mut self, words: &[Word], site: &CallSite) {
        if words.first().is_none_or(|word| word.text != "run") {
            return;
        }
        let mut rest = &words[1..];
        while let Some(word) = rest.first() {
            let takes_next =
                ["--rcfile", "--source", "--include", "--omit", "--data-file", "--context"];
            if word.text == "-m" || !word.text.starts_with('-') {
                break;
            }
            rest = &rest[(1 + usize::from(takes_next.contains(&&*word.text))).min(rest.len())..];
        }
        self.python(rest, site);
    }

    /// Adds the environments that tox runs, and looks at their commands.
    pub(super) fn tox(&mut self, args: &[String], site: &CallSite) {
        let mut chosen = option_values(args, "-e");
        chosen.extend(option_values(args, "--env"));
        let chosen: Vec<String> = chosen
            .iter()
            .flat_map(|names| names.split(','))
            .map(|name| name.trim().to_owned())
            .collect();
        for (file, prefix) in [("tox.ini", ""), ("setup.cfg", "tox:")] {
            self.tox_ini(&below(&site.folder, file), prefix, &chosen, site);
        }
        for (file, key) in [("tox.toml", ""), ("pyproject.toml", "tool.tox")] {
            let path = below(&site.folder, file);
            let Some(values) = self.values(&path, toml, site) else { continue };
            let steps: Vec<&str> = key.split('.').filter(|step| !step.is_empty()).collect();
            let Some(table) = values.at(&steps) else { continue };
            let name = if key.is_empty() { "tox" } else { key };
            let key = self.runner(&path, name, &table.canonical(), site);
            self.tox_commands(&all_texts(table).join("\n"), &site.through(&key));
        }
    }

    fn tox_ini(&mut self, path: &str, prefix: &str, chosen: &[String], site: &CallSite) {
        let text = match self.text(path) {
            FileText::Absent => return,
            FileText::Opaque => {
                self.whole(path, PartRole::Runner, site);
                return;
            }
            FileText::Text(text) => text,
        };
        let sections = ini(&text);
        let general = format!("{prefix}tox");
        let listed = sections.iter().filter(|section| section.name == general);
        let listed: Vec<&str> = listed
            .filter_map(|section| section.get("envlist").or_else(|| section.get("env_list")))
            .flat_map(|names| names.split([',', '\n', ' ']))
            .filter(|name| !name.is_empty())
            .collect();
        let is_generated = listed.iter().any(|name| name.contains('{'));
        let mut site = site.clone();
        for section in sections.iter().filter(|section| section.name == general) {
            let key = self.runner(path, &general, &section.canonical(), &site);
            site = site.through(&key);
        }
        for section in &sections {
            let is_run = match section.name.strip_prefix("testenv:") {
                Some(name) if !chosen.is_empty() => chosen.iter().any(|one| one == name),
                Some(name) => is_generated || listed.contains(&name),
                None => section.name == "testenv",
            };
            if is_run {
                let key = self.runner(path, &section.name, &section.canonical(), &site);
                for name in ["commands_pre", "commands", "commands_post"] {
                    self.tox_commands(section.get(name).unwrap_or_default(), &site.through(&key));
                }
            }
        }
    }

    fn tox_commands(&mut self, lines: &str, site: &CallSite) {
        for line in lines.lines() {
            // `-` says that a failure does not count, and `{posargs:x}` stands for `x`.
            let line =
                line.trim_start_matches(['-', '!']).replace("{posargs:", " ").replace('}', " ");
            self.shell(&line, site);
        }
    }

    /// Looks at the commands of `noxfile.py`.
    pub(super) fn nox(&mut self, args: &[String], site: &CallSite) {
        let mut names = option_values(args, "-f");
        names.extend(option_values(args, "--noxfile"));
        let name = names.pop().unwrap_or_else(|| "noxfile.py".to_owned());
        let Some(path) = join(&site.folder, &name) else { return };
        if let FileText::Text(text) = self.text(&path) {
            self.calls_in(&text, &site.through(&PartKey::file(&path)));
        }
    }
}

/// Returns every string in a value.
fn all_texts(value: &Datum) -> Vec<String> {
    match value {
        Datum::Text(text) => vec![text.clone()],
        Datum::Bare(_) => Vec::new(),
        Datum::List(items) => {
            let words: Vec<&str> = items.iter().filter_map(Datum::text).collect();
            let line = words.join(" ");
            items.iter().flat_map(all_texts).chain(std::iter::once(line)).collect()
        }
        Datum::Table(table) => table.values().flat_map(all_texts).collect(),
    }
}

//! python, its modules, tox, nox, coverage.

use std::collections::BTreeSet;

use sprag_core::Hash;
use sprag_core::definition::{KnownThen, PartKey, PartRole, WhenNew};
use sprag_core::runners::{is_in_python_library, is_of_python_runner, runner};

use super::config::{is_python_test, option_values};
use super::paths::{below, file_name, folder_of, join, upwards};
use super::read::{Datum, IniSection, PythonStatement, ini, python_statements, toml};
use super::resolver::{CallSite, FileText, Resolver};
use crate::shell::ShellWord;

/// Modules of the standard library that are run with `-m`.
const OWN_MODULES: [&str; 8] =
    ["unittest", "doctest", "compileall", "py_compile", "trace", "cProfile", "venv", "pip"];

/// The most packages and environments that are read.
const MOST_PACKAGES: usize = 200;

/// Keys of a tox environment that do not affect the run: libraries and descriptions.
const NOT_RUN: [&str; 7] =
    ["deps", "dependency_groups", "description", "extras", "labels", "package", "wheel_build_env"];

impl Resolver<'_> {
    /// Follows `python file`, `python -m module`, `python -c code`.
    pub(super) fn python(&mut self, words: &[ShellWord], site: &CallSite) {
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
                    self.shadowing([site.folder.clone()], site);
                    let code = words.get(at + 1).map(|word| word.text.clone()).unwrap_or_default();
                    self.calls_in(&code, site);
                    return;
                }
                "-W" | "-X" => at += 2,
                option if option.starts_with('-') && option.len() > 1 => at += 1,
                _ => {
                    let own = join(&site.folder, &word.text);
                    self.shadowing(own.map(|path| folder_of(&path).to_owned()), site);
                    self.script_word(word, site);
                    self.interpreted(word, &words[at + 1..], site);
                    return;
                }
            }
        }
        if !site.input.is_empty() {
            self.calls_in(&site.input.clone(), site);
        }
    }

    /// Follows a module: the project's file that Python would find first, and its runner.
    pub(super) fn python_module(&mut self, name: &str, args: &[ShellWord], site: &CallSite) {
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
        self.shadowing([site.folder.clone()], site);
        if is_runner {
            self.know_tests(site);
            let texts: Vec<String> = args.iter().map(|word| word.text.clone()).collect();
            if top == "unittest" {
                self.unittest_folders(&texts, site);
                self.load_tests(site);
                self.ignored_tests(&texts, site);
            }
            if let Some(runner) = runner(top) {
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
        // They run before the module, in its process.
        let inner = CallSite { in_caller: true, ..site.clone() };
        for package in packages(name) {
            if let Some(path) = join(&site.folder, &package) {
                self.script(&path, &inner);
            }
        }
    }

    /// Adds the modules in the folder from which unittest discovers tests, which comes first.
    fn unittest_folders(&mut self, args: &[String], site: &CallSite) {
        let named = |options: [&str; 2]| options.map(|one| option_values(args, one)).concat();
        let top = named(["-t", "--top-level-directory"]);
        let start = named(["-s", "--start-directory"]);
        let start = start.into_iter().chain(args.iter().skip(1).take(1).cloned());
        let folders = if top.is_empty() { start.collect() } else { top };
        let folders = folders.iter().filter_map(|name| join(&site.folder, name));
        let folders: Vec<String> = folders.filter(|path| self.files.is_folder(path)).collect();
        if args.first().is_some_and(|arg| arg == "discover") && !folders.is_empty() {
            self.shadowing(folders.into_iter().chain([site.folder.clone()]), site);
        }
    }

    /// Adds the modules that Python loads by itself, and those that hide one of its library, of a
    /// runner or of the project. Only the arrival of the latter counts: an old one may be the work.
    /// Python searches the folders in this order.
    pub(super) fn shadowing(&mut self, folders: impl IntoIterator<Item = String>, site: &CallSite) {
        let mut searched: Vec<String> = Vec::new();
        for folder in folders.into_iter().chain(site.python_path.iter().cloned()) {
            if !searched.contains(&folder) {
                searched.push(folder);
            }
        }
        self.hiding(&searched, site);
        let mut folders: BTreeSet<String> = searched.into_iter().collect();
        for folder in &folders {
            for name in self.files.names_in(folder) {
                let stem = name.strip_suffix(".py").unwrap_or(&name);
                let part = if is_in_python_library(stem) {
                    "hides a module of Python"
                } else if is_of_python_runner(stem) {
                    "hides a module of the runner"
                } else {
                    continue;
                };
                let file = if stem == name { format!("{name}/__init__.py") } else { name.clone() };
                let path = below(folder, &file);
                let is_known = self.found.parts.contains_key(&PartKey::file(&path));
                if !is_known && self.exists(&path) {
                    self.arrival(&path, part, site);
                }
            }
        }
        folders.insert(site.folder.clone());
        folders.insert(below(&site.folder, "src"));
        for folder in folders {
            for name in ["sitecustomize.py", "usercustomize.py"] {
                self.whole(&below(&folder, name), PartRole::Runner, site);
            }
        }
    }

    /// Records the folders with tests in or below them.
    pub(super) fn know_tests(&mut self, site: &CallSite) {
        let tests = self.paths_below(&site.folder);
        for path in tests.iter().filter(|path| is_python_test(path)) {
            for folder in upwards(folder_of(path)) {
                self.know(KnownThen::Tests(folder));
            }
        }
    }

    /// Adds the `load_tests` functions by which packages choose their own tests.
    fn load_tests(&mut self, site: &CallSite) {
        let mut packages = self.paths_below(&site.folder);
        packages.retain(|path| file_name(path) == "__init__.py");
        for path in packages.into_iter().take(MOST_PACKAGES) {
            let FileText::Text(text) = self.text(&path) else { continue };
            let statements = python_statements(&text).unwrap_or_default();
            let loads = |one: &&PythonStatement| one.name.as_deref() == Some("load_tests");
            if let Some(own) = statements.iter().find(loads) {
                let tests = KnownThen::Tests(folder_of(&path).to_owned());
                let when_new = WhenNew::DoubtedIf(tests);
                self.runner_if(&path, "load_tests", &own.text, site, when_new);
            }
        }
    }

    /// Follows `coverage run -m pytest`, `coverage run file`.
    pub(super) fn coverage(&mut self, words: &[ShellWord], site: &CallSite) {
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

    /// Adds the environments that tox runs, and follows their commands.
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
            let section = without(section, &["envlist", "env_list", "requires", "minversion"]);
            let key = self.runner(path, &general, &section.canonical(), &site);
            site = site.through(&key);
        }
        for name in environments(&listed) {
            self.runner_if(path, &format!("{general}.envlist {name}"), "", &site, WhenNew::Free);
        }
        for section in &sections {
            let is_run = match section.name.strip_prefix("testenv:") {
                Some(name) if !chosen.is_empty() => chosen.iter().any(|one| one == name),
                Some(name) => is_generated || listed.contains(&name),
                None => section.name == "testenv",
            };
            if is_run {
                let kept = without(section, &NOT_RUN);
                let listed = section.name.strip_prefix("testenv:");
                let listed =
                    listed.map(|name| PartKey::part(path, &format!("{general}.envlist {name}")));
                let is_listed = |key: &PartKey| self.found.parts.contains_key(key);
                let site = listed.filter(is_listed).map_or(site.clone(), |key| site.through(&key));
                let key = self.runner(path, &section.name, &kept.canonical(), &site);
                for name in ["commands_pre", "commands", "commands_post"] {
                    self.tox_commands(section.get(name).unwrap_or_default(), &site.through(&key));
                }
            }
        }
    }

    fn tox_commands(&mut self, lines: &str, site: &CallSite) {
        for line in lines.lines() {
            // A leading `-` ignores failure, and `{posargs:x}` has the default `x`.
            let line =
                line.trim_start_matches(['-', '!']).replace("{posargs:", " ").replace('}', " ");
            self.shell(&line, site);
        }
    }

    /// Follows the commands of `noxfile.py`.
    pub(super) fn nox(&mut self, args: &[String], site: &CallSite) {
        let mut names = option_values(args, "-f");
        names.extend(option_values(args, "--noxfile"));
        let name = names.pop().unwrap_or_else(|| "noxfile.py".to_owned());
        let Some(path) = join(&site.folder, &name) else { return };
        let text = match self.text(&path) {
            FileText::Absent => return,
            FileText::Opaque => None,
            FileText::Text(text) => Some(text),
        };
        let Some(statements) = text.and_then(|text| python_statements(&text)) else {
            self.whole(&path, PartRole::Runner, site);
            return;
        };
        let mut chosen: Vec<String> = option_values(args, "-s");
        chosen.extend(option_values(args, "--session"));
        chosen.extend(option_values(args, "--sessions"));
        for statement in &statements {
            self.nox_statement(&path, statement, &chosen, site);
        }
    }

    /// Adds a statement of `noxfile.py`. A new session removes nothing, and libraries may change.
    fn nox_statement(
        &mut self,
        path: &str,
        statement: &PythonStatement,
        chosen: &[String],
        site: &CallSite,
    ) {
        let is_session = statement.text.starts_with("@nox.session")
            || statement.text.starts_with("@session")
            || statement.text.starts_with("@nox_");
        let name = statement.name.clone();
        let is_chosen =
            |one: &String| Some(one.split('-').next().unwrap_or(one)) == name.as_deref();
        if is_session && !chosen.is_empty() && !chosen.iter().any(is_chosen) {
            return;
        }
        let is_library = |line: &&str| {
            let line = line.trim();
            line.starts_with("session.install(") && line.ends_with(')')
        };
        let kept: Vec<&str> = statement.text.lines().filter(|line| !is_library(line)).collect();
        let text = kept.join("\n");
        let part = name.unwrap_or_else(|| Hash::of(&text).short(8));
        let is_definition = is_session || text.starts_with("def ");
        let is_second = self.found.parts.contains_key(&PartKey::part(path, &part));
        let adds = is_definition && !is_second || is_import(&text);
        let part = if is_second { format!("{part} again") } else { part };
        let when_new = if adds { WhenNew::Free } else { site.when_new() };
        let key = self.runner_if(path, &part, &text, site, when_new);
        self.calls_in(&text, &site.through(&key));
    }
}

/// Returns the files that Python runs on the way to a module: `a/__init__.py`, `a/b/__init__.py`.
pub(super) fn packages(module: &str) -> Vec<String> {
    let ends = module.match_indices('.').map(|(at, _)| at).chain([module.len()]);
    let names = ends.map(|end| module[..end].replace('.', "/")).filter(|name| !name.is_empty());
    names.map(|name| format!("{name}/__init__.py")).collect()
}

fn is_import(text: &str) -> bool {
    text.starts_with("import ") || text.starts_with("from ")
}

/// Returns a section without some of its keys.
fn without(section: &IniSection, keys: &[&str]) -> IniSection {
    let kept = section.values.iter().filter(|(key, _)| !keys.contains(&&**key));
    IniSection { name: section.name.clone(), values: kept.cloned().collect() }
}

/// Returns the environments of a list, with `py{311,312}-x` expanded.
fn environments(listed: &[&str]) -> Vec<String> {
    // Commas inside braces have also split the list; join those pieces again.
    let (mut names, mut open) = (Vec::<String>::new(), false);
    for name in listed {
        match names.last_mut().filter(|_| open) {
            Some(last) => last.extend([",", name]),
            None => names.push((*name).to_owned()),
        }
        open = names.last().is_some_and(|name| name.contains('{') && !name.ends_with('}'))
            && !name.contains('}');
    }
    let mut found = Vec::new();
    let mut queue = names;
    while let Some(name) = queue.pop().filter(|_| found.len() < MOST_PACKAGES) {
        let parts = name.split_once('{').and_then(|(before, rest)| {
            let (inner, after) = rest.split_once('}')?;
            Some((before.to_owned(), inner.to_owned(), after.to_owned()))
        });
        match parts {
            Some((before, inner, after)) if queue.len() < MOST_PACKAGES => {
                queue.extend(inner.split(',').map(|one| format!("{before}{one}{after}")));
            }
            Some(_) | None => found.push(name),
        }
    }
    found
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

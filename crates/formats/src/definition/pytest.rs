//! pytest: its configuration files by precedence, and its `conftest.py` files.

use std::collections::BTreeSet;

use sprag_core::Hash;
use sprag_core::definition::{DefinedPart, KnownThen, PartKey, PartRole, WhenNew};
use sprag_core::runners::runner;

use super::config::{is_python_test, option_values};
use super::conftest::{OWN_FIXTURES, conftest_powers, fixture, statement_powers};
use super::paths::{below, file_name, folder_of, has_ending, join, upwards};
use super::read::{Datum, PythonStatement, ini, python_statements, toml};
use super::resolver::{CallSite, FileText, Resolver};
use super::settings::{of_section, presence, settings};

/// Settings that do not affect which tests run: group names, and output.
const NOT_RUN: [&str; 8] = [
    "console_output_style",
    "junit_family",
    "log_cli",
    "log_cli_level",
    "log_format",
    "log_level",
    "markers",
    "minversion",
];

/// The most `conftest.py` files that are read.
const MOST_CONFTESTS: usize = 200;

/// The most folders of tests in which modules may hide others.
const MOST_TEST_FOLDERS: usize = 50;

/// pytest's own files. Their mere existence counts, because they take precedence over all others.
const OWN_FILES: [&str; 4] = ["pytest.toml", ".pytest.toml", "pytest.ini", ".pytest.ini"];

impl Resolver<'_> {
    pub(super) fn pytest(&mut self, args: &[String], site: &CallSite) {
        let mut folders = upwards(&site.folder);
        // pytest searches for its configuration upwards from the test paths.
        for arg in args.iter().filter(|arg| !arg.starts_with('-')) {
            let path = arg.split("::").next().unwrap_or(arg);
            if let Some(path) = join(&site.folder, path) {
                let is_file = file_name(&path).contains('.');
                let folder = if is_file { folder_of(&path).to_owned() } else { path };
                folders.extend(upwards(&folder));
            }
        }
        folders.sort();
        folders.dedup();
        let mut has_coverage = args.iter().any(|arg| arg.starts_with("--cov"));
        let mut searched = Vec::new();
        for folder in &folders {
            has_coverage |= self.pytest_settings(folder, &mut searched, site);
        }
        let named = ["-c", "--config-file"].iter().flat_map(|option| option_values(args, option));
        for name in named {
            if let Some(path) = join(&site.folder, &name) {
                self.pytest_file(&path, &mut searched, site);
            }
        }
        for plugin in option_values(args, "-p") {
            self.plugin(&plugin, site);
        }
        if let Some(coverage) = runner("coverage").filter(|_| has_coverage) {
            self.configs(coverage, &option_values(args, "--cov-config"), site);
        }
        self.conftests(site);
        self.know_tests(site);
        let tests = self.paths_below(&site.folder);
        let tests = tests.iter().filter(|path| is_python_test(path));
        let beside: BTreeSet<&str> = tests.map(|path| folder_of(path)).collect();
        let modules = self.modules();
        let beside = beside.into_iter().take(MOST_TEST_FOLDERS);
        let beside: BTreeSet<String> = beside
            .flat_map(|folder| [folder, modules.outside_package(folder)])
            .map(str::to_owned)
            .collect();
        self.shadowing(beside.into_iter().chain(searched).chain([site.folder.clone()]), site);
    }

    /// Adds the settings in one folder. Returns whether they measure coverage.
    fn pytest_settings(
        &mut self,
        folder: &str,
        searched: &mut Vec<String>,
        site: &CallSite,
    ) -> bool {
        let files = OWN_FILES.iter().chain(&["pyproject.toml", "tox.ini", "setup.cfg"]);
        let mut has_coverage = false;
        for name in files {
            has_coverage |= self.pytest_file(&below(folder, name), searched, site);
        }
        has_coverage
    }

    /// Adds the settings in one file, and the folders in which they let Python search. Returns
    /// whether they measure coverage.
    fn pytest_file(&mut self, path: &str, searched: &mut Vec<String>, site: &CallSite) -> bool {
        let text = match self.text(path) {
            FileText::Absent => return false,
            FileText::Opaque => None,
            FileText::Text(text) => Some(text),
        };
        let Some(found) = text.and_then(|text| pytest_values(file_name(path), &text)) else {
            return self.whole(path, PartRole::Runner, site);
        };
        if OWN_FILES.contains(&file_name(path)) {
            let (key, part) = presence(path, site);
            self.add(key, part);
        }
        let mut has_coverage = false;
        for (key, values) in found {
            let own = [&["pythonpath"][..], &["ini_options", "pythonpath"]];
            let own = own.iter().find_map(|steps| values.at(steps));
            let names = own.map(|own| own.texts().collect::<Vec<_>>()).unwrap_or_default();
            let names = names.iter().flat_map(|names| names.split_whitespace());
            searched.extend(names.filter_map(|name| join(folder_of(path), name)).take(20));
            self.setting_names_tests(folder_of(path), &key, &values);
            for setting in settings(&key, &values, &NOT_RUN) {
                self.setting(path, &setting, site);
            }
            let text = values.canonical();
            has_coverage |= text.contains("--cov");
            let options = text.split([' ', '"', '\'', ',', '=', '\\']).map(str::to_owned);
            for plugin in option_values(&options.collect::<Vec<_>>(), "-p") {
                self.plugin(&plugin, site);
            }
        }
        has_coverage
    }

    /// Adds a plugin that is a module of the project.
    fn plugin(&mut self, name: &str, site: &CallSite) {
        if let Some(path) = join(&site.folder, &format!("{}.py", name.replace('.', "/"))) {
            self.whole(&path, PartRole::Script, site);
        }
    }

    /// Adds the statements of `conftest.py` files as separate parts, so that a new fixture is free.
    fn conftests(&mut self, site: &CallSite) {
        let mut found: Vec<String> = self.paths_below(&site.folder);
        found.retain(|path| file_name(path) == "conftest.py");
        found.extend(upwards(&site.folder).iter().map(|folder| below(folder, "conftest.py")));
        found.sort();
        found.dedup();
        if found.len() > MOST_CONFTESTS {
            self.found.is_cut = true;
        }
        for name in OWN_FIXTURES {
            self.know(KnownThen::Fixture(name.to_owned()));
        }
        for path in found.into_iter().take(MOST_CONFTESTS) {
            self.conftest(&path, site);
        }
    }

    fn conftest(&mut self, path: &str, site: &CallSite) {
        let tests = KnownThen::Tests(folder_of(path).to_owned());
        let text = match self.text(path) {
            FileText::Absent => return,
            FileText::Opaque => None,
            FileText::Text(text) => Some(text),
        };
        let split = text.as_ref().and_then(|text| python_statements(text));
        let Some(statements) = split else {
            let is_free = text.is_some_and(|text| conftest_powers(&text).is_empty());
            let when_new = if is_free { WhenNew::Free } else { WhenNew::DoubtedIf(tests) };
            let Some(hash) = self.hash(path) else { return };
            let part = Self::part(PartRole::Runner, hash, site);
            let part = DefinedPart { when_new, ..part };
            self.add(PartKey::file(path), part);
            return;
        };
        for (at, statement) in statements.iter().enumerate() {
            let is_import =
                statement.text.starts_with("import ") || statement.text.starts_with("from ");
            let is_plugin = statement.text.contains("pytest_plugins");
            let is_text = statement.text.starts_with(['"', '\'']);
            let powers = statement_powers(statement);
            if (is_import || is_text) && !is_plugin && powers.is_empty() {
                continue;
            }
            let own = fixture(statement).map(|name| KnownThen::Fixture(name.to_owned()));
            let when_new = match &own {
                _ if !powers.is_empty() => WhenNew::DoubtedIf(tests.clone()),
                // It replaces the fixture for the tests in its folder.
                Some(own) => WhenNew::DoubtedIfBoth(own.clone(), tests.clone()),
                None => WhenNew::Free,
            };
            if let Some(own) = own {
                self.know(own);
            }
            let same = |other: &PythonStatement| other.name == statement.name;
            let before = statements[..at].iter().filter(|other| same(other)).count();
            let name = match &statement.name {
                Some(name) if before == 0 => name.clone(),
                // A second definition of a name replaces the first.
                Some(name) => format!("{name} {}", before + 1),
                None => Hash::of(&statement.text).short(8),
            };
            let when_new =
                if before > 0 && statement.name.is_some() { WhenNew::Doubted } else { when_new };
            self.runner_if(path, &name, &statement.text, site, when_new);
        }
    }
}

/// Returns pytest's settings in a file by key, or `None` if it cannot be parsed.
fn pytest_values(name: &str, text: &str) -> Option<Vec<(String, Datum)>> {
    let of_sections = |wanted: Option<&str>| {
        let sections = ini(text).into_iter();
        let own = sections.filter(|section| wanted.is_none_or(|wanted| section.name == wanted));
        own.map(|section| (section.name.clone(), of_section(&section))).collect()
    };
    Some(match name {
        "pytest.ini" | ".pytest.ini" => of_sections(None),
        _ if has_ending(name, &["ini"]) => of_sections(Some("pytest")),
        _ if has_ending(name, &["cfg"]) => of_sections(Some("tool:pytest")),
        "pyproject.toml" => {
            let values = toml(text)?;
            // The package itself may bring plugins.
            let keys = [&["tool", "pytest"][..], &["project", "entry-points", "pytest11"]];
            let found =
                keys.iter().filter_map(|key| Some((key.join("."), values.at(key)?.clone())));
            found.collect()
        }
        _ => vec![(String::new(), toml(text)?)],
    })
}

//! Reads the files that the table of runners names.

use sprag_core::definition::PartRole;
use sprag_core::runners::{ConfigFile, ENDINGS, Family, Reads, Runner, runners};

use super::paths::{below, file_name, join, upwards};
use super::read::{Datum, IniSection, ini, keywords, property, statements, toml};
use super::resolver::{CallSite, FileText, Resolver};

impl Resolver<'_> {
    /// Adds the files of a runner: those in the folder where it runs and above, and those that its
    /// options name.
    pub(super) fn configs(&mut self, runner: &Runner, args: &[String], site: &CallSite) {
        for folder in upwards(&site.folder) {
            for config in runner.configs {
                self.config(&folder, *config, site);
            }
        }
        for option in runner.options {
            for value in option_values(args, option) {
                self.named_config(&value, site);
            }
        }
    }

    /// Adds a file that an option names, as a whole.
    pub(super) fn named_config(&mut self, value: &str, site: &CallSite) {
        if let Some(path) = join(&site.folder, value) {
            self.whole(&path, PartRole::Runner, site);
        }
    }

    /// Adds what counts of one file of a folder.
    pub(super) fn config(&mut self, folder: &str, config: ConfigFile, site: &CallSite) {
        match config.name.strip_suffix(".*") {
            Some(stem) => {
                for ending in ENDINGS {
                    self.config_file(
                        &below(folder, &format!("{stem}.{ending}")),
                        config.reads,
                        site,
                    );
                }
            }
            None => self.config_file(&below(folder, config.name), config.reads, site),
        }
    }

    /// Adds what counts of one file; all of it where it cannot be taken apart.
    pub(super) fn config_file(&mut self, path: &str, reads: Reads, site: &CallSite) {
        let text = match self.text(path) {
            FileText::Absent => return,
            FileText::Opaque => None,
            FileText::Text(text) => Some(text),
        };
        let parts = text.and_then(|text| extracted(&text, reads));
        match parts {
            Some(parts) => {
                for (part, text) in parts {
                    self.runner(path, &part, &text, site);
                }
            }
            None => {
                self.whole(path, PartRole::Runner, site);
            }
        }
    }

    /// Adds the files of every JavaScript runner, for a program that may be or start any of them.
    pub(super) fn any_javascript_runner(&mut self, name: &str, args: &[String], site: &CallSite) {
        // These have no tests.
        const OTHER: [&str; 8] =
            ["echo", "rimraf", "mkdirp", "cpx", "husky", "rollup", "esbuild", "webpack"];
        if OTHER.contains(&name) || site.is_subject {
            return;
        }
        let keys = |config: &&ConfigFile| config.name == "package.json";
        for runner in runners().filter(|runner| runner.configs.iter().any(|one| keys(&one))) {
            if matches!(runner.family, Family::Plain | Family::Wraps) && is_tester(runner) {
                self.configs(runner, args, site);
            }
        }
    }
}

fn is_tester(runner: &Runner) -> bool {
    ["jest", "vitest", "mocha", "ava", "c8", "nyc"].iter().any(|name| runner.names.contains(name))
}

/// Returns the values of an option: `--config x`, `--config=x`, `-cx`.
pub(super) fn option_values(args: &[String], option: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, arg) in args.iter().enumerate() {
        if arg == option {
            found.extend(args.get(at + 1).cloned());
        } else if let Some(rest) = arg.strip_prefix(option) {
            let rest = if option.starts_with("--") { rest.strip_prefix('=') } else { Some(rest) };
            found.extend(rest.map(|rest| rest.trim_start_matches('=').to_owned()));
        }
    }
    found
}

/// Returns the parts that count, each with its text; nothing where the file must count as a whole.
fn extracted(text: &str, reads: Reads) -> Option<Vec<(String, String)>> {
    match reads {
        Reads::Whole => None,
        Reads::Json(keys) => Datum::json(text).map(|values| at_keys(&values, keys)),
        Reads::JsonAll => Datum::json(text).map(|values| of_each(&values)),
        Reads::Toml(keys) => toml(text).map(|values| at_keys(&values, keys)),
        Reads::TomlAll => toml(text).map(|values| of_each(&values)),
        Reads::Yaml(keys) => Datum::yaml(text).map(|values| at_keys(&values, keys)),
        Reads::Ini(names) => Some(sections(text, names)),
        Reads::IniKeys(keys) => {
            let all = ini(text);
            let value = |key: &str| all.iter().find_map(|section| section.get(key));
            let found =
                keys.iter().filter_map(|key| Some(((*key).to_owned(), value(key)?.to_owned())));
            Some(found.collect())
        }
        Reads::Property(name) => property(text, name),
        Reads::Keywords(names) => keywords(text, names),
        Reads::Statements(part, words) => {
            let text = statements(text, words)?;
            Some((!text.is_empty()).then(|| (part.to_owned(), text)).into_iter().collect())
        }
    }
}

fn at_keys(values: &Datum, keys: &[&str]) -> Vec<(String, String)> {
    let at = |key: &str| values.at(&key.split('.').collect::<Vec<_>>());
    keys.iter().filter_map(|key| Some(((*key).to_owned(), at(key)?.canonical()))).collect()
}

/// Each key of the file is a part; a file without keys is one that is there all the same.
fn of_each(values: &Datum) -> Vec<(String, String)> {
    let table = values.table().into_iter().flatten();
    let mut parts: Vec<(String, String)> =
        table.map(|(key, value)| (key.clone(), value.canonical())).collect();
    if parts.is_empty() {
        parts.push(("empty".to_owned(), values.canonical()));
    }
    parts
}

/// Returns the sections of these names.
fn sections(text: &str, names: &[&str]) -> Vec<(String, String)> {
    let is_wanted = |section: &&IniSection| {
        names.iter().any(|name| match name.strip_suffix('*') {
            Some(start) => section.name.starts_with(start),
            None => section.name == *name,
        })
    };
    let all = ini(text);
    let mut parts: Vec<(String, String)> = Vec::new();
    for section in all.iter().filter(is_wanted) {
        match parts.iter_mut().find(|(name, _)| *name == section.name) {
            Some((_, text)) => text.push_str(&section.canonical()),
            None => parts.push((section.name.clone(), section.canonical())),
        }
    }
    parts
}

/// Returns whether a name is that of a file of Python tests.
pub(super) fn is_python_test(path: &str) -> bool {
    let name = file_name(path);
    let stem = name.strip_suffix(".py").unwrap_or_default();
    stem.starts_with("test_") || stem.ends_with("_test") || stem == "tests"
}

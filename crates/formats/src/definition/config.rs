//! Reads the files in the table of runners.

use sprag_core::definition::{KnownThen, PartRole};
use sprag_core::runners::{ConfigFile, ENDINGS, Family, Reads, Runner, runners};

use super::paths::{below, file_name, folder_of, has_ending, join, upwards};
use super::read::{Datum, IniSection, ini, keywords, property, statements, toml};
use super::resolver::{CallSite, FileText, Resolver};
use super::settings::{of_section, presence};

/// The most files of workspace members that are read.
const MOST_NESTED: usize = 300;

impl Resolver<'_> {
    /// Adds a runner's files: those in its working folder and above, and those that its options
    /// name.
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

    /// Adds a file that an option names.
    pub(super) fn named_config(&mut self, value: &str, site: &CallSite) {
        if let Some(path) = join(&site.folder, value) {
            self.config_file(&path, Reads::Settings, site);
        }
    }

    /// Adds the relevant parts of one file in a folder.
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

    /// Adds the relevant parts of one file, or all of it if it cannot be parsed.
    pub(super) fn config_file(&mut self, path: &str, reads: Reads, site: &CallSite) {
        let text = match self.text(path) {
            FileText::Absent => return,
            FileText::Opaque => None,
            FileText::Text(text) => Some(text),
        };
        let found = text.as_ref().and_then(|text| extracted(path, text, reads));
        match (found, text) {
            (Some(Extracted::Parts(parts)), _) => {
                for (part, text) in parts {
                    self.runner(path, &part, &text, site);
                }
            }
            (Some(Extracted::Values(values)), _) => {
                for (key, value) in values {
                    self.settings(path, &key, &value, site);
                    self.named_in_values(path, &value, site);
                }
            }
            (Some(Extracted::AllValues(values)), _) => {
                let (key, part) = presence(path, site);
                self.add(key, part);
                self.settings(path, "", &values, site);
                self.named_in_values(path, &values, site);
            }
            (None, text) => {
                self.whole(path, PartRole::Runner, site);
                if let Some(text) = text.filter(|_| reads == Reads::Settings) {
                    self.named_in_code(path, &text, site);
                }
            }
        }
    }

    /// Adds the settings of workspace members, for runners that test several projects at once.
    pub(super) fn nested_configs(&mut self, runner: &str, site: &CallSite) {
        let start = match runner {
            "jest" => "jest.config.",
            "vitest" => "vitest.config.",
            _ => return,
        };
        let is_config = |path: &str| {
            let name = file_name(path);
            name == "package.json"
                || name.starts_with(start)
                || name.starts_with("vitest.workspace")
        };
        let paths = self.paths_below(&site.folder);
        let (own, inner): (Vec<String>, Vec<String>) = paths
            .into_iter()
            .filter(|path| is_config(path))
            .take(MOST_NESTED)
            .partition(|path| folder_of(path) == site.folder);
        let mut names_several = |path: &String| {
            file_name(path).starts_with("vitest.workspace")
                || matches!(self.text(path), FileText::Text(text) if text.contains("projects"))
        };
        if !own.iter().any(&mut names_several) {
            return;
        }
        for path in &inner {
            self.know(KnownThen::Member(folder_of(path).to_owned()));
        }
        for path in inner.iter().filter(|path| file_name(path) != "package.json") {
            let member = Some(folder_of(path).to_owned());
            self.config_file(path, Reads::Settings, &CallSite { member, ..site.clone() });
        }
    }

    /// Adds the settings of `mix.exs` that determine which tests run, here and in nested
    /// applications.
    pub(super) fn mix(&mut self, site: &CallSite) {
        let mut files = self.paths_below(&site.folder);
        files.retain(|path| file_name(path) == "mix.exs");
        for path in files.into_iter().take(MOST_NESTED) {
            let folder = folder_of(&path).to_owned();
            self.know(KnownThen::Member(folder.clone()));
            let member = (folder != site.folder).then_some(folder);
            let reads = Reads::Keywords(&["test", "test_", "aliases", "preferred_cli_env"]);
            self.config_file(&path, reads, &CallSite { member, ..site.clone() });
        }
    }

    /// Adds the files of every JavaScript runner, for a program that may be or start any of them.
    pub(super) fn any_javascript_runner(&mut self, name: &str, args: &[String], site: &CallSite) {
        // These programs run no tests.
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

/// The relevant content of a file.
enum Extracted {
    /// Named parts with their texts.
    Parts(Vec<(String, String)>),
    /// The values of some keys.
    Values(Vec<(String, Datum)>),
    /// All values.
    AllValues(Datum),
}

/// Returns the relevant content of a file, or `None` if the whole file counts.
fn extracted(path: &str, text: &str, reads: Reads) -> Option<Extracted> {
    let at_keys = |values: Datum, keys| Extracted::Values(at_keys(&values, keys));
    match reads {
        Reads::Whole => None,
        Reads::Settings => all_values(path, text).map(Extracted::AllValues),
        Reads::Json(keys) => Datum::json(text).map(|values| at_keys(values, keys)),
        Reads::Toml(keys) => toml(text).map(|values| at_keys(values, keys)),
        Reads::Yaml(keys) => Datum::yaml(text).map(|values| at_keys(values, keys)),
        Reads::Ini(names) => Some(Extracted::Values(sections(text, names))),
        Reads::IniAll => {
            Some(Extracted::AllValues(Datum::Table(sections(text, &["*"]).into_iter().collect())))
        }
        Reads::IniKeys(_) | Reads::Property(_) | Reads::Keywords(_) | Reads::Statements(_, _) => {
            parts(text, reads).map(Extracted::Parts)
        }
    }
}

/// Parses a data file by its extension. Returns `None` for source code.
fn all_values(path: &str, text: &str) -> Option<Datum> {
    let name = file_name(path);
    let values = if has_ending(name, &["toml"]) {
        toml(text)?
    } else if has_ending(name, &["yml", "yaml", "neon", "dist"]) {
        Datum::yaml(text)?
    } else if has_ending(name, &["json", "jsonc"]) {
        Datum::json(text)?
    } else if name.trim_start_matches('.').contains('.') {
        return None;
    } else {
        Datum::json(text).or_else(|| Datum::yaml(text))?
    };
    values.table().is_some().then_some(values)
}

/// Returns the parts of a file that is not a data file.
fn parts(text: &str, reads: Reads) -> Option<Vec<(String, String)>> {
    match reads {
        Reads::Whole
        | Reads::Settings
        | Reads::Json(_)
        | Reads::Toml(_)
        | Reads::Yaml(_)
        | Reads::Ini(_)
        | Reads::IniAll => None,
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

fn at_keys(values: &Datum, keys: &[&str]) -> Vec<(String, Datum)> {
    let at = |key: &str| values.at(&key.split('.').collect::<Vec<_>>());
    keys.iter().filter_map(|key| Some(((*key).to_owned(), at(key)?.clone()))).collect()
}

/// Returns the sections with these names.
fn sections(text: &str, names: &[&str]) -> Vec<(String, Datum)> {
    let is_wanted = |section: &&IniSection| {
        names.iter().any(|name| match name.strip_suffix('*') {
            Some(start) => section.name.starts_with(start),
            None => section.name == *name,
        })
    };
    let mut all: Vec<IniSection> = Vec::new();
    for section in ini(text).into_iter().filter(|section| is_wanted(&section)) {
        match all.iter_mut().find(|known| known.name == section.name) {
            Some(known) => known.values.extend(section.values),
            None => all.push(section),
        }
    }
    all.iter().map(|section| (section.name.clone(), of_section(section))).collect()
}

/// Returns whether a file name is that of a Python test file.
pub(super) fn is_python_test(path: &str) -> bool {
    let name = file_name(path);
    let stem = name.strip_suffix(".py").unwrap_or_default();
    stem.starts_with("test_") || stem.ends_with("_test") || stem == "tests"
}

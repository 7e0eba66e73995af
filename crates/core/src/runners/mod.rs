//! The table of runners and checkers: their names, how their arguments are parsed, and the files
//! that configure them.
//!
//! This is data only: `sprag-formats` reads the files.

mod checkers;
mod output;
mod python_library;
mod testers;
mod wrappers;

pub use output::{OutputOptions, output_options};
pub use python_library::{is_in_python_library, is_of_python_runner};
pub use wrappers::{BinFolder, Wrapper, wrapper};

/// How the arguments of a command are parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    Npm,
    Pnpm,
    Yarn,
    Bun,
    Deno,
    Composer,
    /// `run-s`, `run-p`, `npm-run-all`: the arguments are names of scripts.
    RunAll,
    /// `concurrently`: the arguments are commands.
    Concurrently,
    /// `turbo`, `nx`, `lerna`: a script of that name in every member of the workspace.
    Members,
    /// A shell that runs a file or a text.
    Shell,
    /// `python`, with a file or a module.
    Python,
    /// Another interpreter that runs the given file.
    Interpreter,
    Pytest,
    Tox,
    Nox,
    /// `coverage`, which runs a Python program.
    Coverage,
    Cargo,
    Make,
    Just,
    Task,
    Go,
    /// `mvn`.
    Maven,
    Gradle,
    Rake,
    Mix,
    /// `poe`: tasks in a table of a manifest.
    TaskTable,
    Ctest,
    Dotnet,
    /// `gh`, `act`: the checks of a forge.
    Ci,
    /// `tsc`.
    Typescript,
    /// Runs the command that follows, and has its own files.
    Wraps,
    /// Configured by its files alone.
    Plain,
}

/// The relevant part of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reads {
    /// All bytes.
    Whole,
    /// All values of JSON, YAML or TOML, depending on the file name; for source code all bytes, and
    /// the files that it names.
    Settings,
    /// These keys of JSON, with or without comments; path steps are separated by `.`.
    Json(&'static [&'static str]),
    /// These tables of TOML.
    Toml(&'static [&'static str]),
    /// These sections of an INI file; `*` at the end matches any rest. `""` is the part before the
    /// first section.
    Ini(&'static [&'static str]),
    /// All sections of an INI file.
    IniAll,
    /// These keys of an INI file without sections.
    IniKeys(&'static [&'static str]),
    /// These keys of YAML.
    Yaml(&'static [&'static str]),
    /// The properties with this name in a JavaScript object, or the whole file if they cannot be
    /// found.
    Property(&'static str),
    /// The keyword values whose names have these prefixes, as in `mix.exs`.
    Keywords(&'static [&'static str]),
    /// The statements that mention one of these words, as one named part.
    Statements(&'static str, &'static [&'static str]),
}

/// A file that configures a runner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConfigFile {
    /// Its path below the folder; `.*` at the end stands for every ending in [`ENDINGS`].
    pub name: &'static str,
    pub reads: Reads,
}

/// A runner or checker.
#[derive(Debug)]
pub struct Runner {
    /// The names of its program or module.
    pub names: &'static [&'static str],
    pub family: Family,
    /// The files that it reads, in its working folder or one above.
    pub configs: &'static [ConfigFile],
    /// The options that name such a file.
    pub options: &'static [&'static str],
}

/// The endings that `.*` stands for.
pub const ENDINGS: &[&str] =
    &["js", "ts", "mjs", "cjs", "mts", "cts", "json", "jsonc", "yaml", "yml", "toml"];

pub fn runners() -> impl Iterator<Item = &'static Runner> {
    testers::TESTERS.iter().chain(checkers::CHECKERS)
}

/// Returns whether a program only checks code; `pre-commit` may run anything.
pub fn is_checker(name: &str) -> bool {
    name != "pre-commit"
        && name != "prek"
        && checkers::CHECKERS.iter().any(|runner| runner.names.contains(&name))
}

/// Returns the runner with this name; a trailing version, as in `python3.12`, is ignored.
pub fn runner(name: &str) -> Option<&'static Runner> {
    let is_version = |c: char| c.is_ascii_digit() || c == '.' || c == '-';
    let bare = name.trim_end_matches(is_version);
    let named = |name: &str| runners().find(|runner| runner.names.contains(&name));
    named(name).or_else(|| named(bare))
}

const fn bare(names: &'static [&'static str], family: Family) -> Runner {
    Runner { names, family, configs: &[], options: &[] }
}

const fn with(
    names: &'static [&'static str],
    family: Family,
    configs: &'static [ConfigFile],
    options: &'static [&'static str],
) -> Runner {
    Runner { names, family, configs, options }
}

const fn file(name: &'static str, reads: Reads) -> ConfigFile {
    ConfigFile { name, reads }
}

const fn whole(name: &'static str) -> ConfigFile {
    file(name, Reads::Whole)
}

const fn settings(name: &'static str) -> ConfigFile {
    file(name, Reads::Settings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_is_there_twice() {
        let mut names: Vec<&str> = runners().flat_map(|runner| runner.names).copied().collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
    }

    #[test]
    fn versions_do_not_count() {
        assert_eq!(runner("python3.12").map(|runner| runner.family), Some(Family::Python));
        assert_eq!(runner("pip"), None);
        assert_eq!(runner(""), None);
    }

    impl PartialEq for Runner {
        fn eq(&self, other: &Self) -> bool {
            self.names == other.names
        }
    }
}

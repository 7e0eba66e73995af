//! Reads the words of one command: its wrappers, its program, its runner.

use sprag_core::basis::only_looks;
use sprag_core::definition::PartRole;
use sprag_core::runners::{BinFolder, Family, Runner, runner, wrapper};

use super::paths::{below, file_name, join, upwards};
use super::resolver::{CallSite, FileText, Resolver};
use crate::shell::{ShellWord, start};

/// The most wrappers around a command.
const MAX_WRAPPERS: usize = 12;

impl Resolver<'_> {
    /// Follows one command. A command that leads to no other determines the outcome itself.
    pub(super) fn command(&mut self, words: &[ShellWord], site: &CallSite) {
        let before = self.calls;
        self.names_tests(words, site);
        self.follow(words, site);
        let is_last = self.calls == before;
        let begin = start(words).unwrap_or(words.len());
        let texts: Vec<&str> = words[begin..].iter().map(|word| &*word.text).collect();
        let is_known = words.get(begin).is_none_or(|word| word.known);
        let only_looks = is_known && (does_nothing(&texts) || only_looks(&texts));
        self.found.rests_on_tests |= is_last && !only_looks;
    }

    fn follow(&mut self, words: &[ShellWord], site: &CallSite) {
        let mut site = site.clone();
        let begin = start(words).unwrap_or(words.len());
        for word in &words[..begin] {
            self.assigned(&word.text, &mut site);
        }
        let texts: Vec<String> = words.iter().map(|word| word.text.clone()).collect();
        self.env_files(&texts, &site);
        let mut words = &words[begin..];
        for _ in 0..MAX_WRAPPERS {
            let texts: Vec<&str> = words.iter().map(|word| &*word.text).collect();
            let Some(first) = texts.first() else { return };
            let named: Vec<&str> =
                std::iter::once(file_name(first)).chain(texts[1..].iter().copied()).collect();
            let Some((wrapper, length)) = wrapper(&named) else { break };
            self.program(&words[0], &site);
            if let Some(bin) = wrapper.bin {
                add_bins(bin, &mut site);
            }
            let rest = &words[length..];
            let own = unwrapped(rest, wrapper.valued, wrapper.operands, &mut site);
            for word in rest[..own].iter().filter(|word| word.assigns()) {
                self.assigned(&word.text, &mut site);
            }
            self.wrapper_env_files(wrapper.phrase, &rest[..own], &site);
            words = &rest[own..];
            if self.table_task(wrapper.phrase, words, &site) {
                return;
            }
            if let Some(module) = wrapped_module(&rest[..own], words) {
                self.python_module(&module[0].text, &module[1..], &site);
                return;
            }
        }
        let Some(first) = words.first() else { return };
        let texts: Vec<String> = words[1..].iter().map(|word| word.text.clone()).collect();
        let name = file_name(&first.text).to_owned();
        if self.indirect(&name, &words[1..], &site) {
            return;
        }
        let runner = runner(&name);
        if runner.is_some_and(|runner| is_python(runner.family)) {
            site.perhaps_bins = bin_folders(BinFolder::Python, &site.folder);
        }
        let is_file =
            self.program(first, &site) || self.computed_program(first, &words[1..], &site);
        if matches!(&*name, "diff" | "cmp") {
            self.compared(&words[1..], &site);
        }
        match runner {
            Some(runner) => self.runner_of(runner, &name, &words[1..], &texts, &site),
            // A program from a package may be or start any runner.
            None if is_file && site.bins.iter().any(|bin| bin.ends_with("node_modules/.bin")) => {
                self.any_javascript_runner(&name, &texts, &site);
            }
            None => {}
        }
    }

    /// Adds the files of a runner, and follows the commands in its arguments.
    pub(super) fn runner_of(
        &mut self,
        runner: &'static Runner,
        name: &str,
        words: &[ShellWord],
        texts: &[String],
        site: &CallSite,
    ) {
        let (words, texts) = &self.with_argument_files(words, texts, site);
        self.configs(runner, texts, site);
        self.nested_configs(name, site);
        self.ignored_tests(texts, site);
        self.runner_env_files(runner.family, site);
        match runner.family {
            Family::Npm
            | Family::Pnpm
            | Family::Yarn
            | Family::Bun
            | Family::Deno
            | Family::Composer => self.package_manager(runner.family, words, site),
            Family::RunAll => self.run_all(texts, site),
            Family::Concurrently => self.concurrently(texts, site),
            Family::Members => self.member_scripts(name, texts, site),
            Family::Shell => self.shell_call(name, words, site),
            Family::Python => self.python(words, site),
            Family::Interpreter => self.interpreter(words, site),
            Family::Pytest => self.pytest(texts, site),
            Family::Tox => self.tox(texts, site),
            Family::Nox => self.nox(texts, site),
            Family::Coverage => self.coverage(words, site),
            Family::Cargo => self.cargo(texts, site),
            Family::Make => self.make(texts, site),
            Family::Just => self.just(texts, site),
            Family::Task => self.task(texts, site),
            Family::Go => self.go(name, texts, site),
            Family::Maven => self.maven(texts, site),
            Family::Gradle => self.gradle(texts, site),
            Family::Rake => self.rake(texts, site),
            Family::Mix => self.mix(site),
            Family::TaskTable => {
                self.table_task(name, words, site);
            }
            Family::Ci => self.ci(name, texts, site),
            Family::Ctest => self.ctest(texts, site),
            Family::Dotnet => self.dotnet(texts, site),
            Family::Typescript => self.typescript(texts, site),
            Family::Wraps => {
                let own = unwrapped(words, runner.options, 0, &mut site.clone());
                self.later(words[own..].to_vec(), site.clone());
            }
            Family::Plain => {}
        }
    }
}

/// The most arguments that a file may add.
const MOST_ARGUMENTS: usize = 1000;

impl Resolver<'_> {
    /// Adds the files of the project from which a command takes arguments, as in `pytest @args.txt`,
    /// and returns all arguments.
    fn with_argument_files(
        &mut self,
        words: &[ShellWord],
        texts: &[String],
        site: &CallSite,
    ) -> (Vec<ShellWord>, Vec<String>) {
        let (mut words, mut texts) = (words.to_vec(), texts.to_vec());
        let named: Vec<String> = texts
            .iter()
            .filter_map(|text| join(&site.folder, text.strip_prefix('@')?))
            .filter(|path| !path.is_empty())
            .collect();
        for path in named {
            if !self.whole(&path, PartRole::Runner, site) {
                continue;
            }
            let FileText::Text(text) = self.text(&path) else { continue };
            let more = text.split_whitespace().take(MOST_ARGUMENTS);
            words.extend(more.clone().map(ShellWord::known));
            texts.extend(more.map(str::to_owned));
        }
        (words, texts)
    }
}

/// Returns whether a shell command only prepares the following ones.
fn does_nothing(words: &[&str]) -> bool {
    const NOTHING: [&str; 12] = [
        ":", "cd", "exit", "export", "local", "mkdir", "popd", "pushd", "return", "set", "shift",
        "unset",
    ];
    words.first().is_none_or(|first| NOTHING.contains(first))
}

const fn is_python(family: Family) -> bool {
    matches!(family, Family::Python | Family::Pytest | Family::Tox | Family::Nox | Family::Coverage)
}

/// Returns how many words belong to a wrapper: options, assignments, operands.
fn unwrapped(words: &[ShellWord], valued: &[&str], operands: usize, site: &mut CallSite) -> usize {
    let (mut at, mut left) = (0, operands);
    while let Some(word) = words.get(at) {
        let text = &*word.text;
        let takes_next = valued.contains(&text);
        if matches!(text, "-m" | "--module") {
            return at + 1;
        }
        if text == "--" {
            return at + 1;
        } else if text.starts_with('-') && text.len() > 1 {
            let folder = words.get(at + 1).filter(|_| takes_next);
            if let Some(folder) =
                folder.filter(|_| matches!(text, "-C" | "--chdir" | "--directory"))
            {
                site.folder = join(&site.folder, &folder.text).unwrap_or_default();
            }
            at += 1 + usize::from(takes_next);
        } else if word.assigns() {
            assign(text, site);
            at += 1;
        } else if left > 0 {
            left -= 1;
            at += 1;
        } else {
            return at;
        }
    }
    words.len()
}

/// Returns the module and its arguments if a wrapper runs one: `uv run -m pytest`.
fn wrapped_module<'w>(own: &[ShellWord], rest: &'w [ShellWord]) -> Option<&'w [ShellWord]> {
    let last = own.last().filter(|word| matches!(&*word.text, "-m" | "--module"));
    last.filter(|_| !rest.is_empty()).map(|_| rest)
}

/// Records the program folders that an assignment of `PATH` adds.
pub(super) fn assign(text: &str, site: &mut CallSite) {
    let Some(value) = text.strip_prefix("PATH=") else { return };
    for entry in value.split(':') {
        // `$PWD/bin` is read as `*/bin`.
        let entry = entry.strip_prefix("*/").unwrap_or(entry);
        if entry.is_empty() || entry.contains('*') {
            continue;
        }
        let folders = [Some(&site.folder), site.script_folder.as_ref()];
        let found: Vec<String> =
            folders.into_iter().flatten().filter_map(|folder| join(folder, entry)).collect();
        for bin in found {
            add_bin(bin, site);
        }
    }
}

/// Adds the folders that are searched first for a language's programs.
pub(super) fn add_bins(bin: BinFolder, site: &mut CallSite) {
    for folder in bin_folders(bin, &site.folder) {
        add_bin(folder, site);
    }
}

/// Returns the program folders of a language, in this folder and above.
fn bin_folders(bin: BinFolder, folder: &str) -> Vec<String> {
    let names: &[&str] = match bin {
        BinFolder::Node => &["node_modules/.bin"],
        BinFolder::Python => &[".venv/bin", "venv/bin"],
        BinFolder::Vendor => &["vendor/bin"],
    };
    let folders = upwards(folder);
    folders.iter().flat_map(|folder| names.iter().map(|name| below(folder, name))).collect()
}

pub(super) fn add_bin(bin: String, site: &mut CallSite) {
    if !site.bins.contains(&bin) && site.bins.len() < 40 {
        site.bins.push(bin);
    }
}

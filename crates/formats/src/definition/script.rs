//! Follows the scripts that a command runs, and the commands in them.

use std::collections::BTreeMap;
use std::rc::Rc;

use sprag_core::definition::{DefinedPart, PartKey, PartRole, WhenNew};
use sprag_core::runners::{Family, Runner, runner};
use sprag_core::{Hash, is_test};

use super::command::add_bin;
use super::computed::{NamedWords, computes};
use super::lines::script_lines;
use super::output::without_output;
use super::paths::{file_name, folder_of, join};
use super::process_calls::process_calls;
use super::program::installed;
use super::resolver::{
    CallSite, FileText, MAX_COMMANDS, MAX_SCRIPT_DEPTH, MAX_SCRIPT_FILES, Reached, Resolver, short,
};
use crate::shell::{Command, ShellWord, commands, start};

/// The longest text that is followed, in bytes.
const MAX_TEXT: usize = 256 << 10;

/// The most parts of a definition to which the lines of another script are added.
const MAX_LINE_PARTS: usize = 1000;

/// Programs that only pass on their input.
const PASS_ON: [&str; 11] =
    ["tee", "cat", "tail", "head", "sed", "less", "more", "ts", "column", "nl", "sponge"];

/// Programs that inspect files.
const LOOK: [&str; 8] = ["diff", "cmp", "grep", "egrep", "rg", "cat", "test", "["];

/// The language of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    Shell,
    Other,
}

impl Resolver<'_> {
    /// Adds a script and follows its commands. Returns whether the file exists and is a script.
    pub(super) fn script(&mut self, path: &str, site: &CallSite) -> bool {
        if site.is_subject || !self.exists(path) {
            return false;
        }
        let text = self.text(path);
        let language = match &text {
            FileText::Absent => return false,
            FileText::Opaque => language(path, ""),
            FileText::Text(text) => language(path, text),
        };
        // A file with neither an interpreter line nor a script's extension was built: it is the
        // agent's work.
        let Some(language) = language else { return false };
        if !self.scripts.contains(path) {
            if site.depth >= MAX_SCRIPT_DEPTH || self.scripts.len() >= MAX_SCRIPT_FILES {
                // It is compared, but not what it runs.
                self.found.is_cut = true;
                self.whole(path, PartRole::Script, site);
                return true;
            }
            self.scripts.insert(path.to_owned());
        }
        // A test file in code is compared as a test, so that it may grow.
        let is_own =
            !is_test(path) || language == Language::Shell && site.reached == Reached::ByName;
        let site = if is_own {
            self.whole(path, PartRole::Script, site);
            if site.in_caller {
                self.runs_in_caller(&PartKey::file(path));
            }
            site.through(&PartKey::file(path))
        } else {
            // What the test itself runs may be no more than a look at a file.
            self.found.rests_on_tests = true;
            self.ignored_test(path);
            site.clone()
        };
        self.interpreter_line(path, &site);
        let FileText::Text(text) = text else {
            self.found.is_cut = true;
            return true;
        };
        let inner = CallSite {
            depth: site.depth + 1,
            script_folder: Some(folder_of(path).to_owned()),
            in_test: is_test(path),
            input: String::new(),
            reads: Vec::new(),
            named: None,
            in_caller: false,
            reached: Reached::ByName,
            ..site
        };
        match language {
            Language::Shell => self.shell_script(path, &text, &inner),
            Language::Other => {
                self.calls_in(&text, &inner);
                self.helpers(path, &text, &inner);
                self.django(&text, &inner);
            }
        }
        true
    }

    /// Follows the commands that a program starts.
    pub(super) fn calls_in(&mut self, text: &str, site: &CallSite) {
        // The program's other effects are unknown.
        self.found.rests_on_tests = true;
        self.package_variables(text, site);
        if text.len() > MAX_TEXT {
            self.found.is_cut = true;
            return;
        }
        for call in process_calls(text) {
            match &call[..] {
                [line] => self.shell(line, site),
                words => self.later(words.iter().map(ShellWord::known).collect(), site.clone()),
            }
        }
    }

    /// Follows the commands of a shell text.
    pub(super) fn shell(&mut self, text: &str, site: &CallSite) {
        self.shell_after("", text, site);
    }

    /// Follows the commands of a shell text after `before`, its beginning, whose commands were
    /// already followed: they only determine where the others run.
    pub(super) fn shell_after(&mut self, before: &str, text: &str, site: &CallSite) {
        self.shell_by_lines(before, text, &[], site);
    }

    /// Follows the commands of a shell text; each line ends at a number of commands, and has a
    /// part that leads to them.
    fn shell_by_lines(
        &mut self,
        before: &str,
        text: &str,
        lines: &[(usize, PartKey)],
        site: &CallSite,
    ) {
        let known = commands(before).len();
        if text.len() > MAX_TEXT {
            self.found.is_cut = true;
            return;
        }
        let mut all = commands(text);
        if all.len() > MAX_COMMANDS {
            all.truncate(MAX_COMMANDS);
            self.found.is_cut = true;
        }
        let named = NamedWords::of(&all);
        let mut folders = BTreeMap::from([(0, site.folder.clone())]);
        let mut site = site.clone();
        for (at, command) in all.iter().enumerate() {
            let outer = folders.get(&command.outer_row).unwrap_or(&site.folder).clone();
            let folder = folders.entry(command.row).or_insert(outer);
            let words = start(&command.words).map_or(&[][..], |at| &command.words[at..]);
            let program = words.first().map(|word| &*word.text);
            if program.is_none() {
                // `PATH=bin:$PATH` on a line of its own holds for the following lines.
                for word in command.words.iter().filter(|word| word.assigns()) {
                    self.assigned(&word.text, &mut site);
                }
            }
            if let (Some("cd" | "pushd"), Some(to)) = (program, words.get(1)) {
                *folder = gone_to(folder, &to.text, &site);
            } else if let (Some("export"), Some(set)) = (program, words.get(1)) {
                self.assigned(&set.text, &mut site);
            } else if let (Some("." | "source"), Some(bin)) = (program, activated(words, folder)) {
                // A virtual environment takes precedence over the system's programs.
                add_bin(bin, &mut site);
            } else if at >= known {
                self.writes(command, folder);
                let inner = CallSite {
                    folder: folder.clone(),
                    is_subject: site.is_subject
                        || is_subject(&all, at)
                        || site.in_test && reads_in(words),
                    input: command.input.clone(),
                    reads: command.reads.iter().map(|word| word.text.clone()).collect(),
                    named: computes(command).then(|| Rc::clone(&named)),
                    ..site.clone()
                };
                let line = lines.iter().find(|(end, _)| at < *end);
                let inner = line.map_or(inner.clone(), |(_, key)| inner.through(key));
                self.later(command.words.clone(), inner);
            }
        }
    }

    /// Follows `sh file`, `sh -c text`, `. file` and `sh < file`.
    pub(super) fn shell_call(&mut self, name: &str, words: &[ShellWord], site: &CallSite) {
        let is_sourced = matches!(name, "." | "source");
        let site = &CallSite { in_caller: is_sourced || site.in_caller, ..site.clone() };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let option = word.text.strip_prefix(['-', '+']).filter(|rest| !rest.is_empty());
            match option {
                Some("-") => {}
                Some(option) if option.starts_with('-') => {
                    if matches!(option, "-rcfile" | "-init-file") {
                        words.next();
                    }
                }
                Some(option) if option.contains('c') => {
                    if let Some(text) = words.find(|word| !word.text.starts_with('-')) {
                        self.shell(&text.text, site);
                    }
                    return;
                }
                // It only reads the script, and runs nothing.
                Some("n") => return,
                Some(option) if option.ends_with(['o', 'O']) => {
                    words.next();
                }
                Some(_) => {}
                None => {
                    self.script_word(word, site);
                    self.interpreted(word, words.as_slice(), site);
                    return;
                }
            }
        }
        for read in &site.reads {
            self.script_word(&ShellWord::known(read), site);
        }
        if site.input.is_empty() && site.reads.is_empty() {
            self.printed_scripts(site);
        } else {
            let inner = CallSite { input: String::new(), ..site.clone() };
            self.shell(&site.input, &inner);
        }
    }

    /// Follows `node file`, `ruby file`.
    pub(super) fn interpreter(&mut self, words: &[ShellWord], site: &CallSite) {
        const VALUED: [&str; 10] =
            ["-r", "--require", "--import", "--loader", "-I", "-C", "-f", "--env-file", "-M", "-d"];
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match &*word.text {
                "-e" | "--eval" | "-p" | "--print" => {
                    let code = words.next().map(|word| word.text.clone());
                    self.calls_in(&code.unwrap_or_default(), site);
                    return;
                }
                "--run" => {
                    let name = words.next().map(|word| word.text.clone()).unwrap_or_default();
                    self.package_script(&name, site);
                    return;
                }
                // It only reads the program.
                "--check" => return,
                option if VALUED.contains(&option) => {
                    if let Some(file) = words.next() {
                        self.script_word(file, site);
                    }
                }
                option if option.starts_with('-') => {}
                "run" | "--" => {}
                _ => {
                    self.script_word(word, site);
                    self.interpreted(word, words.as_slice(), site);
                    return;
                }
            }
        }
    }

    /// Follows a runner that is passed to an interpreter as a file: `php vendor/bin/phpunit`.
    pub(super) fn interpreted(&mut self, word: &ShellWord, rest: &[ShellWord], site: &CallSite) {
        let name = runner_name(&word.text, rest);
        let is_runner = |runner: &&Runner| {
            let other = [Family::Interpreter, Family::Shell, Family::Python];
            !other.contains(&runner.family)
        };
        let Some(runner) = runner(name).filter(is_runner) else {
            return;
        };
        let texts: Vec<String> = rest.iter().map(|word| word.text.clone()).collect();
        self.runner_of(runner, name, rest, &texts, site);
    }

    /// Adds the script that a word names.
    pub(super) fn script_word(&mut self, word: &ShellWord, site: &CallSite) {
        let Some(path) = self.located(word, site) else {
            self.computed_script(word, site);
            return;
        };
        if installed(&path).is_some() {
            self.add_program(&path, file_name(&path), site);
        } else {
            let inner = CallSite { input: String::new(), reads: Vec::new(), ..site.clone() };
            let inner = CallSite { named: None, ..inner };
            self.named_script(&path, &inner);
        }
    }

    /// Adds a file that an interpreter runs, whatever its name.
    fn named_script(&mut self, path: &str, site: &CallSite) {
        if !self.script(path, site)
            && !site.is_subject
            && self.exists(path)
            && site.depth < MAX_SCRIPT_DEPTH
        {
            self.whole(path, PartRole::Script, site);
            if site.in_caller {
                self.runs_in_caller(&PartKey::file(path));
            }
        }
    }

    fn runs_in_caller(&mut self, key: &PartKey) {
        self.sourced.insert(key.path().to_owned());
        if let Some(part) = self.found.parts.get_mut(key) {
            part.when_new = WhenNew::InCaller;
            if let Some(lines) = &mut part.lines {
                lines.in_caller = true;
            }
        }
    }

    /// Follows a script, each command through its own line, so that a part to which only a new
    /// line leads is known to be the line's.
    fn shell_script(&mut self, path: &str, text: &str, site: &CallSite) {
        let whole = PartKey::file(path);
        let is_own = site.via.as_ref() == Some(&whole);
        let has_room = self.found.parts.len() < MAX_LINE_PARTS;
        let split = script_lines(text).filter(|_| is_own && has_room);
        let Some((mut lines, ends)) = split else {
            self.shell(text, site);
            return;
        };
        lines.in_caller = self.sourced.contains(path);
        if let Some(part) = self.found.parts.get_mut(&whole) {
            part.lines = Some(lines);
        }
        let mut lines = Vec::new();
        for line in ends {
            let key = PartKey::part(path, &short(&format!("line {}", without_output(&line.text))));
            let part = Self::part(PartRole::Runner, Hash::of(""), site);
            self.add(key.clone(), DefinedPart { when_new: WhenNew::Free, ..part });
            lines.push((commands(&text[..line.end]).len(), key));
        }
        self.shell_by_lines("", text, &lines, site);
    }

    /// Returns the path of the existing file that a word names: in the working folder, or beside
    /// the calling script.
    pub(super) fn located(&mut self, word: &ShellWord, site: &CallSite) -> Option<String> {
        let mut folders: Vec<&str> = vec![&site.folder];
        folders.extend(site.script_folder.as_deref());
        let text = &*word.text;
        let known = if word.known { text } else { text.strip_prefix("*/")? };
        if known.contains('*') {
            return None;
        }
        if !word.known {
            folders.reverse();
        }
        let direct: Vec<String> = folders.iter().filter_map(|folder| join(folder, known)).collect();
        if let Some(path) = direct.iter().find(|path| self.exists(path)) {
            return Some(path.clone());
        }
        if word.known {
            return None;
        }
        let end = format!("/{known}");
        let paths = self.paths();
        let mut fitting = paths.iter().filter(|path| path.ends_with(&end));
        fitting.next().filter(|_| fitting.next().is_none()).cloned()
    }
}

/// Returns the name of the runner that a file may be, from its package or its own name.
fn runner_name<'w>(path: &'w str, rest: &[ShellWord]) -> &'w str {
    let name = file_name(path);
    let package = path.rsplit_once("node_modules/").map(|(_, inner)| inner.split('/'));
    let package = package.and_then(|mut names| names.find(|name| *name != ".bin"));
    match (package, name) {
        (Some(package), _) => package.trim_start_matches('@'),
        (None, "artisan") if rest.first().is_some_and(|word| word.text == "test") => "phpunit",
        // `make.sh` is a script of the project.
        (None, name) => name,
    }
}

/// Returns the program folder that `. .venv/bin/activate` puts first.
fn activated(words: &[ShellWord], folder: &str) -> Option<String> {
    let bin = words.get(1)?.text.strip_suffix("/activate")?;
    join(folder, bin).filter(|bin| file_name(bin) == "bin")
}

/// Returns the folder after `cd to`.
fn gone_to(folder: &str, to: &str, site: &CallSite) -> String {
    let script = site.script_folder.as_deref();
    match to.strip_prefix('*') {
        // For example `cd "$(dirname "$0")/.."`.
        Some(rest) => {
            let base = script.unwrap_or(folder);
            let rest = rest.trim_start_matches('/');
            if rest.is_empty() { base.to_owned() } else { join(base, rest).unwrap_or_default() }
        }
        None => join(folder, to).unwrap_or_default(),
    }
}

/// Returns whether a command sources a file that is not a test.
fn reads_in(words: &[ShellWord]) -> bool {
    let mut words = words.iter().map(|word| &*word.text);
    matches!(words.next(), Some("." | "source")) && !words.next().is_some_and(is_test)
}

/// Returns whether the output of a command is inspected, which makes it the subject of the check.
fn is_subject(all: &[Command], at: usize) -> bool {
    let program = |command: &Command| {
        let word = start(&command.words).and_then(|at| command.words.get(at));
        word.map(|word| file_name(&word.text).to_owned()).unwrap_or_default()
    };
    if all[at].is_captured {
        return true;
    }
    let mut at = at;
    while let Some(reader) = all.iter().position(|command| command.fed_by == Some(at)) {
        if reader <= at {
            break;
        }
        if !PASS_ON.contains(&&*program(&all[reader])) {
            return true;
        }
        at = reader;
    }
    all[at].writes.iter().any(|written| {
        let later = all[at + 1..].iter().filter(|command| LOOK.contains(&&*program(command)));
        let is_plain = !written.text.starts_with('/') && written.known;
        is_plain
            && later
                .clone()
                .any(|command| command.words.iter().any(|word| word.text == written.text))
    })
}

/// Determines a script's language from its first line or its extension.
pub(super) fn language(path: &str, text: &str) -> Option<Language> {
    let first = text.lines().next().unwrap_or_default();
    if let Some(line) = first.strip_prefix("#!") {
        let is_shell = line
            .split(['/', ' '])
            .any(|word| ["sh", "bash", "dash", "zsh", "ksh", "ash"].contains(&word.trim()));
        return Some(if is_shell { Language::Shell } else { Language::Other });
    }
    let Some((_, ending)) = file_name(path).rsplit_once('.') else {
        // A shell runs a text without an interpreter line; a built program is no text.
        let is_plain = |c: char| !c.is_control() || c.is_ascii_whitespace();
        return (!text.is_empty() && text.chars().all(is_plain)).then_some(Language::Shell);
    };
    match ending {
        "sh" | "bash" | "zsh" | "ksh" => Some(Language::Shell),
        "py" | "js" | "mjs" | "cjs" | "ts" | "mts" | "rb" | "pl" | "php" | "lua" | "ps1"
        | "cmd" | "bat" | "exs" | "R" | "jl" | "tcl" | "awk" => Some(Language::Other),
        _ => None,
    }
}

//! Scripts that a shell text runs by a name that is only known when it runs: a pattern, the
//! variable of a loop, the output of another command.
//!
//! Such a name stands for every script that the text itself names in its place.

use std::collections::BTreeSet;
use std::rc::Rc;

use sprag_core::Glob;

use super::paths::{file_name, join};
use super::resolver::{CallSite, FileText, MAX_SCRIPT_FILES, Reached, Resolver};
use super::script::{Language, language};
use crate::shell::{Command, ShellWord, start};

/// The most words of one text that are kept.
const MOST: usize = 500;

/// The words of one shell text.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct NamedWords {
    /// The values of variables, and the items of loops.
    values: Vec<String>,
    /// All words.
    all: Vec<String>,
}

impl NamedWords {
    /// The values of variables, and the items of loops.
    pub(super) fn values(&self) -> &[String] {
        &self.values
    }

    pub(super) fn of(commands: &[Command]) -> Rc<Self> {
        let mut found = Self::default();
        for command in commands {
            let is_loop = command.words.first().is_some_and(|word| word.text == "for");
            for (at, word) in command.words.iter().enumerate() {
                let value = word.text.split_once('=').filter(|_| word.assigns());
                let text = value.map_or(&*word.text, |(_, value)| value);
                let pieces = text.split_whitespace().map(str::to_owned);
                if value.is_some() || is_loop && at > 2 {
                    found.values.extend(pieces.clone());
                }
                found.all.extend(pieces);
            }
            found.all.extend(command.reads.iter().map(|word| word.text.clone()));
            if found.all.len() > MOST {
                break;
            }
        }
        found.values.truncate(MOST);
        found.all.truncate(MOST);
        Rc::new(found)
    }
}

/// Returns whether a command may run a file whose name the text does not say in place.
pub(super) fn computes(command: &Command) -> bool {
    let is_open = |word: &ShellWord| !word.known || word.text.contains(['*', '?', '[', '{']);
    let begin = start(&command.words).unwrap_or(command.words.len());
    let runs = ["eval", "find", "run-parts", "xargs", "parallel"];
    let program = command.words.get(begin).map(|word| file_name(&word.text));
    command.fed_by.is_some()
        || command.words[begin..].iter().any(is_open)
        || program.is_some_and(|program| runs.contains(&program))
}

impl Resolver<'_> {
    /// Follows the scripts that a computed name may stand for: those that fit the known part of the
    /// name, or if there is none, those that are values of variables in this text.
    pub(super) fn computed_script(&mut self, word: &ShellWord, site: &CallSite) -> bool {
        let has_pattern = word.text.contains(['*', '?', '[']);
        if site.is_subject || word.known && !has_pattern {
            return false;
        }
        // `./$step` names a folder and no file in it.
        let bare = word.text.trim_matches(['*', '/', '"', '.']);
        let found = if bare.is_empty() {
            let Some(named) = site.named.clone() else { return false };
            self.scripts_named(&named.values, site, false)
        } else {
            self.scripts_named(std::slice::from_ref(&word.text), site, false)
        };
        self.follow_matched(found, site)
    }

    /// Follows the shell scripts that this text names anywhere, for a shell that runs what another
    /// command prints.
    pub(super) fn printed_scripts(&mut self, site: &CallSite) {
        let Some(named) = site.named.clone().filter(|_| !site.is_subject) else { return };
        let mut found = self.scripts_named(&named.all, site, true);
        found.retain(|path| self.language_of(path) == Some(Language::Shell));
        self.follow_matched(found, site);
    }

    fn follow_matched(&mut self, found: BTreeSet<String>, site: &CallSite) -> bool {
        if found.len() > MAX_SCRIPT_FILES {
            self.found.is_cut = true;
        }
        let inner = CallSite { reached: Reached::ByPattern, input: String::new(), ..site.clone() };
        let inner = CallSite { reads: Vec::new(), named: None, ..inner };
        let mut is_any = false;
        for path in found.into_iter().take(MAX_SCRIPT_FILES) {
            is_any |= self.script(&path, &inner);
        }
        is_any
    }

    /// Returns the scripts of the project that these words name, as paths or patterns.
    fn scripts_named(
        &mut self,
        words: &[String],
        site: &CallSite,
        folders_too: bool,
    ) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        let mut in_folder = |word: &String| {
            let path = join(&site.folder, word).filter(|path| !path.is_empty());
            path.is_some_and(|path| self.files.is_folder(&path))
        };
        // `find ci -name '*.sh'` looks in that folder only.
        let is_below = folders_too && words.iter().any(&mut in_folder);
        let folders = [site.script_folder.clone(), Some(site.folder.clone())];
        for word in words {
            let known = word.strip_prefix("*/").unwrap_or(word).trim_matches('"');
            let known = known.trim_end_matches('/');
            let is_name = !known.contains('/') && known.contains('*');
            if known.trim_matches(['*', '/']).is_empty() || is_below && is_name {
                continue;
            }
            for folder in folders.iter().flatten() {
                let Some(path) = join(folder, known) else { continue };
                let is_pattern = path.contains(['*', '?', '[']);
                // A set of characters is read as any one of them.
                let glob = Glob::parse(&any_of_set(&path)).ok().filter(|_| is_pattern);
                let paths = match glob {
                    Some(glob) => {
                        let all = self.paths();
                        let fits = |path: &&String| glob.matches(path.as_bytes());
                        all.iter().filter(fits).cloned().collect()
                    }
                    None if self.exists(&path) => vec![path],
                    None if folders_too && !path.is_empty() => self.paths_below(&path),
                    None => Vec::new(),
                };
                for path in paths.into_iter().take(MOST) {
                    if self.language_of(&path).is_some() {
                        found.insert(path);
                    }
                }
            }
        }
        found
    }

    fn language_of(&mut self, path: &str) -> Option<Language> {
        match self.text(path) {
            FileText::Absent => None,
            FileText::Opaque => language(path, ""),
            FileText::Text(text) => language(path, &text),
        }
    }

    /// Follows a program by a computed name: `$SHELL file`, `"$step"`.
    pub(super) fn computed_program(
        &mut self,
        program: &ShellWord,
        words: &[ShellWord],
        site: &CallSite,
    ) -> bool {
        if program.known || site.is_subject {
            return false;
        }
        let is_any = self.computed_script(program, site);
        if !is_any && let Some(word) = words.first() {
            // It may be a shell or an interpreter.
            let path = self.located(word, site);
            let is_script = path.is_some_and(|path| self.language_of(&path).is_some());
            if is_script {
                self.script_word(word, site);
            }
        }
        is_any
    }

    /// Follows a command that runs others: `eval`, `trap`, `find … -exec`, `run-parts`. Returns
    /// whether it is one.
    pub(super) fn indirect(&mut self, name: &str, words: &[ShellWord], site: &CallSite) -> bool {
        match name {
            "eval" => {
                let line: Vec<&str> = words.iter().map(|word| &*word.text).collect();
                self.shell(&line.join(" "), site);
                if words.iter().any(|word| !word.known) {
                    self.printed_scripts(site);
                }
            }
            "trap" => {
                let line = words.first().filter(|word| !word.text.starts_with('-'));
                let line = line.map(|word| word.text.clone()).unwrap_or_default();
                self.shell(&line, site);
            }
            "find" => {
                let runs = ["-exec", "-execdir", "-ok"];
                let mut rest = words;
                while let Some(at) = rest.iter().position(|word| runs.contains(&&*word.text)) {
                    let inner = &rest[at + 1..];
                    let end = inner.iter().position(|word| [";", "+"].contains(&&*word.text));
                    let command = &inner[..end.unwrap_or(inner.len())];
                    self.later(command.iter().map(found_file).collect(), site.clone());
                    if command.iter().any(|word| word.text == "{}") {
                        self.found_scripts(command, site);
                    }
                    rest = &inner[command.len()..];
                }
            }
            "run-parts" | "parallel" => self.printed_scripts(site),
            _ => return false,
        }
        true
    }

    /// Follows the scripts that `find` hands to a shell, or runs itself.
    fn found_scripts(&mut self, command: &[ShellWord], site: &CallSite) {
        let first = command.first().map(|word| file_name(&word.text)).unwrap_or_default();
        if first == "{}" || ["sh", "bash", "dash", "zsh"].contains(&first) {
            self.printed_scripts(site);
        }
    }
}

/// The word of a command of `find`, in which `{}` is the file that it found.
fn found_file(word: &ShellWord) -> ShellWord {
    match &*word.text {
        "{}" => ShellWord { text: "*".to_owned(), known: false, quoted: true },
        _ => word.clone(),
    }
}

/// Writes `[ab]` as `?`.
fn any_of_set(path: &str) -> String {
    let mut out = String::new();
    let mut rest = path;
    while let Some((before, after)) = rest.split_once('[') {
        out.push_str(before);
        out.push('?');
        rest = after.split_once(']').map_or("", |(_, rest)| rest);
    }
    out + rest
}

//! make: the target's recipe, its prerequisites, and the variables that they use.

mod expand;
mod makefile;

use std::collections::BTreeSet;

use sprag_core::definition::{PartRole, WhenNew};
use sprag_core::{Glob, is_test};

use self::expand::{expanded, references};
use self::makefile::{MakeVariable, Makefile, Rule, parse};
use super::config::option_values;
use super::paths::join;
use super::resolver::{CallSite, FileText, Resolver};

/// The most included files, and the most followed targets and variables.
const MOST: usize = 300;

/// Targets and variables that change how every recipe runs.
const EVERYWHERE: [&str; 10] = [
    ".IGNORE",
    ".ONESHELL",
    ".DEFAULT",
    ".DEFAULT_GOAL",
    ".NOTPARALLEL",
    ".POSIX",
    "SHELL",
    ".SHELLFLAGS",
    "MAKEFLAGS",
    "VPATH",
];

/// Extensions of sources and build results. The list of a program's sources changes with the work.
const SOURCES: [&str; 20] = [
    "c", "cc", "cpp", "cxx", "h", "hh", "hpp", "o", "a", "so", "s", "S", "d", "f90", "java",
    "class", "ml", "hs", "rs", "go",
];

impl Resolver<'_> {
    pub(super) fn make(&mut self, args: &[String], site: &CallSite) {
        let folder =
            ["-C", "--directory"].iter().flat_map(|option| option_values(args, option)).last();
        let site = match folder {
            Some(folder) => match join(&site.folder, &folder) {
                Some(folder) => site.within(&folder),
                None => return,
            },
            None => site.clone(),
        };
        let named = ["-f", "--file", "--makefile"]
            .iter()
            .flat_map(|option| option_values(args, option))
            .last();
        let files = match &named {
            Some(file) => vec![file.as_str()],
            None => vec!["GNUmakefile", "makefile", "Makefile"],
        };
        let paths: Vec<String> = files.iter().filter_map(|file| join(&site.folder, file)).collect();
        let Some(path) = paths.into_iter().find(|path| self.exists(path)) else { return };
        let Some(makefile) = self.makefile(&path, &site) else {
            self.whole(&path, PartRole::Runner, &site);
            return;
        };
        let mut goals = goals(args);
        if goals.is_empty() {
            goals.extend(makefile.default_goal().map(str::to_owned));
        }
        let mut run = MakeRun { makefile: &makefile, path: &path, seen: BTreeSet::new() };
        for goal in goals {
            self.target(&mut run, &goal, &site, true);
        }
        for name in EVERYWHERE {
            self.everywhere(&makefile, name, &site);
        }
        for (path, statement) in &makefile.statements {
            self.runner(path, statement, "", &site);
        }
        for setting in makefile.settings.iter().filter(|setting| setting.is_exported) {
            self.variable(&mut run, &setting.name, &site);
        }
    }

    /// Reads a Makefile and its includes.
    fn makefile(&mut self, path: &str, site: &CallSite) -> Option<Makefile> {
        let mut makefile = Makefile::default();
        let mut open = vec![path.to_owned()];
        let mut seen = BTreeSet::new();
        while let Some(path) = open.pop() {
            if seen.len() >= MOST || !seen.insert(path.clone()) {
                continue;
            }
            let text = match self.text(&path) {
                FileText::Absent => continue,
                FileText::Opaque => return None,
                FileText::Text(text) => text,
            };
            let part = parse(&path, &text)?;
            let included: Vec<String> = part.includes.clone();
            makefile.join(part);
            for line in included {
                let line = expanded(&line, &makefile);
                for pattern in line.split_whitespace() {
                    open.extend(self.included(&site.folder, pattern));
                }
            }
        }
        Some(makefile)
    }

    fn included(&mut self, folder: &str, pattern: &str) -> Vec<String> {
        let Some(path) = join(folder, pattern) else { return Vec::new() };
        if !path.contains(['*', '?']) {
            return vec![path];
        }
        let Ok(glob) = Glob::parse(&path) else { return Vec::new() };
        let paths = self.paths();
        paths.iter().filter(|path| glob.matches(path.as_bytes())).take(MOST).cloned().collect()
    }

    /// Adds the rules of a target, its variables, its prerequisites, and the commands of its
    /// recipe.
    fn target(&mut self, run: &mut MakeRun<'_>, name: &str, site: &CallSite, is_goal: bool) {
        if run.seen.len() >= MOST || !run.seen.insert(format!("target {name}")) {
            return;
        }
        let rules = run.makefile.rules_of(name);
        let Some(first) = rules.first() else {
            if is_goal {
                // It may come from `eval` or from a built-in rule.
                self.whole(run.path, PartRole::Runner, site);
            }
            return;
        };
        let path = first.path.clone();
        let label = first.targets.iter().find(|target| *target == name).or(first.targets.first());
        let label = label.cloned().unwrap_or_else(|| name.to_owned());
        let keys = self.steps(&path, &label, &steps_of(&rules, run.makefile), site);
        let Some(key) = keys.first() else { return };
        if is_test_word(&label) && !is_goal {
            self.adds(key);
        }
        let inner = site.through(key);
        // If a step is removed, the commands that it ran go with it.
        let at_step = |at: usize| keys.get(at).map_or(inner.clone(), |key| site.through(key));
        if run.makefile.is_phony(name) {
            self.runner_if(&path, &format!(".PHONY {name}"), "", &inner, WhenNew::Free);
        } else if let Some(file) = self.made(name, &rules, site) {
            // Make considers this target up to date.
            self.runner(&file, "has the name of a target", "", &inner);
        }
        for rule in rules {
            for word in &rule.needs {
                let inner = if is_counted_need(word) {
                    let part = format!("{label} needs {word}");
                    site.through(&self.runner_if(&rule.path, &part, "", &inner, WhenNew::Free))
                } else {
                    inner.clone()
                };
                if is_test_word(word) {
                    self.runner_if(
                        &rule.path,
                        &format!("{label} {word}"),
                        "",
                        &inner,
                        WhenNew::Free,
                    );
                }
                for name in references(word) {
                    self.variable(run, &name, &inner);
                }
                for word in expanded(word, run.makefile).split_whitespace() {
                    self.target(run, word, &inner, false);
                }
            }
            for (at, line) in rule.recipe.iter().enumerate() {
                let inner = at_step(at);
                for name in references(line) {
                    self.variable(run, &name, &inner);
                }
                let line = expanded(line, run.makefile);
                self.shell(line.trim_start_matches(['@', '-', '+', ' ', '\t']), &inner);
            }
        }
    }

    /// Returns the existing file or folder of a target's name, if the recipe does not create it.
    fn made(&mut self, name: &str, rules: &[&Rule], site: &CallSite) -> Option<String> {
        let path = join(&site.folder, name)?;
        let is_file = self.exists(&path);
        let is_folder = !is_file && self.files.is_folder(&path);
        // A recipe may fill a folder in many ways.
        let makes = |line: &String| creates(line, name) || is_folder && line.contains(name);
        let mut lines = rules.iter().flat_map(|rule| &rule.recipe).peekable();
        if lines.peek().is_none() || lines.any(makes) {
            return None;
        }
        (is_file || is_folder).then_some(path)
    }

    /// Adds a variable that a recipe uses, and the variables that it uses in turn.
    fn variable(&mut self, run: &mut MakeRun<'_>, name: &str, site: &CallSite) {
        if run.seen.len() >= MOST || !run.seen.insert(format!("variable {name}")) {
            return;
        }
        let settings: Vec<&MakeVariable> =
            run.makefile.settings.iter().filter(|setting| setting.name == name).collect();
        let Some(first) = settings.first() else { return };
        let path = first.path.clone();
        let mut text = String::new();
        for setting in &settings {
            let kept: Vec<&str> = counted(&setting.value).collect();
            // A list may grow by `+=` over several lines.
            let (around, sign) = (&*setting.conditions, setting.operator());
            text.extend([around, " ", sign, " ", &kept.join(" "), "\n"]);
        }
        let key = self.runner(&path, name, &text, site);
        let inner = site.through(&key);
        for setting in settings {
            for word in setting.value.split_whitespace().filter(|word| is_test_word(word)) {
                self.runner_if(&path, &format!("{name} {word}"), "", &inner, WhenNew::Free);
            }
            for name in references(&setting.value) {
                self.variable(run, &name, &inner);
            }
        }
    }

    fn everywhere(&mut self, makefile: &Makefile, name: &str, site: &CallSite) {
        let rules =
            makefile.rules.iter().filter(|rule| rule.targets.iter().any(|target| target == name));
        let rules = rules.map(|rule| (rule.path.clone(), rule_text(rule)));
        let settings = makefile.settings.iter().filter(|setting| setting.name == name);
        let settings = settings.map(|setting| (setting.path.clone(), setting.value.clone()));
        let all: Vec<(String, String)> = rules.chain(settings).collect();
        if let Some((path, _)) = all.first().cloned() {
            let text: Vec<String> = all.into_iter().map(|(_, text)| text).collect();
            self.runner(&path, name, &text.join("\n"), site);
        }
    }
}

/// One run of make, with the items already followed.
struct MakeRun<'m> {
    makefile: &'m Makefile,
    path: &'m str,
    seen: BTreeSet<String>,
}

/// Returns the targets among the arguments.
fn goals(args: &[String]) -> Vec<String> {
    const VALUED: [&str; 8] = ["-C", "-f", "--directory", "--file", "--makefile", "-I", "-o", "-W"];
    let (mut goals, mut args) = (Vec::new(), args.iter());
    while let Some(arg) = args.next() {
        if VALUED.contains(&&**arg) {
            args.next();
        } else {
            let is_number = arg.bytes().all(|byte| byte.is_ascii_digit());
            let is_goal = !arg.starts_with('-') && !arg.contains('=') && !is_number;
            goals.extend(is_goal.then(|| arg.clone()));
        }
    }
    goals
}

/// Returns the steps of a target that must all succeed: the lines of its recipe. With several
/// recipes or `.ONESHELL`, there is only one step. Prerequisites are parts of their own.
fn steps_of(rules: &[&Rule], makefile: &Makefile) -> Vec<String> {
    let mut targets = makefile.rules.iter().flat_map(|rule| &rule.targets);
    let is_one_shell = targets.any(|target| target == ".ONESHELL");
    let is_bare = |rule: &&&Rule| rule.recipe.is_empty() && rule.conditions.is_empty();
    let recipes: Vec<&&Rule> = rules.iter().filter(|rule| !is_bare(rule)).collect();
    let settings: String = rules
        .iter()
        .filter(is_bare)
        .flat_map(|rule| &rule.needs)
        .filter(|word| sets(word))
        .cloned()
        .collect();
    let mut steps = match &recipes[..] {
        [] => vec![String::new()],
        [rule] if !is_one_shell && !rule.recipe.is_empty() => {
            let mut steps: Vec<String> = rule.recipe.iter().map(|line| step_text(line)).collect();
            if let Some(first) = steps.first_mut() {
                first.insert_str(0, &head_text(rule));
            }
            steps
        }
        several => vec![several.iter().map(|rule| rule_text(rule)).collect()],
    };
    if let Some(first) = steps.first_mut() {
        first.insert_str(0, &settings);
    }
    steps
}

/// Returns a rule without layout, without the names of sources and without its prerequisites.
fn rule_text(rule: &Rule) -> String {
    let lines: Vec<String> = rule.recipe.iter().map(|line| step_text(line)).collect();
    format!("{}{}\n", head_text(rule), lines.join("\n"))
}

/// Returns what of a rule applies to its whole recipe: conditions, and variables of the target.
fn head_text(rule: &Rule) -> String {
    let settings: Vec<&str> =
        rule.needs.iter().map(String::as_str).filter(|word| sets(word)).collect();
    format!("{}: {}\n", rule.conditions, settings.join(" "))
}

/// Returns a line of a recipe. An `@` at its beginning only hides the line from the output.
fn step_text(line: &str) -> String {
    let bare = line.trim_start_matches(['@', '-', '+', ' ', '\t']);
    let before = &line[..line.len() - bare.len()];
    let signs = before.chars().filter(|sign| matches!(sign, '-' | '+'));
    signs.chain(counted(bare).collect::<Vec<_>>().join(" ").chars()).collect()
}

/// Returns whether this is a variable of a target, as in `test: CFLAGS=-g`.
fn sets(need: &str) -> bool {
    need.contains('=')
}

fn is_counted_need(word: &str) -> bool {
    is_counted(word) && !sets(word)
}

/// Returns the relevant words: all except source names, and names of tests, which are separate
/// parts.
fn counted(line: &str) -> impl Iterator<Item = &str> {
    line.split_whitespace().filter(|word| is_counted(word))
}

fn is_counted(word: &str) -> bool {
    !is_test_word(word) && !is_source(word)
}

/// Returns whether a line of a recipe creates the file of its target: `touch x`, `cc -o x`, `> x`.
fn creates(line: &str, name: &str) -> bool {
    const BEFORE: [&str; 6] = ["touch", "-o", "--output", ">", ">>", "tee"];
    const LAST: [&str; 5] = ["cp", "mv", "ln", "install", "mkdir"];
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_name = |word: &str| word.strip_prefix("./").unwrap_or(word) == name;
    let follows = |pair: &[&str]| BEFORE.contains(&pair[0]) && is_name(pair[1]);
    let program = words.first().map(|word| word.trim_start_matches(['@', '-', '+']));
    let is_last = words.last().is_some_and(|word| is_name(word))
        && program.is_some_and(|program| LAST.contains(&program));
    let is_written = words.iter().any(|word| {
        word.strip_prefix('>').is_some_and(|rest| is_name(rest.trim_start_matches('>')))
            || word.strip_prefix(name).is_some_and(|rest| rest.starts_with('/'))
    });
    line.contains("$@") || is_last || is_written || words.windows(2).any(follows)
}

fn ending(word: &str) -> Option<&str> {
    word.rsplit_once('.').map(|(_, ending)| ending)
}

fn is_source(word: &str) -> bool {
    !word.starts_with('-') && ending(word).is_some_and(|ending| SOURCES.contains(&ending))
}

/// Returns whether a word names a test file or target: `test_a.c`, `tests/a.sh`, `test_a`.
fn is_test_word(word: &str) -> bool {
    let is_name = word.chars().all(|c| c.is_alphanumeric() || "._/-".contains(c));
    let is_more = word.contains(['.', '_', '/']) && !word.starts_with(['-', '.', '/']);
    is_name && is_more && is_test(word)
}

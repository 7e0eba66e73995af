//! npm, pnpm, yarn, bun, deno, composer: scripts in a manifest.

use sprag_core::definition::{KnownThen, PartKey};
use sprag_core::runners::{BinFolder, Family};

use super::command::add_bins;
use super::config::option_values;
use super::paths::{below, file_name, folder_of, join, upwards};
use super::read::Datum;
use super::resolver::{CallSite, Resolver};
use crate::shell::ShellWord;

/// The parsed arguments of a package manager.
#[derive(Debug, Default)]
struct PackageArgs {
    /// The arguments that are not options.
    words: Vec<String>,
    /// The folder to run in.
    folder: Option<String>,
    /// The workspace members to run in.
    members: Vec<String>,
    /// Whether to run in every member.
    all_members: bool,
}

/// Options that take a value.
const VALUED: [&str; 7] =
    ["--filter", "-F", "--reporter", "--loglevel", "--cache", "--config", "--working-dir"];

/// Subcommands of yarn and pnpm, which are not scripts.
const NO_SCRIPTS: [&str; 17] = [
    "add", "install", "i", "ci", "remove", "up", "upgrade", "update", "link", "why", "list", "ls",
    "audit", "publish", "pack", "version", "config",
];

/// The most members with their own manifest that are read.
const MOST_PROJECTS: usize = 300;

/// The scripts that an installation runs.
const INSTALLING: [&str; 4] = ["preinstall", "install", "postinstall", "prepare"];

impl Resolver<'_> {
    pub(super) fn package_manager(&mut self, family: Family, words: &[ShellWord], site: &CallSite) {
        let texts: Vec<String> = words.iter().map(|word| word.text.clone()).collect();
        let mut asked = asked(family, &texts);
        let folder = asked.folder.as_deref().map(|folder| join(&site.folder, folder));
        let site = match folder {
            Some(Some(folder)) => site.within(&folder),
            Some(None) => return,
            None => site.clone(),
        };
        if family == Family::Yarn {
            yarn_workspaces(&mut asked);
        }
        let names = script_names(family, &asked.words);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        if family == Family::Deno {
            self.deno(&asked.words, words, &site);
        } else if family == Family::Composer {
            for name in names {
                self.composer_script(name, &site);
            }
        } else {
            self.package_scripts(family, &names, &asked, &site);
        }
    }

    fn package_scripts(
        &mut self,
        family: Family,
        names: &[&str],
        asked: &PackageArgs,
        site: &CallSite,
    ) {
        if asked.all_members || !asked.members.is_empty() {
            for member in self.chosen_members(&asked.members, site) {
                for name in names {
                    self.package_script(name, &member);
                }
            }
            return;
        }
        let mut is_known = false;
        for name in names {
            is_known |= self.package_script(name, site);
        }
        if !is_known {
            self.package_program(family, &asked.words, site);
        }
    }

    /// Adds a script of `package.json`, its `pre` and `post` scripts, and the commands that they
    /// run.
    pub(super) fn package_script(&mut self, name: &str, site: &CallSite) -> bool {
        let Some((path, values)) = self.manifest("package.json", site) else { return false };
        let Some(scripts) = values.at(&["scripts"]).and_then(Datum::table) else { return false };
        for name in [format!("pre{name}"), name.to_owned(), format!("post{name}")] {
            let Some(value) = scripts.get(&name) else { continue };
            let mut inner = site.within(folder_of(&path));
            add_bins(BinFolder::Node, &mut inner);
            let part = format!("scripts.{name}");
            // It runs the script.
            self.program(&ShellWord::known("sh"), &inner);
            self.package_variables(value.text().unwrap_or_default(), &inner);
            match value.text() {
                Some("wireit") => {
                    let key = self.runner(&path, &part, "wireit", &inner);
                    self.wireit(&path, &values, &name, &inner.through(&key));
                }
                Some(text) => self.shell_steps(&path, &part, text, &inner),
                None => {
                    self.runner(&path, &part, &value.canonical(), &inner);
                }
            }
            if name.starts_with("post") {
                // It runs only after the script has succeeded, and must succeed as well.
                self.adds(&PartKey::part(&path, &part));
            }
        }
        scripts.contains_key(name)
    }

    /// Finds the manifest in the folder or above, as package managers do.
    pub(super) fn manifest(&mut self, name: &str, site: &CallSite) -> Option<(String, Datum)> {
        let folders = upwards(&site.folder);
        let path =
            folders.iter().map(|folder| below(folder, name)).find(|path| self.exists(path))?;
        let values = self.values(&path, Datum::json, site)?;
        Some((path, values))
    }

    /// Follows a word that is not a script as a program of the project: `yarn jest`.
    fn package_program(&mut self, family: Family, words: &[String], site: &CallSite) {
        let is_direct = matches!(family, Family::Yarn | Family::Pnpm | Family::Bun);
        let words = match words {
            [first, rest @ ..] if first == "run" => rest,
            other => other,
        };
        let first = words.first().filter(|first| is_direct && !NO_SCRIPTS.contains(&&***first));
        if first.is_none_or(|first| first == "test" && family == Family::Bun) {
            return;
        }
        let mut site = site.clone();
        add_bins(BinFolder::Node, &mut site);
        if family == Family::Bun && words[0].contains('.') {
            self.script_word(&ShellWord::known(&*words[0]), &site);
        } else {
            self.later(words.iter().map(ShellWord::known).collect(), site);
        }
    }

    /// Follows `run-s a b`: each word is a script, and `a:*` matches several.
    pub(super) fn run_all(&mut self, words: &[String], site: &CallSite) {
        for word in words.iter().filter(|word| !word.starts_with('-')) {
            self.scripts_like(word, site);
        }
    }

    /// Follows `concurrently "npm:a" "b c"`.
    pub(super) fn concurrently(&mut self, words: &[String], site: &CallSite) {
        for word in words.iter().filter(|word| !word.starts_with('-')) {
            match ["npm:", "pnpm:", "yarn:", "bun:"]
                .iter()
                .find_map(|start| word.strip_prefix(start))
            {
                Some(name) => self.scripts_like(name, site),
                None => self.shell(word, site),
            }
        }
    }

    fn scripts_like(&mut self, pattern: &str, site: &CallSite) {
        let name = pattern.split(' ').next().unwrap_or(pattern);
        let Some((start, _)) = name.split_once('*') else {
            self.package_script(name, site);
            return;
        };
        let Some((_, values)) = self.manifest("package.json", site) else { return };
        let scripts = values.at(&["scripts"]).and_then(Datum::table).into_iter().flatten();
        let names: Vec<String> =
            scripts.map(|(name, _)| name.clone()).filter(|name| name.starts_with(start)).collect();
        for name in names {
            self.package_script(&name, site);
        }
    }

    /// Follows `turbo run test`: the script of that name in every member, and here.
    pub(super) fn member_scripts(&mut self, runner: &str, words: &[String], site: &CallSite) {
        let is_name =
            |word: &&String| !word.starts_with('-') && *word != "run" && *word != "run-many";
        let targets = ["--target", "-t"].iter().flat_map(|option| option_values(words, option));
        let names: Vec<String> = words.iter().filter(is_name).cloned().chain(targets).collect();
        let members = self.chosen_members(&[], site);
        for name in names {
            // Covers `nx test app` and `nx run app:test`.
            let name = name.rsplit(':').next().unwrap_or(&name).to_owned();
            for member in &members {
                self.package_script(&name, member);
            }
            self.member_tasks(runner, &name, site);
        }
    }

    /// Adds a workspace runner's own settings for a task.
    fn member_tasks(&mut self, runner: &str, name: &str, site: &CallSite) {
        let tables: &[(&str, &str)] = match runner {
            "turbo" => &[("turbo.json", "tasks"), ("turbo.json", "pipeline")],
            "nx" => &[("nx.json", "targetDefaults")],
            _ => return,
        };
        for folder in upwards(&site.folder) {
            for (file, table) in tables {
                self.member_task(&below(&folder, file), table, name, site);
            }
        }
        let mut projects = self.paths_below(&site.folder);
        projects.retain(|path| runner == "nx" && file_name(path) == "project.json");
        for path in projects.into_iter().take(MOST_PROJECTS) {
            let member = folder_of(&path).to_owned();
            self.know(KnownThen::Member(member.clone()));
            let inner = CallSite { member: Some(member), ..site.clone() };
            self.member_task(&path, "targets", name, &inner);
        }
    }

    fn member_task(&mut self, path: &str, table: &str, name: &str, site: &CallSite) {
        let Some(values) = self.values(path, Datum::json, site) else { return };
        let tasks = values.at(&[table]).and_then(Datum::table).into_iter().flatten();
        // `app#test` is the task of one member.
        let is_own = |task: &str| task.rsplit('#').next() == Some(name);
        for (task, value) in tasks.filter(|(task, _)| is_own(task)) {
            self.runner(path, &format!("{table}.{task}"), &value.canonical(), site);
        }
    }

    fn deno(&mut self, words: &[String], all: &[ShellWord], site: &CallSite) {
        match words {
            [first, name, ..] if first == "task" => {
                for file in ["deno.json", "deno.jsonc"] {
                    self.deno_task(file, name, site);
                }
                self.package_script(name, site);
            }
            [first, ..] if first == "run" => self.interpreter(&all[1..], site),
            [first, ..] => {
                let keys: &[&str] = match &**first {
                    "lint" => &["lint"],
                    "fmt" => &["fmt"],
                    "check" => &["compilerOptions"],
                    _ => return,
                };
                for file in ["deno.json", "deno.jsonc"] {
                    let Some((path, values)) = self.manifest(file, site) else { continue };
                    for key in keys {
                        if let Some(value) = values.at(&[key]) {
                            self.settings(&path, key, value, site);
                        }
                    }
                }
            }
            [] => {}
        }
    }

    fn deno_task(&mut self, file: &str, name: &str, site: &CallSite) {
        let Some((path, values)) = self.manifest(file, site) else { return };
        let Some(task) = values.at(&["tasks", name]) else { return };
        let (part, site) = (format!("tasks.{name}"), site.within(folder_of(&path)));
        if let Some(line) = task.text() {
            self.shell_steps(&path, &part, line, &site);
            return;
        }
        let key = self.runner(&path, &part, &task.canonical(), &site);
        let inner = site.through(&key);
        let line = task.at(&["command"]).and_then(Datum::text);
        self.shell(line.unwrap_or_default(), &inner);
        let before: Vec<String> = task
            .at(&["dependencies"])
            .map(|names| names.texts().map(str::to_owned).collect())
            .unwrap_or_default();
        for name in before {
            let words = ["deno", "task", &name].map(ShellWord::known);
            self.later(words.to_vec(), inner.clone());
        }
    }

    fn composer_script(&mut self, name: &str, site: &CallSite) {
        let Some((path, values)) = self.manifest("composer.json", site) else { return };
        let Some(script) = values.at(&["scripts", name]) else { return };
        let mut site = site.within(folder_of(&path));
        add_bins(BinFolder::Vendor, &mut site);
        let lines: Vec<String> = script.texts().map(str::to_owned).collect();
        let keys = self.steps(&path, &format!("scripts.{name}"), &lines, &site);
        for (at, line) in lines.iter().enumerate() {
            let inner = keys.get(at).map_or(site.clone(), |key| site.through(key));
            match line.strip_prefix('@') {
                Some(rest) if rest.starts_with("php ") || rest.starts_with("composer ") => {
                    self.shell(rest, &inner);
                }
                Some(rest) if rest.starts_with("putenv ") => {}
                Some(other) => {
                    let other = other.split(' ').next().unwrap_or(other);
                    let words = ["composer", "run-script", other].map(ShellWord::known);
                    self.later(words.to_vec(), inner.clone());
                }
                None => self.shell(line, &inner),
            }
        }
    }
}

/// Parses the arguments of a package manager.
fn asked(family: Family, words: &[String]) -> PackageArgs {
    let mut asked = PackageArgs::default();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let (name, value) = match word.split_once('=') {
            Some((name, value)) if name.starts_with('-') => (name, Some(value.to_owned())),
            _ => (&**word, None),
        };
        match name {
            "--" if !asked.words.is_empty() => break,
            "-C" | "--prefix" | "--dir" | "--cwd" | "--working-dir" | "-d"
                if name != "-d" || family == Family::Composer =>
            {
                asked.folder = value.or_else(|| words.next().cloned());
            }
            "-w" if family == Family::Pnpm => {}
            "-w" | "--workspace" => asked.members.extend(value.or_else(|| words.next().cloned())),
            "--filter" | "-F" => asked.members.extend(value.or_else(|| words.next().cloned())),
            "-ws" | "--workspaces" | "-r" | "--recursive" => asked.all_members = true,
            option if VALUED.contains(&option) && value.is_none() => {
                words.next();
            }
            option if option.starts_with('-') => {}
            _ => asked.words.push(word.clone()),
        }
    }
    asked
}

/// Handles `yarn workspace a test`, `yarn workspaces run test`, `yarn workspaces foreach run test`.
fn yarn_workspaces(asked: &mut PackageArgs) {
    match asked.words.first().map(String::as_str) {
        Some("workspace") if asked.words.len() > 1 => {
            let member = asked.words.drain(..2).nth(1);
            asked.members.extend(member);
        }
        Some("workspaces") => {
            asked.words.remove(0);
            asked.words.retain(|word| word != "foreach");
            asked.all_members = true;
        }
        Some(_) | None => {}
    }
}

/// Returns the scripts named in the arguments.
fn script_names(family: Family, words: &[String]) -> Vec<String> {
    let one = |name: &str| vec![name.to_owned()];
    let Some(first) = words.first().map(String::as_str) else { return Vec::new() };
    let second = words.get(1).map(String::as_str);
    match (family, first, second) {
        (_, "run" | "run-script" | "rum" | "urn", Some(name)) => one(name),
        (
            Family::Npm,
            "test" | "t" | "tst" | "it" | "install-test" | "cit" | "install-ci-test",
            _,
        )
        | (Family::Pnpm, "t", _) => one("test"),
        (Family::Npm | Family::Pnpm | Family::Yarn | Family::Bun, "install" | "ci" | "i", _) => {
            INSTALLING.map(str::to_owned).to_vec()
        }
        (Family::Npm, "start" | "stop" | "restart", _) => one(first),
        // `bun test` is bun's own runner, even if a script has that name.
        (Family::Npm, _, _) | (Family::Bun, "test", _) | (_, "run" | "run-script", None) => {
            Vec::new()
        }
        (_, first, _) => one(first),
    }
}

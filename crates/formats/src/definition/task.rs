//! task: the tasks of a Taskfile, their dependencies, and the variables that they use.

use std::collections::BTreeSet;

use super::config::option_values;
use super::paths::{below, folder_of, has_ending, join, upwards};
use super::read::Datum;
use super::resolver::{CallSite, Resolver};
use crate::shell::ShellWord;

/// The most files and tasks that are followed.
const MOST: usize = 200;

/// Keys that do not affect a run: descriptions, and up-to-date checks.
const NOT_RUN: [&str; 4] = ["desc", "summary", "aliases", "sources"];

impl Resolver<'_> {
    pub(super) fn task(&mut self, args: &[String], site: &CallSite) {
        let named =
            ["-t", "--taskfile"].iter().flat_map(|option| option_values(args, option)).last();
        let folder = ["-d", "--dir"].iter().flat_map(|option| option_values(args, option)).last();
        let start = folder
            .and_then(|folder| join(&site.folder, &folder))
            .unwrap_or_else(|| site.folder.clone());
        let mut files = Vec::new();
        for stem in ["Taskfile", "taskfile", "Taskfile.dist", "taskfile.dist"] {
            files.extend(["yml", "yaml"].map(|ending| format!("{stem}.{ending}")));
        }
        let files = named.map_or(files, |file| vec![file]);
        let folders = upwards(&start);
        let paths: Vec<String> = folders
            .iter()
            .flat_map(|folder| files.iter().filter_map(|file| join(folder, file)))
            .collect();
        let Some(path) = paths.into_iter().find(|path| self.exists(path)) else {
            let words: Vec<ShellWord> = args.iter().map(ShellWord::known).collect();
            self.table_task("task", &words, site);
            return;
        };
        let is_task = |arg: &&String| !arg.starts_with('-') && !arg.contains('=');
        let mut tasks: Vec<String> =
            args.iter().take_while(|arg| *arg != "--").filter(is_task).cloned().collect();
        tasks.retain(|task| !files.contains(task));
        if tasks.is_empty() {
            tasks.push("default".to_owned());
        }
        let mut open: Vec<(String, String, CallSite)> =
            tasks.into_iter().map(|task| (path.clone(), task, site.clone())).collect();
        let mut seen = BTreeSet::new();
        while let Some((path, task, at)) = open.pop() {
            if seen.len() < MOST && seen.insert((path.clone(), task.clone())) {
                open.extend(self.one_task(&path, &task, &at));
            }
        }
    }

    /// Adds a task, and returns its dependencies.
    fn one_task(
        &mut self,
        path: &str,
        name: &str,
        site: &CallSite,
    ) -> Vec<(String, String, CallSite)> {
        let Some(values) = self.values(path, Datum::yaml, site) else { return Vec::new() };
        for key in ["env", "dotenv", "set", "shopt", "silent"] {
            if let Some(value) = values.at(&[key]) {
                self.runner(path, key, &value.canonical(), site);
            }
        }
        let Some(task) = values.at(&["tasks", name]) else {
            return self.included_task(path, &values, name, site);
        };
        let kept = NOT_RUN.iter().fold(task.clone(), |task, key| task.without(key));
        let (head, mut steps) = (kept.clone().without("cmds").canonical(), Vec::new());
        for (at, command) in
            kept.at(&["cmds"]).map(Datum::items).unwrap_or_default().iter().enumerate()
        {
            let head = if at == 0 { &*head } else { "" };
            steps.push(format!("{head}{}", command.canonical()));
        }
        if steps.is_empty() {
            steps.push(head);
        }
        let keys = self.steps(path, &format!("tasks.{name}"), &steps, site);
        let folder =
            task.at(&["dir"]).and_then(Datum::text).and_then(|dir| join(folder_of(path), dir));
        let site = site.within(&folder.unwrap_or_else(|| folder_of(path).to_owned()));
        let at_step =
            |at: usize| keys.get(at).or(keys.first()).map_or(site.clone(), |key| site.through(key));
        let inner = at_step(0);
        let mut next = Vec::new();
        let commands = task.at(&["cmds"]).or_else(|| task.at(&["cmd"])).unwrap_or(task).items();
        let commands =
            commands.iter().chain(task.at(&["deps"]).map(Datum::items).unwrap_or_default());
        let needs: BTreeSet<&str> =
            task.at(&["deps"]).map(|deps| deps.texts().collect()).unwrap_or_default();
        for (at, command) in commands.enumerate() {
            let inner = at_step(at);
            let task = command.at(&["task"]).and_then(Datum::text);
            let line = command.text().or_else(|| command.at(&["cmd"])?.text());
            let needed = task.or_else(|| command.text().filter(|text| needs.contains(text)));
            match (needed, line) {
                (Some(task), _) => next.push((
                    path.to_owned(),
                    task.trim_start_matches(':').to_owned(),
                    inner.clone(),
                )),
                (None, Some(line)) => self.shell(line, &inner),
                (None, None) => {}
            }
        }
        self.task_variables(path, &values, &kept.canonical(), &inner);
        next
    }

    /// Adds the file's variables that a text uses, and the variables that those use.
    fn task_variables(&mut self, path: &str, values: &Datum, text: &str, site: &CallSite) {
        let Some(all) = values.at(&["vars"]).and_then(Datum::table) else { return };
        let (mut texts, mut seen) = (vec![text.to_owned()], BTreeSet::new());
        while let Some(text) = texts.pop() {
            for (name, value) in all {
                if text.contains(&format!(".{name}")) && seen.insert(name) {
                    let value = value.canonical();
                    self.runner(path, &format!("vars.{name}"), &value, site);
                    texts.push(value);
                }
            }
        }
    }

    /// Returns the task that `lib:test` names: `test` in the file included as `lib`.
    fn included_task(
        &mut self,
        path: &str,
        values: &Datum,
        name: &str,
        site: &CallSite,
    ) -> Vec<(String, String, CallSite)> {
        let Some((space, inner)) = name.split_once(':') else { return Vec::new() };
        let Some(include) = values.at(&["includes", space]) else { return Vec::new() };
        let key = self.runner(path, &format!("includes.{space}"), &include.canonical(), site);
        let file = include.text().or_else(|| include.at(&["taskfile"])?.text()).unwrap_or_default();
        let Some(file) = join(folder_of(path), file) else { return Vec::new() };
        let files = ["Taskfile.yml", "Taskfile.yaml"].map(|name| below(&file, name));
        let files = if has_ending(&file, &["yml", "yaml"]) { vec![file] } else { files.to_vec() };
        files.into_iter().map(|file| (file, inner.to_owned(), site.through(&key))).collect()
    }
}

//! Tasks in a table of a manifest: poe, pdm, hatch, rye, pixi, pipenv, taskipy, wireit.

use std::collections::BTreeSet;

use sprag_core::runners::BinFolder;

use super::command::add_bins;
use super::paths::{below, file_name, upwards};
use super::read::{Datum, toml};
use super::resolver::{CallSite, Resolver};
use crate::shell::ShellWord;

/// The most tasks that are followed.
const MOST: usize = 100;

/// The tables of each runner: a file, and the keys to the table in it. `*` is the environment.
const TABLES: [(&str, &[(&str, &str)]); 7] = [
    ("poe", &[("pyproject.toml", "tool.poe.tasks"), ("poe_tasks.toml", "tasks")]),
    ("pdm run", &[("pyproject.toml", "tool.pdm.scripts")]),
    (
        "hatch run",
        &[("pyproject.toml", "tool.hatch.envs.*.scripts"), ("hatch.toml", "envs.*.scripts")],
    ),
    ("rye run", &[("pyproject.toml", "tool.rye.scripts")]),
    ("pixi run", &[("pyproject.toml", "tool.pixi.tasks"), ("pixi.toml", "tasks")]),
    ("pipenv run", &[("Pipfile", "scripts")]),
    ("task", &[("pyproject.toml", "tool.taskipy.tasks")]),
];

/// The keys with a task's commands.
const RUNS: [&str; 8] =
    ["chain", "cmd", "command", "composite", "script", "sequence", "shell", "expr"];

/// The keys with a task's prerequisites.
const NEEDS: [&str; 5] = ["dependencies", "depends-on", "depends_on", "deps", "needs"];

impl Resolver<'_> {
    /// Adds the task that the words name. Returns whether it exists.
    pub(super) fn table_task(
        &mut self,
        runner: &str,
        words: &[ShellWord],
        site: &CallSite,
    ) -> bool {
        let Some((_, tables)) = TABLES.iter().find(|(name, _)| *name == runner) else {
            return false;
        };
        let Some(named) = words.iter().find(|word| !word.text.starts_with('-')) else {
            return false;
        };
        let (environment, name) = named.text.split_once(':').unwrap_or(("default", &named.text));
        let mut is_found = false;
        for folder in upwards(&site.folder) {
            for (file, keys) in *tables {
                let path = below(&folder, file);
                let Some(values) = self.values(&path, toml, site) else { continue };
                let keys = keys.replace('*', environment);
                // Only an environment comes before a colon.
                let name = if keys.contains(environment) { name } else { &*named.text };
                is_found |= self.tasks_of(&path, &values, &keys, name, site);
            }
        }
        is_found
    }

    /// Adds a task of `wireit` in `package.json`.
    pub(super) fn wireit(&mut self, path: &str, values: &Datum, name: &str, site: &CallSite) {
        self.tasks_of(path, values, "wireit", name, site);
    }

    /// Adds a task of a table, its prerequisites, and the commands that they run.
    fn tasks_of(
        &mut self,
        path: &str,
        values: &Datum,
        keys: &str,
        name: &str,
        site: &CallSite,
    ) -> bool {
        let Some(table) = values.at(&keys.split('.').collect::<Vec<_>>()).and_then(Datum::table)
        else {
            return false;
        };
        let (mut open, mut seen) = (vec![(name.to_owned(), site.clone())], BTreeSet::new());
        while let Some((name, at)) = open.pop() {
            let Some(task) = table.get(&name).filter(|_| seen.len() < MOST) else { continue };
            if !seen.insert(name.clone()) {
                continue;
            }
            let key =
                self.runner(path, &format!("{keys}.{name}"), &without_help(task).canonical(), &at);
            let mut inner = at.through(&key);
            let is_node = file_name(path) == "package.json";
            let bins = if is_node { BinFolder::Node } else { BinFolder::Python };
            add_bins(bins, &mut inner);
            for line in lines(task, &RUNS) {
                let first = line.split_whitespace().next().unwrap_or_default();
                if table.contains_key(first) && first != name {
                    open.push((first.to_owned(), inner.clone()));
                } else {
                    self.shell(&line, &inner);
                }
            }
            let needs = task.table().map(|_| lines(task, &NEEDS)).unwrap_or_default();
            open.extend(needs.into_iter().map(|name| (name, inner.clone())));
        }
        !seen.is_empty()
    }
}

/// Returns the texts of a task under these keys. A task that is not a table is its own text.
fn lines(task: &Datum, keys: &[&str]) -> Vec<String> {
    match task {
        Datum::Table(table) => {
            let own = table.iter().filter(|(key, _)| keys.contains(&&***key));
            let own = own.flat_map(|(_, value)| value.items());
            own.flat_map(|item| match item {
                Datum::Table(_) => lines(item, &[keys, &["script", "task", "ref"]].concat()),
                Datum::Text(text) => vec![text.clone()],
                Datum::List(_) | Datum::Bare(_) => Vec::new(),
            })
            .collect()
        }
        Datum::List(_) | Datum::Text(_) | Datum::Bare(_) => {
            task.texts().map(str::to_owned).collect()
        }
    }
}

/// Removes descriptions, which do not affect a run.
fn without_help(task: &Datum) -> Datum {
    ["help", "description", "doc"].iter().fold(task.clone(), |task, key| task.without(key))
}

//! cargo, nextest and clippy: the test targets, and the settings that build them.
//!
//! `build.rs` does not count. It is code of the package, like `src`: it cannot remove a test
//! without a `cfg` in that test's own file, and honest work edits it.

use std::collections::{BTreeMap, BTreeSet};

use sprag_core::definition::{KnownThen, PartKey, PartRole, WhenNew};
use sprag_core::runners::Reads;

use super::config::option_values;
use super::paths::{below, file_name, folder_of, has_ending, join, upwards};
use super::read::{Datum, toml};
use super::resolver::{CallSite, FileText, MAX_SCRIPT_FILES, Resolver};
use crate::shell::ShellWord;

/// The keys of a target that determine whether and how it is tested.
const TARGET_KEYS: [&str; 7] =
    ["test", "harness", "path", "doctest", "required-features", "bench", "proc-macro"];

/// The tables of `.cargo/config.toml` that change how tests are built and run.
const CONFIG_TABLES: [&str; 5] = ["build", "target", "env", "profile", "unstable"];

/// The keys of a profile that can change test results.
const PROFILE_KEYS: [&str; 5] =
    ["debug-assertions", "overflow-checks", "panic", "rustflags", "inherits"];

/// The most features of a package that are read.
const MOST_FEATURES: usize = 500;

/// The subcommands that test.
const TESTING: [&str; 9] =
    ["test", "t", "nextest", "llvm-cov", "tarpaulin", "mutants", "miri", "bench", "careful"];

impl Resolver<'_> {
    pub(super) fn cargo(&mut self, args: &[String], site: &CallSite) {
        let mut args: &[String] = args;
        let has_toolchain = args.first().is_some_and(|first| first.starts_with('+'));
        // For example `cargo +nightly -C dir test`.
        let mut site = site.clone();
        while let Some(first) = args.first().filter(|first| first.starts_with(['+', '-'])) {
            let is_valued = matches!(&**first, "-C" | "--config" | "-Z" | "--color");
            if let Some(folder) = args.get(1).filter(|_| first == "-C") {
                site.folder = join(&site.folder, folder).unwrap_or_default();
            }
            args = &args[(1 + usize::from(is_valued)).min(args.len())..];
        }
        let Some((command, rest)) = args.split_first() else { return };
        if !has_toolchain {
            self.toolchain(&site);
        }
        self.cargo_config(command, rest, &site);
        match &**command {
            "clippy" | "check" | "build" | "c" | "b" | "doc" => self.cargo_lints(rest, &site),
            "fmt" => self.files(&["rustfmt.toml", ".rustfmt.toml"], &site),
            "deny" => self.files(&["deny.toml", ".deny.toml", ".cargo/deny.toml"], &site),
            "make" => self.cargo_make(rest, &site),
            "run" | "r" => self.cargo_xtask(rest, &site),
            command if TESTING.contains(&command) => self.cargo_test(command, rest, &site),
            _ => {}
        }
    }

    fn files(&mut self, names: &[&str], site: &CallSite) {
        for folder in upwards(&site.folder) {
            for name in names {
                self.config_file(&below(&folder, name), Reads::Settings, site);
            }
        }
    }

    /// Adds the toolchain of this folder, from which rustup takes cargo and all that it starts.
    fn toolchain(&mut self, site: &CallSite) {
        for folder in upwards(&site.folder) {
            for name in ["rust-toolchain", "rust-toolchain.toml"] {
                let path = below(&folder, name);
                let text = match self.text(&path) {
                    FileText::Absent => continue,
                    FileText::Opaque => None,
                    FileText::Text(text) => Some(text),
                };
                let values = text.as_ref().and_then(|text| toml(text));
                let table = values.as_ref().and_then(|values| values.at(&["toolchain"]));
                match (table, text.as_deref().map(str::trim)) {
                    (Some(table), _) => self.toolchain_table(&path, table, site),
                    // The file may hold no more than a channel.
                    (None, Some(channel)) if !channel.contains('\n') => {
                        self.runner(&path, "toolchain.channel", channel, site);
                    }
                    (None, _) => {
                        self.whole(&path, PartRole::Runner, site);
                    }
                }
            }
        }
    }

    /// Adds what chooses a toolchain. More components and targets change nothing in a run.
    fn toolchain_table(&mut self, path: &str, table: &Datum, site: &CallSite) {
        for key in ["channel", "path"] {
            let Some(value) = table.at(&[key]) else { continue };
            let text = value.text().map_or_else(|| value.canonical(), str::to_owned);
            self.runner(path, &format!("toolchain.{key}"), &text, site);
            let own = join(folder_of(path), &text).filter(|_| key == "path");
            for name in ["cargo", "rustc", "rustdoc"] {
                if let Some(own) = &own {
                    self.add_program(&below(own, &format!("bin/{name}")), name, site);
                }
            }
        }
    }

    /// Adds cargo's settings in this folder and above, and follows an alias.
    fn cargo_config(&mut self, command: &str, args: &[String], site: &CallSite) {
        for folder in upwards(&site.folder) {
            for name in [".cargo/config.toml", ".cargo/config"] {
                let path = below(&folder, name);
                let Some(values) = self.values(&path, toml, site) else { continue };
                for table in CONFIG_TABLES {
                    if let Some(value) = values.at(&[table]) {
                        self.runner(&path, table, &value.canonical(), site);
                    }
                }
                let Some(alias) = values.at(&["alias", command]) else { continue };
                let key = self.runner(&path, &format!("alias.{command}"), &alias.canonical(), site);
                let words = match alias.text() {
                    Some(line) => line.split_whitespace().map(str::to_owned).collect::<Vec<_>>(),
                    None => alias.texts().map(str::to_owned).collect(),
                };
                let words =
                    std::iter::once("cargo".to_owned()).chain(words).chain(args.iter().cloned());
                self.later(words.map(ShellWord::known).collect(), site.through(&key));
            }
        }
    }

    fn cargo_test(&mut self, command: &str, args: &[String], site: &CallSite) {
        let named = option_values(args, "--manifest-path").pop();
        let folder = named.and_then(|path| join(&site.folder, &path));
        let start = folder.map_or(site.folder.clone(), |path| folder_of(&path).to_owned());
        let folders = upwards(&start);
        let Some(own) =
            folders.iter().find(|folder| self.exists(&below(folder, "Cargo.toml"))).cloned()
        else {
            return;
        };
        let mut members = vec![own.clone()];
        for folder in upwards(&own) {
            let path = below(&folder, "Cargo.toml");
            let Some(values) = self.values(&path, toml, site) else { continue };
            self.profiles(&path, &values, args, site);
            if values.at(&["workspace"]).is_some() {
                members.extend(self.cargo_members(&path, &values, &own, site));
                break;
            }
        }
        members.sort();
        members.dedup();
        let kinds = target_kinds(command, args);
        for member in members {
            let is_own = member == own;
            let inner = CallSite { member: (!is_own).then(|| member.clone()), ..site.clone() };
            self.know(KnownThen::Member(member.clone()));
            self.cargo_targets(&member, &kinds, &inner);
            if !args.iter().any(|arg| arg == "--all-features" || arg == "--no-default-features") {
                self.default_features(&member, &inner);
            }
        }
        match command {
            "nextest" => self.nextest(&start, args, site),
            "tarpaulin" => self.files(&["tarpaulin.toml", ".tarpaulin.toml"], site),
            _ => {}
        }
    }

    /// Adds the profiles that build the tests.
    fn profiles(&mut self, path: &str, values: &Datum, args: &[String], site: &CallSite) {
        if let Some(profile) = values.at(&["profile", "test"]) {
            self.runner(path, "profile.test", &profile.canonical(), site);
        }
        let mut names = vec!["dev".to_owned()];
        if args.iter().any(|arg| arg == "--release" || arg == "-r") {
            names.push("release".to_owned());
        }
        names.extend(option_values(args, "--cargo-profile"));
        for name in names {
            let Some(profile) = values.at(&["profile", &name]).and_then(Datum::table) else {
                continue;
            };
            let text = kept(profile, &PROFILE_KEYS);
            if !text.is_empty() {
                self.runner(path, &format!("profile.{name}"), &text, site);
            }
        }
    }

    /// Adds the list of members and returns their folders.
    fn cargo_members(
        &mut self,
        path: &str,
        values: &Datum,
        own: &str,
        site: &CallSite,
    ) -> Vec<String> {
        let list = |key: &str| -> Vec<String> {
            let list = values.at(&["workspace", key]);
            list.map(|list| list.texts().map(str::to_owned).collect()).unwrap_or_default()
        };
        let (members, default, without) =
            (list("members"), list("default-members"), list("exclude"));
        let mut found = self.matched(path, "workspace.members", &members, "Cargo.toml", site);
        if !default.is_empty() {
            // With such a list, the other members are left out.
            self.runner(path, "workspace.default-members", "a list", site);
            self.matched(path, "workspace.default-members", &default, "Cargo.toml", site);
        }
        if !without.is_empty() {
            self.runner(path, "workspace.exclude", &without.join("\n"), site);
        }
        // Only a test at the top runs the members.
        let is_top = own == folder_of(path);
        found.retain(|_| is_top);
        found
    }

    /// Adds the targets of a package, as far as the manifest configures their tests.
    fn cargo_targets(&mut self, folder: &str, kinds: &[&str], site: &CallSite) {
        let path = below(folder, "Cargo.toml");
        let Some(values) = self.values(&path, toml, site) else { return };
        for key in ["autotests", "autobins", "autoexamples", "autobenches", "autolib"] {
            if let Some(value) = values.at(&["package", key]) {
                self.runner(&path, &format!("package.{key}"), &value.canonical(), site);
            }
        }
        self.know_targets(folder, &path);
        for kind in kinds {
            let Some(all) = values.at(&[kind]) else { continue };
            for target in all.items() {
                let Some(table) = target.table() else { continue };
                let name = table.get("name").and_then(Datum::text);
                let part = match name.filter(|_| *kind != "lib") {
                    Some(name) => format!("{kind}.{name}"),
                    None => (*kind).to_owned(),
                };
                let text = kept(table, &TARGET_KEYS);
                if !text.is_empty() {
                    // A new target only adds, unless it replaces one that cargo found on its own.
                    let known = KnownThen::Target(PartKey::part(&path, &part));
                    self.runner_if(&path, &part, &text, site, WhenNew::DoubtedIf(known));
                }
            }
        }
    }

    /// Adds every feature that is on by default, directly or through another one, as a part of its
    /// own: without it, code and its tests are left out. One more only adds.
    fn default_features(&mut self, folder: &str, site: &CallSite) {
        let path = below(folder, "Cargo.toml");
        let Some(values) = self.values(&path, toml, site) else { return };
        let list = |name: &str| -> Vec<String> {
            let list = values.at(&["features", name]);
            list.map(|list| list.texts().map(str::to_owned).collect()).unwrap_or_default()
        };
        let (mut open, mut found) = (list("default"), BTreeSet::new());
        while let Some(name) = open.pop() {
            if found.len() < MOST_FEATURES && found.insert(name.clone()) {
                open.extend(list(&name));
            }
        }
        // The name of a dependency is no feature of this package.
        for name in found.iter().filter(|name| !name.contains([':', '/'])) {
            self.runner_if(&path, &format!("features.default {name}"), "", site, WhenNew::Free);
        }
    }

    /// Records the targets that cargo finds by their files.
    fn know_targets(&mut self, folder: &str, manifest: &str) {
        let mut names = Vec::new();
        for path in self.paths_below(folder) {
            let inner = path.strip_prefix(folder).unwrap_or(&path).trim_start_matches('/');
            let part = match inner.split('/').collect::<Vec<_>>()[..] {
                ["src", "lib.rs"] => "lib".to_owned(),
                ["src", "main.rs"] => "bin".to_owned(),
                ["tests", file] | ["tests", file, "main.rs"] => format!("test.{}", stem(file)),
                ["src", "bin", file] | ["src", "bin", file, "main.rs"] => {
                    format!("bin.{}", stem(file))
                }
                ["examples", file] => format!("example.{}", stem(file)),
                ["benches", file] => format!("bench.{}", stem(file)),
                _ => continue,
            };
            names.push(part);
        }
        for part in names {
            self.know(KnownThen::Target(PartKey::part(manifest, &part)));
        }
    }

    fn nextest(&mut self, folder: &str, args: &[String], site: &CallSite) {
        let mut profiles = vec!["default".to_owned()];
        profiles.extend(option_values(args, "-P"));
        profiles.extend(option_values(args, "--profile"));
        let named = option_values(args, "--config-file");
        let paths =
            upwards(folder).into_iter().map(|folder| below(&folder, ".config/nextest.toml"));
        let paths = paths.chain(named.iter().filter_map(|path| join(&site.folder, path)));
        for path in paths.collect::<Vec<_>>() {
            let Some(values) = self.values(&path, toml, site) else { continue };
            for name in &profiles {
                if let Some(profile) = values.at(&["profile", name]) {
                    self.runner(&path, &format!("profile.{name}"), &profile.canonical(), site);
                }
            }
            for key in ["script", "scripts"] {
                if let Some(value) = values.at(&[key]) {
                    self.runner(&path, key, &value.canonical(), site);
                }
            }
        }
    }

    /// Adds the lints, which a check of the code depends on.
    fn cargo_lints(&mut self, args: &[String], site: &CallSite) {
        self.files(&["clippy.toml", ".clippy.toml"], site);
        let named = option_values(args, "--manifest-path").pop();
        let start = named
            .and_then(|path| join(&site.folder, &path))
            .map(|path| folder_of(&path).to_owned());
        let start = start.unwrap_or_else(|| site.folder.clone());
        let members: Vec<String> = self
            .paths_below(&start)
            .into_iter()
            .filter(|path| file_name(path) == "Cargo.toml")
            .take(300)
            .collect();
        let above = upwards(&start).into_iter().map(|folder| below(&folder, "Cargo.toml"));
        for path in above.chain(members).collect::<BTreeSet<_>>() {
            let member = folder_of(&path).to_owned();
            self.know(KnownThen::Member(member.clone()));
            let inner = CallSite { member: (member != start).then_some(member), ..site.clone() };
            let Some(values) = self.values(&path, toml, &inner) else { continue };
            for steps in [&["lints"][..], &["workspace", "lints"]] {
                if let Some(value) = values.at(steps) {
                    self.settings(&path, &steps.join("."), value, &inner);
                }
            }
        }
    }

    /// Follows `cargo run -p xtask`: a package of the project that serves as a script.
    fn cargo_xtask(&mut self, args: &[String], site: &CallSite) {
        let named = ["-p", "--package", "--manifest-path"];
        let named: Vec<String> =
            named.iter().flat_map(|option| option_values(args, option)).collect();
        if !named.iter().any(|name| name.contains("xtask")) {
            return;
        }
        let is_own = |path: &String| {
            let mut folders = folder_of(path).split('/');
            folders.any(|folder| folder.contains("xtask")) && has_ending(path, &["rs"])
        };
        let sources: Vec<String> =
            self.paths().iter().filter(|path| is_own(path)).cloned().collect();
        for path in sources {
            if self.scripts.len() >= MAX_SCRIPT_FILES {
                self.found.is_cut = true;
                return;
            }
            self.scripts.insert(path.clone());
            self.whole(&path, PartRole::Script, site);
        }
    }

    /// Follows `cargo make test`: the tasks of `Makefile.toml`.
    fn cargo_make(&mut self, args: &[String], site: &CallSite) {
        let path = below(&site.folder, "Makefile.toml");
        let Some(values) = self.values(&path, toml, site) else { return };
        let named = args.iter().find(|arg| !arg.starts_with('-')).cloned();
        let mut open = vec![(named.unwrap_or_else(|| "default".to_owned()), site.clone())];
        let mut seen = BTreeSet::new();
        while let Some((name, at)) = open.pop() {
            let Some(task) = values.at(&["tasks", &name]).filter(|_| seen.insert(name.clone()))
            else {
                continue;
            };
            let key = self.runner(&path, &format!("tasks.{name}"), &task.canonical(), &at);
            let inner = at.through(&key);
            let texts = |key: &str| {
                task.at(&[key]).map(|value| value.texts().map(str::to_owned).collect::<Vec<_>>())
            };
            let script = texts("script").unwrap_or_default().join("\n");
            self.shell(&script, &inner);
            if let Some(command) = task.at(&["command"]).and_then(Datum::text) {
                let words =
                    std::iter::once(command.to_owned()).chain(texts("args").unwrap_or_default());
                self.later(words.map(ShellWord::known).collect(), inner.clone());
            }
            open.extend(
                texts("dependencies")
                    .unwrap_or_default()
                    .into_iter()
                    .map(|name| (name, inner.clone())),
            );
        }
    }
}

/// Returns the kinds of targets that a command tests; examples and benches only on request.
fn target_kinds(command: &str, args: &[String]) -> Vec<&'static str> {
    let says = |words: &[&str]| args.iter().any(|arg| words.contains(&&**arg));
    let mut kinds = vec!["lib", "bin", "test"];
    if says(&["--all-targets", "--examples", "--example"]) {
        kinds.push("example");
    }
    if command == "bench" || says(&["--all-targets", "--benches", "--bench"]) {
        kinds.push("bench");
    }
    kinds
}

/// Returns these keys of a table as text; empty if it has none of them.
fn kept(table: &BTreeMap<String, Datum>, keys: &[&str]) -> String {
    let kept = table.iter().filter(|(key, _)| keys.contains(&&***key));
    kept.flat_map(|(key, value)| [key.clone(), "=".to_owned(), value.canonical(), "\n".to_owned()])
        .collect()
}

fn stem(file: &str) -> &str {
    file.strip_suffix(".rs").unwrap_or(file)
}

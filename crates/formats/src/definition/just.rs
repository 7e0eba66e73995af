//! just: recipes, their dependencies, and the variables and settings that they use.

use std::collections::BTreeSet;

use sprag_core::definition::PartRole;

use super::config::option_values;
use super::paths::{below, folder_of, join, upwards};
use super::resolver::{CallSite, FileText, Resolver};

/// The most files and recipes that are followed.
const MOST: usize = 200;

/// An unindented item of a justfile, with the indented lines below it.
#[derive(Debug)]
struct JustItem {
    path: String,
    head: String,
    body: Vec<String>,
    /// Lines such as `[private]` before it.
    attributes: String,
}

impl Resolver<'_> {
    pub(super) fn just(&mut self, args: &[String], site: &CallSite) {
        let named =
            ["-f", "--justfile"].iter().flat_map(|option| option_values(args, option)).last();
        let folder = ["-d", "--working-directory"]
            .iter()
            .flat_map(|option| option_values(args, option))
            .last();
        let files = match &named {
            Some(file) => vec![file.as_str()],
            None => vec!["justfile", "Justfile", ".justfile", "JUSTFILE"],
        };
        let folders = upwards(&site.folder);
        let paths: Vec<String> = folders
            .iter()
            .flat_map(|folder| files.iter().filter_map(|file| join(folder, file)))
            .collect();
        let Some(path) = paths.into_iter().find(|path| self.exists(path)) else { return };
        let own = folder.and_then(|folder| join(&site.folder, &folder));
        let site = site.within(&own.unwrap_or_else(|| folder_of(&path).to_owned()));
        let items = self.justfile(&path, &site);
        let mut open: Vec<(String, CallSite)> =
            recipes_in(args, &items).into_iter().map(|name| (name, site.clone())).collect();
        for item in items
            .iter()
            .filter(|item| item.head.starts_with("set ") || item.head.starts_with("export "))
        {
            let name = item.head.split(":=").next().unwrap_or(&item.head).trim();
            self.runner(&item.path, name, &item.head, &site);
        }
        let mut seen = BTreeSet::new();
        while let Some((name, at)) = open.pop() {
            if seen.len() >= MOST || !seen.insert(name.clone()) {
                continue;
            }
            open.extend(self.recipe(&items, &name, &at));
        }
    }

    /// Reads a justfile and its imports.
    fn justfile(&mut self, path: &str, site: &CallSite) -> Vec<JustItem> {
        let (mut items, mut open, mut seen) = (Vec::new(), vec![path.to_owned()], BTreeSet::new());
        while let Some(path) = open.pop() {
            if seen.len() >= MOST || !seen.insert(path.clone()) {
                continue;
            }
            let text = match self.text(&path) {
                FileText::Absent => continue,
                FileText::Opaque => {
                    self.whole(&path, PartRole::Runner, site);
                    continue;
                }
                FileText::Text(text) => text,
            };
            let own = just_items(&path, &text);
            for item in &own {
                let folder = folder_of(&path);
                let words: Vec<&str> = item.head.split_whitespace().collect();
                let file = item.head.split(['"', '\'']).nth(1);
                match (&words[..], file) {
                    (["import" | "import?" | "mod" | "mod?", ..], Some(file)) => {
                        open.extend(join(folder, file));
                    }
                    (["mod" | "mod?", name], None) => {
                        for file in [
                            format!("{name}.just"),
                            format!("{name}/mod.just"),
                            format!("{name}/justfile"),
                        ] {
                            open.push(below(folder, &file));
                        }
                    }
                    (_, _) => {}
                }
            }
            items.extend(own);
        }
        items
    }

    /// Adds a recipe or alias, and returns its dependencies.
    fn recipe(
        &mut self,
        items: &[JustItem],
        name: &str,
        site: &CallSite,
    ) -> Vec<(String, CallSite)> {
        let own = name.rsplit("::").next().unwrap_or(name);
        let mut next = Vec::new();
        for item in items.iter().filter(|item| item_name(&item.head) == Some(own)) {
            let keys = self.steps(&item.path, own, &item.steps(), site);
            let Some(key) = keys.first() else { continue };
            let inner = site.through(key);
            let words = item.head.split(|c: char| !c.is_alphanumeric() && !"_-:".contains(c));
            let after = item.head.find(':').map_or("", |at| &item.head[at..]);
            let needs: BTreeSet<&str> = words.filter(|word| after.contains(word)).collect();
            let used =
                item.body.iter().flat_map(|line| interpolated(line)).collect::<BTreeSet<_>>();
            let is_known = |word: &str| {
                let own = word.rsplit("::").next();
                items.iter().any(|item| own.is_some() && item_name(&item.head) == own)
            };
            let names = needs.into_iter().map(str::to_owned).chain(used);
            next.extend(names.filter(|word| is_known(word)).map(|word| (word, inner.clone())));
            let first = item.body.first().map_or("", |line| line);
            let lines: Vec<&str> =
                item.body.iter().map(|line| line.trim_start_matches(['@', '-'])).collect();
            if first.starts_with("#!") && !first.contains("sh") {
                self.calls_in(&item.body.join("\n"), &inner);
            } else if first.starts_with("#!") {
                self.shell(&lines.join("\n"), &inner);
            } else {
                for (at, line) in lines.iter().enumerate() {
                    let inner = keys.get(at).map_or(inner.clone(), |key| site.through(key));
                    self.shell(line, &inner);
                }
            }
        }
        next
    }
}

impl JustItem {
    /// Returns the lines that must all succeed. A recipe that is its own script is a single step.
    fn steps(&self) -> Vec<String> {
        let head = format!("{}{}\n", self.attributes, self.head);
        match self.body.split_first() {
            Some((first, rest)) if !first.starts_with("#!") => {
                std::iter::once(format!("{head}{first}")).chain(rest.iter().cloned()).collect()
            }
            Some(_) | None => vec![format!("{head}{}", self.body.join("\n"))],
        }
    }
}

/// Returns the recipes named in the arguments, or the first one of the file.
fn recipes_in(args: &[String], items: &[JustItem]) -> Vec<String> {
    const VALUED: [&str; 4] = ["-f", "--justfile", "-d", "--working-directory"];
    let (mut found, mut args) = (Vec::new(), args.iter());
    let is_recipe = |word: &str| items.iter().any(|item| item_name(&item.head) == Some(word));
    while let Some(arg) = args.next() {
        if VALUED.contains(&&**arg) || arg == "--set" {
            args.next();
        } else if !arg.starts_with('-') && is_recipe(arg.rsplit("::").next().unwrap_or(arg)) {
            found.push(arg.clone());
        }
    }
    if found.is_empty() {
        let is_default = |item: &&JustItem| item.attributes.contains("[default]");
        let is_set = |item: &&JustItem| !item.head.contains(":=") && item.head.contains(':');
        let first = items.iter().find(is_default).or_else(|| items.iter().find(is_set));
        found.extend(first.and_then(|item| item_name(&item.head)).map(str::to_owned));
    }
    found
}

/// Returns the name that an item defines: a recipe, an alias or a variable.
fn item_name(head: &str) -> Option<&str> {
    let head = ["alias ", "export ", "@"]
        .iter()
        .fold(head, |head, start| head.strip_prefix(start).unwrap_or(head));
    let end =
        head.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '-').unwrap_or(head.len());
    let name = &head[..end];
    (!name.is_empty() && head.contains(':')).then_some(name)
}

/// Returns the names between `{{` and `}}`.
fn interpolated(line: &str) -> Vec<String> {
    let parts = line.split("{{").skip(1).filter_map(|part| part.split("}}").next());
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    parts
        .flat_map(|part| part.split(move |c| !is_part(c)))
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

fn just_items(path: &str, text: &str) -> Vec<JustItem> {
    let mut items: Vec<JustItem> = Vec::new();
    let mut attributes = String::new();
    for line in text.lines().map(str::trim_end) {
        let is_inner = line.starts_with([' ', '\t']);
        let bare = line.trim();
        let is_comment = bare.starts_with('#') && !bare.starts_with("#!");
        match items.last_mut().filter(|_| is_inner) {
            _ if bare.is_empty() || is_comment => {}
            Some(item) => item.body.push(bare.to_owned()),
            None if bare.starts_with('[') && bare.ends_with(']') => attributes.push_str(bare),
            None => items.push(JustItem {
                path: path.to_owned(),
                head: bare.to_owned(),
                body: Vec::new(),
                attributes: std::mem::take(&mut attributes),
            }),
        }
    }
    items
}

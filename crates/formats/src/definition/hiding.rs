//! Python modules that hide others of the same name, because Python finds them first.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use sprag_core::definition::WhenNew;

use super::config::is_python_test;
use super::paths::{below, file_name, folder_of, has_ending};
use super::resolver::{CallSite, FileText, Resolver};

/// The most tests that are searched for imports.
const MOST_TESTS: usize = 300;

/// Endings of modules that are built.
const BUILT: [&str; 2] = ["so", "pyd"];

/// The form of a module. In one folder, Python takes the first of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Form {
    Package,
    Built,
    File,
    /// A folder without `__init__.py`. Any other module of its name hides it, wherever it lies.
    Folder,
}

/// A module that can be imported by its bare name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Module {
    folder: String,
    form: Form,
}

impl Resolver<'_> {
    /// Adds the modules in these folders, which Python searches in this order, that hide another
    /// module of the project. Only their arrival counts.
    pub(super) fn hiding(&mut self, folders: &[String], site: &CallSite) {
        let modules = self.modules();
        for folder in folders {
            if modules.packages.contains(folder) {
                continue;
            }
            for name in self.files.names_in(folder) {
                let (stem, form) = split(&name);
                let Some(others) = modules.by_name.get(stem) else { continue };
                // The tests of each folder search that folder first.
                let place = |folder: &String| {
                    let is_own = |own: &String| own == folder;
                    let at = folders.iter().position(is_own).map(|at| at + 1);
                    let at = at.map(|at| if modules.searched.contains(folder) { 0 } else { at });
                    at.or(is_source(folder).then_some(folders.len() + 1))
                };
                let is_test = is_python_test(&format!("{stem}.py"));
                let (mut hides, mut hides_unlisted) = (false, false);
                for other in others {
                    if other.folder == *folder {
                        hides |= form < other.form;
                    } else if form != Form::Folder && !is_test {
                        match place(&other.folder) {
                            Some(there) => {
                                let here = place(folder).unwrap_or_default();
                                hides |= other.form == Form::Folder || here < there || there == 0;
                            }
                            None => hides_unlisted = true,
                        }
                    }
                }
                let hides = hides || hides_unlisted && self.is_imported(stem, site);
                let file = match form {
                    Form::Package => format!("{name}/__init__.py"),
                    Form::Built | Form::File | Form::Folder => name.clone(),
                };
                let path = below(folder, &file);
                if hides && self.exists(&path) {
                    self.arrival(&path, "hides a module of the project", site);
                }
            }
        }
    }

    /// Adds a part of which only the arrival of its file counts: without it, the verdict is harder
    /// to reach.
    pub(super) fn arrival(&mut self, path: &str, part: &str, site: &CallSite) {
        let key = self.runner_if(path, part, "", site, WhenNew::WithFile);
        if let Some(part) = self.found.parts.get_mut(&key) {
            part.level = Some(0);
        }
    }

    pub(super) fn modules(&mut self) -> Rc<Modules> {
        if let Some(known) = &self.modules {
            return Rc::clone(known);
        }
        let paths = self.paths();
        let is_module = |path: &&String| has_ending(path, &["py"]);
        let inits = paths.iter().filter(|path| file_name(path) == "__init__.py");
        let packages: BTreeSet<String> = inits.map(|path| folder_of(path).to_owned()).collect();
        let mut by_name: BTreeMap<String, BTreeSet<Module>> = BTreeMap::new();
        let mut add = |path: &str, form| {
            let (folder, name) = (folder_of(path), file_name(path));
            let stem = name.strip_suffix(".py").unwrap_or(name);
            let is_apart = ["__init__", "__main__", "conftest", "setup", ""].contains(&stem);
            if !is_apart && !packages.contains(folder) {
                let module = Module { folder: folder.to_owned(), form };
                by_name.entry(stem.to_owned()).or_default().insert(module);
            }
        };
        for path in paths.iter().filter(is_module) {
            add(path, Form::File);
            let folder = folder_of(path);
            let form = if packages.contains(folder) { Form::Package } else { Form::Folder };
            add(folder, form);
        }
        let mut found = Modules { by_name, packages, searched: BTreeSet::new() };
        let tests = paths.iter().filter(|path| is_python_test(path));
        found.searched =
            tests.map(|path| found.outside_package(folder_of(path)).to_owned()).collect();
        let found = Rc::new(found);
        self.modules = Some(Rc::clone(&found));
        found
    }

    /// Returns whether a test of the project imports a module of this name.
    fn is_imported(&mut self, name: &str, site: &CallSite) -> bool {
        let tests = self.paths_below(&site.folder);
        let mut tests = tests.iter().filter(|path| is_python_test(path)).take(MOST_TESTS);
        tests.any(|path| match self.text(path) {
            FileText::Text(text) => imports(&text, name),
            FileText::Absent | FileText::Opaque => false,
        })
    }
}

/// The modules of the project that lie in no package.
#[derive(Debug)]
pub(super) struct Modules {
    by_name: BTreeMap<String, BTreeSet<Module>>,
    /// The folders with an `__init__.py`.
    packages: BTreeSet<String>,
    /// The folders that pytest adds to the search for the tests in them.
    searched: BTreeSet<String>,
}

impl Modules {
    /// Returns the folder that pytest adds to the search for the tests in a folder: itself, or the
    /// first one above that is no package.
    pub(super) fn outside_package<'f>(&self, folder: &'f str) -> &'f str {
        let mut folder = folder;
        while !folder.is_empty() && self.packages.contains(folder) {
            folder = folder_of(folder);
        }
        folder
    }
}

/// Returns the name of the module in a file or folder of this name, and its form.
fn split(name: &str) -> (&str, Form) {
    let stem = name.split('.').next().unwrap_or(name);
    if name == stem {
        (stem, Form::Package)
    } else if name.strip_prefix(stem) == Some(".py") {
        (stem, Form::File)
    } else if has_ending(name, &BUILT) {
        (stem, Form::Built)
    } else {
        ("", Form::Folder)
    }
}

/// Returns whether a folder is a usual one for sources, which an installed project makes
/// importable.
fn is_source(folder: &str) -> bool {
    matches!(file_name(folder), "" | "src" | "lib")
}

/// Returns whether a Python text imports a module, or a part of it.
fn imports(text: &str, name: &str) -> bool {
    text.lines().map(str::trim_start).any(|line| {
        let rest = line.strip_prefix("import ").or_else(|| line.strip_prefix("from "));
        let is_it = |one: &str| one.split(['.', ' ']).next() == Some(name);
        rest.is_some_and(|rest| rest.split(',').map(str::trim).any(is_it))
    })
}

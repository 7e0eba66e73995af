//! The state of a resolution: files read, commands still to follow, parts found.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use sprag_core::definition::{DefinedPart, GateDefinition, KnownThen, PartKey, PartRole, WhenNew};
use sprag_core::{Hash, is_test};

use super::compared::Comparisons;
use super::computed::NamedWords;
use super::files::{FileContent, ProjectFiles};
use super::hiding::Modules;
use super::paths::join;
use super::read::Datum;
use super::ways::Ways;
use crate::limits::MAX_BYTES;
use crate::shell::ShellWord;

/// The deepest nesting of scripts that run scripts.
pub const MAX_SCRIPT_DEPTH: usize = 8;

/// The most scripts that are followed in all.
pub const MAX_SCRIPT_FILES: usize = 100;

/// The most files that are requested.
const MAX_READS: usize = 3000;

/// The most parts of a definition.
const MAX_PARTS: usize = 2000;

/// The most commands that are followed or queued.
pub(super) const MAX_COMMANDS: usize = 2000;

/// Returns the definition of a command, given by its words.
///
/// The result depends only on the words and the files. Every input has a result.
pub fn definition(argv: &[String], files: &dyn ProjectFiles) -> GateDefinition {
    let words = argv.iter().map(ShellWord::known).collect();
    let mut resolver = Resolver::new(files);
    resolver.later(words, CallSite::default());
    resolver.run()
}

/// Returns the definition of a CI gate: the workflow file that ran, and the project's workflows and
/// actions that it uses.
pub fn workflow_definition(path: &str, files: &dyn ProjectFiles) -> GateDefinition {
    let mut resolver = Resolver::new(files);
    let site = CallSite::default();
    if let Some(path) = join("", path) {
        resolver.workflow(&path, &site, 0);
    }
    resolver.run()
}

/// How a caller names a script.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reached {
    #[default]
    ByName,
    /// By a pattern or a computed name.
    ByPattern,
}

/// The context in which a command is called.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CallSite {
    /// The working folder.
    pub(super) folder: String,
    /// The folder of the calling script.
    pub(super) script_folder: Option<String>,
    /// The number of scripts around the call.
    pub(super) depth: usize,
    /// The folders that are searched first for its program.
    pub(super) bins: Vec<String>,
    /// The folders that are possibly searched; this is decided outside the project.
    pub(super) perhaps_bins: Vec<String>,
    /// The part that calls the command.
    pub(super) via: Option<PartKey>,
    /// The workspace member that the call belongs to.
    pub(super) member: Option<String>,
    /// Whether its output is inspected, so that its files are the subject of the check.
    pub(super) is_subject: bool,
    /// Whether a test calls it: a file that a test sources is under test.
    pub(super) in_test: bool,
    /// The text on its standard input, which may be a script.
    pub(super) input: String,
    /// The files that it reads as input.
    pub(super) reads: Vec<String>,
    /// The folders in which Python looks for modules first.
    pub(super) python_path: Vec<String>,
    /// The words of the text that calls it, if it may run a file that the text names elsewhere.
    pub(super) named: Option<Rc<NamedWords>>,
    /// Whether it runs inside its caller, as a sourced file does.
    pub(super) in_caller: bool,
    /// How it is named.
    pub(super) reached: Reached,
}

impl CallSite {
    /// The same context, reached through a part.
    pub(super) fn through(&self, key: &PartKey) -> Self {
        Self { via: Some(key.clone()), ..self.clone() }
    }

    /// The same context in another folder.
    pub(super) fn within(&self, folder: &str) -> Self {
        Self { folder: folder.to_owned(), ..self.clone() }
    }

    /// The verdict on a part found here that is new.
    pub(super) fn when_new(&self) -> WhenNew {
        match &self.member {
            Some(member) => WhenNew::DoubtedIf(KnownThen::Member(member.clone())),
            None => WhenNew::Doubted,
        }
    }
}

/// The content of a file, as far as it is readable.
#[derive(Clone, Debug)]
pub(super) enum FileText {
    Absent,
    Text(Rc<str>),
    /// Too large, or not text.
    Opaque,
}

pub(super) struct Resolver<'f> {
    pub(super) files: &'f dyn ProjectFiles,
    read: BTreeMap<String, Rc<FileContent>>,
    paths: Option<Rc<[String]>>,
    tests: Option<Rc<[String]>>,
    queue: VecDeque<(usize, Vec<ShellWord>, CallSite)>,
    seen: BTreeMap<(Vec<String>, CallSite), usize>,
    ways: Ways,
    pub(super) scripts: BTreeSet<String>,
    /// The scripts that run inside their callers.
    pub(super) sourced: BTreeSet<String>,
    pub(super) comparisons: Comparisons,
    pub(super) modules: Option<Rc<Modules>>,
    /// The number of calls from one command to another so far.
    pub(super) calls: usize,
    pub(super) found: GateDefinition,
}

impl<'f> Resolver<'f> {
    fn new(files: &'f dyn ProjectFiles) -> Self {
        let (read, queue, seen) = (BTreeMap::new(), VecDeque::new(), BTreeMap::new());
        let (scripts, found) = (BTreeSet::new(), GateDefinition::default());
        let (ways, sourced) = (Ways::default(), BTreeSet::new());
        Self {
            files,
            read,
            paths: None,
            tests: None,
            queue,
            seen,
            ways,
            scripts,
            sourced,
            comparisons: Comparisons::default(),
            modules: None,
            calls: 0,
            found,
        }
    }

    fn run(mut self) -> GateDefinition {
        let is_empty = self.queue.is_empty();
        while let Some((id, words, site)) = self.queue.pop_front() {
            self.ways.begin(id, site.via.as_ref());
            self.command(&words, &site);
        }
        self.count_compared();
        std::mem::take(&mut self.ways).complete(&mut self.found.parts);
        self.found.rests_on_tests |= self.found.is_cut || is_empty;
        self.found
    }

    /// Queues a command, unless it has been queued before.
    pub(super) fn later(&mut self, words: Vec<ShellWord>, site: CallSite) {
        self.calls += 1;
        if self.seen.len() >= MAX_COMMANDS {
            self.found.is_cut = true;
            return;
        }
        let texts = words.iter().map(|word| word.text.clone()).collect();
        // The path and the depth of a call do not make it a different command.
        let same = CallSite { via: None, depth: 0, ..site.clone() };
        let new = self.seen.len();
        let id = *self.seen.entry((texts, same)).or_insert(new);
        self.ways.called(id, site.via.as_ref());
        if id == new {
            self.queue.push_back((id, words, site));
        }
    }

    pub(super) fn content(&mut self, path: &str) -> Rc<FileContent> {
        if let Some(known) = self.read.get(path) {
            return Rc::clone(known);
        }
        if self.read.len() >= MAX_READS {
            self.found.is_cut = true;
            return Rc::new(FileContent::Absent);
        }
        let content = Rc::new(self.files.read(path));
        self.read.insert(path.to_owned(), Rc::clone(&content));
        content
    }

    pub(super) fn exists(&mut self, path: &str) -> bool {
        *self.content(path) != FileContent::Absent
    }

    pub(super) fn text(&mut self, path: &str) -> FileText {
        match &*self.content(path) {
            FileContent::Absent => FileText::Absent,
            FileContent::TooLarge(_) => FileText::Opaque,
            FileContent::Bytes(bytes) if bytes.len() > MAX_BYTES => FileText::Opaque,
            FileContent::Bytes(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) => FileText::Text(text.into()),
                Err(_) => FileText::Opaque,
            },
        }
    }

    /// Parses a file as data. A file that cannot be parsed counts as a whole.
    pub(super) fn values(
        &mut self,
        path: &str,
        read: fn(&str) -> Option<Datum>,
        site: &CallSite,
    ) -> Option<Datum> {
        let values = match self.text(path) {
            FileText::Absent => return None,
            FileText::Opaque => None,
            FileText::Text(text) => read(&text),
        };
        if values.is_none() {
            self.whole(path, PartRole::Runner, site);
        }
        values
    }

    pub(super) fn hash(&mut self, path: &str) -> Option<Hash> {
        match &*self.content(path) {
            FileContent::Absent => None,
            FileContent::TooLarge(hash) => Some(*hash),
            FileContent::Bytes(bytes) => Some(Hash::of(bytes)),
        }
    }

    /// The paths of the project's files, sorted.
    pub(super) fn paths(&mut self) -> Rc<[String]> {
        let files = self.files;
        let paths = self.paths.get_or_insert_with(|| {
            let mut paths = files.paths();
            paths.sort();
            paths.into()
        });
        Rc::clone(paths)
    }

    /// The paths of the project's tests, sorted.
    pub(super) fn tests(&mut self) -> Rc<[String]> {
        if let Some(known) = &self.tests {
            return Rc::clone(known);
        }
        let found: Rc<[String]> =
            self.paths().iter().filter(|path| is_test(path)).cloned().collect();
        self.tests = Some(Rc::clone(&found));
        found
    }

    /// The files below a folder.
    pub(super) fn paths_below(&mut self, folder: &str) -> Vec<String> {
        let start = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let all = self.paths();
        all.iter().filter(|path| path.starts_with(&start)).cloned().collect()
    }

    /// Adds a whole file. Returns whether it exists.
    pub(super) fn whole(&mut self, path: &str, role: PartRole, site: &CallSite) -> bool {
        let Some(hash) = self.hash(path) else { return false };
        self.add(PartKey::file(path), Self::part(role, hash, site));
        true
    }

    /// Adds a part of a definition by its text.
    pub(super) fn runner(
        &mut self,
        path: &str,
        part: &str,
        text: &str,
        site: &CallSite,
    ) -> PartKey {
        self.runner_if(path, part, text, site, site.when_new())
    }

    /// Adds a part of a definition, with its own verdict if it is new.
    pub(super) fn runner_if(
        &mut self,
        path: &str,
        part: &str,
        text: &str,
        site: &CallSite,
        when_new: WhenNew,
    ) -> PartKey {
        let key = PartKey::part(path, &short(part));
        let part = Self::part(PartRole::Runner, Hash::of(text), site);
        self.add(key.clone(), DefinedPart { when_new, ..part });
        key
    }

    pub(super) fn part(role: PartRole, hash: Hash, site: &CallSite) -> DefinedPart {
        let (when_new, via) = (site.when_new(), site.via.iter().cloned().collect());
        DefinedPart { when_new, via, ..DefinedPart::new(role, hash) }
    }

    pub(super) fn add(&mut self, key: PartKey, mut part: DefinedPart) {
        if self.found.parts.len() >= MAX_PARTS {
            self.found.is_cut = true;
            return;
        }
        part.via.remove(&key);
        self.ways.found(&key, &part.via);
        self.found.parts.entry(key).or_insert(part);
    }

    /// Marks a part as free if it is new, because it removes nothing.
    pub(super) fn adds(&mut self, key: &PartKey) {
        if let Some(part) = self.found.parts.get_mut(key) {
            part.when_new = WhenNew::Free;
        }
    }

    /// Records a fact for comparison with a later definition.
    pub(super) fn know(&mut self, fact: KnownThen) {
        if self.found.known.len() < MAX_PARTS {
            self.found.known.insert(fact);
        } else {
            self.found.is_cut = true;
        }
    }
}

/// Shortens the name of a part, which may be any text of a file. Different long names stay
/// different.
pub(super) fn short(part: &str) -> String {
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    if part.len() <= 200 && !part.contains(char::is_control) {
        return part.to_owned();
    }
    let first: String = part.chars().take(160).map(plain).collect();
    format!("{first}… {}", Hash::of(part).short(8))
}

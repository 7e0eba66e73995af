//! Compares a baseline with the current files and attributes each change.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use sprag_core::basis::{
    Arrival, Attribution, Basis, Departure, Difference, Doubts, Excuse, Input, InputKey,
    MaySendBack, PythonFolders, Role, compare, is_test, is_test_code, moved, reaches_other_tests,
    rust_tests,
};
use sprag_core::definition::KnownThen;
use sprag_core::{Glob, Hash};

use super::baseline::{Baseline, TESTS, is_rust};
use super::definitions::{FilesRead, is_defining};
use super::law::{self, PROJECT};
use super::refs::Sources;
use super::signs::{Span, TurnFacts};
use super::watched::present;
use super::{Turns, files, texts};
use crate::engine::EngineError;
use crate::now::Now;

/// Collects the inputs of some gates' pass.
pub(crate) struct Collector<'a> {
    pub(crate) now: &'a Now<'a>,
    pub(crate) baseline: &'a Baseline,
    pub(crate) doubts: &'a Doubts,
    /// The doubts about other files of the repository: a text listed there excuses no change.
    pub(crate) elsewhere: &'a [Doubts],
    pub(crate) facts: &'a TurnFacts,
    /// The turns of agents, whose commits bring no person's text.
    pub(crate) turns: &'a Turns,
}

impl Collector<'_> {
    /// Returns the inputs of these gates. Tests are always included, even if no gate depends on
    /// them, so that every change is reported.
    pub(crate) fn basis(&self, gates: &[&str]) -> Result<Basis, EngineError> {
        let mut all = BTreeMap::new();
        self.files(gates, &mut all)?;
        self.law(&mut all);
        let asked = gates.iter().filter_map(|name| self.baseline.gates.get_key_value(*name));
        let mut read = FilesRead::new();
        self.definitions(asked, &mut all, &mut read)?;
        self.unasked_definitions(gates, &mut all, &mut read)?;
        for (key, input) in self.doubts.missing_memory() {
            all.entry(key).or_insert(input);
        }
        self.excuse(&mut all, &read);
        let carried = all.into_iter().map(|(key, input)| {
            let input = self.doubts.carry(&key, input);
            (key, input)
        });
        Ok(carried.collect())
    }

    /// Attributes a change of an input. A text in doubt that existed when the turn began belongs to
    /// the unit that left it. `None` if the text existed then and only later changes count.
    pub(crate) fn whose(&self, key: &InputKey, is_found: bool) -> Option<Attribution> {
        if is_found {
            match self.facts.span {
                Span::SinceJudged => return None,
                Span::Unit => {}
            }
            if let Some(doubt) = self.doubts.tracked_at(key) {
                return Some(Attribution { author: doubt.by, send_back: MaySendBack::No });
            }
        }
        Some(self.facts.whose(key.path(), self.now))
    }

    /// Returns the inputs at the beginning of the turn.
    pub(crate) fn found(&self) -> &Baseline {
        self.facts.found.as_ref().unwrap_or(self.baseline)
    }

    /// Returns whether a file had this text at the beginning of the turn.
    fn is_found(&self, path: &str, now: Option<Hash>) -> bool {
        self.found().files.get(path).copied() == now
    }

    /// Compares tests, the tests in sources, and protected files.
    fn files(
        &self,
        gates: &[&str],
        all: &mut BTreeMap<InputKey, Input>,
    ) -> Result<(), EngineError> {
        let tree = self.now.tree()?;
        let protect = self.baseline.protected();
        let counts =
            |path: &str| is_rust(path) || is_in(&protect, path) || self.counts_as_test(path);
        let root = &self.now.engine.files.root;
        let present = present(root, tree, &self.baseline.unnamed, counts);
        let here: BTreeMap<&str, Hash> =
            present.iter().map(|(path, content)| (path.as_str(), *content)).collect();
        let then = &self.baseline.files;
        let was = |path: &str| {
            let found = then.get(path).copied();
            // A file may also define a gate, and be in doubt as that.
            let is_own = |(key, _): &(InputKey, Role)| {
                self.doubts.tracked_at(key).is_none_or(|doubt| !is_defining(doubt.role))
            };
            let own = self.role(path, &protect).filter(is_own);
            own.map_or(found, |(key, _)| self.doubts.was(&key, found))
        };
        let mut paths: BTreeSet<&str> = then.keys().map(String::as_str).collect();
        paths.extend(here.keys());
        let tracked = self.doubts.tracked().map(|doubt| doubt.key.path());
        paths.extend(tracked.filter(|path| counts(path)));
        let (mut gone, mut new) = (BTreeMap::new(), BTreeMap::new());
        for path in paths {
            match (was(path), here.get(path).copied()) {
                (None, None) => self.same(path, None, &protect, all),
                (Some(was), Some(now)) if was == now => self.same(path, Some(now), &protect, all),
                (Some(was), None) => drop(gone.insert(path, was)),
                (None, Some(now)) => drop(new.insert(path, now)),
                (Some(was), Some(now)) => self.changed(path, was, now, &protect, all),
            }
        }
        let (gone_tests, new_tests) = (only_tests(&gone), only_tests(&new));
        let stood = then.keys().map(String::as_str).filter(|path| is_test(path));
        let asked = || gates.iter().filter_map(|name| self.baseline.gates.get(*name));
        let is_named =
            |from: &str, to: &str| asked().all(|gate| gate.definition.names_as_well(from, to));
        let python = self.python_folders(gates);
        let moves = moved(&gone_tests, &new_tests, stood, python, is_named);
        for (path, was) in gone {
            let how = if moves.contains_key(path) { Departure::Moved } else { Departure::Gone };
            if let Some((key, role)) = self.role(path, &protect) {
                if let Some(whose) = self.whose(&key, self.is_found(path, None)) {
                    all.insert(key, Input::departed(role, was, how, whose));
                }
            } else {
                self.changed_tests(path, None, None, all);
            }
        }
        for (path, now) in new.into_iter().filter(|(path, _)| is_test(path)) {
            let key = InputKey::file(path);
            if let Some(whose) = self.whose(&key, self.is_found(path, Some(now))) {
                // Under its earlier name it reached the others already.
                let how = if !is_test_code(path) || moves.values().any(|to| *to == path) {
                    Arrival::New
                } else {
                    arrival_of_test(path, files::linked_text(root, path).as_deref())
                };
                all.insert(key, Input::arrived(Role::Test, now, how, whose));
            }
        }
        // An unchanged source may still contain tests that an earlier unit changed.
        for key in self.doubts.tracked().map(|doubt| &doubt.key) {
            if key.part_name() == Some(TESTS) && !all.contains_key(key) {
                let file = here.get(key.path()).copied();
                let text = files::text(&self.now.engine.files.root, key.path());
                self.changed_tests(key.path(), text.as_deref(), file, all);
            }
        }
        Ok(())
    }

    fn role(&self, path: &str, protect: &[Glob]) -> Option<(InputKey, Role)> {
        if self.counts_as_test(path) {
            Some((InputKey::file(path), Role::Test))
        } else if is_in(protect, path) {
            Some((InputKey::file(path), Role::Protected))
        } else {
            None
        }
    }

    /// Returns whether a file is a test by its name, or counted as one when the unit or an earlier
    /// one began.
    fn counts_as_test(&self, path: &str) -> bool {
        let is_doubted = || {
            let doubt = self.doubts.tracked_at(&InputKey::file(path));
            doubt.is_some_and(|doubt| doubt.role == Role::Test)
        };
        is_test(path) || self.baseline.unnamed.contains(path) || is_doubted()
    }

    /// Returns the folders in which these gates' runners look for Python tests.
    fn python_folders(&self, gates: &[&str]) -> PythonFolders {
        let unittest = KnownThen::Elsewhere("unittest".to_owned());
        let mut gates = gates.iter().filter_map(|name| self.baseline.gates.get(*name));
        let by_unittest = gates.any(|gate| gate.definition.known.contains(&unittest));
        if by_unittest { PythonFolders::Packages } else { PythonFolders::All }
    }

    /// Records that a file in doubt has its earlier text; other files need no entry.
    fn same(
        &self,
        path: &str,
        text: Option<Hash>,
        protect: &[Glob],
        all: &mut BTreeMap<InputKey, Input>,
    ) {
        let Some((key, role)) = self.role(path, protect) else { return };
        if self.doubts.tracked_at(&key).is_some() {
            all.insert(key, Input::same(role, text));
        }
    }

    /// Compares a file that exists then and now.
    fn changed(
        &self,
        path: &str,
        was: Hash,
        now: Hash,
        protect: &[Glob],
        all: &mut BTreeMap<InputKey, Input>,
    ) {
        let here = files::text(&self.now.engine.files.root, path);
        let Some((key, role)) = self.role(path, protect) else {
            return self.changed_tests(path, here.as_deref(), Some(now), all);
        };
        let Some(whose) = self.whose(&key, self.is_found(path, Some(now))) else {
            return;
        };
        let then = self.text_of_then(path, &key, was);
        let how = match (&then, &here) {
            (Some(then), Some(here)) if role == Role::Test => compare(path, then, here),
            (Some(_) | None, _) => Difference::Other,
        };
        all.insert(key, Input::differs(role, was, now, how, whose));
    }

    /// Returns the earlier text of a file if it is known and has this hash. A doubt may be older
    /// than the baseline.
    fn text_of_then(&self, path: &str, key: &InputKey, was: Hash) -> Option<Vec<u8>> {
        let tracked = self.doubts.tracked_at(key);
        let text = self.baseline.text(self.now.engine, path);
        let is_it = |text: &Vec<u8>| tracked.is_none() || sprag_world::tree::is_content(text, was);
        let kept = || texts::kept(self.now.engine.place, tracked?.text?).filter(is_it);
        text.filter(is_it).or_else(kept)
    }

    /// Compares the documents that the unit is judged by.
    fn law(&self, all: &mut BTreeMap<InputKey, Input>) {
        let (engine, law) = (self.now.engine, &self.baseline.law);
        for path in law.here.keys() {
            let key = InputKey::file(path);
            self.law_of(key.clone(), &engine.files.root, all);
            if law.later.contains(path)
                && let Some(input) = all.get_mut(&key)
            {
                *input = input.clone().excused(Excuse::OtherGate);
            }
        }
        for path in law.project.keys() {
            self.law_of(InputKey::part(path, PROJECT), law::project_of(engine), all);
        }
    }

    fn law_of(&self, key: InputKey, root: &Path, all: &mut BTreeMap<InputKey, Input>) {
        let content = |of: &Baseline| of.law_text(&key).map(|text| text.content);
        let was = self.doubts.was(&key, content(self.baseline));
        let now = sprag_world::tree::content(root, key.path());
        if was == now {
            all.insert(key, Input::same(Role::Law, now));
            return;
        }
        // A turn begins with the text in force, which differs from a text in doubt that it finds.
        let is_doubted = self.doubts.tracked_at(&key).is_some_and(|doubt| doubt.now == now);
        let is_found = is_doubted || content(self.found()) == now;
        let Some(whose) = self.whose(&key, is_found) else { return };
        let input = match (was, now) {
            (Some(was), Some(now)) => Input::differs(Role::Law, was, now, Difference::Other, whose),
            (Some(was), None) => Input::departed(Role::Law, was, Departure::Gone, whose),
            (None, Some(now)) => Input::arrived(Role::Law, now, self.arrival(&key), whose),
            (None, None) => return,
        };
        all.insert(key, input);
    }

    /// Weighs a new document. A new plan only adds requirements, unless it shadows the main
    /// worktree's plan. Any other document may relax the judgement (`off`, `tests: name`, `mode:
    /// yolo`, a rule that passes everything), so it counts as shadowing.
    fn arrival(&self, key: &InputKey) -> Arrival {
        let before = self.baseline.law.project.get(key.path()).copied().flatten();
        let is_before = key.part_name().is_none() && before.is_some();
        let asks_for_more = law::asks_for_more(key.path()) && !is_before;
        if asks_for_more { Arrival::Stricter } else { Arrival::Shadows }
    }

    /// Compares the tests in a source file. `file` is the hash of the whole file.
    fn changed_tests(
        &self,
        path: &str,
        here: Option<&[u8]>,
        file: Option<Hash>,
        all: &mut BTreeMap<InputKey, Input>,
    ) {
        if !is_rust(path) {
            return;
        }
        let key = InputKey::part(path, TESTS);
        let found = self.baseline.text(self.now.engine, path);
        let tracked = self.doubts.tracked_at(&key);
        if found.is_none() && tracked.is_none() {
            // Its earlier tests are unknown, even if it has none now.
            return;
        }
        let hash = |tests: &Option<Vec<u8>>| tests.as_ref().map(Hash::of);
        let (found, here) = (found.as_deref().and_then(rust_tests), here.and_then(rust_tests));
        // A doubt may be older than this baseline.
        let was = self.doubts.was(&key, hash(&found));
        if was == hash(&here) {
            if self.doubts.get(&key).is_some() {
                all.insert(key, Input::same(Role::Test, was));
            }
            return;
        }
        let Some(whose) = self.whose(&key, self.is_found(path, file)) else { return };
        let kept = || rust_tests(&texts::kept(self.now.engine.place, tracked?.text?)?);
        let then = if hash(&found) == was { found } else { kept() };
        let input = match (was, hash(&here)) {
            (None, None) => return,
            (Some(was), Some(now)) => {
                let how = match (then.filter(|then| Hash::of(then) == was), &here) {
                    (Some(then), Some(here)) => compare(path, &then, here),
                    (Some(_) | None, _) => Difference::Other,
                };
                Input::differs(Role::Test, was, now, how, whose)
            }
            (Some(was), None) => Input::departed(Role::Test, was, Departure::Gone, whose),
            (None, Some(now)) => {
                Input::arrived(Role::Test, now, arrival_of_test(path, here.as_deref()), whose)
            }
        };
        all.insert(key, input);
    }

    /// Excuses texts that a person's commits brought, because the agent did not make them. A part of
    /// a definition is excused if they brought every change of the files that it is read from.
    fn excuse(&self, all: &mut BTreeMap<InputKey, Input>, read: &FilesRead) {
        let is_changed = |path: &String| {
            let engine = self.now.engine;
            files::linked_text(&engine.files.root, path) != self.baseline.text(engine, path)
        };
        let is_doubtful = |input: &Input| input.weakens() && !input.whose().author.is_trusted();
        let doubtful = all.iter().filter(|(_, input)| is_doubtful(input));
        let doubtful: BTreeMap<InputKey, BTreeSet<String>> = doubtful
            .map(|(key, _)| {
                let own = Some(key.path().to_owned());
                let files = match read.get(key) {
                    Some(read) => read.iter().cloned().chain(own.filter(&is_changed)).collect(),
                    None => own.into_iter().collect(),
                };
                (key.clone(), files)
            })
            .collect();
        if doubtful.is_empty() {
            return;
        }
        let (then, agents) = ([self.baseline, self.found()], self.turns.agents_commits(self.now));
        let Some(sources) = Sources::find(self.now.engine, then, agents) else { return };
        let brought = sources.brought(&doubtful.values().flatten().cloned().collect());
        let is_in_doubt = |key: &InputKey, input: &Input| {
            let mut found = self.elsewhere.iter().filter_map(|doubts| doubts.get(key));
            found.any(|doubt| doubt.now == input.now())
        };
        for (key, files) in doubtful {
            let is_brought = !files.is_empty() && files.is_subset(&brought);
            // A text once in doubt stays so, even if it comes from another branch.
            if let Some(input) = all.get_mut(&key).filter(|_| is_brought)
                && !is_in_doubt(&key, input)
            {
                *input = input.clone().excused(Excuse::HeldByRef);
            }
        }
    }
}

/// Weighs a new test. It counts as a change of the others if it may change their result, or if its
/// text is unknown.
fn arrival_of_test(path: &str, text: Option<&[u8]>) -> Arrival {
    let reaches = text.is_none_or(|text| reaches_other_tests(path, text));
    if reaches { Arrival::Shadows } else { Arrival::New }
}

fn only_tests<'p>(all: &BTreeMap<&'p str, Hash>) -> BTreeMap<&'p str, Hash> {
    all.iter().filter(|(path, _)| is_test(path)).map(|(path, hash)| (*path, *hash)).collect()
}

fn is_in(globs: &[Glob], path: &str) -> bool {
    globs.iter().any(|glob| glob.matches(path.as_bytes()))
}

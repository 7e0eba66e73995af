//! Compares a baseline with the files as they are, and names whose each change is.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use sprag_core::basis::{
    Arrival, Attribution, Basis, ChangeFacts, Departure, Difference, Doubts, Excuse, Input,
    InputKey, Origin, Others, OwnCalls, Processes, PythonFolders, Role, Tool, Turn, compare,
    is_test, moved, rust_tests, whose,
};
use sprag_core::definition::KnownThen;
use sprag_core::{Glob, Hash, Time};

use super::baseline::{Baseline, is_rust, is_watched};
use super::definitions::is_defining;
use super::{files, refs};
use crate::engine::EngineError;
use crate::sitting::Now;

/// The part of a source file that holds its tests.
const TESTS: &str = "tests";

/// What is known of the turn in which changes may have been made.
#[derive(Clone, Debug)]
pub(crate) struct TurnFacts {
    /// How far it came.
    pub(crate) turn: Turn,
    /// Whether another agent has the turn in the same files.
    pub(crate) others: bool,
    /// The files that tools of this session named to write.
    pub(crate) touched: BTreeSet<String>,
}

impl TurnFacts {
    /// The agent that is judged has the turn, and is alone.
    pub(crate) const fn alone() -> Self {
        Self { turn: Turn::Open, others: false, touched: BTreeSet::new() }
    }

    pub(super) fn whose(&self, path: &str, now: &Now<'_>) -> Attribution {
        let own = if self.touched.contains(path) { OwnCalls::Touched } else { OwnCalls::Left };
        whose(&ChangeFacts {
            origin: Origin::Here,
            turn: self.turn,
            processes: Processes::Gone,
            others: if self.others { Others::Open { own } } else { Others::None },
            modified: changed_at(&now.engine.files.root, path),
            now: now.at,
        })
    }
}

/// Finds out what a pass of some gates rests on.
pub(crate) struct Collector<'a> {
    pub(crate) now: &'a Now<'a>,
    pub(crate) baseline: &'a Baseline,
    pub(crate) doubts: &'a Doubts,
    pub(crate) facts: &'a TurnFacts,
}

impl Collector<'_> {
    /// Returns the inputs of these gates. Tests are among them whether or not a gate rests on them,
    /// so that every change is named.
    pub(crate) fn basis(&self, gates: &[&str]) -> Result<Basis, EngineError> {
        let mut all = BTreeMap::new();
        self.files(gates, &mut all)?;
        self.definitions(gates, &mut all)?;
        self.excuse(&mut all);
        let carried = all.into_iter().map(|(key, input)| {
            let input = self.doubts.carry(&key, input);
            (key, input)
        });
        Ok(carried.collect())
    }

    /// Compares tests, the tests in sources, and protected files.
    fn files(
        &self,
        gates: &[&str],
        all: &mut BTreeMap<InputKey, Input>,
    ) -> Result<(), EngineError> {
        let tree = self.now.tree()?;
        let protect = self.baseline.protected();
        let counts = |path: &str| is_watched(path) || is_in(&protect, path);
        let here: BTreeMap<&str, Hash> = tree
            .files()
            .iter()
            .filter_map(|file| Some((str::from_utf8(&file.path).ok()?, file.content)))
            .filter(|(path, _)| counts(path))
            .collect();
        let then = &self.baseline.files;
        let was = |path: &str| {
            let found = then.get(path).copied();
            let doubt = self.doubts.get(&InputKey::file(path));
            doubt.filter(|doubt| !is_defining(doubt.role)).map_or(found, |doubt| doubt.was)
        };
        let mut paths: BTreeSet<&str> = then.keys().map(String::as_str).collect();
        paths.extend(here.keys());
        paths.extend(self.doubts.iter().map(|doubt| doubt.key.path()).filter(|path| counts(path)));
        let (mut gone, mut new) = (BTreeMap::new(), BTreeMap::new());
        for path in paths {
            match (was(path), here.get(path).copied()) {
                (None, None) => {}
                (Some(was), Some(now)) if was == now => {}
                (Some(was), None) => drop(gone.insert(path, was)),
                (None, Some(now)) => drop(new.insert(path, now)),
                (Some(was), Some(now)) => self.changed(path, was, now, &protect, all),
            }
        }
        let (gone_tests, new_tests) = (only_tests(&gone), only_tests(&new));
        let stood = then.keys().map(String::as_str).filter(|path| is_test(path));
        let moves = moved(&gone_tests, &new_tests, stood, self.python_folders(gates));
        for (path, was) in gone {
            let how = if moves.contains_key(path) { Departure::Moved } else { Departure::Gone };
            if let Some((key, role)) = role(path, &protect) {
                let whose = self.facts.whose(path, self.now);
                all.insert(key, Input::departed(role, was, how, whose));
            } else {
                self.changed_tests(path, None, all);
            }
        }
        for (path, now) in new.into_iter().filter(|(path, _)| is_test(path)) {
            let whose = self.facts.whose(path, self.now);
            all.insert(InputKey::file(path), Input::arrived(Role::Test, now, Arrival::New, whose));
        }
        Ok(())
    }

    /// Returns where the runners of these gates look for tests of Python.
    fn python_folders(&self, gates: &[&str]) -> PythonFolders {
        let unittest = KnownThen::Elsewhere("unittest".to_owned());
        let mut gates = gates.iter().filter_map(|name| self.baseline.gates.get(*name));
        match gates.any(|gate| gate.definition.known.contains(&unittest)) {
            true => PythonFolders::Packages,
            false => PythonFolders::All,
        }
    }

    /// Compares a file that was there and is.
    fn changed(
        &self,
        path: &str,
        was: Hash,
        now: Hash,
        protect: &[Glob],
        all: &mut BTreeMap<InputKey, Input>,
    ) {
        let here = files::text(&self.now.engine.files.root, path);
        let Some((key, role)) = role(path, protect) else {
            return self.changed_tests(path, here.as_deref(), all);
        };
        let then = self.text_of_then(path, was);
        let how = match (&then, &here) {
            (Some(then), Some(here)) if role == Role::Test => compare(path, then, here),
            (Some(_) | None, _) => Difference::Other,
        };
        all.insert(key, Input::differs(role, was, now, how, self.facts.whose(path, self.now)));
    }

    /// Returns the text of a file as it was, where it is known and has this hash.
    fn text_of_then(&self, path: &str, was: Hash) -> Option<Vec<u8>> {
        let doubted = self.doubts.get(&InputKey::file(path)).is_some();
        let text = self.baseline.text(self.now.engine, path)?;
        // A doubt may reach further back than this baseline.
        (!doubted || crate::tree::is_content(&text, was)).then_some(text)
    }

    /// Compares the tests in a source file.
    fn changed_tests(&self, path: &str, here: Option<&[u8]>, all: &mut BTreeMap<InputKey, Input>) {
        if !is_rust(path) {
            return;
        }
        let key = InputKey::part(path, TESTS);
        let whose = self.facts.whose(path, self.now);
        let then = self.baseline.text(self.now.engine, path);
        let Some(then) = then else {
            // Nobody knows what its tests were; where there are none now, there may have been some.
            return;
        };
        let (then, here) = (rust_tests(&then), here.and_then(rust_tests));
        let input = match (then, here) {
            (None, None) => return,
            (Some(then), Some(here)) if then == here => return,
            (Some(then), Some(here)) => {
                let how = compare(path, &then, &here);
                Input::differs(Role::Test, Hash::of(&then), Hash::of(&here), how, whose)
            }
            (Some(then), None) => {
                Input::departed(Role::Test, Hash::of(then), Departure::Gone, whose)
            }
            (None, Some(here)) => Input::arrived(Role::Test, Hash::of(here), Arrival::New, whose),
        };
        all.insert(key, input);
    }

    /// Takes note of texts that a branch or a remote held before: those the agent did not make.
    fn excuse(&self, all: &mut BTreeMap<InputKey, Input>) {
        let doubtful: BTreeSet<String> = all
            .iter()
            .filter(|(_, input)| weakens(input) && !input.whose().author.is_trusted())
            .map(|(key, _)| key.path().to_owned())
            .collect();
        // Where nothing was checked out or merged meanwhile, no commit brought them.
        let head = self.now.engine.checked_out_here();
        if doubtful.is_empty() || head.is_none() || head == self.baseline.commit {
            return;
        }
        let paths: Vec<String> = doubtful.into_iter().collect();
        let known = refs::held(self.now.engine, &self.baseline.refs, &paths);
        for (_, input) in all.iter_mut().filter(|(key, _)| known.contains(key.path())) {
            *input = input.clone().excused(Excuse::HeldByRef);
        }
    }
}

fn role(path: &str, protect: &[Glob]) -> Option<(InputKey, Role)> {
    if is_test(path) {
        Some((InputKey::file(path), Role::Test))
    } else if is_in(protect, path) {
        Some((InputKey::file(path), Role::Protected))
    } else {
        None
    }
}

/// Returns whether a change may have made a pass easier.
pub(super) fn weakens(input: &Input) -> bool {
    use sprag_core::basis::Change;
    match input.change() {
        Change::Changed | Change::Gone => true,
        Change::New => input.role() == Role::Runner,
        Change::Same | Change::Stricter | Change::Grew | Change::Moved => false,
    }
}

fn only_tests<'p>(all: &BTreeMap<&'p str, Hash>) -> BTreeMap<&'p str, Hash> {
    all.iter().filter(|(path, _)| is_test(path)).map(|(path, hash)| (*path, *hash)).collect()
}

fn is_in(globs: &[Glob], path: &str) -> bool {
    globs.iter().any(|glob| glob.matches(path.as_bytes()))
}

/// Returns when a file changed, by the time that no program can set.
pub(super) fn changed_at(root: &Path, path: &str) -> Option<Time> {
    let found = root.join(path).symlink_metadata().ok()?;
    let millis = found.ctime().saturating_mul(1000).saturating_add(found.ctime_nsec() / 1_000_000);
    Some(Time::from_millis(millis))
}

/// Returns when a file of our state was touched last.
pub(super) fn modified_at(state: &Path, path: &str) -> Option<Time> {
    let found = state.join(path).symlink_metadata().ok()?;
    let millis = found.mtime().saturating_mul(1000).saturating_add(found.mtime_nsec() / 1_000_000);
    Some(Time::from_millis(millis))
}

/// Returns whether a tool of a session was at work when its host was heard last.
pub(super) fn open_tool(now: &Now<'_>, session: &str) -> Tool {
    let state = &now.engine.place.state;
    let began = modified_at(state, &format!(".sprag/cache/tool-{session}"));
    let seen = modified_at(state, &format!(".sprag/sessions/{session}.json"));
    match (began, seen) {
        (Some(began), Some(seen)) if began > seen => Tool::Open,
        (Some(_), None) => Tool::Open,
        (Some(_) | None, _) => Tool::Closed,
    }
}

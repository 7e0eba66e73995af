//! The second look: does a gate pass with the earlier tests and the current code?
//!
//! If only tests are in doubt, the decision requests a second look before it answers. The tests are
//! then those of the unit's beginning without new ones, and everything else is current. A pass
//! shows that the agent's changes weakened no tests.

use std::cell::Cell;
use std::collections::BTreeMap;

use sprag_core::basis::{
    Basis, Bearing, Conditions, Doubts, Free, Input, InputChange, InputKey, InputKeys, Role,
    bearing, clearable, is_test, is_test_code, rust_tests, with_rust_tests,
};
use sprag_core::definition::PartRole;
use sprag_core::event::SecondLook;
use sprag_core::{Event, GateSpec, Hash, Kind, RunId, Verdict};
use sprag_store::Store;
use sprag_world::project_copy::CopyPlan;
use sprag_world::tree;

use super::baseline::is_rust;
use super::{Baseline, files, texts};
use crate::engine::{Engine, EngineError};
use crate::gate;
use crate::now::Now;

/// How many tests are restored.
const MOST_TESTS: usize = 200;
/// How many copies are made for one decision.
const MOST_LOOKS: usize = 8;
/// Part of every look's key; a new number invalidates all earlier answers.
const VERSION: u32 = 1;

/// A second look that a decision needs.
#[derive(Clone, Debug)]
pub(crate) struct WantedLook {
    pub(crate) run: RunId,
    /// The gates without an answer, each with the key of its answer.
    pub(crate) gates: Vec<(Hash, GateSpec)>,
    /// The files that they are evaluated on.
    pub(crate) plan: CopyPlan,
    /// The hash of the project's files that the plan was made for.
    pub(crate) tree: Hash,
    /// The tests in doubt.
    pub(crate) tests: InputKeys,
}

impl WantedLook {
    /// Builds the journal event for a gate's answer.
    pub(crate) fn found(&self, look: Hash, spec: &GateSpec, verdict: Verdict) -> SecondLook {
        SecondLook {
            look: Some(look),
            gate: spec.gate.name.to_string(),
            verdict: Some(verdict),
            tests: self.tests.iter().map(ToString::to_string).collect(),
            ..SecondLook::default()
        }
    }
}

/// The answer of a second look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LookAnswer {
    /// The run that requested it.
    pub(crate) run: RunId,
    pub(crate) found: SecondLook,
    /// Whether a gate was evaluated, so that the answer is stored.
    pub(crate) is_kept: bool,
}

/// The answers of second looks for a decision so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct LookAnswers {
    all: BTreeMap<Hash, LookAnswer>,
    copies: usize,
}

impl LookAnswers {
    pub(crate) fn insert(&mut self, look: Hash, answer: LookAnswer) {
        self.all.insert(look, answer);
    }

    pub(crate) fn has(&self, look: Hash) -> bool {
        self.all.contains_key(&look)
    }

    /// Answers these looks as unknown, for this decision alone: their doubts remain.
    pub(crate) fn give_up(&mut self, looks: &[WantedLook], why: &str) {
        for look in looks {
            for (known_by, spec) in &look.gates {
                let mut found = look.found(*known_by, spec, Verdict::Unknown);
                found.why = Some(why.to_owned());
                let answer = LookAnswer { run: look.run.clone(), found, is_kept: false };
                self.all.entry(*known_by).or_insert(answer);
            }
        }
    }

    /// Returns the answers to store.
    pub(crate) fn kept(&self) -> impl Iterator<Item = &LookAnswer> {
        self.all.values().filter(|answer| answer.is_kept)
    }

    /// Returns all answers for this decision.
    pub(crate) fn found(&self) -> impl Iterator<Item = &SecondLook> {
        self.all.values().map(|answer| &answer.found)
    }

    /// Counts a copy and returns whether it may be made. Without a limit, files that keep changing
    /// would cause endless copies.
    pub(crate) const fn count_copy(&mut self) -> bool {
        self.copies += 1;
        self.copies <= MOST_LOOKS
    }

    /// Returns the verdict of a look from this decision, or from the journal.
    fn verdict(&self, store: &Store, look: Hash) -> Option<Verdict> {
        match self.all.get(&look) {
            Some(answer) => answer.found.verdict,
            None => recorded(store, look),
        }
    }
}

/// Returns the verdict of a look in the journal.
fn recorded(store: &Store, look: Hash) -> Option<Verdict> {
    let verdict = Cell::new(None);
    let is_it = |event: &sprag_store::Event| {
        if event.kind != Kind::SecondLook {
            return false;
        }
        let Event::SecondLook(told) = event.read() else { return false };
        verdict.set(told.verdict);
        told.look == Some(look)
    };
    // An unreadable journal has no answers.
    store.tells(&look.to_string(), is_it).unwrap_or(false).then(|| verdict.get()).flatten()
}

/// The conclusion of a second look.
pub(crate) enum LookResult {
    /// These tests weakened nothing.
    Cleared(InputKeys),
    /// No look was possible, or it cleared nothing.
    NotCleared,
    /// This look must be taken first.
    Wanted(Box<WantedLook>),
}

/// A pass that a second look may clear.
pub(crate) struct LookCase<'a> {
    pub(crate) now: &'a Now<'a>,
    pub(crate) run: &'a RunId,
    pub(crate) baseline: &'a Baseline,
    pub(crate) doubts: &'a Doubts,
    pub(crate) basis: &'a Basis,
    pub(crate) conditions: &'a Conditions<'a>,
    /// The gates that depend on tests.
    pub(crate) gates: Vec<&'a GateSpec>,
}

impl LookCase<'_> {
    /// Concludes from the available answers.
    pub(crate) fn look(&self, answers: &LookAnswers) -> Result<LookResult, EngineError> {
        let tests = clearable(self.basis, self.conditions);
        if tests.is_empty()
            || self.gates.is_empty()
            || self.gates.iter().any(|one| self.is_bound(one))
        {
            return Ok(LookResult::NotCleared);
        }
        let tree = self.now.tree()?;
        let mut plan = CopyPlan::of(tree);
        if self.put_back(&tests, &mut plan).is_none() {
            return Ok(LookResult::NotCleared);
        }
        let files = plan.hash();
        let mut unknown = Vec::new();
        for gate in &self.gates {
            let look = known_by(files, gate);
            match answers.verdict(&self.now.engine.store, look) {
                Some(Verdict::Pass) => {}
                Some(Verdict::Fail | Verdict::Void | Verdict::Waived | Verdict::Unknown) => {
                    return Ok(LookResult::NotCleared);
                }
                None => unknown.push((look, (*gate).clone())),
            }
        }
        if unknown.is_empty() {
            return Ok(LookResult::Cleared(tests));
        }
        let (run, tree) = (self.run.clone(), tree.hash());
        Ok(LookResult::Wanted(Box::new(WantedLook { run, gates: unknown, plan, tree, tests })))
    }

    /// Returns whether a gate names the project's folder: it would then judge that folder and not a
    /// copy.
    fn is_bound(&self, spec: &GateSpec) -> bool {
        let engine = self.now.engine;
        let roots = [&engine.files.root, &engine.place.root]
            .map(|root| root.as_os_str().as_encoded_bytes());
        let names =
            |text: &[u8]| roots.iter().any(|root| memchr::memmem::find(text, root).is_some());
        let commands = gate::commands(&spec.gate.check);
        if commands.iter().any(|argv| argv.iter().any(|word| names(word.as_bytes()))) {
            return true;
        }
        let parts = self.baseline.gates.get(spec.gate.name.as_str()).into_iter();
        let mut parts = parts.flat_map(|gate| &gate.definition.parts);
        parts.any(|(key, part)| match part.role {
            PartRole::Runner | PartRole::Script => {
                files::text(&engine.files.root, key.path()).is_some_and(|text| names(&text))
            }
            // A virtual environment names its own folder, and is unchanged.
            PartRole::Program => false,
        })
    }

    /// Restores the tests of a plan. `None` if one in doubt cannot be restored.
    fn put_back(&self, doubted: &InputKeys, plan: &mut CopyPlan) -> Option<()> {
        let is_touched = |(key, input): &(&InputKey, &Input)| {
            let is_harmless = || {
                let free = Bearing::Free(Free::Harmless);
                input.change() != InputChange::Same && bearing(key, input, self.conditions) == free
            };
            input.role() == Role::Test && (doubted.contains(key) || is_harmless())
        };
        let touched: Vec<_> = self.basis.iter().filter(is_touched).collect();
        if touched.len() > MOST_TESTS {
            return None;
        }
        let (new, old): (Vec<_>, Vec<_>) = touched
            .into_iter()
            .partition(|(key, input)| input.was().is_none() && key.part_name().is_none());
        let mut is_whole = true;
        for (key, input) in old {
            let is_back = match key.part_name() {
                None => self.put_file(key, input, plan),
                Some(_) => self.put_tests(key, input, plan),
            };
            match is_back {
                Some(()) => {}
                None if doubted.contains(key) => return None,
                // Tests that only grew or moved may stay as they are.
                None => is_whole = false,
            }
        }
        if is_whole {
            self.strip_new_sources(plan);
        }
        // A moved test is new in its current place. A new file in doubt must not decide.
        let is_out = |key: &InputKey| doubted.contains(key) || is_whole && is_test_code(key.path());
        for (key, _) in new.into_iter().filter(|(key, _)| is_out(key)) {
            plan.leave_out(key.path());
        }
        Some(())
    }

    /// Restores the earlier text of a test.
    fn put_file(&self, key: &InputKey, input: &Input, plan: &mut CopyPlan) -> Option<()> {
        let was = input.was()?;
        let as_it_was = |text: &Vec<u8>| {
            [false, true].into_iter().find(|is_program| tree::content_of(text, *is_program) == was)
        };
        let earlier = self.earlier(key);
        let (text, is_program) =
            earlier.into_iter().find_map(|text| as_it_was(&text).map(|program| (text, program)))?;
        plan.put(key.path(), text, is_program).then_some(())
    }

    /// Restores the earlier tests of a source in its current code.
    fn put_tests(&self, key: &InputKey, input: &Input, plan: &mut CopyPlan) -> Option<()> {
        let here = files::text(&self.now.engine.files.root, key.path())?;
        let was = input.was();
        let is_it = |text: &Vec<u8>| rust_tests(text).map(Hash::of) == was;
        // A new source had no tests.
        let nothing = was.is_none().then(Vec::new);
        let then = self.earlier(key).into_iter().chain(nothing).find(is_it)?;
        let spliced = with_rust_tests(&here, &then)?;
        let whole = tree::content(&self.now.engine.files.root, key.path())?;
        let is_program = whole == tree::content_of(&here, true);
        plan.put(key.path(), spliced, is_program).then_some(())
    }

    /// Removes the tests in new sources: they may refer to test files that are left out.
    fn strip_new_sources(&self, plan: &mut CopyPlan) {
        let Ok(tree) = self.now.tree() else { return };
        let paths = tree.files().iter().filter_map(|file| str::from_utf8(&file.path).ok());
        let is_new = |path: &&str| {
            is_rust(path) && !is_test(path) && !self.baseline.files.contains_key(*path)
        };
        for path in paths.filter(is_new).take(MOST_TESTS) {
            let text = files::text(&self.now.engine.files.root, path);
            let text = text.filter(|text| rust_tests(text).is_some());
            if let Some(bare) = text.and_then(|text| with_rust_tests(&text, b"")) {
                plan.put(path, bare, false);
            }
        }
    }

    /// Returns the possible earlier texts of a file: from this unit's beginning, and from that of
    /// the unit that left a doubt.
    fn earlier(&self, key: &InputKey) -> Vec<Vec<u8>> {
        let engine: &Engine<'_> = self.now.engine;
        let doubt = self.doubts.tracked_at(key).and_then(|doubt| doubt.text);
        let doubt = doubt.and_then(|name| texts::kept(engine.place, name));
        self.baseline.text(engine, key.path()).into_iter().chain(doubt).collect()
    }
}

/// Returns the key of a gate's answer for these files.
fn known_by(files: Hash, spec: &GateSpec) -> Hash {
    // A check consists of texts and can always be serialized.
    let check = serde_json::to_string(&spec.gate.check).unwrap_or_default();
    Hash::of(format!("second look {VERSION} {files} {check}"))
}

//! Compares the definitions of the gates' commands with those at the unit's beginning.

use std::collections::{BTreeMap, BTreeSet};

use sprag_core::Hash;
use sprag_core::basis::{
    Arrival, Attribution, Departure, Difference, Excuse, Input, InputKey, OpenDoubt, Role, TextNow,
    rust_tests,
};
use sprag_core::definition::{GateDefinition, PartChange, PartKey, PartRole, WhenNew, changes};

use super::baseline::{Baseline, GateBaseline, defined, files_now, part_of};
use super::collect::Collector;
use super::files::ReadFiles;
use super::{files, law};
use crate::engine::{Engine, EngineError};
use crate::now::Now;

/// How many earlier baselines are loaded for definitions in doubt.
const MOST_EARLIER: usize = 8;

/// The files that determine a part of a definition: its text may come from another file than the
/// one that names it, such as an included one.
pub(crate) type FilesRead = BTreeMap<InputKey, BTreeSet<String>>;

impl Collector<'_> {
    /// Compares the definitions of the commands that none of these gates runs. They are no inputs of
    /// this unit, and a later unit must not begin from a weakened one.
    pub(crate) fn unasked_definitions(
        &self,
        asked: &[&str],
        all: &mut BTreeMap<InputKey, Input>,
        read: &mut FilesRead,
    ) -> Result<(), EngineError> {
        let unasked = self.baseline.all_gates().filter(|(name, _)| !asked.contains(&name.as_str()));
        let mut others = BTreeMap::new();
        self.definitions(unasked, &mut others, read)?;
        for (key, input) in others {
            all.entry(key).or_insert_with(|| input.excused(Excuse::OtherGate));
        }
        Ok(())
    }

    /// Compares the definitions of these gates' commands.
    pub(crate) fn definitions<'g>(
        &self,
        gates: impl Iterator<Item = (&'g String, &'g GateBaseline)>,
        all: &mut BTreeMap<InputKey, Input>,
        read: &mut FilesRead,
    ) -> Result<(), EngineError> {
        let reader = files_now(self.now.engine, self.now.tree()?);
        let earlier = self.earlier();
        for (name, gate) in gates {
            let files = ReadFiles::of(&reader);
            let now = defined(&gate.commands, &files);
            let files = self.changed_unkeyed(files.paths_read(), &now);
            let then = self.before_doubts(gate, &now, &earlier);
            self.put_back(&now, all);
            let found = self.found().gate(name).map(|gate| &gate.definition);
            for (part, (role, change)) in changes(&then, &now) {
                let is_new = role == PartRole::Runner && change == PartChange::New;
                let is_reached = is_new
                    && (self.is_only_reached(&part, &files) || self.is_in_old_file(&part, &now));
                let change = if is_reached { PartChange::Grew } else { change };
                let hash = |of: &GateDefinition| of.parts.get(&part).map(|part| part.hash);
                let was = hash(&then).or_else(|| then.earlier.get(&part).map(|part| part.hash));
                let key = key_of(&part);
                let is_found = found.is_some_and(|found| hash(found) == hash(&now));
                let Some(whose) = self.whose(&key, is_found) else { continue };
                let input = defined_input(role, change, was, hash(&now), whose);
                let Some(input) = input else { continue };
                // The file may also be a test; an existing doubt keeps its role.
                let doubted =
                    self.doubts.tracked_at(&key).is_some_and(|doubt| doubt.role == input.role());
                // If tests do not count, a test file that the gate itself runs does.
                if doubted || !gate.tests || all.get(&key).is_none_or(|known| !known.weakens()) {
                    if key.part_name().is_some() && input.weakens() {
                        read.entry(key.clone()).or_default().extend(files.iter().cloned());
                    }
                    all.insert(key, input);
                }
            }
        }
        Ok(())
    }

    /// Returns the changed ones of these files that have no part of their own in a definition. The
    /// parts of other files take their text: those of a Makefile, the text of an included file.
    fn changed_unkeyed(&self, read: BTreeSet<String>, now: &GateDefinition) -> BTreeSet<String> {
        changed_unkeyed(self.now.engine, self.baseline, read, now)
    }

    /// Records which parts in doubt are back at their earlier text.
    fn put_back(&self, now: &GateDefinition, all: &mut BTreeMap<InputKey, Input>) {
        for doubt in self.doubts.tracked().filter(|doubt| is_defining(doubt.role)) {
            let here = now.parts.get(&part_of(&doubt.key)).map(|part| part.hash);
            if here.is_some() && here == doubt.was {
                all.entry(doubt.key.clone()).or_insert_with(|| Input::same(doubt.role, doubt.was));
            }
        }
    }

    /// Returns whether a new part is in an unchanged file, so that another change merely made the
    /// gate reach it. A part that an earlier unit left in doubt always counts as new, and so does
    /// one whose text may come from one of these changed files.
    fn is_only_reached(&self, part: &PartKey, unkeyed: &BTreeSet<String>) -> bool {
        let is_elsewhere = part.part_name().is_some() && !unkeyed.is_empty();
        if is_elsewhere || self.doubts.tracked_at(&key_of(part)).is_some() {
            return false;
        }
        let engine = self.now.engine;
        let now = files::linked_text(&engine.files.root, part.path());
        now.is_some() && now == self.baseline.text(engine, part.path())
    }

    /// Returns whether only the arrival of a part's file would count, and the file is old.
    fn is_in_old_file(&self, part: &PartKey, now: &GateDefinition) -> bool {
        let is_arrival = now.parts.get(part).is_some_and(|part| part.when_new == WhenNew::WithFile);
        is_arrival
            && self.doubts.tracked_at(&key_of(part)).is_none()
            && self.baseline.files.contains_key(part.path())
    }

    /// Returns the baselines to which open doubts about definitions refer.
    fn earlier(&self) -> Vec<Baseline> {
        let doubts = self.doubts.tracked().filter(|doubt| is_defining(doubt.role));
        let names: BTreeSet<Hash> = doubts.filter_map(|doubt| doubt.baseline).collect();
        let kept = names.into_iter().filter_map(|name| Baseline::kept(self.now.engine, name));
        kept.take(MOST_EARLIER).collect()
    }

    /// Returns a gate's definition as it was before earlier units left parts of it in doubt.
    fn before_doubts(
        &self,
        gate: &GateBaseline,
        now: &GateDefinition,
        earlier: &[Baseline],
    ) -> GateDefinition {
        let mut then = gate.definition.clone();
        let same = |one: &&GateBaseline| one.commands == gate.commands;
        for known in earlier.iter().flat_map(Baseline::all_gates).map(|(_, gate)| gate).filter(same)
        {
            then.recall(&known.definition);
        }
        for doubt in self.doubts.tracked() {
            let Some(role) = part_role(doubt.role) else { continue };
            let part = part_of(&doubt.key);
            let found = gate.definition.parts.get(&part).map(|part| part.hash);
            let was = self.doubts.was(&doubt.key, found);
            if was == found && was != doubt.was {
                // It is another text than the tracked one, so a person's.
                continue;
            }
            let is_own =
                [&then.parts, &then.earlier, &now.parts].map(|all| all.contains_key(&part));
            if is_own.contains(&true) {
                then.put_back(part, role, was);
            }
        }
        then
    }
}

fn key_of(part: &PartKey) -> InputKey {
    match part.part_name() {
        Some(name) => InputKey::part(part.path(), name),
        None => InputKey::file(part.path()),
    }
}

fn defined_input(
    role: PartRole,
    change: PartChange,
    was: Option<Hash>,
    now: Option<Hash>,
    whose: Attribution,
) -> Option<Input> {
    let role = match role {
        PartRole::Runner => Role::Runner,
        PartRole::Script => Role::Script,
        PartRole::Program => Role::Program,
    };
    Some(match (was, now, change) {
        (None, None, _) => return None,
        (Some(was), None, PartChange::Stricter) => {
            Input::departed(role, was, Departure::Stricter, whose)
        }
        (Some(was), None, _) => Input::departed(role, was, Departure::Gone, whose),
        (None, Some(now), PartChange::New) => Input::arrived(role, now, Arrival::New, whose),
        (None, Some(now), PartChange::Changed) => {
            Input::arrived(role, now, Arrival::Shadows, whose)
        }
        (None, Some(now), PartChange::Grew | PartChange::Stricter | PartChange::Gone) => {
            Input::arrived(role, now, Arrival::Stricter, whose)
        }
        (None, Some(now), PartChange::WithLock) => {
            Input::arrived(role, now, Arrival::Shadows, whose).excused(Excuse::LockFile)
        }
        (Some(was), Some(now), PartChange::WithLock) => {
            Input::differs(role, was, now, Difference::Other, whose).excused(Excuse::LockFile)
        }
        (Some(was), Some(now), PartChange::Grew) => {
            Input::differs(role, was, now, Difference::Grew, whose)
        }
        (Some(was), Some(now), PartChange::Stricter) => {
            Input::differs(role, was, now, Difference::Stricter, whose)
        }
        (Some(was), Some(now), PartChange::New | PartChange::Changed | PartChange::Gone) => {
            Input::differs(role, was, now, Difference::Other, whose)
        }
    })
}

/// Returns the current text of an input in doubt, if it can be found without its gate.
pub(crate) fn text_now(now: &Now<'_>, doubt: &OpenDoubt) -> TextNow {
    let (root, path) = (&now.engine.files.root, doubt.key.path());
    if doubt.role == Role::Memory {
        // No file of the project names the missing one.
        return TextNow::Unknown;
    }
    if doubt.role == Role::Law {
        let is_here = doubt.key.part_name().is_none();
        let root = if is_here { root.as_path() } else { law::project_of(now.engine) };
        return TextNow::Is(sprag_world::tree::content(root, path));
    }
    match (doubt.key.part_name(), is_defining(doubt.role)) {
        (None, false) => TextNow::Is(sprag_world::tree::content(root, path)),
        (None, true) => TextNow::Is(files::defined_hash(root, path)),
        (Some(_), false) => {
            TextNow::Is(files::text(root, path).as_deref().and_then(rust_tests).map(Hash::of))
        }
        (Some(_), true) => match files::defined_hash(root, path) {
            None => TextNow::Is(None),
            Some(_) => part_now(now, doubt),
        },
    }
}

/// Returns the files that determine the text of an input in doubt: its own, and those whose text its
/// parts take.
pub(crate) fn files_of(now: &Now<'_>, doubt: &OpenDoubt) -> BTreeSet<String> {
    let own = BTreeSet::from([doubt.key.path().to_owned()]);
    let is_part = doubt.key.part_name().is_some() && is_defining(doubt.role);
    let baseline = doubt.baseline.filter(|_| is_part);
    let baseline = baseline.and_then(|name| Baseline::kept(now.engine, name));
    let (Some(baseline), Ok(tree)) = (baseline, now.tree()) else { return own };
    let reader = files_now(now.engine, tree);
    let files = ReadFiles::of(&reader);
    let defined = defined(&baseline.commands(), &files);
    &own | &changed_unkeyed(now.engine, &baseline, files.paths_read(), &defined)
}

fn changed_unkeyed(
    engine: &Engine<'_>,
    then: &Baseline,
    mut read: BTreeSet<String>,
    now: &GateDefinition,
) -> BTreeSet<String> {
    let keyed: BTreeSet<&str> = now.parts.keys().map(PartKey::path).collect();
    let root = &engine.files.root;
    read.retain(|path| {
        !keyed.contains(path.as_str()) && files::linked_text(root, path) != then.text(engine, path)
    });
    read
}

/// Returns the current text of a part in doubt, found through the gates of its unit.
fn part_now(now: &Now<'_>, doubt: &OpenDoubt) -> TextNow {
    let baseline = doubt.baseline.and_then(|name| Baseline::kept(now.engine, name));
    let (Some(baseline), Ok(tree)) = (baseline, now.tree()) else { return TextNow::Unknown };
    let defined = defined(&baseline.commands(), &files_now(now.engine, tree));
    TextNow::Is(defined.parts.get(&part_of(&doubt.key)).map(|part| part.hash))
}

/// Returns whether an input with this role defines a gate's command.
pub(crate) const fn is_defining(role: Role) -> bool {
    part_role(role).is_some()
}

const fn part_role(role: Role) -> Option<PartRole> {
    match role {
        Role::Runner => Some(PartRole::Runner),
        Role::Script => Some(PartRole::Script),
        Role::Program => Some(PartRole::Program),
        Role::Test
        | Role::Protected
        | Role::Law
        | Role::State
        | Role::Host
        | Role::Memory
        | Role::Forge => None,
    }
}

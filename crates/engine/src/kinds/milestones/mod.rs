//! A run of a GSD milestone tree: the tree is read from its documents each time, and the values
//! that rules keep are written to the front matter in the same commit.

mod documents;
mod drive;
mod foretell;
mod kind;

pub use kind::{ENTRY, INFO};
use std::collections::BTreeMap;
use std::mem::discriminant;

use sprag_core::gsd::{Definition, Gsd, Homeless, Keep, Position, Tree, settle};
use sprag_core::rules::{Chain, Kinds, Rule};
use sprag_core::{
    BadPath, DocPath, Facts, GateSpec, Hash, Machine as _, Next, Plain, Run, RunId, Seq, Time,
    UnitId, between,
};
use sprag_formats::gsd::{keep, load_for};
use sprag_formats::{Fault, preferences_digest, rules_of_preferences};
use sprag_store::{Doc, Edit, View};

use crate::config::{self, Configured};
use crate::run_file::Unusable;
use documents::Documents;

pub use drive::Dispatch;
pub use foretell::Foretold;

/// The document with the rules of a tree.
pub(crate) const PREFERENCES: &str = ".gsd/PREFERENCES.md";
/// The same in GSD's other spelling.
pub(crate) const PREFERENCES_LOWER: &str = ".gsd/preferences.md";
/// The name of the person's own preferences in messages.
const PERSON: &str = "~/.gsd/PREFERENCES.md";

/// A run of a milestone tree, with its sources.
#[derive(Clone, Debug, PartialEq)]
pub struct GsdRun {
    /// The tree and its rules.
    pub definition: Definition,
    pub run: Run<Position>,
    /// The gates of open units, with the data to evaluate them.
    pub specs: Vec<GateSpec>,
    /// The digest of the rules in the current preferences.
    pub(crate) digest: Hash,
    /// The texts of the documents in which rules keep values.
    homes: BTreeMap<DocPath, String>,
}

impl GsdRun {
    /// Combines a run with its tree.
    pub(crate) fn new(read: TreeFiles, mut run: Run<Position>, view: &View<'_>) -> Self {
        let TreeFiles { definition, digest } = read;
        run.learn::<Gsd>(&definition);
        let mut homes = BTreeMap::new();
        for kept in &definition.state.extensions {
            if let Doc::Text(text) = view.read(&kept.home) {
                homes.insert(kept.home.clone(), text);
            }
        }
        let mut made = Self { definition, run, specs: Vec::new(), digest, homes };
        made.look_again();
        made
    }

    /// Adopts a run after a step.
    pub(crate) fn take(&mut self, run: Run<Position>) {
        self.run = run;
        self.look_again();
    }

    /// Updates the gates of open units, which depend on nothing outside.
    fn look_again(&mut self) {
        let facts = Facts::new(Time::from_millis(0), Seq(0), Hash::of(""));
        let begun = match Gsd::next(&self.definition, &self.run, &facts) {
            Next::Units(units) => units,
            Next::Wait { .. } | Next::Held(_) | Next::Done | Next::Cancelled | Next::Ask(_) => {
                Vec::new()
            }
        };
        let gates = begun.into_iter().flat_map(|unit| unit.gates);
        let spec = |gate| GateSpec { gate, timeout: None, protect: Vec::new() };
        self.specs = gates.map(spec).collect();
    }

    /// Returns the edits that write the values that rules keep.
    pub(crate) fn edits(&self) -> Result<Vec<Edit>, Unusable> {
        let mut edits = Vec::new();
        for (home, keeps) in settle(&self.definition, &self.run).map_err(|bad| homeless(&bad))? {
            let Some(before) = self.homes.get(home) else {
                let Some(Keep { at, rule, .. }) = keeps.first() else { continue };
                return Err(homeless(&Homeless { rule: rule.clone(), at: at.clone() }));
            };
            let now = kept(home, before, &keeps)?;
            if *before != now {
                let splices = between(before, &now).into_iter().collect();
                edits.push(Edit::Splice { doc: home.clone(), splices });
            }
        }
        Ok(edits)
    }

    /// Returns the write with which the table skips a unit: the document that the unit would leave.
    pub(crate) fn skipped_by_writing(&self) -> Option<Edit> {
        self.definition.skip_writes().map(|(doc, text)| Edit::Write { doc, text })
    }
}

/// Returns a document's text with the values that rules keep.
fn kept(home: &DocPath, before: &str, keeps: &[&Keep]) -> Result<String, Unusable> {
    let wrong = |fault: Fault| Unusable::Wrong(Box::new(fault.in_file(home.as_str())));
    let mut now = before.to_owned();
    for Keep { rule, value, .. } in keeps {
        let value = Some(value).filter(|value| **value != Plain::Null);
        let splices = keep(&now, rule.as_str(), value).map_err(wrong)?;
        now = sprag_core::apply(&now, &splices)
            .map_err(|bad| Unusable::Definition { path: home.to_string(), why: bad.to_string() })?;
    }
    Ok(now)
}

fn homeless(bad: &Homeless) -> Unusable {
    Unusable::Definition { path: bad.at.to_string(), why: bad.to_string() }
}

/// Returns the path of a run's copy of the person's own preferences. They are outside of the
/// project, and a run is judged by its initial copy.
fn person_path(run: &str) -> Result<DocPath, BadPath> {
    DocPath::parse(&format!(".sprag/runs/{run}/preferences.md"))
}

/// A tree with its rules, as it was read.
#[derive(Debug)]
pub(crate) struct TreeFiles {
    definition: Definition,
    digest: Hash,
}

impl TreeFiles {
    /// Combines a tree with its rules.
    fn new(
        view: &View<'_>,
        tree: Tree,
        preferences: Option<&(String, String)>,
        person: Option<&str>,
    ) -> Result<Self, Unusable> {
        let rules = chain(view, preferences, person)?;
        let digest = preferences_digest(preferences.map_or("", |(_, text)| text));
        Ok(Self { definition: Definition::new(tree, rules), digest })
    }
}

/// Loads the tree of a run with its rules.
pub(crate) fn of_run(
    view: &View<'_>,
    id: &RunId,
    run: &Run<Position>,
) -> Result<TreeFiles, Unusable> {
    let path = person_path(id.as_str())?;
    match view.read(&path) {
        Doc::Text(text) => read(view, Some(&text), &run.slices()),
        Doc::Absent => read(view, None, &run.slices()),
        Doc::Unknown(why) => Err(Unusable::Unreadable { path, why }),
    }
}

/// Loads the tree with its rules. `person` is the text of the person's own preferences.
fn read(view: &View<'_>, person: Option<&str>, also: &[UnitId]) -> Result<TreeFiles, Unusable> {
    let loaded = load_for(&Documents(view), person, also);
    TreeFiles::new(view, loaded.tree, loaded.preferences.as_ref(), person)
}

/// Loads the rules of the configuration, of a tree's preferences (file and text), and of the
/// person's own preferences.
fn chain(
    view: &View<'_>,
    preferences: Option<&(String, String)>,
    person: Option<&str>,
) -> Result<Chain, Unusable> {
    let mut rules = of_config(view)?;
    let project = preferences.map(|(path, text)| (path.as_str(), text.as_str()));
    for (path, text) in project.into_iter().chain(person.map(|text| (PERSON, text))) {
        let wrong = |faults: Vec<Fault>| refused(path, faults);
        let (found, _) = rules_of_preferences(text).map_err(wrong)?;
        let known = rules.clone();
        for rule in found {
            match known.iter().find(|known| known.name == rule.name) {
                // A rule enabled in several places is one rule: the configuration decides, then the
                // project.
                Some(same) if discriminant(&same.body) == discriminant(&rule.body) => {}
                Some(other) if is_beside(other, &rule) => return Err(two(path, &rule)),
                Some(_) | None => rules.push(rule),
            }
        }
    }
    Ok(Chain::new(rules))
}

/// Returns whether two rules run at the same time, so that they need different names.
fn is_beside(one: &Rule, other: &Rule) -> bool {
    let both = |one: &Kinds, other: &Kinds| *one != Kinds::NONE && *other != Kinds::NONE;
    both(&one.before, &other.before) || both(&one.after, &other.after)
}

fn two(path: &str, rule: &Rule) -> Unusable {
    let why = format!("another rule is called `{}` as well: give one another name", rule.name);
    Unusable::Definition { path: path.to_owned(), why }
}

fn of_config(view: &View<'_>) -> Result<Vec<Rule>, Unusable> {
    match config::load(view)? {
        Configured::Known { config, .. } => Ok(config.rules),
        Configured::Wrong(faults) => Err(refused(config::path()?.as_str(), faults)),
        Configured::Unreadable(why) => Err(Unusable::Unreadable { path: config::path()?, why }),
    }
}

/// Builds the error of wrong rules; nothing is dispatched until they are corrected.
fn refused(path: &str, faults: Vec<Fault>) -> Unusable {
    match faults.into_iter().next() {
        Some(fault) => Unusable::Wrong(Box::new(fault.in_file(path))),
        None => Unusable::Definition { path: path.to_owned(), why: "it is wrong".to_owned() },
    }
}

//! What would be dispatched now, with the rules: looks, asks the commands of rules, changes nothing.

use std::collections::BTreeMap;

use sprag_core::gsd::{Gsd, Looked, Position, Tree};
use sprag_core::{Facts, Hash, Next, Run, RunId};
use sprag_formats::Checks;
use sprag_store::View;

use super::drive::of_tree;
use super::{GsdRun, Read};
use crate::clock;
use crate::config::{self, Configured};
use crate::engine::{Engine, EngineError};
use crate::live::Live;
use crate::run_file::RunFile;

/// So many commands of rules may have to be asked one after another.
const ROUNDS: u32 = 32;

/// What would be dispatched now.
#[derive(Clone, Debug)]
pub struct Foretold {
    /// What the rules make of what the table says.
    pub looked: Looked,
    /// The unit that is begun and has not ended, where there is one.
    pub begun: Option<sprag_core::UnitId>,
    /// How many rules there are.
    pub rules: usize,
}

impl Engine<'_> {
    /// Says what would be dispatched now in this tree; `preferences` are its file and text.
    pub fn foretell(
        &self,
        tree: &Tree,
        preferences: Option<&(String, String)>,
    ) -> Result<Foretold, EngineError> {
        let mut answers = BTreeMap::new();
        let person = self.person_preferences();
        for _ in 0..ROUNDS {
            let person = person.as_deref();
            let (live, checks) = self.look(|view| run_of(view, tree, preferences, person))?;
            let Live::Gsd(held) = &live else { break };
            let mut facts = Facts::new(clock::now(), sprag_core::Seq(0), Hash::of(""));
            facts.answers.clone_from(&answers);
            let looked = held.definition.look(&held.run, &facts);
            if let Next::Ask(asks) = &looked.next {
                self.ask_rules(live.rules_of(asks), checks, &mut answers)?;
                continue;
            }
            let begun = held.run.attempts().first().map(|attempt| attempt.unit().clone());
            return Ok(Foretold { looked, begun, rules: held.definition.rules.rules().len() });
        }
        Err(EngineError::Restless)
    }
}

/// Returns the run of the tree as it stands, or one that nothing has happened to.
fn run_of(
    view: &View<'_>,
    tree: &Tree,
    preferences: Option<&(String, String)>,
    person: Option<&str>,
) -> Result<(Live, Checks), EngineError> {
    let checks = match config::load(view)? {
        Configured::Known { config, .. } => config.checks,
        Configured::Wrong(_) | Configured::Unreadable(_) => Checks::Never,
    };
    if let Some(id) = of_tree(view)? {
        return Ok((RunFile::open(view, &id, None)?.live, checks));
    }
    let read = Read::new(view, tree.clone(), preferences, person)?;
    let start = Position::start(&read.definition);
    let run = Run::new::<Gsd>(RunId::parse("r-none")?, &read.definition, start);
    Ok((Live::Gsd(Box::new(GsdRun::new(read, run, view))), checks))
}

//! Predicts the next dispatch, including the answers of rules' commands, without changing anything.

use sprag_core::gsd::{Gsd, NextStep, Position, Tree};
use sprag_core::{Facts, Hash, Next, Run, RunId};
use sprag_formats::{Checks, Config};
use sprag_store::View;
use sprag_world::clock;

use super::drive::of_tree;
use super::{GsdRun, TreeFiles};
use crate::config::{self, Configured};
use crate::engine::kind::{AnyRun, Kinds};
use crate::engine::{Engine, EngineError};
use crate::judge::tx::Tx;
use crate::judge::{Known, Progress, Within};
use crate::run_file::RunFile;

/// The predicted dispatch.
#[derive(Clone, Debug)]
pub struct Foretold {
    /// The table's decision after the rules.
    pub looked: NextStep,
    /// The prompt of the next unit, if there is one.
    pub prompt: Option<String>,
    /// The open unit, if there is one.
    pub begun: Option<sprag_core::UnitId>,
    /// The number of rules.
    pub rules: usize,
}

impl Engine<'_> {
    /// Predicts the next dispatch in this tree. `preferences` is the file with its text.
    pub fn foretell(
        &self,
        tree: &Tree,
        preferences: Option<&(String, String)>,
    ) -> Result<Foretold, EngineError> {
        let person = self.person_preferences();
        self.settle("sprag", Within::Caller, &mut |tx: &mut Tx<'_>, known: &Known| {
            let (live, config) =
                run_of((self.kinds, tx.view), tree, preferences, person.as_deref())?;
            let Some(held) = live.of::<GsdRun>() else { return Err(EngineError::Restless) };
            let mut facts = Facts::new(clock::now(), sprag_core::Seq(0), Hash::of(""));
            facts.answers.clone_from(&known.answers);
            let looked = held.definition.look(&held.run, &facts);
            if let Next::Ask(asks) = &looked.next {
                return Ok(Progress::needs(&config, Vec::new(), live.rules_of(asks)));
            }
            let begun = held.run.attempts().first().map(|attempt| attempt.unit().clone());
            let prompt = match &looked.next {
                Next::Units(units) => units.first().map(|unit| held.definition.worded(unit)),
                Next::Wait { .. } | Next::Held(_) | Next::Done | Next::Cancelled | Next::Ask(_) => {
                    None
                }
            };
            let rules = held.definition.rules.rules().len();
            Ok(Progress::Looked(Foretold { looked, prompt, begun, rules }))
        })
    }
}

/// Returns the tree's run, or a new one.
fn run_of(
    (kinds, view): (Kinds, &View<'_>),
    tree: &Tree,
    preferences: Option<&(String, String)>,
    person: Option<&str>,
) -> Result<(AnyRun, Box<Config>), EngineError> {
    let config = match config::load(view)? {
        Configured::Known { config, .. } => config,
        Configured::Wrong(_) | Configured::Unreadable(_) => {
            Box::new(Config { checks: Checks::Never, ..Config::default() })
        }
    };
    if let Some(id) = of_tree(kinds, view)? {
        return Ok((RunFile::open(kinds, view, &id, None)?.live, config));
    }
    let read = TreeFiles::new(view, tree.clone(), preferences, person)?;
    let start = Position::start(&read.definition);
    let run = Run::new::<Gsd>(RunId::parse("r-none")?, &read.definition, start);
    Ok((Box::new(GsdRun::new(read, run, view)), config))
}

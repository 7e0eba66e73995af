//! Lets a person adopt a folder that came from elsewhere: they see its contents, and the contents
//! count once they agree.
//!
//! The journal that came with the folder is set aside because anyone could have written it: its
//! receipts were earned elsewhere. Runs stay, and units that an agent had begun there are returned.

use sprag_core::{Fence, Ran, RunId};
use sprag_formats::{Config, Fault};
use sprag_world::root;
use sprag_world::trust;

use crate::config::{self, Configured};
use crate::drive::{self, UnapprovedItem};
use crate::engine::{Engine, EngineError, PATIENT};
use crate::inbox::board::AgentRow;
use crate::init::foreign::{self, Foreign};
use crate::run_file::runs;
use crate::{gate, open_run};

/// The reason recorded on the attempts that are returned.
const ELSEWHERE: &str = "it was begun elsewhere";

/// The contents of a folder, as shown to the person before they adopt it.
#[derive(Debug, Default)]
pub struct Brought {
    pub config: Option<String>,
    /// Problems in the configuration.
    pub faults: Vec<Fault>,
    /// Commands in the configuration; they may run once the person agrees.
    pub commands: Vec<UnapprovedItem>,
    /// Files of other agent systems in the folder.
    pub foreign: Vec<Foreign>,
    /// Agents and the units assigned to them.
    pub assignments: Vec<(String, String)>,
    pub runs: Vec<RunId>,
    /// Whether the folder has any journal, session or run.
    pub has_state: bool,
}

/// How much of the folder's state is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    Runs,
    /// Everything is set aside.
    Nothing,
}

#[derive(Debug, Default)]
pub struct Adopted {
    /// Where the old state was moved, below `.sprag`.
    pub aside: Vec<String>,
    /// Runs that could not be read, with the reason.
    pub unread: Vec<(RunId, String)>,
}

impl Engine<'_> {
    pub fn brought_along(&self) -> Result<Brought, EngineError> {
        let mut brought = Brought {
            foreign: foreign::find(&self.place.root),
            has_state: root::has_state(self.place),
            ..Brought::default()
        };
        let (configured, text) = self.look(|view| {
            let text = view.read(&config::path()?).text().map(str::to_owned);
            Ok((config::load_as_it_is(view)?, text))
        })?;
        brought.config = text;
        match configured {
            Configured::Known { config, .. } => brought.commands = commands(&config),
            Configured::Wrong(faults) => brought.faults = faults,
            Configured::Unreadable(why) => {
                let path = config::path()?.to_string();
                return Err(EngineError::Unreadable { path, why: why.to_string() });
            }
        }
        brought.runs = self.look(runs).unwrap_or_default();
        if let Ok(board) = self.board() {
            let has = |row: &AgentRow| {
                let unit = row.polled.slot.unit()?;
                let title = row.polled.title.clone().unwrap_or_default();
                Some((row.polled.agent.to_string(), format!("{unit} {title}")))
            };
            brought.assignments = board.agents.iter().filter_map(has).collect();
        }
        Ok(brought)
    }

    /// Makes the folder the person's, and approves the commands they were shown.
    pub fn adopt_folder(
        &self,
        shown: &Brought,
        keep: Keep,
        by: &str,
    ) -> Result<Adopted, EngineError> {
        let folder = self.deeds_or_refuse()?;
        let mut adopted = Adopted::default();
        let names: &[&str] = match keep {
            Keep::Runs => &["journal", "cache"],
            Keep::Nothing => &["journal", "cache", "runs", "sessions", "agents"],
        };
        adopted.aside.extend(self.store.put_aside(names, PATIENT)?);
        // Otherwise the store would restore the foreign journal from its copy.
        self.store.forget_copy()?;
        let digests: Vec<_> = shown.commands.iter().map(|one| one.digest).collect();
        trust::approve(&folder, self.place, &digests)?;
        if keep == Keep::Runs {
            for run in &shown.runs {
                if let Err(error) = self.give_back(run) {
                    adopted.unread.push((run.clone(), error.to_string()));
                }
            }
        }
        self.note_adopted(by)?;
        Ok(adopted)
    }

    /// Ends all open attempts of a run so that their units can begin again.
    fn give_back(&self, run: &RunId) -> Result<(), EngineError> {
        let fences: Vec<Fence> = self.look(|view| {
            let case = open_run::OpenRun::open(self.kinds, view, run)?;
            Ok(case.run.live.attempts().iter().map(sprag_core::Attempt::fence).collect())
        })?;
        for fence in fences {
            self.drive_lost(run, fence, Ran::Returned, ELSEWHERE)?;
        }
        Ok(())
    }

    fn note_adopted(&self, by: &str) -> Result<(), EngineError> {
        self.commit(by, PATIENT, |_| {
            let mut draft = crate::draft::Draft::default();
            draft.note(None, sprag_core::event::ProjectAdopted);
            Ok((draft, ()))
        })
    }
}

fn commands(config: &Config) -> Vec<UnapprovedItem> {
    let gates = config.guard.iter().flat_map(|guard| &guard.gates);
    let gates = gates.flat_map(|spec| gate::commands(&spec.gate.check)).map(UnapprovedItem::of);
    let rules = config.rules.iter().filter_map(|rule| rule.command_words()).map(UnapprovedItem::of);
    let notify = config.notify.command.as_deref().map(UnapprovedItem::of);
    let set_up = drive::set_up_asks(&config.worktree);
    let hosts = drive::host_asks(&config.hosts);
    let mut all: Vec<UnapprovedItem> =
        gates.chain(rules).chain(notify).chain(set_up).chain(hosts).collect();
    all.sort();
    all.dedup();
    all
}

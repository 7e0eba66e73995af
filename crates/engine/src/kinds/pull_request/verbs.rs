//! The verbs of persons for a loop: begin, pause, resume, complete, refresh.

use sprag_core::DocPath;
use sprag_core::event::PullChanged;
use sprag_core::pr::{LoopSection, Patience, Pull, PullRecord, TurnRole, not_resumed, recompute};
use sprag_formats::Fault;
use sprag_formats::chipset::Laid;
use sprag_formats::pr::{Fetched, ForgeMatch, LoopConfig, MetadataFile, edit_prompts, new_prompts};
use sprag_store::View;
use sprag_world::clock;
use sprag_world::forge::Forge;

use super::{METADATA, PROMPTS, documents, local, runs, stamp};
use crate::draft::Draft;
use crate::engine::{Engine, EngineError, PATIENT};
use crate::run_file::Unusable;

/// The settings of a new loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beginning {
    /// The agents, rounds, level and prompts.
    pub config: LoopConfig,
}

/// The answer of the forge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Refreshed {
    /// The number of the pull request.
    Pull(u32),
    /// There is none.
    #[default]
    None,
}

impl Engine<'_> {
    /// Queries the forge and merges its answer into the file. If the forge fails, nothing changes.
    pub fn review_refresh(&self, forge: &dyn Forge, actor: &str) -> Result<Refreshed, EngineError> {
        let here = local(&self.place.root)?;
        let pull = forge.pull(&here.branch).map_err(|error| EngineError::Refused {
            what: error.to_string(),
            help: "the file is as it was; try again later".to_owned(),
        })?;
        let number = pull.as_ref().map(|pull: &Pull| pull.number);
        let fetched = Fetched {
            found: pull.map_or(ForgeMatch::None, |pull| ForgeMatch::Pull(Box::new(pull))),
            branch: here.branch,
            worktree: self.place.root.display().to_string(),
            now: stamp(clock::now()),
        };
        self.review_edit(actor, "refresh", &|text| {
            Ok(Some(match text {
                Some(text) => (MetadataFile::parse(text)?.refresh(&fetched)?, None),
                None => (Vec::new(), Some(fetched.new_file())),
            }))
        })?;
        Ok(number.map_or(Refreshed::None, Refreshed::Pull))
    }

    /// Begins a loop, after the forge was queried. The run of an earlier loop ends.
    pub fn review_begin(&self, beginning: &Beginning) -> Result<(), EngineError> {
        let now = stamp(clock::now());
        let config = &beginning.config;
        let review_loop = config.begin(&now).map_err(|part: TurnRole| EngineError::Refused {
            what: format!("no agent is named as `{}`", part.as_str()),
            help: format!("say who: `sprag pr init {} AGENT`", part.flag()),
        })?;
        if let Some(run) = self.look(|view| runs::of_pull(self.kinds, view))?.open {
            self.cancel(&run, "person")?;
        }
        self.review_change("init", config, &|known| {
            known.level = config.level.unwrap_or(known.level);
            known.turn = Some(recompute(known).spelled(known.turn.as_deref()).to_owned());
            let mut review_loop = review_loop.clone();
            if !config.prompts.is_empty() {
                review_loop.prompts_file = Some(PROMPTS.to_owned());
            }
            known.review_loop = Some(review_loop);
            Ok(())
        })
    }

    /// Pauses a loop and keeps its turn.
    pub fn review_pause(&self) -> Result<(), EngineError> {
        let now = stamp(clock::now());
        self.review_change("pause", &LoopConfig::default(), &|known| {
            let review_loop = begun(known)?;
            review_loop.paused_at = Some(now.clone());
            review_loop.active = false;
            Ok(())
        })
    }

    /// Resumes a loop: typed or configured settings override its own, the turn is computed anew,
    /// exhausted limits are raised, and its run's hold is resolved.
    pub fn review_resume(&self, config: &LoopConfig) -> Result<(), EngineError> {
        self.review_change("resume", config, &|known| {
            if let Some(why) = not_resumed(known) {
                let help = "`sprag pr init` begins one".to_owned();
                return Err(EngineError::Refused { what: why.to_owned(), help });
            }
            let merged = config.clone().over(LoopConfig::of(known));
            known.turn = Some(recompute(known).spelled(known.turn.as_deref()).to_owned());
            known.level = config.level.unwrap_or(known.level);
            let round = known.round();
            let review_loop = begun(known)?;
            review_loop.paused_at = None;
            review_loop.active = true;
            review_loop.max_rounds = merged.max_rounds.unwrap_or(review_loop.max_rounds);
            if config.max_rounds.is_none() {
                review_loop.extend(round);
            }
            review_loop.patience = Patience::of_seconds(merged.wait);
            for (part, agent) in TurnRole::ALL.into_iter().zip(&merged.agents) {
                review_loop.set_agent(part, agent.clone());
            }
            Ok(())
        })?;
        match self.look(|view| runs::of_pull(self.kinds, view))?.open {
            Some(run) => self.resume(&run, "person").map(drop),
            None => Ok(()),
        }
    }

    /// Ends a loop; its values stay readable.
    pub fn review_complete(&self) -> Result<(), EngineError> {
        self.review_change("complete", &LoopConfig::default(), &|known| {
            let review_loop = begun(known)?;
            review_loop.active = false;
            review_loop.paused_at = None;
            Ok(())
        })
    }

    /// Changes a loop in the file, and its prompts, in one commit.
    fn review_change(
        &self,
        verb: &str,
        config: &LoopConfig,
        change: &dyn Fn(&mut PullRecord) -> Result<(), EngineError>,
    ) -> Result<(), EngineError> {
        let now = stamp(clock::now());
        self.commit("person", PATIENT, |view| {
            let wrong = |fault: Fault| Unusable::Wrong(Box::new(fault.in_file(METADATA)));
            let Some(text) = documents::read(view, METADATA)? else { return Err(nothing()) };
            let file = MetadataFile::parse(&text).map_err(wrong)?;
            let Some(known) = file.metadata().known() else { return Err(nothing()) };
            let mut after = known.clone();
            change(&mut after)?;
            let splices = file.edit(&after, &now).map_err(wrong)?;
            let mut draft = Draft::default();
            draft.lay(DocPath::parse(METADATA)?, Laid::Changed(splices));
            if !config.prompts.is_empty() {
                let named = after.review_loop.and_then(|review_loop| review_loop.prompts_file);
                add_prompts(view, named.as_deref().unwrap_or(PROMPTS), config, &mut draft)?;
            }
            draft.note(None, PullChanged { verb: verb.to_owned() });
            Ok((draft, ()))
        })
    }
}

/// Adds the prompts for the agents to their file.
fn add_prompts(
    view: &View<'_>,
    path: &str,
    config: &LoopConfig,
    draft: &mut Draft,
) -> Result<(), EngineError> {
    let laid = match documents::read(view, path)? {
        Some(there) => {
            let wrong = |fault: Fault| Unusable::Wrong(Box::new(fault.in_file(path)));
            Laid::Changed(edit_prompts(&there, &config.prompts).map_err(wrong)?)
        }
        None => Laid::New(new_prompts(&config.prompts)),
    };
    draft.lay(DocPath::parse(path)?, laid);
    Ok(())
}

fn begun(known: &mut PullRecord) -> Result<&mut LoopSection, EngineError> {
    known.review_loop.as_mut().ok_or_else(|| EngineError::Refused {
        what: "no loop was begun here".to_owned(),
        help: "`sprag pr init` begins one".to_owned(),
    })
}

pub(super) fn nothing() -> EngineError {
    EngineError::Refused {
        what: "nothing is known of a pull request here".to_owned(),
        help: "`sprag pr refresh` asks the forge".to_owned(),
    }
}

//! What persons do to a loop: begin it, pause it, let it go on, end it, ask the forge.

use sprag_core::pr::{Known, Loop, Metadata, Part, Pull, not_resumed, recompute};
use sprag_formats::Fault;
use sprag_formats::pr::{Fetched, Found, LoopConfig, MetadataFile, edit_prompts, new_prompts};
use sprag_store::Edit;

use super::drive::Wanted;
use super::{METADATA, PROMPTS, documents, local, stamp};
use crate::clock;
use crate::draft::Draft;
use crate::engine::{Engine, EngineError, PATIENT};
use crate::forge::Forge;
use crate::run_file::Unusable;

/// What a loop is begun with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beginning {
    /// The agents, the rounds, the level and the prompts.
    pub config: LoopConfig,
}

/// What the forge said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refreshed {
    /// There is a pull request.
    Pull(u32),
    /// There is none.
    None,
}

impl Engine<'_> {
    /// Asks the forge and merges what it says into the file; a forge that fails changes nothing.
    pub fn review_refresh(&self, forge: &dyn Forge, actor: &str) -> Result<Refreshed, EngineError> {
        let here = local(&self.place.root)?;
        let pull = forge.pull(&here.branch).map_err(|error| EngineError::Refused {
            what: error.to_string(),
            help: "the file is as it was; try again later".to_owned(),
        })?;
        let number = pull.as_ref().map(|pull: &Pull| pull.number);
        let fetched = Fetched {
            found: pull.map_or(Found::None, |pull| Found::Pull(Box::new(pull))),
            branch: here.branch,
            worktree: self.place.root.display().to_string(),
            now: stamp(clock::now()),
        };
        self.review_edit(actor, "refresh", |text| {
            Ok(Some(match text {
                Some(text) => (MetadataFile::parse(text)?.refresh(&fetched)?, None),
                None => (Vec::new(), Some(fetched.new_file())),
            }))
        })?;
        Ok(number.map_or(Refreshed::None, Refreshed::Pull))
    }

    /// Begins a loop; the forge has been asked before.
    pub fn review_begin(&self, beginning: &Beginning) -> Result<(), EngineError> {
        let now = stamp(clock::now());
        let config = &beginning.config;
        let review_loop = config.begin(&now).map_err(|part: Part| EngineError::Refused {
            what: format!("nobody is named as `{}`", part.as_str()),
            help: format!("say who: `sprag pr init --{} AGENT`", flag(part)),
        })?;
        self.commit("person", PATIENT, |view| {
            let text = documents::read(view, METADATA)?;
            let wrong = |path: &str, fault: Fault| Unusable::Wrong(Box::new(fault.in_file(path)));
            let known = known(text.as_deref()).map_err(|bad| wrong(METADATA, bad))??;
            let mut draft = Draft::default();
            let mut after = Known { review_loop: Some(review_loop.clone()), ..known.clone() };
            if !config.prompts.is_empty() {
                let doc = sprag_core::DocPath::parse(PROMPTS)?;
                draft.edit(match documents::read(view, PROMPTS)? {
                    Some(there) => {
                        let splices = edit_prompts(&there, &config.prompts);
                        Edit::Splice { doc, splices: splices.map_err(|bad| wrong(PROMPTS, bad))? }
                    }
                    None => Edit::Write { doc, text: new_prompts(&config.prompts) },
                });
                after.review_loop.iter_mut().for_each(|one| {
                    one.prompts_file = Some(PROMPTS.to_owned());
                });
            }
            after.level = config.level.unwrap_or(after.level);
            after.turn = Some(recompute(&known).spelled(known.turn.as_deref()).to_owned());
            let splices = text
                .as_deref()
                .map_or(Ok(Vec::new()), |text| MetadataFile::parse(text)?.edit(&after, &now));
            let doc = sprag_core::DocPath::parse(METADATA)?;
            draft.edit(Edit::Splice { doc, splices: splices.map_err(|bad| wrong(METADATA, bad))? });
            let data = serde_json::json!({ "verb": "init" });
            draft.note(None, sprag_core::Kind::PullChanged, data);
            Ok((draft, ()))
        })
    }

    /// Pauses a loop; its turn stays.
    pub fn review_pause(&self) -> Result<(), EngineError> {
        let now = stamp(clock::now());
        self.review_change("pause", |known| {
            let review_loop = begun(known)?;
            review_loop.paused_at = Some(now.clone());
            review_loop.active = false;
            Ok(())
        })
    }

    /// Lets a loop go on; what is typed or configured wins over what it has, and the turn is found
    /// out anew.
    pub fn review_resume(&self, config: &LoopConfig) -> Result<(), EngineError> {
        self.review_change("resume", |known| {
            if let Some(why) = not_resumed(known) {
                let help = "`sprag pr init` begins one".to_owned();
                return Err(EngineError::Refused { what: why.to_owned(), help });
            }
            let merged = config.clone().over(LoopConfig::of(known));
            let turn = recompute(known).spelled(known.turn.as_deref()).to_owned();
            let review_loop = begun(known)?;
            review_loop.paused_at = None;
            review_loop.active = true;
            review_loop.max_rounds = merged.max_rounds.unwrap_or(review_loop.max_rounds);
            for (part, agent) in Part::ALL.into_iter().zip(&merged.agents) {
                review_loop.set_agent(part, agent.clone());
            }
            known.turn = Some(turn);
            known.level = config.level.unwrap_or(known.level);
            Ok(())
        })
    }

    /// Ends a loop; what it says stays to be read.
    pub fn review_complete(&self) -> Result<(), EngineError> {
        self.review_change("complete", |known| {
            let review_loop = begun(known)?;
            review_loop.active = false;
            review_loop.paused_at = None;
            Ok(())
        })
    }

    fn review_change(
        &self,
        verb: &str,
        change: impl Fn(&mut Known) -> Result<(), EngineError>,
    ) -> Result<(), EngineError> {
        let now = stamp(clock::now());
        let mut after = match self.review_metadata()? {
            Metadata::Known(known) => known,
            Metadata::Missing | Metadata::Failed { .. } | Metadata::NoPr => return Err(nothing()),
        };
        change(&mut after)?;
        self.review_edit("person", verb, |text| {
            let mut wanted: Option<Wanted> = None;
            if let Some(text) = text {
                let file = MetadataFile::parse(text)?;
                // Decided on the text under the lock: somebody may have written since.
                if let Metadata::Known(known) = file.metadata() {
                    let mut now_known = (**known).clone();
                    if change(&mut now_known).is_ok() {
                        wanted = Some((file.edit(&now_known, &now)?, None));
                    }
                }
            }
            Ok(wanted)
        })
    }
}

fn begun(known: &mut Known) -> Result<&mut Loop, EngineError> {
    known.review_loop.as_mut().ok_or_else(|| EngineError::Refused {
        what: "no loop was begun here".to_owned(),
        help: "`sprag pr init` begins one".to_owned(),
    })
}

fn nothing() -> EngineError {
    EngineError::Refused {
        what: "nothing is known of a pull request here".to_owned(),
        help: "`sprag pr refresh` asks the forge".to_owned(),
    }
}

/// Returns the pull request in a text.
fn known(text: Option<&str>) -> Result<Result<Known, EngineError>, Fault> {
    let Some(text) = text else { return Ok(Err(nothing())) };
    Ok(match MetadataFile::parse(text)?.metadata() {
        Metadata::Known(known) => Ok((**known).clone()),
        Metadata::Missing | Metadata::Failed { .. } | Metadata::NoPr => Err(nothing()),
    })
}

const fn flag(part: Part) -> &'static str {
    match part {
        Part::Reviewer => "reviewer",
        Part::Developer => "developer",
        Part::CiChecker => "ci-checker",
        Part::CiFixer => "ci-fixer",
    }
}

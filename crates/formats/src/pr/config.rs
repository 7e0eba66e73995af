//! `config.yaml` of the review loop, and the precedence of its sources.

use sprag_core::pr::{LoopSection, Patience, Prompts, PullRecord, TurnRole};
use sprag_core::review::Threshold;

use crate::document::{Document, Format};
use crate::duration;
use crate::fault::{Fault, FaultKind};
use crate::field::Field;

/// The only supported version.
pub const VERSION: u64 = 1;

/// The settings that a loop starts with. Missing ones come from another source, or are asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoopConfig {
    /// The agents, in the order of [`TurnRole::ALL`].
    pub agents: [Option<String>; 4],
    pub max_rounds: Option<u32>,
    /// The lowest level of findings that must be resolved.
    pub level: Option<Threshold>,
    /// Additional prompts for the agents.
    pub prompts: Prompts,
    /// How long to wait for checks, in seconds, in the order of [`Patience::KEYS`].
    pub wait: [Option<u32>; 3],
}

const WAIT: &str = "ciWait";
const KEYS: [&str; 10] = [
    "version",
    "reviewer",
    "developer",
    "ciChecker",
    "ciFixer",
    "maxRounds",
    "approvalThreshold",
    "prompts",
    "fetchingStrategies",
    WAIT,
];

/// Reads `90s`, `2m` or a number of seconds.
fn seconds(field: &Field<'_>) -> Result<u32, Fault> {
    let wrong = || field.fault(FaultKind::Type, "expected a length of time such as `90s` or `30m`");
    let length = match field.as_u64() {
        Ok(seconds) => seconds,
        Err(_) => duration::duration(field.as_str()?).ok_or_else(wrong)?.as_secs(),
    };
    u32::try_from(length).map_err(|_| wrong())
}

impl LoopConfig {
    /// Reads a file. Also returns warnings that stop nothing.
    pub fn read(text: &str) -> Result<(Self, Vec<Fault>), Fault> {
        let document = Document::parse(Format::Yaml, text)?;
        document.top().entries()?;
        let mut notes = document.top().unknown_keys(&KEYS);
        let version = document.need(&["version"])?;
        if version.as_u64()? != VERSION {
            let what = format!("this is not version {VERSION}, which is all that sprag knows");
            return Err(version.fault(FaultKind::Type, what));
        }
        let text = |path: &[&str]| match document.optional(path) {
            Some(field) => Ok(Some(field.as_str()?.to_owned()).filter(|text| !text.is_empty())),
            None => Ok(None),
        };
        let mut config = Self::default();
        for (at, part) in TurnRole::ALL.into_iter().enumerate() {
            config.agents[at] = text(&[part.as_str()])?;
        }
        if let Some(field) = document.optional(&["maxRounds"]) {
            config.max_rounds = Some(u32::try_from(field.as_u64()?).unwrap_or(u32::MAX));
        }
        if let Some(field) = document.optional(&["approvalThreshold"]) {
            config.level = Threshold::parse(field.as_str()?).or(Some(Threshold::All));
            if Threshold::parse(field.as_str()?).is_none() {
                let what = "this is none of all, critical, important, so `all` holds";
                notes.push(field.fault(FaultKind::Type, what));
            }
        }
        for (place, key) in config.wait.iter_mut().zip(Patience::KEYS) {
            let field = document.optional(&[WAIT, key]);
            *place = field.map(|field| seconds(&field)).transpose()?;
        }
        let prompt = |part: TurnRole| text(&["prompts", part.as_str()]);
        config.prompts = Prompts {
            reviewer: prompt(TurnRole::Reviewer)?,
            developer: prompt(TurnRole::Developer)?,
            ci_checker: prompt(TurnRole::CiChecker)?,
            ci_fixer: prompt(TurnRole::CiFixer)?,
            no_handing_over: false,
        };
        Ok((config, notes))
    }

    /// Fills missing settings from `below`.
    #[must_use]
    pub fn over(self, below: Self) -> Self {
        let mut agents = below.agents;
        for (place, agent) in agents.iter_mut().zip(self.agents) {
            *place = agent.or(place.take());
        }
        Self {
            agents,
            max_rounds: self.max_rounds.or(below.max_rounds),
            level: self.level.or(below.level),
            wait: std::array::from_fn(|at| self.wait[at].or(below.wait[at])),
            prompts: Prompts {
                reviewer: self.prompts.reviewer.or(below.prompts.reviewer),
                developer: self.prompts.developer.or(below.prompts.developer),
                ci_checker: self.prompts.ci_checker.or(below.prompts.ci_checker),
                ci_fixer: self.prompts.ci_fixer.or(below.prompts.ci_fixer),
                no_handing_over: self.prompts.no_handing_over || below.prompts.no_handing_over,
            },
        }
    }

    /// The settings of a running loop.
    pub fn of(known: &PullRecord) -> Self {
        let review_loop = known.review_loop.as_ref();
        let agent = |part: TurnRole| review_loop?.agent(part).map(str::to_owned);
        Self {
            agents: TurnRole::ALL.map(agent),
            max_rounds: review_loop.map(|review_loop| review_loop.max_rounds),
            wait: review_loop.map_or([None; 3], |review_loop| review_loop.patience.seconds()),
            level: None,
            prompts: Prompts::default(),
        }
    }

    /// Returns the loop to start, or the part without an agent.
    pub fn begin(&self, now: &str) -> Result<LoopSection, TurnRole> {
        let mut review_loop = LoopSection {
            active: true,
            max_rounds: self.max_rounds.unwrap_or(LoopSection::ROUNDS),
            started_at: Some(now.to_owned()),
            patience: Patience::of_seconds(self.wait),
            ..LoopSection::default()
        };
        for (part, agent) in TurnRole::ALL.into_iter().zip(&self.agents) {
            review_loop.set_agent(part, agent.clone());
        }
        let needed = [TurnRole::Reviewer, TurnRole::Developer];
        match needed.into_iter().find(|part| review_loop.agent(*part).is_none()) {
            Some(part) => Err(part),
            None => Ok(review_loop),
        }
    }
}

use super::{Patience, Pull, ReviewTurn, TurnRole};
use crate::review::Threshold;
use crate::{Fields, Plain, Stored, Unreadable};

/// The content of `metadata.yaml`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Metadata {
    /// There is no file.
    Missing,
    /// The last fetch from the forge failed, and no data are available.
    Failed {
        /// The error.
        message: String,
    },
    /// The branch has no open pull request.
    NoPr,
    Known(Box<PullRecord>),
}

/// A pull request, with the file's own data about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PullRecord {
    /// The forge's data.
    pub pull: Pull,
    /// The stored turn, verbatim; it may be invalid.
    pub turn: Option<String>,
    /// Whether the review ended with an approval.
    pub approved: bool,
    /// The level of findings that must be resolved first.
    pub level: Threshold,
    /// The loop, if one was started.
    pub review_loop: Option<LoopSection>,
}

/// The section `reviewLoop`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoopSection {
    /// Whether it is running.
    pub active: bool,
    /// The maximum number of rounds; 0 means that the file sets no limit.
    pub max_rounds: u32,
    pub started_at: Option<String>,
    pub paused_at: Option<String>,
    /// The agent that reviews.
    pub reviewer: Option<String>,
    /// The agent that answers reviews.
    pub developer: Option<String>,
    /// The agent that watches the checks.
    pub ci_checker: Option<String>,
    /// The agent that fixes failed checks.
    pub ci_fixer: Option<String>,
    /// The path of the prompts.
    pub prompts_file: Option<String>,
    /// The time limits for checks.
    pub patience: Patience,
    /// The number of finished rounds by sprag's own count: the forge's count can decrease.
    pub round: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopState {
    Running,
    /// A person paused it, whatever `active` says.
    Paused,
    Completed,
}

impl Metadata {
    pub fn known(&self) -> Option<&PullRecord> {
        match self {
            Self::Known(known) => Some(known),
            Self::Missing | Self::Failed { .. } | Self::NoPr => None,
        }
    }
}

impl PullRecord {
    /// Returns the stored turn, if it is valid.
    pub fn stored_turn(&self) -> Option<ReviewTurn> {
        self.turn.as_deref().and_then(ReviewTurn::parse)
    }

    /// Returns the time limits for checks.
    pub fn patience(&self) -> Patience {
        self.review_loop.as_ref().map_or_else(Patience::default, |review_loop| review_loop.patience)
    }

    /// Returns the number of finished rounds: sprag's own count, or the forge's if it is higher.
    pub fn round(&self) -> u32 {
        let own = self.review_loop.as_ref().map_or(0, |review_loop| review_loop.round);
        own.max(self.pull.review_count)
    }
}

impl LoopSection {
    /// The default number of rounds.
    pub const ROUNDS: u32 = 5;
    /// The maximum number of rounds if the file sets no limit: every loop has one.
    pub const MOST: u32 = 100;
    /// The number of rounds that a person adds by resuming an exhausted loop.
    pub const MORE: u32 = 3;

    pub fn state(&self) -> LoopState {
        match (&self.paused_at, self.active) {
            (Some(_), _) => LoopState::Paused,
            (None, true) => LoopState::Running,
            (None, false) => LoopState::Completed,
        }
    }

    pub fn agent(&self, part: TurnRole) -> Option<&str> {
        match part {
            TurnRole::Reviewer => self.reviewer.as_deref(),
            TurnRole::Developer => self.developer.as_deref(),
            TurnRole::CiChecker => self.ci_checker.as_deref(),
            TurnRole::CiFixer => self.ci_fixer.as_deref(),
        }
    }

    pub fn set_agent(&mut self, part: TurnRole, agent: Option<String>) {
        match part {
            TurnRole::Reviewer => self.reviewer = agent,
            TurnRole::Developer => self.developer = agent,
            TurnRole::CiChecker => self.ci_checker = agent,
            TurnRole::CiFixer => self.ci_fixer = agent,
        }
    }

    /// Adds rounds if all are exhausted.
    pub fn extend(&mut self, round: u32) {
        if round >= self.rounds() {
            self.max_rounds = round.saturating_add(Self::MORE);
        }
    }

    /// Returns the effective maximum number of rounds.
    pub const fn rounds(&self) -> u32 {
        if self.max_rounds == 0 { Self::MOST } else { self.max_rounds }
    }
}

impl Stored for LoopSection {
    fn lower(&self) -> Plain {
        let mut entries = vec![
            ("active", self.active.lower()),
            ("maxRounds", self.max_rounds.lower()),
            ("startedAt", self.started_at.lower()),
            ("pausedAt", self.paused_at.lower()),
        ];
        entries.extend(
            TurnRole::ALL
                .map(|part| (part.as_str(), self.agent(part).map_or(Plain::Null, Plain::from))),
        );
        let patience = (self.patience != Patience::default()).then_some(self.patience);
        entries.extend([
            ("promptsFile", self.prompts_file.lower()),
            ("ciWait", patience.lower()),
            ("round", self.round.lower()),
        ]);
        let empty = |(key, value): &(&str, Plain)| match *key {
            "pausedAt" => false,
            "round" => *value == Plain::Int(0),
            _ => *value == Plain::Null,
        };
        entries.retain(|entry| !empty(entry));
        Plain::Map(entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        let fields = Fields::of(plain)?;
        let agent = |part: TurnRole| {
            let found: Option<String> = fields.get(part.as_str())?;
            // Both are left by a template with nothing to fill in.
            Ok(found.filter(|name| !matches!(name.as_str(), "" | "null")))
        };
        Ok(Self {
            active: fields.get::<Option<bool>>("active")?.unwrap_or_default(),
            max_rounds: fields.get::<Option<u32>>("maxRounds")?.unwrap_or(Self::ROUNDS),
            started_at: fields.get("startedAt")?,
            paused_at: fields.get("pausedAt")?,
            reviewer: agent(TurnRole::Reviewer)?,
            developer: agent(TurnRole::Developer)?,
            ci_checker: agent(TurnRole::CiChecker)?,
            ci_fixer: agent(TurnRole::CiFixer)?,
            prompts_file: fields.get("promptsFile")?,
            patience: fields.get("ciWait")?,
            round: fields.get::<Option<u32>>("round")?.unwrap_or_default(),
        })
    }
}

impl Metadata {
    /// Reads the values of the file; a section that is not a map counts as missing.
    pub fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        let fields = Fields::of(plain)?;
        if fields.get::<Option<bool>>("error")? == Some(true) {
            let message = fields.get::<Option<String>>("message")?.unwrap_or_default();
            return Ok(Self::Failed { message });
        }
        let none = fields.get::<Option<bool>>("noPr")? == Some(true);
        if none || fields.get::<Plain>("pr")? == Plain::Null {
            return Ok(Self::NoPr);
        }
        let level = fields.get::<Option<String>>("resolveLevel")?;
        let level = match level.as_deref().map(Threshold::parse) {
            None => Threshold::All,
            Some(Some(level)) => level,
            Some(None) => {
                let why = "expected all, critical or important";
                return Err(Unreadable::here(why).below("resolveLevel"));
            }
        };
        let section: Plain = fields.get("reviewLoop")?;
        let review_loop = match &section {
            Plain::Map(_) => {
                Some(LoopSection::lift(&section).map_err(|bad| bad.below("reviewLoop"))?)
            }
            Plain::Null
            | Plain::Bool(_)
            | Plain::Int(_)
            | Plain::Other(_)
            | Plain::Text(_)
            | Plain::List(_) => None,
        };
        Ok(Self::Known(Box::new(PullRecord {
            pull: Pull::lift(plain)?,
            turn: fields.get("turn")?,
            approved: fields.get::<Option<bool>>("approved")?.unwrap_or_default(),
            level,
            review_loop,
        })))
    }
}

use super::{Part, Patience, Pull, Turn};
use crate::review::Level;
use crate::{Fields, Plain, Stored, Unreadable};

/// What `metadata.yaml` says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Metadata {
    /// There is no file.
    Missing,
    /// The last look at the forge failed, and nothing else is known.
    Failed {
        /// What went wrong.
        message: String,
    },
    /// The branch has no open pull request.
    NoPr,
    /// A pull request.
    Known(Box<Known>),
}

/// A pull request and what the file keeps about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// What the forge said.
    pub pull: Pull,
    /// The turn as it is written, which may be none.
    pub turn: Option<String>,
    /// Whether the review is over and good.
    pub approved: bool,
    /// What must be dealt with before it is.
    pub level: Level,
    /// The loop, where one was begun.
    pub review_loop: Option<Loop>,
}

/// The section `reviewLoop`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Loop {
    /// Whether it runs.
    pub active: bool,
    /// How many rounds there are; 0 is no limit of the file's.
    pub max_rounds: u32,
    /// When it began.
    pub started_at: Option<String>,
    /// When it was paused.
    pub paused_at: Option<String>,
    /// The agents.
    pub reviewer: Option<String>,
    /// Who answers.
    pub developer: Option<String>,
    /// Who watches the checks.
    pub ci_checker: Option<String>,
    /// Who mends them.
    pub ci_fixer: Option<String>,
    /// Where the prompts are.
    pub prompts_file: Option<String>,
    /// How long checks are waited for.
    pub patience: Patience,
    /// How many rounds are over, counted by us: the forge's count can fall.
    pub round: u32,
}

/// How a loop stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopState {
    /// It goes on.
    Running,
    /// A person paused it, whatever `active` says.
    Paused,
    /// It is over.
    Completed,
}

impl Metadata {
    /// Returns the pull request, if there is one.
    pub fn known(&self) -> Option<&Known> {
        match self {
            Self::Known(known) => Some(known),
            Self::Missing | Self::Failed { .. } | Self::NoPr => None,
        }
    }
}

impl Known {
    /// Returns the turn that is written, if it is one.
    pub fn stored_turn(&self) -> Option<Turn> {
        self.turn.as_deref().and_then(Turn::parse)
    }

    /// Returns how long checks are waited for.
    pub fn patience(&self) -> Patience {
        self.review_loop.as_ref().map_or_else(Patience::default, |review_loop| review_loop.patience)
    }

    /// Returns how many rounds are over: our own count, unless the forge knows of more.
    pub fn round(&self) -> u32 {
        let own = self.review_loop.as_ref().map_or(0, |review_loop| review_loop.round);
        own.max(self.pull.review_count)
    }
}

impl Loop {
    /// The rounds where nothing else is said.
    pub const ROUNDS: u32 = 5;
    /// The rounds of a loop whose file sets no limit: no loop of ours is without one.
    pub const MOST: u32 = 100;
    /// How many rounds a person adds by letting a used up loop go on.
    pub const MORE: u32 = 3;

    /// Returns how it stands.
    pub fn state(&self) -> LoopState {
        match (&self.paused_at, self.active) {
            (Some(_), _) => LoopState::Paused,
            (None, true) => LoopState::Running,
            (None, false) => LoopState::Completed,
        }
    }

    /// Returns the agent for a part.
    pub fn agent(&self, part: Part) -> Option<&str> {
        match part {
            Part::Reviewer => self.reviewer.as_deref(),
            Part::Developer => self.developer.as_deref(),
            Part::CiChecker => self.ci_checker.as_deref(),
            Part::CiFixer => self.ci_fixer.as_deref(),
        }
    }

    /// Gives an agent to a part.
    pub fn set_agent(&mut self, part: Part, agent: Option<String>) {
        match part {
            Part::Reviewer => self.reviewer = agent,
            Part::Developer => self.developer = agent,
            Part::CiChecker => self.ci_checker = agent,
            Part::CiFixer => self.ci_fixer = agent,
        }
    }

    /// Adds rounds, where all are used up.
    pub fn extend(&mut self, round: u32) {
        if round >= self.rounds() {
            self.max_rounds = round.saturating_add(Self::MORE);
        }
    }

    /// Returns how many rounds there are.
    pub const fn rounds(&self) -> u32 {
        if self.max_rounds == 0 { Self::MOST } else { self.max_rounds }
    }
}

impl Stored for Loop {
    fn lower(&self) -> Plain {
        let mut entries = vec![
            ("active", self.active.lower()),
            ("maxRounds", self.max_rounds.lower()),
            ("startedAt", self.started_at.lower()),
            ("pausedAt", self.paused_at.lower()),
        ];
        entries.extend(
            Part::ALL
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
        let agent = |part: Part| {
            let found: Option<String> = fields.get(part.as_str())?;
            // Both are what a template leaves that had nothing to fill in.
            Ok(found.filter(|name| !matches!(name.as_str(), "" | "null")))
        };
        Ok(Self {
            active: fields.get::<Option<bool>>("active")?.unwrap_or_default(),
            max_rounds: fields.get::<Option<u32>>("maxRounds")?.unwrap_or(Self::ROUNDS),
            started_at: fields.get("startedAt")?,
            paused_at: fields.get("pausedAt")?,
            reviewer: agent(Part::Reviewer)?,
            developer: agent(Part::Developer)?,
            ci_checker: agent(Part::CiChecker)?,
            ci_fixer: agent(Part::CiFixer)?,
            prompts_file: fields.get("promptsFile")?,
            patience: fields.get("ciWait")?,
            round: fields.get::<Option<u32>>("round")?.unwrap_or_default(),
        })
    }
}

impl Metadata {
    /// Reads the values of the file; a section that is no map is none.
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
        let level = match level.as_deref().map(Level::parse) {
            None => Level::All,
            Some(Some(level)) => level,
            Some(None) => {
                let why = "expected all, critical or important";
                return Err(Unreadable::here(why).below("resolveLevel"));
            }
        };
        let section: Plain = fields.get("reviewLoop")?;
        let review_loop = match &section {
            Plain::Map(_) => Some(Loop::lift(&section).map_err(|bad| bad.below("reviewLoop"))?),
            Plain::Null
            | Plain::Bool(_)
            | Plain::Int(_)
            | Plain::Other(_)
            | Plain::Text(_)
            | Plain::List(_) => None,
        };
        Ok(Self::Known(Box::new(Known {
            pull: Pull::lift(plain)?,
            turn: fields.get("turn")?,
            approved: fields.get::<Option<bool>>("approved")?.unwrap_or_default(),
            level,
            review_loop,
        })))
    }
}

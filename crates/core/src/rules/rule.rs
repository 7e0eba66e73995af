use super::{Answer, PostUnit, PreDispatch, Question};
use crate::review_loop::ReviewLoop;
use crate::{Name, Plain, UnitId};

/// One step of the chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its name, and that of its namespace under `extensions`.
    pub name: Name,
    /// Lower comes first.
    pub priority: u32,
    /// How many cycles it may spend on one unit.
    pub max: u32,
    /// Before which kinds of units it is asked.
    pub before: Kinds,
    /// After which kinds of units it is asked.
    pub after: Kinds,
    /// Who answers.
    pub body: Body,
}

/// Kinds of units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kinds {
    /// All of them.
    All,
    /// These.
    These(Vec<Name>),
}

impl Kinds {
    /// No kind at all.
    pub const NONE: Self = Self::These(Vec::new());

    /// Returns whether `kind` is among them.
    pub fn has(&self, kind: &Name) -> bool {
        match self {
            Self::All => true,
            Self::These(kinds) => kinds.contains(kind),
        }
    }
}

/// Who answers for a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// A program, in the protocol of [`Question::lower`] and [`Answer::read`].
    Command {
        /// The program and its arguments.
        argv: Vec<String>,
    },
    /// An entry of `pre_dispatch_hooks`.
    PreDispatch(PreDispatch),
    /// An entry of `post_unit_hooks`.
    PostUnit(PostUnit),
    /// The shipped review of tasks.
    ReviewLoop(ReviewLoop),
}

/// The names of the rules that are shipped.
pub const SHIPPED: [&str; 1] = [ReviewLoop::NAME];

impl Rule {
    /// The priority of a rule that says none.
    pub const PRIORITY: u32 = 100;
    /// The cycles of a command that says none.
    pub const MAX: u32 = 5;
    /// The most cycles that any rule may have.
    pub const MOST: u32 = 10;

    /// Returns the shipped rule of that name.
    pub fn shipped(name: &str) -> Option<Self> {
        (name == ReviewLoop::NAME).then(|| Self {
            name: Name::literal(ReviewLoop::NAME),
            priority: Self::PRIORITY,
            max: ReviewLoop::MAX,
            before: Kinds::NONE,
            after: Kinds::These(vec![Name::literal("execute-task")]),
            body: Body::ReviewLoop(ReviewLoop::default()),
        })
    }

    /// Makes a command rule that is asked before and after every unit.
    pub const fn command(name: Name, argv: Vec<String>) -> Self {
        let body = Body::Command { argv };
        let (priority, max) = (Self::PRIORITY, Self::MAX);
        Self { name, priority, max, before: Kinds::All, after: Kinds::All, body }
    }

    /// Returns the name of the bound that counts its cycles on a unit, as GSD spells it.
    pub fn bound(&self, kind: &Name, id: &UnitId) -> Option<Name> {
        Name::parse(&format!("{}/{kind}/{id}", self.name)).ok()
    }

    /// Returns the program and its arguments, where it is a command.
    pub fn command_words(&self) -> Option<&[String]> {
        match &self.body {
            Body::Command { argv } => Some(argv),
            Body::PreDispatch(_) | Body::PostUnit(_) | Body::ReviewLoop(_) => None,
        }
    }

    /// Returns whether what it keeps says that work of its own is under way, so that it is asked
    /// before anything else is dispatched.
    pub fn is_open(&self, kept: &Plain) -> bool {
        match &self.body {
            Body::ReviewLoop(review) => review.is_open(kept),
            Body::Command { .. } | Body::PreDispatch(_) | Body::PostUnit(_) => false,
        }
    }

    /// Returns whether a unit that it asked for reviews the work: what is reviewed is not changed.
    pub fn is_review(&self, kind: &Name) -> bool {
        match &self.body {
            Body::ReviewLoop(_) => kind.as_str() == ReviewLoop::REVIEW,
            Body::Command { .. } | Body::PreDispatch(_) | Body::PostUnit(_) => false,
        }
    }

    /// Returns its answer; nothing where only a command can give it.
    pub(super) fn answer(&self, question: &Question) -> Option<Answer> {
        match &self.body {
            Body::Command { .. } => None,
            Body::PreDispatch(rule) => Some(rule.answer(question)),
            Body::PostUnit(rule) => Some(rule.answer(question, &self.name)),
            Body::ReviewLoop(rule) => Some(rule.answer(question)),
        }
    }
}

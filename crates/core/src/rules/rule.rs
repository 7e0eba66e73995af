use super::{PostUnit, PreDispatch, Question, RuleDecision};
use crate::review_loop::ReviewLoop;
use crate::{Name, Plain, UnitId};

/// A rule of the chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its name, which is also its namespace under `extensions`.
    pub name: Name,
    /// Lower values come first.
    pub priority: u32,
    /// Maximum number of cycles per unit.
    pub max: u32,
    /// The kinds of units before which it is asked.
    pub before: Kinds,
    /// The kinds of units after which it is asked.
    pub after: Kinds,
    pub body: Body,
}

/// A set of kinds of units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kinds {
    All,
    These(Vec<Name>),
}

impl Kinds {
    pub const NONE: Self = Self::These(Vec::new());

    pub fn has(&self, kind: &Name) -> bool {
        match self {
            Self::All => true,
            Self::These(kinds) => kinds.contains(kind),
        }
    }
}

/// The implementation of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// A program, in the protocol of [`Question::lower`] and [`RuleDecision::read`].
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

/// The names of the shipped rules.
pub const SHIPPED: [&str; 1] = [ReviewLoop::NAME];

impl Rule {
    /// The default priority.
    pub const PRIORITY: u32 = 100;
    /// The default number of cycles of a command.
    pub const MAX: u32 = 5;
    /// The maximum number of cycles of any rule.
    pub const MOST: u32 = 10;

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

    /// Creates a command rule that is asked before and after every unit.
    pub const fn command(name: Name, argv: Vec<String>) -> Self {
        let body = Body::Command { argv };
        let (priority, max) = (Self::PRIORITY, Self::MAX);
        Self { name, priority, max, before: Kinds::All, after: Kinds::All, body }
    }

    /// Returns the name of the bound for its cycles on a unit, in GSD's notation.
    pub fn bound(&self, kind: &Name, id: &UnitId) -> Option<Name> {
        Name::parse(&format!("{}/{kind}/{id}", self.name)).ok()
    }

    /// Returns the program and its arguments, if the rule is a command.
    pub fn command_words(&self) -> Option<&[String]> {
        match &self.body {
            Body::Command { argv } => Some(argv),
            Body::PreDispatch(_) | Body::PostUnit(_) | Body::ReviewLoop(_) => None,
        }
    }

    /// Returns whether its kept state shows work in progress, so that it is asked before anything
    /// else is dispatched.
    pub fn is_open(&self, kept: &Plain) -> bool {
        match &self.body {
            Body::ReviewLoop(review) => review.is_open(kept),
            Body::Command { .. } | Body::PreDispatch(_) | Body::PostUnit(_) => false,
        }
    }

    /// Returns whether a unit that it requested is a review: the reviewed files must not change.
    pub fn is_review(&self, kind: &Name) -> bool {
        match &self.body {
            Body::ReviewLoop(_) => kind.as_str() == ReviewLoop::REVIEW,
            Body::Command { .. } | Body::PreDispatch(_) | Body::PostUnit(_) => false,
        }
    }

    /// Returns its answer; `None` if a command must run first.
    pub(super) fn answer(&self, question: &Question) -> Option<RuleDecision> {
        match &self.body {
            Body::Command { .. } => None,
            Body::PreDispatch(rule) => Some(rule.answer(question)),
            Body::PostUnit(rule) => Some(rule.answer(question, &self.name)),
            Body::ReviewLoop(rule) => Some(rule.answer(question)),
        }
    }
}

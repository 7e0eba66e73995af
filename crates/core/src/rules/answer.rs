use super::Question;
use crate::event::RuleAnswer;
use crate::{Fields, Hold, Name, Plain, Stored, Unreadable};

/// The answer of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleDecision {
    /// The requested action.
    pub what: Do,
    /// The complete new state of the rule; `None` leaves it unchanged.
    pub keep: Option<Plain>,
}

/// The action that a rule requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Do {
    /// No action.
    Pass,
    /// Adds text to the instruction; the chain continues.
    Change {
        /// Text before the instruction; may be empty.
        prepend: String,
        /// Text after the instruction; may be empty.
        append: String,
    },
    /// Replaces the unit with other work on the same task, slice or milestone.
    Replace {
        /// Another kind of work, if given.
        kind: Option<Name>,
        /// The complete instruction.
        prompt: String,
    },
    /// Skips the unit; later units may still be dispatched.
    Skip { why: String },
    /// Dispatches this unit about the ended one before anything else.
    Rework(RequestedUnit),
    /// Holds the work until a person acts.
    Hold(Hold),
}

impl Do {
    /// Returns the word of the protocol.
    pub const fn word(&self) -> RuleAnswer {
        match self {
            Self::Pass => RuleAnswer::Pass,
            Self::Change { .. } => RuleAnswer::Change,
            Self::Replace { .. } => RuleAnswer::Replace,
            Self::Skip { .. } => RuleAnswer::Skip,
            Self::Rework(_) => RuleAnswer::Rework,
            Self::Hold(_) => RuleAnswer::Hold,
        }
    }
}

/// A unit that a rule requests, about the same subject as the unit it was asked about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RequestedUnit {
    /// Its kind, which must not be one of the table's. The default is `fix-task`, `fix-slice` or
    /// `fix-milestone`.
    pub kind: Option<Name>,
    /// The instruction.
    pub prompt: String,
    /// The cycle it belongs to: a new cycle is charged. Without it, every dispatch counts as a new
    /// cycle.
    pub cycle: Option<u32>,
    /// The file next to the unit that it must leave; it is read at the end.
    pub file: Option<String>,
    /// The file next to the unit that it may leave; it is read if there is no `file`.
    pub reply: Option<String>,
}

impl RuleDecision {
    /// Creates an answer that leaves the rule's state unchanged.
    pub const fn only(what: Do) -> Self {
        Self { what, keep: None }
    }

    /// Parses a command's answer; anything unknown is an error, because a misunderstood rule must
    /// not pass.
    pub fn read(plain: &Plain) -> Result<Self, Unreadable> {
        let fields = Fields::of(plain)?;
        let version: u32 = fields.get("v")?;
        if version != Question::VERSION {
            let why = format!("expected version {}, found {version}", Question::VERSION);
            return Err(Unreadable::here(why).below("v"));
        }
        let text = |key: &str| Ok(fields.get::<Option<String>>(key)?.unwrap_or_default());
        let why = || {
            let why: String = text("why")?;
            if why.trim().is_empty() {
                Err(Unreadable::here("say why").below("why"))
            } else {
                Ok(why)
            }
        };
        let wish: Option<RequestedUnit> = fields.get("unit")?;
        let word: String = fields.get("do")?;
        let what = match word.as_str() {
            "pass" => Do::Pass,
            "change" => Do::Change { prepend: text("prepend")?, append: text("append")? },
            "replace" => {
                let kind = wish.and_then(|wish| wish.kind);
                Do::Replace { kind, prompt: filled(text("prompt")?)? }
            }
            "skip" => Do::Skip { why: why()? },
            "rework" => {
                let prompt = filled(text("prompt")?)?;
                Do::Rework(RequestedUnit { prompt, ..wish.unwrap_or_default() })
            }
            "hold" => Do::Hold(Hold::Asked { what: why()? }),
            _ => {
                let known = "expected pass, change, replace, skip, rework or hold";
                return Err(Unreadable::here(known).below("do"));
            }
        };
        // A missing key leaves the state unchanged; a null value deletes it.
        let keep = fields.has("extensions").then(|| fields.get("extensions")).transpose()?;
        Ok(Self { what, keep })
    }
}

fn filled(prompt: String) -> Result<String, Unreadable> {
    if prompt.trim().is_empty() {
        return Err(Unreadable::here("there is no instruction").below("prompt"));
    }
    Ok(prompt)
}

impl Stored for RequestedUnit {
    fn lower(&self) -> Plain {
        Plain::map([
            ("kind", self.kind.lower()),
            ("prompt", self.prompt.lower()),
            ("cycle", self.cycle.lower()),
            ("file", self.file.lower()),
            ("reply", self.reply.lower()),
        ])
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        let fields = Fields::of(plain)?;
        let name = |key: &'static str| match fields.get::<Option<String>>(key)? {
            Some(name) if !is_name(&name) => {
                Err(Unreadable::here("expected the name of a file").below(key))
            }
            other => Ok(other),
        };
        Ok(Self {
            kind: fields.get("kind")?,
            prompt: fields.get::<Option<String>>("prompt")?.unwrap_or_default(),
            cycle: fields.get("cycle")?,
            file: name("file")?,
            reply: name("reply")?,
        })
    }
}

/// Returns whether a text is a plain file name that cannot lead elsewhere.
fn is_name(text: &str) -> bool {
    !text.is_empty() && !text.contains(['/', '\\', '\0']) && !text.starts_with('.')
}

/// Returns the fact that a command answered `plain`.
pub fn heard(plain: Plain) -> Plain {
    Plain::map([("said", plain)])
}

/// Returns the fact that a command gave no valid answer, with the resulting hold.
pub fn refused(hold: &Hold) -> Plain {
    Plain::map([("hold", hold.lower())])
}

/// Parses a fact about the command of `rule`; an invalid one becomes a hold.
pub(super) fn of_fact(rule: &Name, fact: &Plain) -> RuleDecision {
    let read = || -> Result<RuleDecision, Unreadable> {
        match Fields::of(fact)?.only()? {
            ("hold", hold) => Ok(RuleDecision::only(Do::Hold(Hold::lift(hold)?))),
            (_, said) => RuleDecision::read(said),
        }
    };
    read().unwrap_or_else(|bad| {
        let why = format!("its answer is not understood: {bad}");
        RuleDecision::only(Do::Hold(Hold::Unproven { gate: rule.clone(), why }))
    })
}

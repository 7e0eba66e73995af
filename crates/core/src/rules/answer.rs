use super::Question;
use crate::event::RuleAnswer;
use crate::{Fields, Hold, Name, Plain, Stored, Unreadable};

/// What a rule answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What is to be done.
    pub what: Do,
    /// What the rule keeps from now on, the whole of it; nothing when it stays as it is.
    pub keep: Option<Plain>,
}

/// What a rule wants done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Do {
    /// Nothing.
    Pass,
    /// The instruction gets more text; the chain goes on.
    Change {
        /// What is put before it; may be empty.
        prepend: String,
        /// What is put after it; may be empty.
        append: String,
    },
    /// Other work is done in its place, about the same task, slice or milestone.
    Replace {
        /// Of another kind, where it says so.
        kind: Option<Name>,
        /// The whole instruction.
        prompt: String,
    },
    /// The unit is not dispatched; what comes after it may be.
    Skip {
        /// Why not.
        why: String,
    },
    /// Before anything else goes on, this is done about the unit that ended.
    Rework(Wish),
    /// Nothing goes on before a person does something.
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

/// A unit that a rule wants dispatched, about the unit it was asked about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wish {
    /// Its kind; none of the table's. Without one it is `fix-task`, `fix-slice`, `fix-milestone`.
    pub kind: Option<Name>,
    /// The instruction.
    pub prompt: String,
    /// The cycle it belongs to: a new one is charged. Without one every dispatch is a new one.
    pub cycle: Option<u32>,
    /// The file beside the unit that it must leave, and that is read when it ended.
    pub file: Option<String>,
    /// The file beside the unit that it may leave, and that is read in the place of the other.
    pub reply: Option<String>,
}

impl Answer {
    /// Returns an answer that keeps what is kept.
    pub const fn only(what: Do) -> Self {
        Self { what, keep: None }
    }

    /// Reads what a command answered; anything that is not understood is an error, because a rule
    /// that is misunderstood must not pass.
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
        let wish: Option<Wish> = fields.get("unit")?;
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
                Do::Rework(Wish { prompt, ..wish.unwrap_or_default() })
            }
            "hold" => Do::Hold(Hold::Asked { what: why()? }),
            _ => {
                let known = "expected pass, change, replace, skip, rework or hold";
                return Err(Unreadable::here(known).below("do"));
            }
        };
        // A missing key keeps what is kept; nothing in its place is an order to forget it.
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

impl Stored for Wish {
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

/// Returns whether a text is the name of a file, and cannot lead elsewhere.
fn is_name(text: &str) -> bool {
    !text.is_empty() && !text.contains(['/', '\\', '\0']) && !text.starts_with('.')
}

/// Returns the fact that a command said `plain`.
pub fn heard(plain: Plain) -> Plain {
    Plain::map([("said", plain)])
}

/// Returns the fact that a command said nothing that counts, and what follows.
pub fn refused(hold: &Hold) -> Plain {
    Plain::map([("hold", hold.lower())])
}

/// Returns what a fact about the command of `rule` means; what cannot be understood holds.
pub(super) fn of_fact(rule: &Name, fact: &Plain) -> Answer {
    let read = || -> Result<Answer, Unreadable> {
        match Fields::of(fact)?.only()? {
            ("hold", hold) => Ok(Answer::only(Do::Hold(Hold::lift(hold)?))),
            (_, said) => Answer::read(said),
        }
    };
    read().unwrap_or_else(|bad| {
        let why = format!("its answer is not understood: {bad}");
        Answer::only(Do::Hold(Hold::Unproven { gate: rule.clone(), why }))
    })
}

//! The stored form of a hold: one key that names the kind, with its data below.

use super::{Commands, Doubt, Hold, Overspent, Stuck, Unstarted, first_release};
use crate::pr::TurnRole;
use crate::{Fields, Plain, Stored, Unreadable, stored};

/// The value of a kind without data.
const BARE: Plain = Plain::Bool(true);

/// The key for words that would otherwise parse as a sentence of the first release.
const WORDS: &str = "words";

/// Writes words so that they are not parsed as a sentence of the first release.
fn words(text: &str, is_taken: bool) -> Plain {
    if is_taken { Plain::map([(WORDS, text.into())]) } else { text.into() }
}

/// Reads words; the second value is whether they may be a sentence of the first release.
fn read_words(plain: &Plain) -> Result<(String, bool), Unreadable> {
    let Plain::Map(_) = plain else { return Ok((String::lift(plain)?, true)) };
    Ok((Fields::of(plain)?.get(WORDS)?, false))
}

impl Stored for Hold {
    fn lower(&self) -> Plain {
        let (name, value) = match self {
            Self::Person { why } => ("person", words(why, first_release::pause(why).is_some())),
            Self::Interrupted => ("interrupted", BARE),
            Self::DriverGone { by, over } => {
                ("driver_gone", Plain::map([("by", by.lower()), ("over", over.lower())]))
            }
            Self::Budget(spent) => ("budget", spent.lower()),
            Self::NoHost(host) => ("no_host", host.lower()),
            Self::NoPart { part, host } => {
                ("no_part", Plain::map([("part", part.lower()), ("host", host.lower())]))
            }
            Self::Blocked { why } => ("blocked", why.lower()),
            Self::Asked { what } => ("asked", what.lower()),
            Self::RoundsOver { what } => ("rounds_over", what.lower()),
            Self::Until { at, why } => {
                ("until", Plain::map([("at", at.lower()), ("why", why.lower())]))
            }
            Self::Exhausted { bound, used } => {
                ("exhausted", Plain::map([("bound", bound.lower()), ("used", used.lower())]))
            }
            Self::NoProgress { what } => ("no_progress", what.lower()),
            Self::Unproven { gate, why } => {
                let why = words(why, first_release::doubt(why).is_some());
                ("unproven", Plain::map([("gate", gate.lower()), ("why", why)]))
            }
            Self::Doubtful { gate, why } => {
                ("doubtful", Plain::map([("gate", gate.lower()), ("why", why.lower())]))
            }
            Self::Unreadable { path } => ("unreadable", path.lower()),
            Self::Untrusted { what } => ("untrusted", what.lower()),
            Self::SetUp { what } => ("set_up", what.lower()),
            Self::Changed { what } => ("changed", what.lower()),
        };
        Plain::map([(name, value)])
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        let (name, value) = Fields::of(plain)?.only()?;
        lift(name, value).map_err(|bad| bad.below(name))
    }
}

fn lift(name: &str, value: &Plain) -> Result<Hold, Unreadable> {
    let fields = || Fields::of(value);
    Ok(match name {
        "person" => match read_words(value)? {
            (why, true) => Hold::of_pause(why),
            (why, false) => Hold::Person { why },
        },
        "interrupted" => Hold::Interrupted,
        "driver_gone" => {
            Hold::DriverGone { by: fields()?.get("by")?, over: fields()?.get("over")? }
        }
        "budget" => Hold::Budget(Stored::lift(value)?),
        "no_host" => Hold::NoHost(Stored::lift(value)?),
        "no_part" => Hold::NoPart { part: fields()?.get("part")?, host: fields()?.get("host")? },
        "blocked" => Hold::Blocked { why: Stored::lift(value)? },
        "asked" => Hold::Asked { what: Stored::lift(value)? },
        "rounds_over" => Hold::RoundsOver { what: Stored::lift(value)? },
        "until" => Hold::Until { at: fields()?.get("at")?, why: fields()?.get("why")? },
        "exhausted" => {
            Hold::Exhausted { bound: fields()?.get("bound")?, used: fields()?.get("used")? }
        }
        "no_progress" => Hold::NoProgress { what: Stored::lift(value)? },
        "unproven" => unproven(&fields()?)?,
        "doubtful" => Hold::Doubtful { gate: fields()?.get("gate")?, why: fields()?.get("why")? },
        "unreadable" => Hold::Unreadable { path: Stored::lift(value)? },
        "untrusted" => Hold::Untrusted { what: Stored::lift(value)? },
        "set_up" => Hold::SetUp { what: Stored::lift(value)? },
        "changed" => Hold::Changed { what: Stored::lift(value)? },
        _ => return Err(Unreadable::here("there is no hold of this name")),
    })
}

fn unproven(fields: &Fields<'_>) -> Result<Hold, Unreadable> {
    let gate = fields.get("gate")?;
    let (why, may_be_old) =
        read_words(&fields.get::<Plain>("why")?).map_err(|bad| bad.below("why"))?;
    let doubt = if may_be_old { first_release::doubt(&why) } else { None };
    Ok(match doubt {
        Some(why) => Hold::Doubtful { gate, why },
        None => Hold::Unproven { gate, why },
    })
}

stored!(struct Overspent { used, most, raise, by });
stored!(struct Unstarted { host, why, by });
stored!(word TurnRole);
stored!(enum Doubt, "doubt" {
    "protected" => Protected { first, more },
    "definition" => Definition { first, more },
    "config" => Config(path),
    "rules" => Rules(path),
    "plan" => Plan(path),
    "inputs" => Inputs(inputs),
    "said" => Said(what),
});

impl Stored for Stuck {
    fn lower(&self) -> Plain {
        let (name, value) = match self {
            // Stored as text, like every reason of the first release.
            Self::Said { what } => return what.lower(),
            Self::SameFailure { gate, times } => {
                ("same_failure", Plain::map([("gate", gate.lower()), ("times", times.lower())]))
            }
            Self::Lost { unit, times, why } => {
                let unit = ("unit", unit.lower());
                ("lost", Plain::map([unit, ("times", times.lower()), ("why", why.lower())]))
            }
            Self::BackAndForth => ("back_and_forth", BARE),
            Self::Unheeded { times } => ("unheeded", times.lower()),
            Self::Refused { times } => ("refused", times.lower()),
            Self::Unchanged { unit, failure } => {
                ("unchanged", Plain::map([("unit", unit.lower()), ("failure", failure.lower())]))
            }
            Self::Unfixed { gaps } => ("unfixed", gaps.lower()),
            Self::SameGaps { gaps } => ("same_gaps", gaps.lower()),
            Self::GapsInTurns { gaps } => ("gaps_in_turns", gaps.lower()),
            Self::ReviewRepeats { what } => ("review_repeats", what.lower()),
            Self::NotFewer { rounds } => ("not_fewer", rounds.lower()),
            Self::FindingsLeft => ("findings_left", BARE),
            Self::FilesMove => ("files_move", BARE),
            Self::Skips { most } => ("skips", most.lower()),
        };
        Plain::map([(name, value)])
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        if let Plain::Text(what) = plain {
            return Ok(Self::Said { what: what.clone() });
        }
        let (name, value) = Fields::of(plain)?.only()?;
        stuck(name, value).map_err(|bad| bad.below(name))
    }
}

fn stuck(name: &str, value: &Plain) -> Result<Stuck, Unreadable> {
    let fields = || Fields::of(value);
    Ok(match name {
        "same_failure" => {
            Stuck::SameFailure { gate: fields()?.get("gate")?, times: fields()?.get("times")? }
        }
        "lost" => {
            let (unit, times) = (fields()?.get("unit")?, fields()?.get("times")?);
            Stuck::Lost { unit, times, why: fields()?.get("why")? }
        }
        "back_and_forth" => Stuck::BackAndForth,
        "unheeded" => Stuck::Unheeded { times: Stored::lift(value)? },
        "refused" => Stuck::Refused { times: Stored::lift(value)? },
        "unchanged" => {
            Stuck::Unchanged { unit: fields()?.get("unit")?, failure: fields()?.get("failure")? }
        }
        "unfixed" => Stuck::Unfixed { gaps: Stored::lift(value)? },
        "same_gaps" => Stuck::SameGaps { gaps: Stored::lift(value)? },
        "gaps_in_turns" => Stuck::GapsInTurns { gaps: Stored::lift(value)? },
        "review_repeats" => Stuck::ReviewRepeats { what: Stored::lift(value)? },
        "not_fewer" => Stuck::NotFewer { rounds: Stored::lift(value)? },
        "findings_left" => Stuck::FindingsLeft,
        "files_move" => Stuck::FilesMove,
        "skips" => Stuck::Skips { most: Stored::lift(value)? },
        _ => return Err(Unreadable::here("there is no standstill of this name")),
    })
}

impl Stored for Commands {
    fn lower(&self) -> Plain {
        match self.as_slice() {
            // A single command is stored as in the first release.
            [one] if !one.contains(Self::BETWEEN) => one.lower(),
            all => all.to_vec().lower(),
        }
    }

    fn lift(plain: &Plain) -> Result<Self, Unreadable> {
        if let Plain::Text(text) = plain {
            return Ok(first_release::commands(text));
        }
        Vec::<String>::lift(plain).map(|all| all.into_iter().collect())
    }
}

//! Parses sentences of the first release that are stored as data now. No other module reads these
//! words.

use super::{Commands, Doubt, Driven, Hold, Overspent, Unstarted};
use crate::RunId;
use crate::pr::TurnRole;

/// Parses the pause reasons of the first release that were not a person's.
pub(super) fn pause(why: &str) -> Option<Hold> {
    if why == "interrupted" {
        return Some(Hold::Interrupted);
    }
    budget(why).map(Hold::Budget).or_else(|| host(why).map(Hold::NoHost)).or_else(|| part(why))
}

/// `the budget is spent: $15.02 of $15.00; `sprag resume r-1 --budget 31usd` raises it`.
fn budget(why: &str) -> Option<Overspent> {
    let rest = why.strip_prefix("the budget is spent: ")?.strip_suffix("` raises it")?;
    let (amounts, command) = rest.split_once("; `")?;
    let (used, most) = amounts.split_once(" of ")?;
    let (again, raise) = command.split_once(" --budget ")?;
    let name = again.strip_prefix("sprag resume ").or_else(|| again.strip_prefix("sprag run "))?;
    let by = driven(name).filter(|by| by.again() == again)?;
    let [used, most, raise] = [used, most, raise].map(str::to_owned);
    Some(Overspent { used, most, raise, by })
}

/// `no agent can be started: `sh`: not found; `sprag run r-1 --host NAME` names another one`.
fn host(why: &str) -> Option<Unstarted> {
    let rest = why.strip_prefix("no agent can be started: `")?;
    let (rest, other) = rest.rsplit_once("; `sprag run ")?;
    let by = driven(other.strip_suffix(" --host NAME` names another one")?)?;
    let (host, why) = rest.split_once("`: ")?;
    let [host, why] = [host, why].map(str::to_owned);
    Some(Unstarted { host, why, by })
}

/// `the loop names `codex` as reviewer, and it is not here: install it, or …`.
fn part(why: &str) -> Option<Hold> {
    let (host, rest) = why.strip_prefix("the loop names `")?.split_once("` as ")?;
    let (part, _) = rest.split_once(", and it is not here: install it, or `sprag pr resume ")?;
    let part = TurnRole::ALL.into_iter().find(|known| known.as_str() == part)?;
    let hold = Hold::NoPart { part, host: host.to_owned() };
    (hold.said() == why).then_some(hold)
}

fn driven(name: &str) -> Option<Driven> {
    RunId::parse(name).ok().map(|name| Driven::of(&name))
}

/// Parses the reason why the first release did not count a pass.
pub(super) fn doubt(why: &str) -> Option<Doubt> {
    let why = why.strip_prefix("it passes, but ")?;
    let said = || Doubt::Said { what: why.to_owned() };
    Some(
        protected(why)
            .or_else(|| drift(why))
            .filter(|doubt| doubt.to_string() == why)
            .unwrap_or_else(said),
    )
}

/// `` `test.sh` and 2 more is protected and was changed``.
fn protected(why: &str) -> Option<Doubt> {
    let (first, more) = several(why.strip_suffix(" is protected and was changed")?)?;
    Some(Doubt::Protected { first, more })
}

fn drift(why: &str) -> Option<Doubt> {
    if let Some(path) = quoted(why, "` changed since the session began") {
        return Some(Doubt::Config { path });
    }
    if let Some(path) = quoted(why, "` or its commands changed since the run began") {
        return Some(Doubt::Plan { path });
    }
    let what = why.strip_suffix(" changed since the run began")?;
    if let Some(path) = what.strip_prefix("the rules in `").and_then(|rest| rest.strip_suffix('`'))
    {
        return Some(Doubt::Rules { path: path.to_owned() });
    }
    several(what).map(|(first, more)| Doubt::Definition { first, more })
}

fn quoted(why: &str, after: &str) -> Option<String> {
    why.strip_prefix('`')?.strip_suffix(after).map(str::to_owned)
}

/// `` `a` `` or `` `a` and 2 more``.
fn several(text: &str) -> Option<(String, u32)> {
    let (first, more) = text.strip_prefix('`')?.rsplit_once('`')?;
    let more = match more {
        "" => 0,
        more => more.strip_prefix(" and ")?.strip_suffix(" more")?.parse().ok()?,
    };
    Some((first.to_owned(), more))
}

/// Splits commands stored in one text.
pub(super) fn commands(text: &str) -> Commands {
    text.split(Commands::BETWEEN).map(str::to_owned).collect()
}

/// Returns whether a reason is the one with which the first release's watch reported work without
/// progress.
pub(crate) fn is_no_further(why: &str) -> bool {
    why == "it gives signs of life and gets no further"
}

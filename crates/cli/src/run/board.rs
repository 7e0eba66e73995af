//! The live block: the run's progress, its cost, and its agents. It is drawn as lines of a given
//! width from the current state.

use std::collections::BTreeMap;
use std::time::Duration;

use sprag_core::reporting::money;
use sprag_core::{Fence, Time};
use sprag_engine::drive::{Far, Spent, first_line};
use sprag_formats::Budget;
use sprag_run::agent::{Exit, OutputEvent};
use sprag_run::{RunEvent, dollars};

use super::messages::{clock_time, left, short, unit_name};
use crate::style::{Colour, StreamStyle, Tone, columns, count};

/// An agent silent for this many milliseconds is marked.
const QUIET: i64 = 60_000;
/// The most agents shown.
const SHOWN: usize = 8;
/// The maximum width of the progress bar.
const BAR: usize = 24;
/// From this width on, the bar has its maximum width.
const WIDE: usize = 72;
/// The maximum width of a host's name.
const HOST: usize = 10;
/// The maximum width of a unit's name.
const UNIT: usize = 18;

/// The text for an agent that has ended.
const JUDGED: &str = "its gates are evaluated";

/// The display state of a driven run.
#[derive(Clone, Debug)]
pub(super) struct Board {
    pub(super) far: Far,
    /// The part of the budget that the user chose.
    pub(super) chosen: Budget,
    agents: BTreeMap<Fence, Agent>,
    /// Hosts that accept no work, and until when.
    limited: BTreeMap<String, Time>,
    /// The number of this try and the maximum, if tries are counted.
    retry: Option<(u32, u32)>,
    /// The reason for the current wait.
    waits: Option<String>,
    /// Whether the user asked to pause the run.
    pub(super) pausing: bool,
    /// Whether the user was told that a budget cannot take effect.
    unbound: bool,
}

/// An agent at work.
#[derive(Clone, Debug)]
struct Agent {
    host: String,
    unit: String,
    /// Its last action.
    last: String,
    /// Its last message.
    said: String,
    /// The time of its last output.
    heard: Time,
}

impl Board {
    pub(super) fn new(far: Far, chosen: Budget) -> Self {
        let (agents, limited) = (BTreeMap::new(), BTreeMap::new());
        // An earlier driver has already reported it.
        let unbound = unbound(&far.spent, &chosen).is_some();
        let (retry, waits, pausing) = (None, None, false);
        Self { far, chosen, agents, limited, retry, waits, pausing, unbound }
    }

    /// Returns whether the user chose a budget that may yet prove ineffective.
    pub(super) fn may_not_bind(&self) -> bool {
        !self.unbound && self.chosen != Budget::default()
    }

    /// Returns the note that a budget cannot take effect, once.
    pub(super) fn new_unbound(&mut self) -> Option<String> {
        let said = unbound(&self.far.spent, &self.chosen).filter(|_| !self.unbound)?;
        self.unbound = true;
        Some(said)
    }

    /// Updates the state with an event.
    pub(super) fn see(&mut self, seen: &RunEvent<'_>, now: Time) {
        if !matches!(seen, RunEvent::Heard { .. }) {
            self.waits = None;
        }
        match seen {
            RunEvent::Begun { fence, unit, retry, host } => {
                self.retry = *retry;
                let (host, last) = match host {
                    Some(host) => (*host, "no word yet"),
                    None => ("no agent", JUDGED),
                };
                self.limited.remove(host);
                let unit = unit_name(&self.far.source, unit.as_str());
                let (host, last, said) = (host.to_owned(), last.to_owned(), String::new());
                let agent = Agent { host, unit, last, said, heard: now };
                self.agents.insert(*fence, agent);
            }
            RunEvent::Heard { fence, heard } => {
                if let Some(agent) = self.agents.get_mut(fence) {
                    agent.hear(heard, now);
                }
            }
            RunEvent::Ended { fence, end } if end.exit != Ok(Exit::Stopped) => {
                if let Some(agent) = self.agents.get_mut(fence) {
                    JUDGED.clone_into(&mut agent.last);
                    agent.heard = now;
                }
            }
            RunEvent::Ended { fence, .. } | RunEvent::Judged { fence, .. } => {
                self.agents.remove(fence);
            }
            RunEvent::Limited { host, until, .. } => {
                self.agents.retain(|_, agent| agent.host != *host);
                self.limited.insert((*host).to_owned(), *until);
            }
            RunEvent::Waiting { on, .. } => self.waits = Some((*on).to_owned()),
            RunEvent::Assigned { .. }
            | RunEvent::Aborted { .. }
            | RunEvent::Branch { .. }
            | RunEvent::Resumed { .. }
            | RunEvent::Conflict { .. }
            | RunEvent::Strays { .. } => {}
        }
    }

    /// Returns whether the same wait is already shown.
    pub(super) fn knows(&self, seen: &RunEvent<'_>) -> bool {
        matches!(seen, RunEvent::Waiting { on, .. } if self.waits.as_deref() == Some(*on))
    }

    /// Returns an agent's last message on one line.
    pub(super) fn claim(&self, fence: Fence) -> &str {
        self.agents.get(&fence).map_or("", |agent| first_line(&agent.said))
    }

    /// Draws the block: at most `height` lines of at most `width` columns.
    pub(super) fn draw(
        &self,
        look: StreamStyle,
        (width, height): (usize, usize),
        now: Time,
    ) -> Vec<String> {
        let rule = look.sign("─", "-").repeat(width);
        let legend = if self.pausing {
            "pausing: agents are ended; Ctrl-C again ends everything at once"
        } else {
            "t status · p pause"
        };
        let rows = self.rows(look, width, height.saturating_sub(3), now);
        let head = look.clip(&format!(" {}", self.head(look, width, now)), width);
        let legend = look.paint(Tone::Quiet, &look.clip(&format!(" {legend}"), width));
        let mut lines = vec![look.paint(Tone::Quiet, &rule), head];
        lines.extend(rows);
        lines.push(legend);
        lines.truncate(height);
        lines
    }

    /// Draws the state on request: the head, and all agents.
    pub(super) fn status(&self, look: StreamStyle, width: usize, now: Time) -> Vec<String> {
        // Its lines are sanitized once more, which would remove colours.
        let look = StreamStyle { colour: Colour::No, ..look };
        let head = look.clip(&self.head(look, width, now), width);
        std::iter::once(head).chain(self.rows(look, width, usize::MAX, now)).collect()
    }

    /// `build  ▕████░░░░▏ 2/5 phases   2h14m   $6.10 of $15.00`
    fn head(&self, look: StreamStyle, width: usize, now: Time) -> String {
        let count = &self.far.count;
        let how_far = match (count.total, self.retry) {
            (Some(total), _) if total > 0 => {
                let bar = bar(look, if width < WIDE { width / 5 } else { BAR }, count.done, total);
                format!("{bar} {}/{total} {}", count.done, count.of)
            }
            (_, Some((number, max))) => format!("retry {number} of {max}"),
            (_, None) if count.done == 0 => "first try".to_owned(),
            (_, None) => format!("{} done", count.done),
        };
        let millis = u64::try_from(now.since(self.far.started)).unwrap_or(0);
        let seconds = Duration::from_secs(millis / 1000);
        let time = if seconds.is_zero() { "0s".to_owned() } else { short(seconds) };
        format!("{how_far}   {time}   {}", self.cost())
    }

    fn cost(&self) -> String {
        cost(&self.far.spent, &self.chosen)
    }

    fn rows(&self, look: StreamStyle, width: usize, most: usize, now: Time) -> Vec<String> {
        let most = most.min(SHOWN);
        let limited = self.limited.iter().filter(|(_, until)| **until > now);
        let limited = limited.map(|(host, until)| {
            let who = who(look, width, host, "limited");
            let text = format!("{who}in {}, at {}", left(*until, now), clock_time(*until, now));
            look.paint(Tone::Note, &look.clip(&text, width))
        });
        let mut rows: Vec<String> =
            self.agents.values().map(|agent| agent.row(look, width, now)).collect();
        rows.extend(limited);
        if let Some(on) = self.waits.as_ref().filter(|_| rows.is_empty()) {
            rows.push(look.clip(&format!("   waits for {on}"), width));
        }
        if rows.len() > most {
            let more = rows.len() - most.saturating_sub(1);
            rows.truncate(most.saturating_sub(1));
            rows.push(look.clip(&format!("   and {more} more"), width));
        }
        rows
    }
}

impl Agent {
    fn hear(&mut self, heard: &OutputEvent, now: Time) {
        self.heard = now;
        match heard {
            OutputEvent::Text(text) => {
                first_line(text).clone_into(&mut self.last);
                self.said.clone_from(text);
            }
            OutputEvent::Tool { name, about } => self.last = format!("{name} {about}"),
            OutputEvent::Limited { why, .. } | OutputEvent::Failed { why } => {
                self.last.clone_from(why);
            }
            OutputEvent::Session(_) | OutputEvent::Spent { .. } => {}
        }
    }

    fn row(&self, look: StreamStyle, width: usize, now: Time) -> String {
        let silent = now.since(self.heard).max(0);
        let since = short(Duration::from_secs(silent.unsigned_abs() / 1000));
        let since = if since == "0ms" { "0s".to_owned() } else { since };
        let quiet = silent >= QUIET;
        let since = if quiet { format!("quiet {since}") } else { since };
        let who = who(look, width, &self.host, &self.unit);
        let room = width.saturating_sub(columns(&who) + columns(&since) + 2);
        let row = format!("{who}{}  {since}", padded(look, &self.last, room));
        let row = look.clip(&row, width);
        if quiet { look.paint(Tone::Note, &row) } else { row }
    }
}

/// Describes the limits of a run briefly and truthfully: `, at most 8h, $100.00`. If no host
/// reports prices, only an amount that the user chose is shown.
pub(super) fn bounds(
    budget: &Budget,
    chosen: &Budget,
    wall: Option<Duration>,
    is_priced: bool,
) -> String {
    let money = if is_priced { budget.micro_usd } else { chosen.micro_usd };
    let parts = [
        budget
            .wall
            .into_iter()
            .chain(wall)
            .min()
            .map(|most| short(most).trim_end_matches("00m").to_owned()),
        money.map(dollars),
        chosen.tokens.map(|most| format!("{most} tokens")),
    ];
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    if parts.is_empty() { String::new() } else { format!(", at most {}", parts.join(", ")) }
}

/// Formats the amount spent: `$6.10 of $15.00`, `cost unknown`.
pub(super) fn cost(spent: &Spent, chosen: &Budget) -> String {
    let of = chosen.micro_usd.map_or_else(String::new, |most| format!(" of {}", dollars(most)));
    if of.is_empty() && *spent == Spent::default() {
        return "no cost yet".to_owned();
    }
    let said = money(spent.micro_usd, spent.unknown > 0);
    said.map_or_else(|| "cost unknown".to_owned(), |said| format!("{said}{of}"))
}

/// Names the chosen budgets that cannot take effect because agents did not report their usage.
pub(super) fn unbound(spent: &Spent, chosen: &Budget) -> Option<String> {
    let money = chosen.micro_usd.filter(|_| spent.unknown > 0);
    let tokens = chosen.tokens.filter(|_| spent.uncounted > 0);
    let money = money.map(|most| (spent.unknown, "no price", dollars(most)));
    let tokens = tokens.map(|most| (spent.uncounted, "no tokens", format!("{most} tokens")));
    let some = |agents: u32| count(agents as usize, "agent");
    Some(match (money, tokens) {
        (None, None) => return None,
        (Some((agents, told, most)), None) | (None, Some((agents, told, most))) => {
            format!("{} told {told}: the budget of {most} cannot bind there", some(agents))
        }
        (Some((unpriced, price, most)), Some((uncounted, number, other))) => {
            let told = format!("{} told {price}, {} {number}", some(unpriced), some(uncounted));
            format!("{told}: the budgets of {most} and {other} cannot bind there")
        }
    })
}

/// Formats a host and a unit in columns that shrink on a narrow terminal.
fn who(look: StreamStyle, width: usize, host: &str, unit: &str) -> String {
    let (host_width, unit_width) = ((width / 5).min(HOST), (width / 4).min(UNIT));
    format!("   {} {} ", padded(look, host, host_width), padded(look, unit, unit_width))
}

fn bar(look: StreamStyle, places: usize, done: usize, total: usize) -> String {
    let full = (done.min(total) * places).checked_div(total).unwrap_or(0);
    let (left, right) = (look.sign("▕", "["), look.sign("▏", "]"));
    let (on, off) = (look.sign("█", "#"), look.sign("░", "."));
    format!("{left}{}{}{right}", on.repeat(full), off.repeat(places - full))
}

/// Cuts or pads a text to a column's width.
fn padded(look: StreamStyle, text: &str, width: usize) -> String {
    let text = look.clip(text, width);
    let room = width.saturating_sub(columns(&text));
    text + &" ".repeat(room)
}

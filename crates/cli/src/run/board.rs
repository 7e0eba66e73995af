//! The live block: how far the run is, what it cost, and who works. Drawn as lines of a given
//! width from what is known at that moment.

use std::collections::BTreeMap;
use std::time::Duration;

use sprag_core::reporting::money;
use sprag_core::{Fence, Time};
use sprag_engine::drive::{Far, Spent, first_line};
use sprag_formats::Budget;
use sprag_run::agent::{Exit, Heard};
use sprag_run::{Seen, dollars};

use super::words::{clock_time, left, short, unit_name};
use crate::look::{Colour, Look, Tone, columns, count};

/// An agent that says nothing for so long is marked.
const QUIET: i64 = 60_000;
/// So many agents are shown.
const SHOWN: usize = 8;
/// The bar has so many places at most.
const BAR: usize = 24;
/// From so many columns on the bar has all its places.
const WIDE: usize = 72;
/// How wide the name of a host is at most.
const HOST: usize = 10;
/// How wide the name of a unit is at most.
const UNIT: usize = 18;

/// What is said of an agent that has ended.
const JUDGED: &str = "its gates are evaluated";

/// What is known of a run while it is driven.
#[derive(Clone, Debug)]
pub(super) struct Board {
    pub(super) far: Far,
    /// What of its budget somebody chose.
    pub(super) chosen: Budget,
    agents: BTreeMap<Fence, Agent>,
    /// Hosts that take no work, and until when.
    limited: BTreeMap<String, Time>,
    /// Which try of how many, where one is counted.
    retry: Option<(u32, u32)>,
    /// What is waited for.
    waits: Option<String>,
    /// Whether a person asked to pause it.
    pub(super) pausing: bool,
    /// Whether it was said that a budget cannot bind.
    unbound: bool,
}

/// Somebody who works.
#[derive(Clone, Debug)]
struct Agent {
    host: String,
    unit: String,
    /// What it did last.
    last: String,
    /// What it said last.
    said: String,
    /// When it was heard last.
    heard: Time,
}

impl Board {
    pub(super) fn new(far: Far, chosen: Budget) -> Self {
        let (agents, limited) = (BTreeMap::new(), BTreeMap::new());
        // Whoever drove it before has said so.
        let unbound = unbound(&far.spent, &chosen).is_some();
        let (retry, waits, pausing) = (None, None, false);
        Self { far, chosen, agents, limited, retry, waits, pausing, unbound }
    }

    /// Returns whether somebody chose a budget that may still turn out not to bind.
    pub(super) fn may_not_bind(&self) -> bool {
        !self.unbound && self.chosen != Budget::default()
    }

    /// Says that a budget cannot bind, where that is so and was not said yet.
    pub(super) fn new_unbound(&mut self) -> Option<String> {
        let said = unbound(&self.far.spent, &self.chosen).filter(|_| !self.unbound)?;
        self.unbound = true;
        Some(said)
    }

    /// Takes note of what happened.
    pub(super) fn see(&mut self, seen: &Seen<'_>, now: Time) {
        if !matches!(seen, Seen::Heard { .. }) {
            self.waits = None;
        }
        match seen {
            Seen::Begun { fence, unit, retry, host } => {
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
            Seen::Heard { fence, heard } => {
                if let Some(agent) = self.agents.get_mut(fence) {
                    agent.hear(heard, now);
                }
            }
            Seen::Ended { fence, end } if end.exit != Ok(Exit::Stopped) => {
                if let Some(agent) = self.agents.get_mut(fence) {
                    JUDGED.clone_into(&mut agent.last);
                    agent.heard = now;
                }
            }
            Seen::Ended { fence, .. } | Seen::Judged { fence, .. } => {
                self.agents.remove(fence);
            }
            Seen::Limited { host, until, .. } => {
                self.agents.retain(|_, agent| agent.host != *host);
                self.limited.insert((*host).to_owned(), *until);
            }
            Seen::Waiting { on, .. } => self.waits = Some((*on).to_owned()),
            Seen::Assigned { .. }
            | Seen::Aborted { .. }
            | Seen::Branch { .. }
            | Seen::Resumed { .. }
            | Seen::Conflict { .. }
            | Seen::Strays { .. } => {}
        }
    }

    /// Returns whether something was said already, and nothing happened since.
    pub(super) fn knows(&self, seen: &Seen<'_>) -> bool {
        matches!(seen, Seen::Waiting { on, .. } if self.waits.as_deref() == Some(*on))
    }

    /// Returns what an agent said last, on one line.
    pub(super) fn claim(&self, fence: Fence) -> &str {
        self.agents.get(&fence).map_or("", |agent| first_line(&agent.said))
    }

    /// Draws the block: lines of at most `width` columns, and at most `height` of them.
    pub(super) fn draw(
        &self,
        look: Look,
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

    /// Draws how it stands, for somebody who asks: the head and everybody who works.
    pub(super) fn status(&self, look: Look, width: usize, now: Time) -> Vec<String> {
        // Its lines are cleaned once more, which a colour would not survive.
        let look = Look { colour: Colour::No, ..look };
        let head = look.clip(&self.head(look, width, now), width);
        std::iter::once(head).chain(self.rows(look, width, usize::MAX, now)).collect()
    }

    /// `build  ▕████░░░░▏ 2/5 phases   2h14m   $6.10 of $15.00`
    fn head(&self, look: Look, width: usize, now: Time) -> String {
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

    fn rows(&self, look: Look, width: usize, most: usize, now: Time) -> Vec<String> {
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
    fn hear(&mut self, heard: &Heard, now: Time) {
        self.heard = now;
        match heard {
            Heard::Text(text) => {
                first_line(text).clone_into(&mut self.last);
                self.said.clone_from(text);
            }
            Heard::Tool { name, about } => self.last = format!("{name} {about}"),
            Heard::Limited { why, .. } | Heard::Failed { why } => self.last.clone_from(why),
            Heard::Session(_) | Heard::Spent { .. } => {}
        }
    }

    fn row(&self, look: Look, width: usize, now: Time) -> String {
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

/// Says what bounds a run that may take so long, in as few words as are true: `, at most 8h, $100.00`.
/// Where nobody tells a price, only a person's own amount is named.
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

/// Returns what was spent, of how much: `$6.10 of $15.00`, `cost unknown`.
pub(super) fn cost(spent: &Spent, chosen: &Budget) -> String {
    let of = chosen.micro_usd.map_or_else(String::new, |most| format!(" of {}", dollars(most)));
    if of.is_empty() && *spent == Spent::default() {
        return "no cost yet".to_owned();
    }
    let said = money(spent.micro_usd, spent.unknown > 0);
    said.map_or_else(|| "cost unknown".to_owned(), |said| format!("{said}{of}"))
}

/// Says which budgets that somebody chose cannot bind, because agents did not tell what they took.
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

/// Returns who works on what, in columns that a narrow terminal makes narrower.
fn who(look: Look, width: usize, host: &str, unit: &str) -> String {
    let (host_width, unit_width) = ((width / 5).min(HOST), (width / 4).min(UNIT));
    format!("   {} {} ", padded(look, host, host_width), padded(look, unit, unit_width))
}

fn bar(look: Look, places: usize, done: usize, total: usize) -> String {
    let full = (done.min(total) * places).checked_div(total).unwrap_or(0);
    let (left, right) = (look.sign("▕", "["), look.sign("▏", "]"));
    let (on, off) = (look.sign("█", "#"), look.sign("░", "."));
    format!("{left}{}{}{right}", on.repeat(full), off.repeat(places - full))
}

/// Cuts a text to a column and fills it up to that.
fn padded(look: Look, text: &str, width: usize) -> String {
    let text = look.clip(text, width);
    let room = width.saturating_sub(columns(&text));
    text + &" ".repeat(room)
}

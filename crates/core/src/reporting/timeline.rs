//! The timeline of a run: a bar for every attempt, a mark for every receipt, and the stretches in
//! which it waited.

use std::collections::BTreeMap;

use super::{Axis, Fact, Material};
use crate::event::ReviewEnded;
use crate::{Event, Fence, Time, Verdict};

/// The timeline of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timeline {
    pub axis: Axis,
    /// The units in the order of their first begin.
    pub rows: Vec<UnitRow>,
    /// The gates in the order of their first receipt.
    pub lanes: Vec<Lane>,
    /// The waits, oldest first.
    pub waits: Vec<Stretch>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitRow {
    pub unit: String,
    /// Its attempts, oldest first.
    pub bars: Vec<Bar>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bar {
    pub from: Time,
    /// When it ended, or the current time.
    pub to: Time,
    pub how: How,
    /// The agent or host, if known.
    pub agent: Option<String>,
}

/// How an attempt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// By gates that passed.
    Passed,
    /// By a waiver.
    Waived,
    Claimed,
    /// By a failed gate, or a review that did not pass.
    Failed,
    /// Its agent was sent back for changed inputs.
    SentBack,
    /// Without an end: by a crash or a release.
    Lost,
    /// Because the unit no longer exists.
    Gone,
    Open,
}

impl How {
    /// Returns the word for people.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Waived => "waived",
            Self::Claimed => "claimed",
            Self::Failed => "failed",
            Self::SentBack => "sent back",
            Self::Lost => "lost",
            Self::Gone => "gone",
            Self::Open => "open",
        }
    }
}

/// A gate with its receipts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lane {
    pub gate: String,
    /// Its receipts, oldest first.
    pub marks: Vec<VerdictMark>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerdictMark {
    pub at: Time,
    pub verdict: Verdict,
}

/// A time in which the run waited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    pub from: Time,
    pub to: Time,
    /// The reason.
    pub why: String,
}

impl Timeline {
    /// Computes the timeline of a run.
    pub(super) fn of(material: &Material) -> Self {
        let end = material.ended.unwrap_or(material.now).max(material.started);
        let own: Vec<&Fact> = material.facts.iter().filter(|fact| fact.own).collect();
        let rows = rows(material.started, &own, end);
        let waits = waits(&own, end);
        let mut lanes: Vec<Lane> = Vec::new();
        for slip in &material.slips {
            let mark = VerdictMark { at: slip.receipt.at, verdict: slip.receipt.verdict };
            let gate = slip.receipt.gate.as_str();
            match lanes.iter_mut().find(|lane| lane.gate == gate) {
                Some(lane) => lane.marks.push(mark),
                None => lanes.push(Lane { gate: gate.to_owned(), marks: vec![mark] }),
            }
        }
        let bars = rows.iter().flat_map(|row| &row.bars);
        let busy: Vec<_> = bars.map(|bar| (bar.from, bar.to)).collect();
        let moments = own.iter().map(|fact| fact.at);
        let moments = moments.chain(lanes.iter().flat_map(|lane| &lane.marks).map(|mark| mark.at));
        let axis = Axis::of((material.started, end), moments.collect(), &busy, &waits);
        Self { axis, rows, lanes, waits }
    }

    /// Returns the total duration of the waits in milliseconds; overlaps count once.
    pub fn waited(&self) -> i64 {
        let (mut sum, mut until) = (0, i64::MIN);
        for wait in &self.waits {
            let (from, to) = (wait.from.as_millis().max(until), wait.to.as_millis());
            sum += (to - from).max(0);
            until = until.max(to);
        }
        sum
    }
}

/// An open attempt during the scan of the journal.
struct Begun {
    unit: String,
    from: Time,
    agent: Option<String>,
}

fn rows(started: Time, facts: &[&Fact], end: Time) -> Vec<UnitRow> {
    let mut rows = Rows::default();
    let mut begun: BTreeMap<Fence, Begun> = BTreeMap::new();
    // The time before this moment belongs to units that have ended.
    let mut moved = started;
    for fact in facts {
        if let Event::AttemptBegan(began) = &fact.event {
            let (unit, agent) = (began.unit.clone(), began.agent.clone());
            rows.add(&unit);
            begun.insert(began.fence, Begun { unit, from: fact.at, agent });
        } else if let Event::AgentStarted(started) = &fact.event
            && let Some(begun) = begun.get_mut(&started.fence)
        {
            begun.agent = Some(started.host.clone());
        } else if let Event::ReviewEnded(review) = &fact.event
            && !review.is_pass()
        {
            rows.found(review);
        } else if let Some((fence, how)) = ended(&fact.event)
            && let Some(one) = begun.remove(&fence)
        {
            // If one moment is both begin and end, the work was done since the previous unit.
            let from = if one.from == fact.at { moved } else { one.from };
            rows.put(&one.unit, Bar { from, to: fact.at, how, agent: one.agent });
            moved = fact.at;
        }
    }
    for one in begun.into_values() {
        let to = end.max(one.from);
        rows.put(&one.unit, Bar { from: one.from, to, how: How::Open, agent: one.agent });
    }
    rows.all
}

/// Returns the attempt that an event ends, and how its bar is drawn.
fn ended(event: &Event) -> Option<(Fence, How)> {
    if let Event::AttemptEnded(end) = event {
        Some((end.fence, end.shown()))
    } else if let Event::AttemptLost(lost) = event {
        Some((lost.fence, How::Lost))
    } else {
        None
    }
}

/// The rows by their units.
#[derive(Default)]
struct Rows {
    all: Vec<UnitRow>,
    known: BTreeMap<String, usize>,
}

impl Rows {
    fn add(&mut self, unit: &str) {
        if !self.known.contains_key(unit) {
            self.known.insert(unit.to_owned(), self.all.len());
            self.all.push(UnitRow { unit: unit.to_owned(), bars: Vec::new() });
        }
    }

    /// Draws a review that did not pass as failed: its agent claims nothing.
    fn found(&mut self, review: &ReviewEnded) {
        let row = self.all.iter_mut().rfind(|row| review.is_unit(&row.unit));
        if let Some(bar) = row.and_then(|row| row.bars.last_mut()) {
            bar.how = How::Failed;
        }
    }

    fn put(&mut self, unit: &str, bar: Bar) {
        if let Some(&at) = self.known.get(unit) {
            self.all[at].bars.push(bar);
        }
    }
}

fn waits(facts: &[&Fact], end: Time) -> Vec<Stretch> {
    let mut waits: Vec<Stretch> = Vec::new();
    // The open waits, by the fence of the attempt, or `None` for the whole run.
    let mut open: BTreeMap<Option<Fence>, (Time, String)> = BTreeMap::new();
    for fact in facts {
        let at = fact.at;
        let close = |(from, why)| waits.push(Stretch { from, to: at, why });
        if let Event::RunPaused(paused) = &fact.event {
            open.entry(None).or_insert((at, paused.why.clone()));
        } else if let Event::AttemptStalled(stalled) = &fact.event {
            open.entry(Some(stalled.fence)).or_insert((at, stalled.why.clone()));
        } else if let Some((fence, _)) = ended(&fact.event) {
            open.remove(&Some(fence)).map(close);
        } else if let Event::RunResumed(_) | Event::RunAnswered(_) | Event::RunCancelled(_) =
            &fact.event
        {
            std::mem::take(&mut open).into_values().for_each(close);
        } else if let Event::HostLimited(limited) = &fact.event {
            let to = limited.until.unwrap_or(at).clamp(at, end.max(at));
            waits.push(Stretch { from: at, to, why: limited.why.clone() });
        }
    }
    waits.extend(open.into_values().map(|(from, why)| Stretch { from, to: end.max(from), why }));
    waits.sort_by_key(|wait| (wait.from, wait.to));
    waits
}

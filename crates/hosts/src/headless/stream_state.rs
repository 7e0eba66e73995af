//! Collects a host's output so far, and the events to report from it.

use sprag_core::Time;
use sprag_core::prompt::short;

use super::line::{JsonLine, head};
use super::{Moment, OutputEvent, limits};

/// The most bytes kept of one message.
const MESSAGE: usize = 64 << 10;
/// The most characters shown of a tool's name and of its subject.
const NAME: usize = 80;
const ABOUT: usize = 160;
/// The most characters shown of an error.
const WHY: usize = 300;

/// Collects the events of one line, and the state that later lines add to.
#[derive(Clone, Debug, Default)]
pub struct StreamState {
    heard: Vec<OutputEvent>,
    /// The arrival time of the current line.
    at: Option<Moment>,
    session: Option<String>,
    /// A message that arrives in pieces.
    pending: String,
    usd: Option<f64>,
    tokens: Option<u64>,
    /// When it last wrote a message or called a tool.
    worked: Option<Time>,
    /// The last reported limit, unless work continued after it.
    limited: Option<ToldLimit>,
    failed: Option<String>,
}

/// A limit that was reported.
#[derive(Clone, Copy, Debug)]
struct ToldLimit {
    until: Option<Time>,
}

impl ToldLimit {
    /// Returns whether a limit reported `now` adds to this one: hosts report a limit several times,
    /// and not always in full. A report after the known end is a new limit.
    fn is_less_than(self, until: Option<Time>, now: Option<Time>) -> bool {
        match (self.until, until) {
            (None, until) => until.is_some(),
            (Some(known), Some(until)) => until > known && now.is_some_and(|now| known <= now),
            (Some(_), None) => false,
        }
    }
}

impl StreamState {
    pub const fn at(&mut self, at: Moment) {
        self.at = Some(at);
    }

    /// Sets the time back to that of a log entry.
    pub fn then(&mut self, when: Option<Time>) {
        self.at = self.at.map(|at| Moment { now: when.unwrap_or(at.now), ..at });
    }

    /// Returns the time `millis` after the line arrived.
    pub fn after(&self, millis: Option<u64>) -> Option<Time> {
        let millis = i64::try_from(millis?).unwrap_or(i64::MAX);
        self.at.map(|at| at.now.plus_millis(millis))
    }

    pub fn take(&mut self) -> Vec<OutputEvent> {
        std::mem::take(&mut self.heard)
    }

    /// Records the id of the conversation. It is checked, because it becomes a command-line
    /// argument.
    pub fn session(&mut self, id: Option<&str>) {
        let is_one = |id: &&str| {
            let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
            id.len() <= 128 && id.bytes().all(plain) && !id.starts_with(['-', '.'])
        };
        let Some(id) = id.filter(|id| !id.is_empty()).filter(is_one) else { return };
        if self.session.as_deref() != Some(id) {
            self.session = Some(id.to_owned());
            self.heard.push(OutputEvent::Session(id.to_owned()));
        }
    }

    /// Records a complete message.
    pub fn text(&mut self, text: &str) {
        if !text.trim().is_empty() {
            self.works();
            self.heard.push(OutputEvent::Text(head(text, MESSAGE).to_owned()));
        }
    }

    /// Records a piece of a message.
    pub fn piece(&mut self, piece: &str) {
        let room = MESSAGE - self.pending.len();
        self.pending.push_str(head(piece, room));
    }

    /// Completes a message that arrived in pieces.
    pub fn flush(&mut self) {
        let text = std::mem::take(&mut self.pending);
        self.text(&text);
    }

    /// Records a tool call.
    pub fn tool(&mut self, name: Option<&str>, about: &str) {
        let name = short(&limits::clean(name.unwrap_or("a tool")), NAME);
        let about = short(&limits::clean(about.lines().next().unwrap_or_default()), ABOUT);
        self.works();
        self.heard.push(OutputEvent::Tool { name, about });
    }

    /// Records that it works, which ends an earlier limit.
    fn works(&mut self) {
        self.limited = None;
        self.worked = self.at.map(|at| at.now);
    }

    pub fn has_worked_since(&self, then: Time) -> bool {
        self.worked.is_some_and(|worked| worked > then)
    }

    /// Records the total spent so far.
    pub fn spent(&mut self, usd: Option<f64>, tokens: Option<u64>) {
        (self.usd, self.tokens) = (usd.or(self.usd), tokens.or(self.tokens));
        let micro_usd = self.usd.map(micro);
        if micro_usd.is_some() || self.tokens.is_some() {
            self.heard.push(OutputEvent::Spent { micro_usd, tokens: self.tokens });
        }
    }

    /// Adds the cost of one step to the total.
    pub fn spends(&mut self, usd: Option<f64>, tokens: Option<u64>) {
        let usd = usd.map(|usd| self.usd.unwrap_or_default() + usd);
        let tokens = tokens.map(|tokens| self.tokens.unwrap_or_default().saturating_add(tokens));
        self.spent(usd, tokens);
    }

    /// Records a problem: a limit of the provider, or a failure.
    pub fn trouble(&mut self, why: Option<&str>, status: Option<u64>, until: Option<Time>) {
        let why = short(&limits::clean(why.unwrap_or_default()), WHY);
        if until.is_some() || status == Some(429) || limits::is_limit(&why) {
            let (why, dated) = limits::dated(&why);
            let until = until.or(dated).or_else(|| limits::until(why, self.at?));
            let now = self.at.map(|at| at.now);
            if self.limited.is_none_or(|known| known.is_less_than(until, now)) {
                self.limited = Some(ToldLimit { until });
                self.heard.push(OutputEvent::Limited { until, why: why.to_owned() });
            }
        } else if self.limited.is_none() {
            let why = if why.is_empty() { "it does not say why".to_owned() } else { why };
            if self.failed.as_ref() != Some(&why) {
                self.failed = Some(why.clone());
                self.heard.push(OutputEvent::Failed { why });
            }
        }
    }
}

/// Converts dollars to millionths.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a number outside of the range becomes its nearest end"
)]
fn micro(usd: f64) -> u64 {
    (usd * 1e6).round() as u64
}

/// Adds up the tokens at some paths, or returns `None` if none of them is present.
pub fn tokens(line: &JsonLine, paths: &[&str]) -> Option<u64> {
    let counts: Vec<u64> = paths.iter().filter_map(|path| line.count(path)).collect();
    (!counts.is_empty()).then(|| counts.iter().fold(0_u64, |all, one| all.saturating_add(*one)))
}

//! Tracks when each host accepts work again: one clock per host, shared by all its agents.

use std::collections::BTreeMap;

use sprag_core::Time;
use sprag_world::clock;

/// The pause after a host's limit when the host gives no time, in milliseconds.
const PAUSE: i64 = 5 * 60 * 1000;
/// The longest such pause.
const LONGEST: i64 = 60 * 60 * 1000;
/// Times further away than this are ignored: no host's limit lasts longer than a week.
const FARTHEST: i64 = 8 * 24 * 60 * 60 * 1000;
/// The delay between the returning agents of a host, so that they do not all start at once.
const STAGGER: i64 = 2_000;

/// The pauses after a first and a second loss; they outlast a short outage.
const LOST: [i64; 2] = [5_000, 30_000];

#[derive(Clone, Debug, Default)]
pub(crate) struct Clocks {
    hosts: BTreeMap<String, Clock>,
}

#[derive(Clone, Debug)]
struct Clock {
    until: Time,
    /// Limits in a row for which the host gave no time.
    silent: u32,
    /// Agents waiting to return.
    waiting: u32,
}

impl Clock {
    /// Reserves the next return time.
    fn back(&mut self) -> Time {
        self.waiting += 1;
        self.until.plus_millis(STAGGER * i64::from(self.waiting - 1))
    }
}

impl Clocks {
    /// Records a host's limit and returns when the affected agent may return.
    pub(crate) fn limit(&mut self, host: &str, said: Option<Time>, now: Time) -> Time {
        let clock = self.clock(host, now);
        let is_said = |at: &Time| (1..=FARTHEST).contains(&at.since(now));
        let until = said.filter(is_said).unwrap_or_else(|| {
            let pause = PAUSE.saturating_mul(1 << clock.silent.min(8)).min(LONGEST);
            clock.silent += 1;
            now.plus_millis(pause)
        });
        clock.until = clock.until.max(until);
        clock.back()
    }

    /// Records a limit that another driver knows.
    pub(crate) fn know(&mut self, host: &str, until: Time, now: Time) {
        let clock = self.clock(host, now);
        clock.until = clock.until.max(until);
    }

    /// Reserves the return time of one more agent; `None` if the host accepts work now.
    pub(crate) fn back(&mut self, host: &str, now: Time) -> Option<Time> {
        self.hosts.get_mut(host).filter(|clock| clock.until > now).map(Clock::back)
    }

    /// Records the `nth` loss in a row of a unit and returns when its next attempt may begin.
    /// Returns `None` after the third loss, which holds the unit.
    pub(crate) fn lost(&mut self, host: &str, nth: u32, now: Time) -> Option<Time> {
        let pause = LOST.get(usize::try_from(nth).ok()?.checked_sub(1)?)?;
        let clock = self.clock(host, now);
        clock.until = clock.until.max(now.plus_millis(clock::pause(*pause)));
        Some(clock.until)
    }

    fn clock(&mut self, host: &str, now: Time) -> &mut Clock {
        let start = Clock { until: now, silent: 0, waiting: 0 };
        self.hosts.entry(host.to_owned()).or_insert(start)
    }

    /// Returns when a host accepts work again; `None` if it does now.
    pub(crate) fn until(&self, host: &str, now: Time) -> Option<Time> {
        self.hosts.get(host).map(|clock| clock.until).filter(|until| *until > now)
    }

    /// Clears a host's clock once it has accepted work.
    pub(crate) fn works(&mut self, host: &str) {
        self.hosts.remove(host);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_clock_serves_all_agents_of_a_host_and_they_come_back_one_after_another() {
        let mut clocks = Clocks::default();
        let now = Time::from_millis(1_000_000);
        let reset = now.plus_millis(60_000);
        assert_eq!(clocks.limit("claude", Some(reset), now), reset);
        assert_eq!(clocks.limit("claude", Some(reset), now), reset.plus_millis(STAGGER));
        assert_eq!(clocks.until("claude", now), Some(reset));
        assert_eq!(clocks.until("codex", now), None);
        assert_eq!(clocks.until("claude", reset), None);
    }

    #[test]
    fn the_first_two_losses_of_a_unit_pause_its_host_and_nobody_waits_after_the_third() {
        let mut clocks = Clocks::default();
        let now = Time::from_millis(0);
        let pause = |millis| Some(now.plus_millis(clock::pause(millis)));
        let lost = [1, 2, 3, 4, 0].map(|nth| clocks.lost("codex", nth, now));
        assert_eq!(lost, [pause(5_000), pause(30_000), None, None, None]);
        assert_eq!(clocks.until("claude", now), None);
    }

    #[test]
    fn without_a_time_the_pauses_grow_up_to_an_hour() {
        let mut clocks = Clocks::default();
        let mut now = Time::from_millis(0);
        let mut pauses = Vec::new();
        // Times that are past, or beyond every limit, count as no time at all.
        for away in [0, FARTHEST + 1, i64::MAX, -1, 0, 0] {
            let until = clocks.limit("codex", Some(now.plus_millis(away)), now);
            pauses.push(clocks.until("codex", now).unwrap().since(now) / 60_000);
            now = until;
        }
        assert_eq!(pauses, [5, 10, 20, 40, 60, 60]);
        clocks.works("codex");
        let week = now.plus_millis(FARTHEST);
        assert_eq!(clocks.limit("codex", Some(week), now), week);
        clocks.works("codex");
        clocks.limit("codex", None, now);
        assert_eq!(clocks.until("codex", now).unwrap().since(now), PAUSE);
    }
}

//! When each host takes work again: one clock a host, for all agents of it.

use std::collections::BTreeMap;

use sprag_core::Time;
use sprag_engine::clock;

/// How long a host is left alone when it does not say until when.
const PAUSE: i64 = 5 * 60 * 1000;
/// How long it is left alone at most.
const LONGEST: i64 = 60 * 60 * 1000;
/// How far away a time may be that a host says: no limit of any host lasts longer than a week.
const FARTHEST: i64 = 8 * 24 * 60 * 60 * 1000;
/// How far apart the agents of a host come back, so that they do not all ask at once.
const STAGGER: i64 = 2_000;

/// How long a host is left alone after a loss, and after one more: a short outage is over by then.
const LOST: [i64; 2] = [5_000, 30_000];

/// The clocks of the hosts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clocks {
    hosts: BTreeMap<String, Clock>,
}

#[derive(Clone, Debug)]
struct Clock {
    until: Time,
    /// How often in a row it took no work and did not say until when.
    silent: u32,
    /// How many are to come back.
    waiting: u32,
}

impl Clock {
    /// Returns when one more agent is to come back.
    fn back(&mut self) -> Time {
        self.waiting += 1;
        self.until.plus_millis(STAGGER * i64::from(self.waiting - 1))
    }
}

impl Clocks {
    /// Takes note that a host takes no more work, and returns when the agent that heard it is to
    /// come back.
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

    /// Takes note of what others know of a host.
    pub(crate) fn know(&mut self, host: &str, until: Time, now: Time) {
        let clock = self.clock(host, now);
        clock.until = clock.until.max(until);
    }

    /// Returns when one more agent is to come back to a host; nothing when it takes work.
    pub(crate) fn back(&mut self, host: &str, now: Time) -> Option<Time> {
        self.hosts.get_mut(host).filter(|clock| clock.until > now).map(Clock::back)
    }

    /// Takes note that an agent of a host ended by itself without anything to judge, for the `nth` time
    /// in a row of its unit, and returns when the next one may begin; nothing where nobody waits: the
    /// third loss holds the unit.
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

    /// Returns when a host takes work again; nothing when it does.
    pub(crate) fn until(&self, host: &str, now: Time) -> Option<Time> {
        self.hosts.get(host).map(|clock| clock.until).filter(|until| *until > now)
    }

    /// Takes note that a host took work.
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
        // Said to be over already, or after the end of every limit: as good as not said.
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

//! `sprag run` of every source, each with its good and bad ends.
//!
//! One agent works at a time, and stories wait for conditions, so the order of events is the same
//! in every play. A killed driver is killed by its own agent.

mod inbox;
pub(crate) mod plan;
mod pull;
mod task;
mod touched;
mod tree;
mod workflow;

use crate::player::{Outcome, Player};

/// Kills the driver once and leaves an agent behind that never ends.
const KILLS: &str = "[ -e ../killed ] || { touch ../killed; kill -9 $PPID; sleep 600; }";

impl Player {
    /// Resumes the newest run.
    pub(crate) fn resumes(&mut self) -> Outcome<'_> {
        let run = self.run();
        self.types(&["resume", &run])
    }

    /// Drives a run until an agent is lost. The clock is frozen, so the driver would wait forever:
    /// the story interrupts it, and the next driver begins later.
    fn loses(&mut self, words: &[&str]) {
        self.lets_a_driver_wait();
        let driver = self.starts_driving(words);
        self.hears(&driver, "after a loss");
        self.signals(&driver, "INT");
        self.ends(driver).exits(3);
        self.types(&["status"]).exits(0);
    }

    /// Drives a run until three agents were lost. The driver waits twice in between, which needs
    /// the real clock. A pull request cannot be played this way, because its driver also polls the
    /// forge meanwhile, a varying number of times.
    fn loses_for_good(&mut self, words: &[&str]) {
        self.lets_a_driver_wait();
        self.by_the_real_clock();
        self.drives(words).exits(5);
        let run = self.run();
        for words in [
            &["status"][..],
            &["status", "--json"],
            &["why"],
            &["report", &run, "--json"],
            &["log"],
        ] {
            self.types(words);
        }
    }
}

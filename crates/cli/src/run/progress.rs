//! What one sees while agents work: a line for everything that happened.

use std::sync::{Mutex, PoisonError};

use sprag_core::Id;
use sprag_engine::drive::{Ended, Reviewed, Shown};
use sprag_engine::engine::Engine;
use sprag_run::{Seen, Watch};

use crate::call::{Answer, Call};
use crate::fault::Stop;
use crate::look::{Look, Tone};
use crate::screen;

/// So many findings of one review are shown; the journal tells of more.
const FINDINGS: usize = 5;
/// Verbs end in this column.
const VERB: usize = 12;

/// Shows what happens.
pub(super) struct Progress {
    look: Look,
    shows: bool,
    /// One line at a time, whoever says it.
    screen: Mutex<()>,
}

impl Progress {
    /// Says what is run.
    pub(super) fn begin(call: &Call, engine: &Engine<'_>, run: &Id) -> Result<Self, Stop> {
        let progress =
            Self { look: call.look, shows: call.answer == Answer::Text, screen: Mutex::new(()) };
        let (runs, _) = engine.shown()?;
        let shown = runs.into_iter().find(|shown| shown.id == *run);
        let task = shown.and_then(|shown| shown.task).unwrap_or_default();
        progress.line(Tone::Good, "Started", &format!("{run}  {task}"));
        Ok(progress)
    }

    fn line(&self, tone: Tone, verb: &str, text: &str) {
        if !self.shows {
            return;
        }
        let _one = self.screen.lock().unwrap_or_else(PoisonError::into_inner);
        let verb = self.look.paint(tone, &format!("{verb:>VERB$}"));
        let text = self.look.clip(text, crate::look::WIDTH - VERB - 1);
        // Whoever does not look any more is not told; the work goes on.
        let _ = screen::print(&format!("{verb} {text}\n"));
    }

    fn judged(&self, unit: &str, gates: &[Shown], ended: &Ended) {
        for gate in gates {
            let (tone, said) = match gate.verdict.as_str() {
                "pass" => (Tone::Good, "PASS"),
                "fail" => (Tone::Bad, "FAIL"),
                other => (Tone::Note, other),
            };
            let took = gate.ms;
            let text =
                format!("{}  {said}  {took}ms  tree {}  {}", gate.gate, gate.tree, gate.receipt);
            self.line(tone, "Gate", &text);
        }
        match ended {
            Ended::Passed { proven: true } => self.line(Tone::Good, "Proven", unit),
            Ended::Passed { proven: false } => {
                self.line(Tone::Note, "Claimed", &format!("{unit}  no gate"));
            }
            Ended::Failed { why } | Ended::Unchanged { why } => {
                self.line(Tone::Bad, "Refused", &format!("{unit}  {}", first_line(why)));
            }
            Ended::Reviewed(Reviewed::Clean) => {
                self.line(Tone::Good, "Reviewed", &format!("{unit}  clean"));
            }
            Ended::Reviewed(Reviewed::Found { findings }) => {
                self.line(Tone::Bad, "Reviewed", &format!("{unit}  {} open", findings.len()));
                for finding in findings.iter().take(FINDINGS) {
                    self.line(Tone::Quiet, "Finding", finding);
                }
            }
            Ended::Reviewed(Reviewed::Again { why }) => {
                self.line(Tone::Bad, "Reviewed", &format!("{unit}  does not count: {why}"));
            }
            Ended::Held { hold } => self.line(Tone::Note, "Held", &format!("{unit}  {hold}")),
        }
    }
}

fn names(files: &[std::path::PathBuf]) -> String {
    let names: Vec<_> = files.iter().map(|file| file.display().to_string()).collect();
    names.join(", ")
}

fn first_line(text: &str) -> &str {
    text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default()
}

impl Watch for Progress {
    fn see(&self, seen: &Seen<'_>) {
        match seen {
            Seen::Begun { unit, retry: Some((number, max)), host, .. } => {
                let text = format!("{unit}  {host}  retry {number} of {max}");
                self.line(Tone::Note, "Retry", &text);
            }
            Seen::Begun { unit, retry: None, host, .. } => {
                self.line(Tone::Good, "Begun", &format!("{unit}  {host}"));
            }
            Seen::Heard { .. } => {}
            Seen::Ended { said, .. } => {
                self.line(Tone::Quiet, "Agent", &format!("\"{}\"  (a claim)", first_line(said)));
            }
            Seen::Judged { unit, gates, ended, .. } => self.judged(unit.as_str(), gates, ended),
            Seen::Lost { unit, why, .. } => {
                self.line(Tone::Bad, "Lost", &format!("{unit}  {why}"));
            }
            Seen::Conflict { unit, files, .. } => {
                self.line(Tone::Note, "Conflict", &format!("{unit}  {}", names(files)));
            }
            Seen::Strays { unit, files, .. } => {
                let text = format!("{unit} changed files of others: {}", names(files));
                self.line(Tone::Note, "Strayed", &text);
            }
            Seen::Limited { host, until, why } => {
                self.line(Tone::Note, "Limited", &format!("{host} until {until}: {why}"));
            }
            Seen::Waiting { on, until } => {
                let until = until.map_or_else(String::new, |until| format!(" until {until}"));
                self.line(Tone::Quiet, "Waiting", &format!("{on}{until}"));
            }
            Seen::Resumed { fence } => {
                self.line(Tone::Good, "Resumed", &format!("from event {}", fence.0.0));
            }
        }
    }
}

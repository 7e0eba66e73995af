//! Prints lines and the live block to a terminal, a pipe, a file, or nowhere.

use std::io::IsTerminal as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sprag_world::{clock, terminal};

use super::board::Board;
use super::live::{self, Live};
use super::log::{self, RunLog};
use super::messages::ProgressLine;
use crate::context::{CommandContext, OutputFormat};
use crate::style::{Signs, StreamStyle, Tone, WIDTH};
use crate::{env, screen};

/// The column in which verbs end.
const VERB: usize = 12;
/// The minimum space for a line's text before its end part.
const LEAST: usize = 8;

/// Prints lines, and on a terminal the live block below them; any thread may use it.
#[derive(Debug)]
pub(super) struct RunOutput {
    look: StreamStyle,
    sink: Mutex<Sink>,
    board: Arc<Mutex<Board>>,
}

/// Where the output goes.
#[derive(Debug)]
enum Sink {
    /// Nowhere: a JSON object follows at the end.
    Silent,
    /// Line by line.
    Plain,
    /// Line by line into the log.
    Log(RunLog),
    /// A terminal with a live block.
    Live(Live),
}

impl RunOutput {
    /// Creates the output; with a log, everything goes there.
    pub(super) fn new(call: &CommandContext, board: Board, log: Option<RunLog>) -> Self {
        let sink = match (log, call.answer) {
            (Some(log), _) => Sink::Log(log),
            (None, OutputFormat::Json) => Sink::Silent,
            (None, OutputFormat::Text) => Sink::Plain,
        };
        Self { look: call.look, sink: Mutex::new(sink), board: Arc::new(Mutex::new(board)) }
    }

    /// Starts the live block if the terminal supports it.
    pub(super) fn go_live(&self) {
        let mut sink = self.sink();
        if matches!(*sink, Sink::Plain) && can_be_live(self.look) {
            *sink = Sink::Live(Live::begin(self.look, Arc::clone(&self.board)));
        }
    }

    pub(super) fn is_live(&self) -> bool {
        matches!(*self.sink(), Sink::Live(_))
    }

    /// Removes the live block; lines are still printed.
    pub(super) fn rest(&self) {
        let mut sink = self.sink();
        if matches!(*sink, Sink::Live(_)) {
            *sink = Sink::Plain;
        }
    }

    /// Returns the columns available beside a verb, at which text is wrapped.
    pub(super) fn room(&self) -> usize {
        let width = match &*self.sink() {
            Sink::Silent | Sink::Plain | Sink::Live(_) => {
                terminal::size().map_or(WIDTH, |(columns, _)| columns)
            }
            Sink::Log(_) => log::WIDTH,
        };
        width.saturating_sub(VERB + 1)
    }

    /// Prints a line, wrapped if necessary.
    pub(super) fn whole(&self, line: &ProgressLine) {
        let (mut verb, mut indent) = (line.verb, 0);
        for text in self.look.wrap(&line.text, self.room().saturating_sub(line.hang)) {
            self.line(&ProgressLine::new(line.tone, verb, format!("{:indent$}{text}", "")));
            (verb, indent) = ("", line.hang);
        }
    }

    /// Prints a line, cut to the width.
    pub(super) fn line(&self, line: &ProgressLine) {
        let sink = self.sink();
        let width = match &*sink {
            Sink::Silent => return,
            // Nothing is drawn over it, so the terminal may wrap a long line.
            Sink::Plain | Sink::Log(_) => log::WIDTH,
            Sink::Live(_) => live::room().0,
        };
        let verb = self.look.paint(line.tone, &format!("{:>VERB$}", line.verb));
        let text = format!("{verb} {}", self.fitted(line, width.saturating_sub(VERB + 1)));
        match &*sink {
            Sink::Silent => {}
            // If the output is closed, nothing is printed; the work continues.
            Sink::Plain => drop(screen::print(&format!("{}\n", text.trim_end()))),
            Sink::Log(log) => log.line(&text),
            Sink::Live(screen) => screen.line(text),
        }
    }

    /// Cuts a line's text, and its end part only if almost no text would be left.
    fn fitted(&self, line: &ProgressLine, width: usize) -> String {
        match width.checked_sub(line.end.len()) {
            Some(room @ LEAST..) => self.look.clip(&line.text, room) + &line.end,
            Some(_) | None => self.look.clip(&format!("{}{}", line.text, line.end), width),
        }
    }

    /// Prints the current state on request.
    pub(super) fn status(&self) {
        let width = live::room().0.saturating_sub(VERB + 1);
        let rows = self.board().status(self.look, width, clock::now());
        for (nth, text) in rows.into_iter().enumerate() {
            let verb = if nth == 0 { "Status" } else { "" };
            self.line(&ProgressLine::new(Tone::Strong, verb, text.trim_start()));
        }
    }

    /// Reports that the run is pausing.
    pub(super) fn pausing(&self) {
        self.board().pausing = true;
        self.line(&ProgressLine::new(Tone::Note, "Pausing", "agents are ended, the run is held"));
    }

    /// Redraws the block below anything that was typed while the process was stopped.
    pub(super) fn continues(&self) {
        if let Sink::Live(live) = &*self.sink() {
            terminal::listen_again();
            live.begin_anew();
        }
    }

    /// Reports that the process ends at once, and prints the command that resumes the run.
    pub(super) fn cut_off(&self, again: &str) {
        if !self.is_live() && std::io::stdout().is_terminal() {
            // A question is on the line, with what was typed after it.
            let _ = screen::print("\n");
        }
        self.rest();
        self.line(&ProgressLine::new(
            Tone::Bad,
            "Ended",
            "at once; nothing is lost, and nothing charged",
        ));
        self.line(&ProgressLine::new(Tone::Strong, "Next", again));
    }

    pub(super) fn board(&self) -> MutexGuard<'_, Board> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn sink(&self) -> MutexGuard<'_, Sink> {
        self.sink.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns whether standard output is a terminal with cursor movement.
fn can_be_live(look: StreamStyle) -> bool {
    let dumb = env::get(env::TERM).is_some_and(|term| term == "dumb");
    look.signs == Signs::Unicode && !dumb && std::io::stdout().is_terminal()
}

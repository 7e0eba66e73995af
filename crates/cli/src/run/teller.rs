//! Where lines and the live block go: a terminal, a pipe, a file, or nowhere.

use std::io::IsTerminal as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sprag_engine::{clock, terminal};

use super::board::Board;
use super::live::{self, Live};
use super::log::{self, Log};
use super::words::Line;
use crate::call::{Answer, Call};
use crate::look::{Look, Signs, Tone, WIDTH};
use crate::{env, screen};

/// Verbs end in this column.
const VERB: usize = 12;
/// How much of a line is left before its end, at least.
const LEAST: usize = 8;

/// Shows lines, and on a terminal the block below them; any thread may use it.
#[derive(Debug)]
pub(super) struct Teller {
    look: Look,
    sink: Mutex<Sink>,
    board: Arc<Mutex<Board>>,
}

/// Where it is shown.
#[derive(Debug)]
enum Sink {
    /// Nowhere: one object comes at the end.
    Silent,
    /// Line by line.
    Plain,
    /// Line by line, in a file: nobody looks on.
    Log(Log),
    /// On a terminal, with a block below.
    Live(Live),
}

impl Teller {
    /// Makes one; with a file, everything goes there.
    pub(super) fn new(call: &Call, board: Board, log: Option<Log>) -> Self {
        let sink = match (log, call.answer) {
            (Some(log), _) => Sink::Log(log),
            (None, Answer::Json) => Sink::Silent,
            (None, Answer::Text) => Sink::Plain,
        };
        Self { look: call.look, sink: Mutex::new(sink), board: Arc::new(Mutex::new(board)) }
    }

    /// Shows the block from now on, where there is a terminal for it.
    pub(super) fn go_live(&self) {
        let mut sink = self.sink();
        if matches!(*sink, Sink::Plain) && can_be_live(self.look) {
            *sink = Sink::Live(Live::begin(self.look, Arc::clone(&self.board)));
        }
    }

    /// Returns whether a block is shown.
    pub(super) fn is_live(&self) -> bool {
        matches!(*self.sink(), Sink::Live(_))
    }

    /// Takes the block away; lines go on.
    pub(super) fn rest(&self) {
        let mut sink = self.sink();
        if matches!(*sink, Sink::Live(_)) {
            *sink = Sink::Plain;
        }
    }

    /// Returns how many columns there are beside a verb, where what is longer is wrapped.
    pub(super) fn room(&self) -> usize {
        let width = match &*self.sink() {
            Sink::Silent | Sink::Plain | Sink::Live(_) => {
                terminal::size().map_or(WIDTH, |(columns, _)| columns)
            }
            Sink::Log(_) => log::WIDTH,
        };
        width.saturating_sub(VERB + 1)
    }

    /// Shows a line whose text may need several.
    pub(super) fn whole(&self, line: &Line) {
        let (mut verb, mut indent) = (line.verb, 0);
        for text in self.look.wrap(&line.text, self.room().saturating_sub(line.hang)) {
            self.line(&Line::new(line.tone, verb, format!("{:indent$}{text}", "")));
            (verb, indent) = ("", line.hang);
        }
    }

    /// Shows one line.
    pub(super) fn line(&self, line: &Line) {
        let sink = self.sink();
        let width = match &*sink {
            Sink::Silent => return,
            // Nothing is drawn over it, so a terminal may wrap what a person must read.
            Sink::Plain | Sink::Log(_) => log::WIDTH,
            Sink::Live(_) => live::room().0,
        };
        let verb = self.look.paint(line.tone, &format!("{:>VERB$}", line.verb));
        let text = format!("{verb} {}", self.fitted(line, width.saturating_sub(VERB + 1)));
        match &*sink {
            Sink::Silent => {}
            // Whoever does not look any more is not told; the work goes on.
            Sink::Plain => drop(screen::print(&format!("{}\n", text.trim_end()))),
            Sink::Log(log) => log.line(&text),
            Sink::Live(screen) => screen.line(text),
        }
    }

    /// Cuts a line, and its end only where hardly anything else would be left.
    fn fitted(&self, line: &Line, width: usize) -> String {
        match width.checked_sub(line.end.len()) {
            Some(room @ LEAST..) => self.look.clip(&line.text, room) + &line.end,
            Some(_) | None => self.look.clip(&format!("{}{}", line.text, line.end), width),
        }
    }

    /// Says how it stands, for somebody who asks.
    pub(super) fn status(&self) {
        let width = live::room().0.saturating_sub(VERB + 1);
        let rows = self.board().status(self.look, width, clock::now());
        for (nth, text) in rows.into_iter().enumerate() {
            let verb = if nth == 0 { "Status" } else { "" };
            self.line(&Line::new(Tone::Strong, verb, text.trim_start()));
        }
    }

    /// Says that it comes to rest.
    pub(super) fn pausing(&self) {
        self.board().pausing = true;
        self.line(&Line::new(Tone::Note, "Pausing", "agents are ended, the run is held"));
    }

    /// Draws the block anew, below whatever was typed while a person had stopped us.
    pub(super) fn continues(&self) {
        if let Sink::Live(live) = &*self.sink() {
            terminal::listen_again();
            live.begin_anew();
        }
    }

    /// Says that everything ends at once, and what goes on with it.
    pub(super) fn cut_off(&self, again: &str) {
        if !self.is_live() && std::io::stdout().is_terminal() {
            // A question stands there, and what was typed behind it.
            let _ = screen::print("\n");
        }
        self.rest();
        self.line(&Line::new(Tone::Bad, "Ended", "at once; nothing is lost, and nothing charged"));
        self.line(&Line::new(Tone::Strong, "Next", again));
    }

    /// Returns what is known of the run.
    pub(super) fn board(&self) -> MutexGuard<'_, Board> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn sink(&self) -> MutexGuard<'_, Sink> {
        self.sink.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns whether standard output is a terminal on which the cursor can be moved.
fn can_be_live(look: Look) -> bool {
    let dumb = env::get(env::TERM).is_some_and(|term| term == "dumb");
    look.signs == Signs::Unicode && !dumb && std::io::stdout().is_terminal()
}

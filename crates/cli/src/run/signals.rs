//! Ctrl-C, SIGTERM and a terminal that goes away: the first lets the driver end its agents and hold
//! the run; the second ends everything at once. Ctrl-Z stops only what is shown: agents work on.

use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;
use sprag_engine::{process, terminal};
use sprag_run::{Interrupt, RunError};

use crate::fault::Stop;

/// Hears signals for the driver at hand.
#[derive(Clone, Default)]
pub(super) struct Ear(Arc<Mutex<Inner>>);

#[derive(Default)]
struct Inner {
    state: State,
    /// Who is told what comes of a signal.
    tell: Option<Tell>,
}

type Tell = Arc<dyn Fn(Heard) + Send + Sync>;

/// What a signal means.
#[derive(Debug, Default)]
enum State {
    /// Something is about to be driven: it will not go far.
    #[default]
    Begin,
    /// A signal came before that.
    Asked,
    /// Something is driven.
    Pause(Interrupt),
    /// Nothing is driven, or its end was asked for: everything ends.
    End,
    /// Everything ends now.
    Ending,
}

/// What comes of a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heard {
    /// What is driven comes to rest.
    Pauses,
    /// Everything ends at once.
    Ends,
    /// A person had stopped us (Ctrl-Z), and lets us go on.
    Continues,
}

impl Ear {
    /// Begins to hear: before there is a run, because nobody would hear of one that is left behind.
    pub(super) fn listen() -> Self {
        let ear = Self::default();
        let heard = ear.clone();
        // Where signals cannot be listened to they end us as usual, and the next driver takes over.
        if let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCONT]) {
            std::thread::spawn(move || {
                for signal in signals.forever() {
                    if signal == SIGCONT {
                        heard.say(Heard::Continues);
                    } else if signal != SIGQUIT && heard.pause() {
                        heard.say(Heard::Pauses);
                    } else {
                        let teller = heard.clone();
                        heard.ends();
                        end(signal, move || teller.say(Heard::Ends));
                    }
                }
            });
        }
        ear
    }

    /// Says who is told what comes of a signal; what came already is told now.
    pub(super) fn tells(&self, tell: impl Fn(Heard) + Send + Sync + 'static) {
        self.inner().tell = Some(Arc::new(tell));
        if self.is_asked() {
            self.say(Heard::Pauses);
        }
    }

    /// Returns whether a signal came before anything was driven.
    pub(super) fn is_asked(&self) -> bool {
        matches!(self.inner().state, State::Asked)
    }

    /// Says what is driven now.
    pub(super) fn drives(&self, interrupt: Interrupt) {
        let mut inner = self.inner();
        inner.state = match inner.state {
            State::Asked => {
                interrupt.now();
                State::End
            }
            State::Ending => State::Ending,
            State::Begin | State::Pause(_) | State::End => State::Pause(interrupt),
        };
    }

    /// Says that nothing is driven now; where everything ends, nobody says how far it came.
    pub(super) fn rests(&self) {
        let before = std::mem::replace(&mut self.inner().state, State::End);
        if matches!(before, State::Ending) {
            // Nobody sends anything: whoever ends everything is quicker. A thread that is only parked
            // may be woken.
            let (_kept, never) = channel::<()>();
            let _ = never.recv_timeout(2 * LAST_WORDS);
        }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn say(&self, heard: Heard) {
        let tell = self.inner().tell.clone();
        if let Some(tell) = tell {
            tell(heard);
        }
    }

    /// Lets the driver end before everything does: that its agents are killed is nobody's failure.
    fn ends(&self) {
        match std::mem::replace(&mut self.inner().state, State::Ending) {
            State::Pause(interrupt) => interrupt.now(),
            State::Begin | State::Asked | State::End | State::Ending => {}
        }
    }

    /// Lets the driver end, and returns whether that is the first time.
    pub(super) fn pause(&self) -> bool {
        let mut inner = self.inner();
        let (next, first) = match std::mem::replace(&mut inner.state, State::End) {
            State::Pause(interrupt) => {
                interrupt.now();
                (State::End, true)
            }
            State::Begin => (State::Asked, true),
            State::Asked | State::End => (State::End, false),
            State::Ending => (State::Ending, false),
        };
        inner.state = next;
        first
    }
}

/// Returns what is asked by the first signal; the second one ends everything at once.
pub(crate) fn stopping() -> Result<process::Stop, Stop> {
    let stop = process::Stop::new().map_err(|error| super::wrong(RunError::NoPipe(error)))?;
    let asked = stop.clone();
    // Where signals cannot be listened to they end us as usual.
    if let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) {
        std::thread::spawn(move || {
            for signal in signals.forever() {
                if asked.is_asked() {
                    end(signal, || {});
                }
                asked.ask();
            }
        });
    }
    Ok(stop)
}

/// Lets a signal end what we have started with us from now on: it is in groups of its own, and would
/// go on.
pub(crate) fn end_together() {
    // Where signals cannot be listened to they end us as usual.
    if let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) {
        std::thread::spawn(move || signals.forever().for_each(|signal| end(signal, || {})));
    }
}

/// How long the last words may take: a terminal that was halted takes none.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// Ends this process with everything that it started, as the signal would have.
fn end(signal: i32, last_words: impl FnOnce() + Send + 'static) {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        last_words();
        // Whoever waited too long has ended us.
        let _ = sender.send(());
    });
    let _ = receiver.recv_timeout(LAST_WORDS);
    process::kill_all();
    terminal::restore();
    // Does not return, but for a signal that ends nobody.
    let _ = emulate_default_handler(signal);
}

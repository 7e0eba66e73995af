//! Ctrl-C, SIGTERM and a terminal that goes away: the first lets the driver end its agents and hold
//! the run; the second ends everything at once.

use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;
use sprag_engine::{process, terminal};
use sprag_run::Interrupt;

/// Hears signals for the driver at hand.
#[derive(Clone, Debug, Default)]
pub(super) struct Ear(Arc<Mutex<State>>);

/// What a signal means.
#[derive(Debug, Default)]
enum State {
    /// Nothing is driven, or its end was asked for: everything ends.
    #[default]
    End,
    /// Something is driven.
    Pause(Interrupt),
}

impl Ear {
    /// Begins to hear; `pauses` is called when the first signal comes, and `ends` before everything
    /// ends at once.
    pub(super) fn listen(
        pauses: impl Fn() + Send + 'static,
        ends: impl Fn() + Clone + Send + 'static,
    ) -> Self {
        let ear = Self::default();
        let heard = ear.clone();
        // Where signals cannot be listened to they end us as usual, and the next driver takes over.
        if let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP, SIGQUIT]) {
            std::thread::spawn(move || {
                for signal in signals.forever() {
                    if signal != SIGQUIT && heard.pause() {
                        pauses();
                    } else {
                        end(signal, ends.clone());
                    }
                }
            });
        }
        ear
    }

    /// Says what is driven now.
    pub(super) fn drives(&self, interrupt: Interrupt) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = State::Pause(interrupt);
    }

    /// Says that nothing is driven now.
    pub(super) fn rests(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = State::End;
    }

    /// Lets the driver end, and returns whether that is the first time.
    pub(super) fn pause(&self) -> bool {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match std::mem::take(&mut *state) {
            State::Pause(interrupt) => {
                interrupt.now();
                true
            }
            State::End => false,
        }
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

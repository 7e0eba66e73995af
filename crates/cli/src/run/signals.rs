//! Handles Ctrl-C, SIGTERM and SIGHUP: the first one makes the driver end its agents and hold the
//! run, the second one kills everything at once. Ctrl-Z stops only the display; agents keep
//! working.

use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;
use sprag_run::{Interrupt, RunError};
use sprag_world::{process, terminal};

use crate::fault::EarlyExit;

/// Listens for signals to the current driver.
#[derive(Clone, Default)]
pub(super) struct Ear(Arc<Mutex<Inner>>);

#[derive(Default)]
struct Inner {
    state: NextSignal,
    /// Called with the effect of each signal.
    tell: Option<Tell>,
}

type Tell = Arc<dyn Fn(SignalEffect) + Send + Sync>;

/// The meaning of the next signal.
#[derive(Debug, Default)]
enum NextSignal {
    /// A drive is about to begin; it will be interrupted at once.
    #[default]
    Begin,
    /// A signal came before the drive began.
    Asked,
    /// A drive is in progress.
    Pause(Interrupt),
    /// No drive is in progress, or it was interrupted: the process ends.
    End,
    /// The process is ending.
    Ending,
}

/// The effect of a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SignalEffect {
    /// The drive comes to rest.
    Pauses,
    /// The process ends at once.
    Ends,
    /// The process continues after Ctrl-Z.
    Continues,
}

impl Ear {
    /// Starts to listen. This must happen before a run exists, or a signal could leave one behind
    /// unnoticed.
    pub(super) fn listen() -> Self {
        let ear = Self::default();
        let heard = ear.clone();
        // Without a listener, signals end the process as usual, and the next driver takes over.
        if let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCONT]) {
            std::thread::spawn(move || {
                for signal in signals.forever() {
                    if signal == SIGCONT {
                        heard.say(SignalEffect::Continues);
                    } else if signal != SIGQUIT && heard.pause() {
                        heard.say(SignalEffect::Pauses);
                    } else {
                        let teller = heard.clone();
                        heard.ends();
                        end(signal, move || teller.say(SignalEffect::Ends));
                    }
                }
            });
        }
        ear
    }

    /// Sets the callback for signals; an earlier signal is reported at once.
    pub(super) fn tells(&self, tell: impl Fn(SignalEffect) + Send + Sync + 'static) {
        self.inner().tell = Some(Arc::new(tell));
        if self.is_asked() {
            self.say(SignalEffect::Pauses);
        }
    }

    /// Returns whether a signal came before the drive began.
    pub(super) fn is_asked(&self) -> bool {
        matches!(self.inner().state, NextSignal::Asked)
    }

    /// Records the drive in progress.
    pub(super) fn drives(&self, interrupt: Interrupt) {
        let mut inner = self.inner();
        inner.state = match inner.state {
            NextSignal::Asked => {
                interrupt.now();
                NextSignal::End
            }
            NextSignal::Ending => NextSignal::Ending,
            NextSignal::Begin | NextSignal::Pause(_) | NextSignal::End => {
                NextSignal::Pause(interrupt)
            }
        };
    }

    /// Records that no drive is in progress. If the process is ending, blocks so that no summary is
    /// printed.
    pub(super) fn rests(&self) {
        let before = std::mem::replace(&mut self.inner().state, NextSignal::End);
        if matches!(before, NextSignal::Ending) {
            // No message will come: the ending thread is faster. A plain park could wake up
            // spuriously.
            let (_kept, never) = channel::<()>();
            let _ = never.recv_timeout(2 * LAST_WORDS);
        }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn say(&self, heard: SignalEffect) {
        let tell = self.inner().tell.clone();
        if let Some(tell) = tell {
            tell(heard);
        }
    }

    /// Interrupts the driver before the process ends, so that killed agents do not count as
    /// failures.
    fn ends(&self) {
        match std::mem::replace(&mut self.inner().state, NextSignal::Ending) {
            NextSignal::Pause(interrupt) => interrupt.now(),
            NextSignal::Begin | NextSignal::Asked | NextSignal::End | NextSignal::Ending => {}
        }
    }

    /// Interrupts the driver, and returns whether this was the first time.
    pub(super) fn pause(&self) -> bool {
        let mut inner = self.inner();
        let (next, first) = match std::mem::replace(&mut inner.state, NextSignal::End) {
            NextSignal::Pause(interrupt) => {
                interrupt.now();
                (NextSignal::End, true)
            }
            NextSignal::Begin => (NextSignal::Asked, true),
            NextSignal::Asked | NextSignal::End => (NextSignal::End, false),
            NextSignal::Ending => (NextSignal::Ending, false),
        };
        inner.state = next;
        first
    }
}

/// Returns a handle that the first signal sets; the second signal kills everything at once.
pub(crate) fn stopping() -> Result<process::StopHandle, EarlyExit> {
    let stop = process::StopHandle::new().map_err(|error| super::wrong(RunError::NoPipe(error)))?;
    let asked = stop.clone();
    // Without a listener, signals end the process as usual.
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

/// Makes a signal also end the processes that sprag starts from now on: they are in process groups
/// of their own and would survive.
pub(crate) fn end_together() {
    // Without a listener, signals end the process as usual.
    if let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) {
        std::thread::spawn(move || signals.forever().for_each(|signal| end(signal, || {})));
    }
}

/// The time limit for the last message: a stopped terminal accepts no output.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// Kills all started processes, then this one, as the signal would have.
fn end(signal: i32, last_words: impl FnOnce() + Send + 'static) {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        last_words();
        // After the time limit the receiver is gone.
        let _ = sender.send(());
    });
    let _ = receiver.recv_timeout(LAST_WORDS);
    process::kill_all();
    terminal::restore();
    // Does not return, except for a signal whose default is to do nothing.
    let _ = emulate_default_handler(signal);
}

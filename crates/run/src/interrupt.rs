use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use crate::agent::Stop;

/// Asks a driver to end; it may be kept and used by any thread.
#[derive(Clone)]
pub struct Interrupt(Arc<dyn Fn() + Send + Sync>);

impl Interrupt {
    /// Returns both ends of what a loop hears, and gives `begun` the handle by which it hears
    /// `message` and everything that was given `stop` ends.
    pub(crate) fn heard<M: Send + 'static>(
        begun: impl FnOnce(Self),
        stop: &Stop,
        message: fn() -> M,
    ) -> (Sender<M>, Receiver<M>) {
        let (sender, receiver) = channel();
        let (interrupts, stop) = (sender.clone(), stop.clone());
        begun(Self(Arc::new(move || {
            // The loop hears of it before it hears what became of those who end by it. A driver
            // that is gone has ended already.
            let _ = interrupts.send(message());
            stop.ask();
        })));
        (sender, receiver)
    }

    /// Lets the driver end its agents and hold the run.
    pub fn now(&self) {
        (self.0)();
    }
}

impl std::fmt::Debug for Interrupt {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Interrupt")
    }
}

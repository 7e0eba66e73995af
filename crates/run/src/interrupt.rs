use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use crate::agent::StopHandle;

/// Stops a driver; it may be kept and called from any thread.
#[derive(Clone)]
pub struct Interrupt(Arc<dyn Fn() + Send + Sync>);

impl Interrupt {
    /// Creates a loop's channel, and gives `begun` a handle that sends `message` into it and then
    /// asks `stop`.
    pub(crate) fn heard<M: Send + 'static>(
        begun: impl FnOnce(Self),
        stop: &StopHandle,
        message: fn() -> M,
    ) -> (Sender<M>, Receiver<M>) {
        let (sender, receiver) = channel();
        let (interrupts, stop) = (sender.clone(), stop.clone());
        begun(Self(Arc::new(move || {
            // The loop must receive the interrupt before the results of the agents that it ends. A
            // closed channel means that the driver has already ended.
            let _ = interrupts.send(message());
            stop.ask();
        })));
        (sender, receiver)
    }

    /// Makes the driver end its agents and hold the run.
    pub fn now(&self) {
        (self.0)();
    }
}

impl std::fmt::Debug for Interrupt {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Interrupt")
    }
}

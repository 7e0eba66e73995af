use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

/// Asks a driver to end; it may be kept and used by any thread.
#[derive(Clone)]
pub struct Interrupt(Arc<dyn Fn() + Send + Sync>);

impl Interrupt {
    /// Returns both ends of what a loop hears, and gives `begun` the handle by which it hears
    /// `message`.
    pub(crate) fn heard<M: Send + 'static>(
        begun: impl FnOnce(Self),
        message: fn() -> M,
    ) -> (Sender<M>, Receiver<M>) {
        let (sender, receiver) = channel();
        let interrupts = sender.clone();
        // A driver that is gone has ended already.
        begun(Self(Arc::new(move || drop(interrupts.send(message())))));
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

use std::sync::Arc;

/// Asks a driver to end; it may be kept and used by any thread.
#[derive(Clone)]
pub struct Interrupt(Arc<dyn Fn() + Send + Sync>);

impl Interrupt {
    pub(crate) fn new(ask: impl Fn() + Send + Sync + 'static) -> Self {
        Self(Arc::new(ask))
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

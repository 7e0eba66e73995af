//! Ctrl-C and SIGTERM: the driver ends its agents and holds the run.

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use sprag_run::Interrupt;

/// Interrupts the driver at a signal.
pub(super) fn listen(interrupt: Interrupt) {
    // Where signals cannot be listened to they end us as usual, and the next driver takes over.
    if let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) {
        std::thread::spawn(move || {
            for _ in signals.forever() {
                interrupt.now();
            }
        });
    }
}

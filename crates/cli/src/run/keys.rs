//! The keys while a run is watched: `t` shows the state, `p` pauses.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use sprag_world::terminal;

/// The polling interval for a key.
const LOOK: Duration = Duration::from_millis(100);

/// The action of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    Status,
    Pause,
}

/// A key listener; dropping it stops the thread and restores the terminal.
#[derive(Debug)]
pub(super) struct KeyListener {
    is_over: Arc<AtomicBool>,
    listener: Option<JoinHandle<()>>,
}

impl KeyListener {
    /// Starts to listen if standard input is a terminal in the foreground.
    pub(super) fn listen(pressed: impl Fn(Key) + Send + 'static) -> Option<Self> {
        let keys = terminal::KeyPresses::listen()?;
        let is_over = Arc::new(AtomicBool::new(false));
        let over = Arc::clone(&is_over);
        let listener = std::thread::spawn(move || {
            while !over.load(Ordering::Relaxed) {
                match keys.next(LOOK) {
                    Some(b't' | b'T') => pressed(Key::Status),
                    Some(b'p' | b'P') => pressed(Key::Pause),
                    Some(_) | None => {}
                }
            }
        });
        Some(Self { is_over, listener: Some(listener) })
    }
}

impl Drop for KeyListener {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        if let Some(listener) = self.listener.take() {
            // The terminal is restored even if the thread panicked.
            let _ = listener.join();
        }
    }
}

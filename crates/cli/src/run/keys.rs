//! The keys of a person who looks on: `t` shows how it stands, `p` pauses.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use sprag_engine::terminal;

/// How long is waited for a key before somebody looks whether it is over.
const LOOK: Duration = Duration::from_millis(100);

/// What a key asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    Status,
    Pause,
}

/// Somebody who listens to keys; dropping it ends that and puts the terminal back.
#[derive(Debug)]
pub(super) struct Keys {
    is_over: Arc<AtomicBool>,
    listener: Option<JoinHandle<()>>,
}

impl Keys {
    /// Listens, where standard input is a terminal of ours.
    pub(super) fn listen(pressed: impl Fn(Key) + Send + 'static) -> Option<Self> {
        let keys = terminal::Keys::listen()?;
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

impl Drop for Keys {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        if let Some(listener) = self.listener.take() {
            // The terminal is put back when it ends, however that is.
            let _ = listener.join();
        }
    }
}

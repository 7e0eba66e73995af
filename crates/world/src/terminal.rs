//! The terminal of a command: its size, and single key presses.
//!
//! Keys are read without waiting for the end of the line; the terminal's signals stay on. The
//! previous settings are stored once for the process, so that every way out can restore them.

use std::io;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::termios::{
    LocalModes, OptionalActions, Termios, tcgetattr, tcgetpgrp, tcgetwinsize, tcsetattr,
};

/// The settings of the terminal before single keys were read.
static BEFORE: Mutex<Option<Termios>> = Mutex::new(None);

/// Returns the columns and rows of the terminal at standard output.
pub fn size() -> Option<(usize, usize)> {
    let size = tcgetwinsize(io::stdout()).ok()?;
    let (columns, rows) = (usize::from(size.ws_col), usize::from(size.ws_row));
    (columns > 0 && rows > 0).then_some((columns, rows))
}

/// Single key presses at standard input. Dropping it restores the terminal.
#[derive(Debug)]
pub struct KeyPresses(());

impl KeyPresses {
    /// Turns on single key presses; `None` if standard input is not our terminal.
    pub fn listen() -> Option<Self> {
        // A background process that changes the terminal would be stopped by it.
        if !is_ours() {
            return None;
        }
        let before = tcgetattr(io::stdin()).ok()?;
        *BEFORE.lock().unwrap_or_else(PoisonError::into_inner) = Some(before);
        let keys = Self(());
        listen_again().then_some(keys)
    }

    /// Waits for a key for at most `wait`.
    pub fn next(&self, wait: Duration) -> Option<u8> {
        if !is_typed(wait) || !is_ours() {
            return None;
        }
        let mut key = [0];
        (rustix::io::read(io::stdin(), &mut key) == Ok(1)).then_some(key[0])
    }
}

impl Drop for KeyPresses {
    fn drop(&mut self) {
        restore();
    }
}

/// Waits for input on standard input for at most `wait`. The end of input counts as well.
pub fn is_typed(wait: Duration) -> bool {
    let input = io::stdin();
    let mut waits = [PollFd::new(&input, PollFlags::IN)];
    let wait = Timespec::try_from(wait).unwrap_or_default();
    poll(&mut waits, Some(&wait)).is_ok() && !waits[0].revents().is_empty()
}

/// Turns single keys on again after a shell had the terminal. Returns whether that worked.
pub fn listen_again() -> bool {
    let before = BEFORE.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let Some(mut keys) = before.filter(|_| is_ours()) else { return false };
    keys.local_modes -= LocalModes::ICANON | LocalModes::ECHO;
    tcsetattr(io::stdin(), OptionalActions::Now, &keys).is_ok()
}

/// Restores the terminal's previous settings.
pub fn restore() {
    let before = BEFORE.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(before) = before.filter(|_| is_ours()) {
        // A terminal that is gone needs nothing.
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, &before);
    }
}

/// Returns whether standard input is a terminal and we are in its foreground.
fn is_ours() -> bool {
    tcgetpgrp(io::stdin()).is_ok_and(|front| front == rustix::process::getpgrp())
}

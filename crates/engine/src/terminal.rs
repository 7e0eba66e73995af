//! The terminal that a command was started in: how large it is, and single keys of it.
//!
//! A key is read without waiting for the end of its line; the signals of the terminal stay. How it
//! was before is kept in one place for the whole process, so that whoever ends it, by any way, can
//! put it back.

use std::io;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::termios::{
    LocalModes, OptionalActions, Termios, tcgetattr, tcgetpgrp, tcgetwinsize, tcsetattr,
};

/// How the terminal was before its keys were listened to.
static BEFORE: Mutex<Option<Termios>> = Mutex::new(None);

/// Returns how many columns and rows the terminal at standard output has.
pub fn size() -> Option<(usize, usize)> {
    let size = tcgetwinsize(io::stdout()).ok()?;
    let (columns, rows) = (usize::from(size.ws_col), usize::from(size.ws_row));
    (columns > 0 && rows > 0).then_some((columns, rows))
}

/// The keys of the terminal at standard input; dropping it puts the terminal back.
#[derive(Debug)]
pub struct Keys(());

impl Keys {
    /// Listens to single keys; nothing where standard input is no terminal of ours.
    pub fn listen() -> Option<Self> {
        // A process in the background that touches the terminal is stopped by it.
        if !is_ours() {
            return None;
        }
        let before = tcgetattr(io::stdin()).ok()?;
        *BEFORE.lock().unwrap_or_else(PoisonError::into_inner) = Some(before);
        let keys = Self(());
        listen_again().then_some(keys)
    }

    /// Waits for a key, so long at most.
    pub fn next(&self, wait: Duration) -> Option<u8> {
        if !is_typed(wait) || !is_ours() {
            return None;
        }
        let mut key = [0];
        (rustix::io::read(io::stdin(), &mut key) == Ok(1)).then_some(key[0])
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        restore();
    }
}

/// Waits until there is something to read on standard input, so long at most; its end is, too.
pub fn is_typed(wait: Duration) -> bool {
    let input = io::stdin();
    let mut waits = [PollFd::new(&input, PollFlags::IN)];
    let wait = Timespec::try_from(wait).unwrap_or_default();
    poll(&mut waits, Some(&wait)).is_ok() && !waits[0].revents().is_empty()
}

/// Listens to single keys as before a shell had the terminal; returns whether that is so now.
pub fn listen_again() -> bool {
    let before = BEFORE.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let Some(mut keys) = before.filter(|_| is_ours()) else { return false };
    keys.local_modes -= LocalModes::ICANON | LocalModes::ECHO;
    tcsetattr(io::stdin(), OptionalActions::Now, &keys).is_ok()
}

/// Puts the terminal back as it was before its keys were listened to.
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

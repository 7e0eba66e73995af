//! The fast path: what a host calls before and after every tool, in every folder of the machine.
//!
//! Most of those folders are not ours, so this looks for a project and nothing else: no argument
//! parser, no configuration, no thread, and the environment only by name. In a project it is as
//! honest as it can be today: the dialects of the hosts are not built in yet, so it lets the agent
//! go on and leaves a trace that `sprag` and `sprag doctor` show.

use std::ffi::OsString;
use std::process::ExitCode;

use sprag_engine::clock;
use sprag_engine::root::{self, Start};
use sprag_store::Store;

use crate::env;

/// Longer words than hosts and their events have are cut.
const WORD: usize = 40;

/// Answers a host hook. Standard input is not read and nothing is printed, which every host takes
/// for "go on"; whatever fails on the way, that stays the answer.
pub(crate) fn answer(words: impl Iterator<Item = OsString>) -> ExitCode {
    let _ = let_go(words);
    ExitCode::SUCCESS
}

/// Leaves a trace where there is a project to leave it in.
fn let_go(words: impl Iterator<Item = OsString>) -> Option<()> {
    if env::get(env::SWITCH).is_some_and(|value| value == "off") {
        return None;
    }
    let folder = std::env::current_dir().ok()?;
    let (home, named) = (env::get(env::HOME), env::get(env::ROOT));
    let place = root::find(Start {
        folder: &folder,
        home: home.as_ref().map(AsRef::as_ref),
        named: named.as_ref().map(AsRef::as_ref),
    });
    let place = place.ok()??;
    let mut text = String::new();
    for word in words.take(2) {
        text.extend(word.to_string_lossy().chars().take(WORD));
        text.push(' ');
    }
    text.push_str("let go: this version knows no host yet");
    Store::open(&place).ok()?.trace(clock::now(), &text).ok()
}

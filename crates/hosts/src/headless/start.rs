use super::{claude, codex, copilot, gemini, opencode, pi};
use crate::Host;

/// What is wanted of a host.
#[derive(Clone, Copy, Debug)]
pub struct Wish<'a> {
    /// What the agent is told.
    pub prompt: &'a str,
    /// The conversation to take up again.
    pub resume: Option<&'a str>,
    /// Tools that the agent may not use, as a workflow names them.
    pub deny: &'a [String],
    /// Words of the person's own, put after ours.
    pub extra: &'a [String],
}

/// How a host is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// The program, by its name, and its words.
    pub argv: Vec<String>,
    /// What it reads; nothing where the prompt is among the words.
    pub stdin: Option<String>,
    /// Variables that are added to the person's.
    pub env: Vec<(String, String)>,
}

/// Returns how to start a host for one piece of work, with nobody to ask.
pub fn start(host: Host, wish: &Wish<'_>) -> Start {
    match host {
        Host::Claude => claude::start(wish),
        Host::Codex => codex::start(wish),
        Host::Gemini => gemini::start(wish),
        Host::Copilot => copilot::start(wish),
        Host::Opencode => opencode::start(wish),
        Host::Pi => pi::start(wish),
    }
}

impl Start {
    /// Begins with a host's program and the words that are always the same.
    pub(super) fn of(host: Host, words: &[&str], wish: &Wish<'_>) -> Self {
        let argv = [host.name()].iter().chain(words).map(|word| (*word).to_owned()).collect();
        Self { argv, stdin: Some(wish.prompt.to_owned()), env: Vec::new() }
    }

    pub(super) fn word(&mut self, word: Option<String>) {
        self.argv.extend(word);
    }

    /// Adds a word with a list in it, unless the list is empty.
    pub(super) fn lists(&mut self, flag: &str, names: &[&str]) {
        self.word((!names.is_empty()).then(|| format!("{flag}{}", names.join(","))));
    }

    /// Adds the person's words; one of theirs replaces ours of the same name, because not every
    /// host takes two.
    pub(super) fn extra(mut self, wish: &Wish<'_>) -> Self {
        let name = |word: &str| {
            word.starts_with("--").then(|| word.split('=').next().unwrap_or(word).to_owned())
        };
        let theirs: Vec<String> = wish.extra.iter().filter_map(|word| name(word)).collect();
        self.argv.retain(|word| name(word).is_none_or(|name| !theirs.contains(&name)));
        self.argv.extend(wish.extra.iter().cloned());
        self
    }
}

/// Returns a host's own names for what a workflow denies: a class, one of pi's tools, or an exact
/// name. What could not be a name in a list of them is left out.
pub(super) fn denied(host: Host, deny: &[String]) -> Vec<&str> {
    let mut all = Vec::new();
    for entry in deny {
        let of_class = host.names_of(entry);
        let of_pi = host.counterparts(entry);
        let is_name = |name: &&str| {
            let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
            !name.is_empty() && name.bytes().all(plain) && !name.starts_with('-')
        };
        let exact = Some(entry.as_str()).filter(is_name);
        for name in of_class.iter().chain(of_pi).copied().chain(exact) {
            if !all.contains(&name) {
                all.push(name);
            }
        }
    }
    all
}

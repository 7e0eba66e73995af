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
    let mut argv = vec![host.name().to_owned()];
    argv.extend(wish.extra.iter().cloned());
    Start { argv, stdin: Some(wish.prompt.to_owned()), env: Vec::new() }
}

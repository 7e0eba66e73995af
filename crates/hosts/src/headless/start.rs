use crate::Host;

/// The options for starting a host.
#[derive(Clone, Copy, Debug)]
pub struct StartOptions<'a> {
    pub prompt: &'a str,
    /// The conversation to resume.
    pub resume: Option<&'a str>,
    /// Tools that the agent may not use, as a workflow names them.
    pub deny: &'a [String],
    /// The person's own arguments, added after ours.
    pub extra: &'a [String],
}

/// A command that starts a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartCommand {
    /// The program's name and its arguments.
    pub argv: Vec<String>,
    /// Its standard input; `None` if the prompt is among the arguments.
    pub stdin: Option<String>,
    /// Variables added to the person's environment.
    pub env: Vec<(String, String)>,
}

/// Returns the command that starts a host for one piece of work, without a person to ask.
pub fn start(host: Host, wish: &StartOptions<'_>) -> StartCommand {
    (host.row().headless.start)(host, wish)
}

impl StartCommand {
    /// Starts with a host's program and its fixed arguments.
    pub fn of(host: Host, words: &[&str], wish: &StartOptions<'_>) -> Self {
        let argv = [host.name()].iter().chain(words).map(|word| (*word).to_owned()).collect();
        Self { argv, stdin: Some(wish.prompt.to_owned()), env: Vec::new() }
    }

    pub fn word(&mut self, word: Option<String>) {
        self.argv.extend(word);
    }

    /// Adds an argument with a list, unless the list is empty.
    pub fn lists(&mut self, flag: &str, names: &[&str]) {
        self.word((!names.is_empty()).then(|| format!("{flag}{}", names.join(","))));
    }

    /// Adds the person's arguments. An option of theirs replaces ours of the same name, because not
    /// every host accepts both.
    #[must_use]
    pub fn extra(mut self, wish: &StartOptions<'_>) -> Self {
        let name = |word: &str| {
            word.starts_with("--").then(|| word.split('=').next().unwrap_or(word).to_owned())
        };
        let theirs: Vec<String> = wish.extra.iter().filter_map(|word| name(word)).collect();
        self.argv.retain(|word| name(word).is_none_or(|name| !theirs.contains(&name)));
        self.argv.extend(wish.extra.iter().cloned());
        self
    }
}

/// Returns a host's own names for the tools that a workflow denies: by class, by one of pi's tools,
/// or by exact name. Leaves out entries that could not be a name in the host's list.
pub fn denied(host: Host, deny: &[String]) -> Vec<&str> {
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

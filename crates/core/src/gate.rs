use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{DocPath, Glob, Name, is_test};

/// A question that the engine answers itself before a unit counts as done.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Gate {
    /// What it is called in messages and receipts; unique among the gates of its unit.
    pub name: Name,
    /// How it is decided.
    pub check: Check,
}

/// How a gate is decided.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Check {
    /// A command that must exit with 0; never given to a shell.
    Run {
        /// The program and its arguments.
        argv: Vec<String>,
    },
    /// A file that must exist.
    File {
        /// Which file.
        path: DocPath,
    },
    /// A file that must not exist.
    Absent {
        /// Which file.
        path: DocPath,
    },
    /// A text that must stand in a file.
    Content {
        /// Which file.
        path: DocPath,
        /// The text.
        has: String,
    },
    /// A person who must agree; asked only when every other gate lets through.
    Human {
        /// What the person is asked.
        what: String,
    },
    /// Several checks that must all hold.
    All {
        /// Which ones, in the order they are tried; never empty.
        of: Vec<Check>,
    },
    /// Several checks of which one must hold.
    Any {
        /// Which ones, in the order they are tried; never empty.
        of: Vec<Check>,
    },
}

impl Check {
    /// Returns its kind, without what it checks.
    pub const fn kind(&self) -> CheckKind {
        match self {
            Self::Run { .. } => CheckKind::Run,
            Self::File { .. } => CheckKind::File,
            Self::Absent { .. } => CheckKind::Absent,
            Self::Content { .. } => CheckKind::Content,
            Self::Human { .. } => CheckKind::Human,
            Self::All { .. } => CheckKind::All,
            Self::Any { .. } => CheckKind::Any,
        }
    }

    /// Returns the command that decides it, where one alone does.
    pub const fn argv(&self) -> Option<&Vec<String>> {
        match self {
            Self::Run { argv } => Some(argv),
            Self::File { .. }
            | Self::Absent { .. }
            | Self::Content { .. }
            | Self::Human { .. }
            | Self::All { .. }
            | Self::Any { .. } => None,
        }
    }
}

/// The kind of a [`Check`], as receipts and messages name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CheckKind {
    /// A command ran.
    Run,
    /// A file must exist.
    File,
    /// A file must not exist.
    Absent,
    /// A text must stand in a file.
    Content,
    /// A person decides; also the kind of every waiver.
    Human,
    /// Several checks must all hold.
    All,
    /// One of several checks must hold.
    Any,
}

impl CheckKind {
    /// Returns the word used in files.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::File => "file",
            Self::Absent => "absent",
            Self::Content => "content",
            Self::Human => "human",
            Self::All => "all",
            Self::Any => "any",
        }
    }
}

/// Returns a command as it would be typed, so that who pastes it into a shell runs the same words;
/// what cannot be seen is written out.
pub fn typed(argv: &[String]) -> String {
    let seen = |c: char| match c {
        // Nothing but the first means anything in such quotes.
        '\'' | '"' | '\\' => c.to_string(),
        // What cannot be seen could hide what is run.
        other => other.escape_debug().to_string(),
    };
    let word = |word: &String| quoted(&word.chars().map(seen).collect::<String>());
    argv.iter().map(word).collect::<Vec<_>>().join(" ")
}

/// Returns a word such that a shell takes it for exactly that, bare where it may be.
pub fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_-./=:,@+%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// What runs the file that stands behind it.
const INTERPRETERS: [&str; 12] = [
    "sh", "bash", "dash", "zsh", "python", "python3", "node", "ruby", "perl", "php", "deno", "bun",
];

/// Returns the files that a command may run, as far as its words tell: its program, its script, its
/// tests. A file that it only looks at is none: that is what is worked on.
pub fn scripts(argv: &[String]) -> Vec<String> {
    let ends = |c: char| c.is_whitespace() || ";&|()<>'\"`".contains(c);
    let words = argv.iter().flat_map(|word| word.split(ends)).filter(|word| !word.is_empty());
    let (mut all, mut before, mut folder) = (Vec::new(), None, None);
    for word in words {
        let program = before.map(|word: &str| word.rsplit('/').next().unwrap_or(word));
        let is_run = program.is_none_or(|program| INTERPRETERS.contains(&program));
        let path = word.strip_prefix("./").unwrap_or(word);
        if is_run || path != word || is_test(word) {
            all.push(path.to_owned());
            all.extend(folder.map(|folder: &str| format!("{folder}/{path}")));
        }
        if before == Some("cd") {
            folder = Some(path.trim_end_matches('/'));
        }
        if !word.starts_with('-') {
            before = Some(word);
        }
    }
    all
}

/// A gate and what the engine must know to evaluate it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GateSpec {
    /// What is decided.
    pub gate: Gate,
    /// How long its commands may take, where it says so.
    pub timeout: Option<Duration>,
    /// Files that may not change for a pass to count.
    pub protect: Vec<Glob>,
}

/// How long something may go on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// How long it may take in all.
    pub wall: Option<Duration>,
    /// How often a stop is refused while nothing changes.
    pub blocks_without_progress: Option<u32>,
    /// How often a stop is refused in all, since a person spoke or a unit passed its gates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refusals: Option<u32>,
}

#[cfg(test)]
mod tests {
    use super::{scripts, typed};

    fn argv(words: &[&str]) -> Vec<String> {
        words.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn what_a_command_runs_is_told_from_what_it_looks_at() {
        let of = |words: &[&str], path: &str| scripts(&argv(words)).iter().any(|one| one == path);
        assert!(of(&["sh", "test.sh"], "test.sh"));
        assert!(of(&["./check", "--all"], "check"));
        assert!(of(&["env", "A=1", "python3", "-u", "ci/all.py"], "ci/all.py"));
        assert!(of(&["sh", "-c", "cd lib && sh check.sh"], "lib/check.sh"));
        assert!(of(&["sh", "-c", "make; ./check.sh"], "check.sh"));
        assert!(of(&["pytest", "tests/test_a.py"], "tests/test_a.py"));
        assert!(!of(&["grep", "-q", "good", "code.txt"], "code.txt"));
        assert!(!of(&["test", "-f", "out.txt"], "out.txt"));
    }

    #[test]
    fn a_command_is_typed_so_that_a_shell_reads_the_same_words() {
        let of = |words: &[&str]| typed(&argv(words));
        assert_eq!(of(&["cargo", "test", "--lib", "a::b"]), "cargo test --lib a::b");
        assert_eq!(of(&["sh", "-c", "cd lib && sh test.sh"]), "sh -c 'cd lib && sh test.sh'");
        assert_eq!(of(&["grep", "a \"b\" \\.c", ""]), "grep 'a \"b\" \\.c' ''");
        assert_eq!(of(&["it's"]), r"'it'\''s'");
        assert_eq!(of(&["a\nb\u{202e}c"]), r"'a\nb\u{202e}c'");
    }
}

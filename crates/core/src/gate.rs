use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{DocPath, Glob, Name, is_test};

/// A check that the engine evaluates itself before a unit counts as done.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Gate {
    /// Its name in messages and receipts; unique among the gates of its unit.
    pub name: Name,
    pub check: Check,
}

/// How a gate is decided.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Check {
    /// A command that must exit with 0; it is never passed to a shell.
    Run {
        /// The program and its arguments.
        argv: Vec<String>,
    },
    /// A file that must exist.
    File { path: DocPath },
    /// A file that must not exist.
    Absent { path: DocPath },
    /// A text that a file must contain.
    Content { path: DocPath, has: String },
    /// A person who must agree; asked only if every other gate passes or is waived.
    Human {
        /// The question for the person.
        what: String,
    },
    /// Several checks that must all hold.
    All {
        /// The checks in the order they are tried; never empty.
        of: Vec<Check>,
    },
    /// Several checks of which one must hold.
    Any {
        /// The checks in the order they are tried; never empty.
        of: Vec<Check>,
    },
}

impl Check {
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

    /// Returns the command, if the check is a single command.
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

    /// Returns the checks that it combines; none for a check that stands alone.
    pub fn parts(&self) -> &[Self] {
        match self {
            Self::All { of } | Self::Any { of } => of,
            Self::Run { .. }
            | Self::File { .. }
            | Self::Absent { .. }
            | Self::Content { .. }
            | Self::Human { .. } => &[],
        }
    }

    /// Returns the question, if the check is one for a person.
    pub const fn question(&self) -> Option<&String> {
        match self {
            Self::Human { what } => Some(what),
            Self::Run { .. }
            | Self::File { .. }
            | Self::Absent { .. }
            | Self::Content { .. }
            | Self::All { .. }
            | Self::Any { .. } => None,
        }
    }

    /// Returns the first file that the check inspects, alone or in its parts.
    pub fn path(&self) -> Option<&DocPath> {
        match self {
            Self::File { path } | Self::Absent { path } | Self::Content { path, .. } => Some(path),
            Self::Run { .. } | Self::Human { .. } => None,
            Self::All { .. } | Self::Any { .. } => self.parts().iter().find_map(Self::path),
        }
    }

    /// Returns every command of the check and its parts.
    pub fn commands(&self) -> Vec<&[String]> {
        let own = self.argv().map(Vec::as_slice).into_iter();
        own.chain(self.parts().iter().flat_map(Self::commands)).collect()
    }
}

/// Says all that the check asks for.
impl fmt::Display for Check {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let joined = |word: &str| {
            let parts: Vec<_> = self.parts().iter().map(Self::to_string).collect();
            parts.join(word)
        };
        match self {
            Self::Run { argv } => write!(out, "run {}", typed(argv)),
            Self::File { path } => write!(out, "{path} exists"),
            Self::Absent { path } => write!(out, "{path} does not exist"),
            Self::Content { path, has } => write!(out, "{path} contains {has:?}"),
            Self::Human { what } => write!(out, "asks {what}"),
            Self::All { .. } => out.write_str(&joined(" and ")),
            Self::Any { .. } => out.write_str(&joined(" or ")),
        }
    }
}

/// The kind of a [`Check`], as named in receipts and messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CheckKind {
    Run,
    /// A file must exist.
    File,
    /// A file must not exist.
    Absent,
    /// A text that a file must contain.
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

/// Formats a command so that pasting it into a shell runs the same words; invisible characters are
/// escaped.
pub fn typed(argv: &[String]) -> String {
    let seen = |c: char| match c {
        // Of these, only the first is special in single quotes.
        '\'' | '"' | '\\' => c.to_string(),
        // An invisible character could disguise the command.
        other => other.escape_debug().to_string(),
    };
    let word = |word: &String| quoted(&word.chars().map(seen).collect::<String>());
    argv.iter().map(word).collect::<Vec<_>>().join(" ")
}

/// Quotes a word for a shell, or returns it unchanged if it needs no quotes.
pub fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_-./=:,@+%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// Programs that run the file named by the next word.
const INTERPRETERS: [&str; 12] = [
    "sh", "bash", "dash", "zsh", "python", "python3", "node", "ruby", "perl", "php", "deno", "bun",
];

/// Returns the files that a command may run, judging by its words: its program, script and tests.
/// Files that it only reads are left out: those are the subject of the work.
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

/// A gate with the settings that the engine needs to evaluate it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GateSpec {
    pub gate: Gate,
    /// The time limit of its commands, if it sets one.
    pub timeout: Option<Duration>,
    /// Files that must not change for a pass to count.
    pub protect: Vec<Glob>,
}

/// Limits of a run or a unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Maximum total duration.
    pub wall: Option<Duration>,
    /// Maximum number of refused stops without a change.
    pub blocks_without_progress: Option<u32>,
    /// Maximum number of refused stops in all, since a person last spoke or a unit passed its
    /// gates.
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

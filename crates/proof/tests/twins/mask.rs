//! The only list of values that twins do not compare, each with its reason.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex_lite::Regex;
use sprag_testkit::TestEnv;

use crate::journal::{self, Versions};
use crate::player::Clock;

/// Paths below the world that are not compared.
const LEFT_OUT: &[(&str, &str)] = &[
    ("bin", "the binary itself"),
    ("project/.sprag/cache", "it may be removed at any time, and it contains file times"),
    ("project/.sprag/texts", "each is named by its hash, which is in the documents that need it"),
];

/// Returns whether a path of the world is not compared.
pub(crate) fn is_left_out(path: &str) -> bool {
    LEFT_OUT.iter().any(|(one, _)| path == *one)
}

/// A part of a text that differs from play to play.
struct Mask {
    /// The masked value, and why it differs.
    why: &'static str,
    /// The masked text; its first group stays.
    pattern: &'static str,
    /// The replacement; a number where the document must remain readable.
    with: &'static str,
    /// The ends of the paths (or `stdout`, `stderr`) that it applies to; all if empty.
    at: &'static [&'static str],
    /// Whether it applies only to plays by the real clock.
    real_clock: bool,
}

const TIME: &str = r"()\d{4}-\d\d-\d\d[T ]\d\d[:-]\d\d([:-]\d\d(\.\d+)?Z?)?";

const MASKS: &[Mask] = &[
    Mask {
        why: "the hash of a text that contains a document with a time in it",
        pattern: r#"("(?:baseline|found|left|text)": ")[0-9a-f]{64}"#,
        with: "<text>",
        at: &["/turns.json", ".jsonl"],
        real_clock: true,
    },
    Mask {
        why: "the baseline of a plan's verification names commits, which have the system's time",
        pattern: r"(\bverify: )[0-9a-f]{64}",
        with: "<baseline>",
        at: &["/run.yaml", ".jsonl"],
        real_clock: false,
    },
    Mask {
        why: "the process that holds a turn: its number and start are given by the system",
        pattern: r#"("process": ")\d+ [^"]*"#,
        with: "<process>",
        at: &["/turns.json", ".jsonl"],
        real_clock: false,
    },
    Mask {
        why: "when an agent was heard last: a time of a file",
        pattern: r#"("ended": \{\s+"at": ")[^"]*"#,
        with: "<time>",
        at: &["/turns.json", ".jsonl"],
        real_clock: false,
    },
    Mask {
        why: "the process of a driver: its number is given by the system",
        pattern: r"^()\d+",
        with: "<process>",
        at: &["/drive/who"],
        real_clock: false,
    },
    Mask {
        why: "how long an agent worked: measured, not taken from the clock",
        pattern: r#"("agent\.ended".*?"ms":)\d+"#,
        with: "0",
        at: &[".jsonl", "stdout"],
        real_clock: false,
    },
    Mask {
        why: "how long all agents of a run worked",
        pattern: r#"(\\?"millis\\?": ?)\d+"#,
        with: "0",
        at: &[],
        real_clock: false,
    },
    Mask {
        why: "the process of a driver, in messages",
        pattern: r"(\bprocess |`kill )\d+",
        with: "<process>",
        at: &["stdout", "stderr"],
        real_clock: false,
    },
    Mask {
        why: "the time of a file, which is the system's: it is ahead of the clock of a play",
        pattern: r#"(\\?"ahead\\?": \\?")[^"\\]*"#,
        with: "",
        at: &[],
        real_clock: false,
    },
    Mask {
        why: "when a host called last: the time of a file, which is the system's",
        pattern: r#"("seen":")[^"]*"#,
        with: "",
        at: &["stdout"],
        real_clock: false,
    },
    Mask {
        why: "how long the calls of hosts took, as one object",
        pattern: r#"("p(?:50|99)_us":)\d+"#,
        with: "0",
        at: &["stdout"],
        real_clock: false,
    },
    Mask {
        why: "how long the calls of hosts took",
        pattern: r"(host hooks: )p50 [\d.]+ ms, p99 [\d.]+ ms",
        with: "p50 <ms>, p99 <ms>",
        at: &["stdout"],
        real_clock: false,
    },
    Mask {
        why: "a time, where time passes because the story waits for it",
        pattern: TIME,
        with: "<time>",
        at: &[],
        real_clock: true,
    },
    Mask {
        why: "a time of the day, likewise",
        pattern: r"()\b\d\d:\d\d(:\d\d)?\b",
        with: "<time>",
        at: &[],
        real_clock: true,
    },
    Mask {
        why: "the hash of files of which one has a time in it, likewise",
        pattern: r"(tree |\btree\\?\W+|before\W+|after\W+|green: |start: |counts\\?\W+)[0-9a-f]{7,64}\b",
        with: "<hash>",
        at: &[],
        real_clock: true,
    },
    Mask {
        why: "a duration of a document, likewise",
        pattern: r#"(\bms\\?"?: ?)\d+"#,
        with: "0",
        at: &[],
        real_clock: true,
    },
    Mask {
        why: "a duration, likewise, with the blanks that align it",
        pattern: r"() *\b\d+(\.\d+)? ?(ms|s|min)\b",
        with: " <time>",
        at: &[],
        real_clock: true,
    },
];

/// Removes the calls of the scripted forge: a waiting driver polls it an unknown number of times.
pub(crate) fn without_calls(mut files: BTreeMap<String, String>) -> BTreeMap<String, String> {
    files.retain(|path, _| !path.starts_with("gh/") || path.starts_with("gh/posts/"));
    files
}

/// Removes the times from file names, for plays by the real clock.
pub(crate) fn without_times(files: BTreeMap<String, String>) -> BTreeMap<String, String> {
    let time = Regex::new(TIME).unwrap();
    let mut named = BTreeMap::new();
    for (path, text) in files {
        let mut name = time.replace_all(&path, "<time>").into_owned();
        while named.contains_key(&name) {
            name.push_str(" (another)");
        }
        named.insert(name, text);
    }
    named
}

static PATTERNS: LazyLock<Vec<Regex>> =
    LazyLock::new(|| MASKS.iter().map(|mask| Regex::new(mask.pattern).unwrap()).collect());

/// Applies the masks to the texts of a play.
pub(crate) struct Masks<'v> {
    /// The world; its random path is replaced by a name.
    pub(crate) env: &'v TestEnv,
    pub(crate) clock: Clock,
    pub(crate) versions: &'v Versions,
}

impl Masks<'_> {
    /// Masks a file of a world and keeps every other byte.
    pub(crate) fn file(&self, path: &str, files: &BTreeMap<String, String>) -> String {
        let text = &files[path];
        let text = if journal::is_segment(path) && self.clock == Clock::Real {
            // Edits that replace a time replace different digits of it in each play.
            return self.shown(path, files);
        } else if journal::is_segment(path) {
            journal::sums(text)
        } else if journal::is_head(path) {
            journal::head(text, path, files)
        } else {
            text.clone()
        };
        self.text(path, &text)
    }

    /// Masks a file of a world in the form for reading.
    pub(crate) fn shown(&self, path: &str, files: &BTreeMap<String, String>) -> String {
        if journal::is_segment(path) {
            let masked = masked(path, &files[path], Clock::Fixed);
            return self.text(path, &self.versions.shown(&masked));
        }
        self.file(path, files)
    }

    /// Masks a text of this place.
    pub(crate) fn text(&self, at: &str, text: &str) -> String {
        masked(at, &self.env.normal(&self.versions.name(text)), self.clock)
    }
}

fn masked(at: &str, text: &str, clock: Clock) -> String {
    let mut text = text.to_owned();
    for (mask, pattern) in MASKS.iter().zip(PATTERNS.iter()) {
        let is_here = mask.at.is_empty() || mask.at.iter().any(|end| at.ends_with(end));
        if is_here && (!mask.real_clock || clock == Clock::Real) {
            let with = format!("${{1}}{}", mask.with);
            text = pattern.replace_all(&text, with.as_str()).into_owned();
        }
    }
    text
}

#[test]
fn every_mask_says_why_and_keeps_what_stands_before_it() {
    for (mask, pattern) in MASKS.iter().zip(PATTERNS.iter()) {
        assert!(pattern.captures_len() > 1 && mask.why.len() > 10, "{}", mask.pattern);
    }
}

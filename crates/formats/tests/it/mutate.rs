//! Broken and hostile input: no panic, and no input over 100 ms.
//!
//! Valid documents are broken at random, read in every format and, if still readable, edited. A
//! second table contains large inputs that are designed to be slow.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use sprag_formats::{Document, Edit, Fault, FaultKind, Format, MAX_BYTES, Node, Value};

use crate::generate;
use crate::neighbours;
use crate::random::Random;
use crate::samples;
use crate::support::{long, numbered};

const LIMIT: Duration = Duration::from_millis(100);
/// Without optimisation the parser is ten times slower, and a megabyte is large.
const LARGE_LIMIT: Duration = if cfg!(debug_assertions) { Duration::from_secs(1) } else { LIMIT };
const FORMATS: [Format; 3] = [Format::Yaml, Format::FrontMatter, Format::Json];
const TOKENS: [&str; 36] = [
    "- ",
    ": ",
    ":",
    "&a ",
    "*a",
    "|",
    ">",
    "|+\n",
    "\"",
    "'",
    "\0",
    "\u{feff}",
    "\r\n",
    "\r",
    "\n",
    "\t",
    "[",
    "]",
    "{",
    "}",
    ",",
    "#",
    " # ",
    "? ",
    "!!str ",
    "!x ",
    "<<: ",
    "---\n",
    "...\n",
    "%YAML 1.2\n",
    "  ",
    "\\u",
    "\\ud800",
    "é",
    "\u{2028}",
    "[[[[[[[[{{{{{{{{",
];

#[test]
fn broken_documents_neither_panic_nor_take_long() {
    let rounds = if long() { 200_000 } else { 4_000 };
    let mut readable = 0;
    for seed in 0..rounds {
        let mut random = Random::new(seed);
        let text = broken(&mut random);
        for format in FORMATS {
            let mut read = false;
            let time = timed(LIMIT, || read = exercise(format, &text));
            readable += usize::from(read);
            if let Ok(doc) = Document::parse(format, &text) {
                neighbours::in_one_go(&mut random, format, &doc);
            }
            assert!(time < LIMIT, "seed {seed}: {format:?} took {time:?}\n{text}");
        }
    }
    println!("{readable} of {} could still be read", rounds * 3);
    assert!(readable > usize::try_from(rounds).unwrap() / 4, "only {readable} could be read");
}

fn broken(random: &mut Random) -> String {
    let mut text = match random.below(4) {
        0 => samples::all()[random.below(samples::all().len())].1.to_owned(),
        _ => generate::document(random).1,
    };
    for _ in 0..=random.below(4) {
        mutate(random, &mut text);
    }
    text.truncate(text.floor_char_boundary(64 << 10));
    text
}

fn mutate(random: &mut Random, text: &mut String) {
    let mut place = |text: &str| text.floor_char_boundary(random.below(text.len() + 1));
    let (one, two) = (place(text), place(text));
    let (from, to) = (one.min(two), one.max(two));
    let near = text.floor_char_boundary(to.min(from + 12));
    match random.below(8) {
        0 => text.replace_range(from..near, ""),
        1 => text.truncate(from),
        2 => *text = format!("{}{}", &text[..to], &text[from..]),
        3 => text.insert_str(from, &random.pick(&TOKENS).repeat(1 + random.below(200))),
        4 => flip(random, text, from),
        _ => text.insert_str(from, random.pick(&TOKENS)),
    }
}

/// Flips one bit. Invalid bytes are replaced, as a lossy reader would do.
fn flip(random: &mut Random, text: &mut String, at: usize) {
    let mut bytes = std::mem::take(text).into_bytes();
    if let Some(byte) = bytes.get_mut(at) {
        *byte ^= 1 << random.below(8);
    }
    *text = String::from_utf8_lossy(&bytes).into_owned();
}

/// Reads and edits a text. Returns whether it could be read.
fn exercise(format: Format, text: &str) -> bool {
    let doc = match Document::parse(format, text) {
        Ok(doc) => doc,
        Err(fault) => {
            in_range(text, &fault);
            return false;
        }
    };
    let mut edits = vec![Edit::set(["added", "below"], 1)];
    for turn in 0..3 {
        let path = some_path(doc.root(), turn);
        let below = path.iter().map(String::as_str).chain(["0"]);
        edits.push(Edit::set(below, Value::list(["new"])));
        edits.push(Edit::set(&path, "new: value"));
        edits.push(Edit::remove(&path));
    }
    for edit in edits {
        match doc.edit(std::slice::from_ref(&edit)) {
            Ok(splices) => drop(sprag_core::apply(text, &splices).unwrap()),
            Err(fault) => in_range(text, &fault),
        }
    }
    true
}

/// Returns the path of some value, a different one each turn.
fn some_path(root: &Node, turn: usize) -> Vec<String> {
    let (mut node, mut path) = (root, Vec::new());
    while path.len() <= turn {
        let nth = turn * 7 + path.len();
        let step = match &node.value {
            Value::Map(map) if !map.is_empty() => {
                map.iter().nth(nth % map.len()).map(|entry| entry.key.clone())
            }
            Value::List(items) if !items.is_empty() => Some((nth % items.len()).to_string()),
            _ => None,
        };
        let Some(step) = step else { break };
        node = node.child(&step).unwrap();
        path.push(step);
    }
    path
}

fn in_range(text: &str, fault: &Fault) {
    assert!(fault.span.end() <= text.len(), "{fault:?}\n{text}");
    assert!(text.get(fault.span.range()).is_some(), "{fault:?}\n{text}");
    let expects = fault.kind != FaultKind::Syntax || fault.expected.is_some();
    assert!(expects && fault.expected.as_deref() != Some("YAML 1.2"), "{fault:?}\n{text}");
    assert!(!fault.what.is_empty() && fault.place.line > 0 && fault.place.col > 0, "{fault:?}");
}

/// Returns the processor time of some work, because other tests and builds run meanwhile.
///
/// Even that time grows on a busy machine, so work over the limit gets two more tries: a slow input
/// is slow every time.
pub(crate) fn timed(limit: Duration, mut work: impl FnMut()) -> Duration {
    let first = spent(&mut work);
    if first < limit {
        return first;
    }
    first.min(spent(&mut work)).min(spent(&mut work))
}

pub(crate) fn spent(work: impl FnOnce()) -> Duration {
    let now = || {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        Duration::new(time.tv_sec.try_into().unwrap(), time.tv_nsec.try_into().unwrap())
    };
    let start = now();
    work();
    now().saturating_sub(start)
}

/// Repeats a piece up to the size limit of a document.
pub(crate) fn filled(piece: &str) -> String {
    piece.repeat(MAX_BYTES / piece.len())
}

fn hostile() -> Vec<(&'static str, String)> {
    let bomb = numbered(9, |n| {
        let last = if n == 0 { "lol".to_owned() } else { format!("*a{}", n - 1) };
        format!("k{n}: &a{n} [{}]\n", vec![last; 9].join(","))
    });
    let copies =
        format!("a: &a \"{}\"\nb: [{}]\n", "x".repeat(500_000), vec!["*a"; 60_000].join(","));
    let chain = format!("{}x{}", "[&a ".repeat(120), ", *a]".repeat(120));
    let mut all: Vec<(&'static str, String)> = vec![
        ("alias bomb", bomb),
        ("copies of a long text", copies),
        ("anchors in anchors", chain),
        ("keys beyond the limit", numbered(90_000, |n| format!("k{n}: 1\n"))),
        ("keys below the limit", numbered(60_000, |n| format!("k{n}: 1\n"))),
        ("items below the limit", format!("a:\n{}", "- x\n".repeat(60_000))),
        ("flow items", format!("[{}1]", "1,".repeat(60_000))),
        ("long key", format!("{}: 1\n", "k".repeat(1_000_000))),
        ("long text", format!("a: {}\n", "word ".repeat(200_000))),
        ("long quoted", format!("a: \"{}\"\n", "\\n".repeat(500_000))),
        ("long single", format!("a: '{}'\n", "''".repeat(500_000))),
        ("long literal", format!("a: |\n{}", "  line\n".repeat(140_000))),
        ("long folded", format!("a: >\n{}", "  line\n".repeat(140_000))),
        ("many lines", format!("a: x\n{}", "  more\n".repeat(140_000))),
        ("quoted lines", format!("a: \"x\n{}\"", "  more\n".repeat(140_000))),
        ("wide indentation", format!("a:\n{}b: 1\n", " ".repeat(1_000_000))),
        ("wide lines", format!("a:\n{}", format!("{}# c\n", " ".repeat(1_000)).repeat(1_000))),
        ("wide keys", numbered(500, |n| format!("{}k{n}: 1\n", " ".repeat(2_000)))),
        ("open front matter", format!("---\n{}", "--- x\n".repeat(170_000))),
        ("json nesting", "{\"a\":".repeat(170_000)),
        ("json text", format!("{{\"a\":\"{}\"}}", "\\u00e9".repeat(170_000))),
        ("json keys", format!("{{{}\"z\":1}}", numbered(60_000, |n| format!("\"k{n}\":1,")))),
        ("maps in lists", format!("a:\n{}", "- b: 1\n  c: 2\n".repeat(20_000))),
        ("pairs in brackets", format!("[{}]", "a: 1, ".repeat(30_000))),
        ("stairs", numbered(127, |n| format!("{}k:\n", " ".repeat(n)))),
    ];
    for piece in [
        "[",
        "{",
        "- ",
        "? ",
        "a: ",
        "a:\n",
        "&a ",
        "&a\n",
        "!!str ",
        "*a ",
        "\"",
        "'",
        "\t",
        " ",
        "\n",
        "\r",
        "#",
        "# c\n",
        ":",
        ",",
        "[,",
        "[a,",
        "{a: ",
        "[]\n",
        "|\n",
        ">\n",
        "%TAG ! x\n",
        "---\n",
        "...\n",
        "\u{feff}",
        "\0",
        "\\",
        "a\n",
        "\"a\" ",
        "- - ",
        "-\n",
        "? a\n: b\n",
        "a b ",
        "x: {",
        "- [",
        "'a': ",
        "é",
        "\u{85}",
        "!",
        "&",
        "[? ",
        "[: ",
        "[a: ",
        "- a: ",
        "\n\n  - ",
    ] {
        all.push((piece, filled(piece)));
    }
    all
}

#[test]
fn large_hostile_input_takes_no_time() {
    let mut slowest = (Duration::ZERO, String::new());
    for (name, text) in hostile() {
        for format in FORMATS {
            let time = timed(LARGE_LIMIT, || {
                if let Err(fault) = Document::parse(format, &text) {
                    in_range(&text, &fault);
                }
            });
            slowest = slowest.max((time, format!("{format:?} {name:?}")));
        }
    }
    println!("slowest: {slowest:?}");
    assert!(slowest.0 < LARGE_LIMIT, "{slowest:?}");
}

#[test]
fn smaller_hostile_input_is_edited_in_time_too() {
    let size = if cfg!(debug_assertions) { 16 << 10 } else { 256 << 10 };
    for (name, mut text) in hostile() {
        text.truncate(text.floor_char_boundary(size));
        for format in FORMATS {
            let time = timed(LIMIT, || drop(Document::parse(format, &text)));
            assert!(time < LIMIT, "{format:?} {name:?} took {time:?}");
            let time = timed(LIMIT * 10, || {
                exercise(format, &text);
            });
            assert!(time < LIMIT * 10, "editing {format:?} {name:?} took {time:?}");
        }
    }
}

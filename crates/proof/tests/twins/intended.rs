//! Intended differences from the base: where each is, what exactly it is, and why.
//!
//! Keep each entry as narrow as possible. Recording a new base (`scripts/twins --record`) empties
//! the list. An entry that no story uses any more fails `scripts/twins`: delete it.

use std::io::Write as _;

/// Where a difference is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum At {
    /// In the standard output.
    Stdout,
    /// In the standard error.
    Stderr,
    /// In the exit status: `exit 3`.
    Exit,
    /// In files whose path in the world matches, such as `project/.sprag/runs/*/run.yaml`. The
    /// journal has a copy of each document: `project/.sprag/journal/*`.
    File(&'static str),
}

/// The form of a difference. Texts are compared as failures show them: masked, with the full text
/// of every document in a journal.
#[derive(Clone, Copy, Debug)]
pub(crate) enum How {
    /// The base's text with every occurrence of the first replaced by the second.
    Text(&'static str, &'static str),
    /// Likewise, where lines are wrapped: every run of white space counts as one blank.
    Words(&'static str, &'static str),
    /// A predicate over the base's text and the new one.
    Is(fn(&str, &str) -> bool),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Intended {
    /// The stories that have it; `*` matches anything: `run::plan::*`.
    pub(crate) story: &'static str,
    /// The commands that have it, as failures show them; `*` matches anything.
    pub(crate) step: &'static str,
    pub(crate) at: At,
    pub(crate) how: How,
    /// The reason, in one sentence.
    pub(crate) why: &'static str,
}

pub(crate) const INTENDED: &[Intended] = &[];

/// Names the file in which each story records the entries that it used.
const USED: &str = "SPRAG_TWIN_USED";

/// Returns whether entries allow a difference, and records their use.
pub(crate) fn is_intended(story: &str, step: &str, place: &str, base: &str, new: &str) -> bool {
    match settled(INTENDED, (story, step, place), base, new) {
        Some(used) => {
            note(&used);
            true
        }
        None => false,
    }
}

/// Returns the entries that turn the base's text into the new one, or `None` if they do not.
fn settled(
    all: &[Intended],
    (story, step, place): (&str, &str, &str),
    base: &str,
    new: &str,
) -> Option<Vec<usize>> {
    let here = all.iter().enumerate().filter(|(_, one)| {
        let is_at = match one.at {
            At::Stdout => place == "stdout",
            At::Stderr => place == "stderr",
            At::Exit => place == "exit",
            At::File(pattern) => matches(pattern, place),
        };
        is_at && matches(one.story, story) && matches(one.step, step)
    });
    let (mut text, mut used, mut words, mut asked) = (base.to_owned(), vec![], vec![], vec![]);
    for (nth, one) in here {
        match one.how {
            How::Text(from, to) if text.contains(from) => {
                text = text.replace(from, to);
                used.push(nth);
            }
            How::Text(..) => {}
            How::Words(from, to) => words.push((nth, from, to)),
            How::Is(is) => asked.push((nth, is)),
        }
    }
    if text == new {
        return Some(used);
    }
    let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (mut flat_text, flat_new) = (flat(&text), flat(new));
    for (nth, from, to) in words {
        if flat_text.contains(from) {
            flat_text = flat_text.replace(from, to);
            used.push(nth);
        }
    }
    if !used.is_empty() && flat_text == flat_new {
        return Some(used);
    }
    let (nth, _) = asked.into_iter().find(|(_, is)| is(&text, new))?;
    used.push(nth);
    Some(used)
}

/// Returns whether a text matches a pattern; `*` matches anything.
fn matches(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((before, after)) => text.strip_prefix(before).is_some_and(|rest| {
            let mut ends = (0..=rest.len()).filter(|at| rest.is_char_boundary(*at));
            ends.any(|at| matches(after, &rest[at..]))
        }),
    }
}

fn note(used: &[usize]) {
    let Some(path) = std::env::var_os(USED) else { return };
    let lines: String = used.iter().flat_map(|nth| [nth.to_string(), "\n".to_owned()]).collect();
    let file = std::fs::OpenOptions::new().create(true).append(true).open(path);
    file.and_then(|mut file| file.write_all(lines.as_bytes())).unwrap();
}

/// `scripts/twins` runs this after all stories.
#[test]
fn every_entry_is_used() {
    let Some(path) = std::env::var_os(USED) else {
        return sprag_testkit::skip::skip("twins: which differences are still there", "no story");
    };
    let noted = std::fs::read_to_string(path).unwrap_or_default();
    let is_used = |nth: usize| noted.lines().any(|line| line == nth.to_string());
    let unused = INTENDED.iter().enumerate().filter(|(nth, _)| !is_used(*nth));
    let unused: Vec<_> = unused.map(|(_, one)| format!("{one:?}")).collect();
    assert!(unused.is_empty(), "no story differs so any more, delete it: {unused:#?}");
}

#[test]
fn every_entry_has_a_reason() {
    for one in INTENDED {
        assert!(one.why.len() > 20 && one.why.ends_with('.'), "say why: {one:?}");
    }
}

#[test]
fn an_entry_lets_exactly_its_difference_through() {
    let one = |at, how| Intended { story: "run::*", step: "*", at, how, why: "" };
    let all = [
        one(At::Stdout, How::Text("held", "waits")),
        one(At::Stdout, How::Words("no progress", "stuck")),
        one(At::File("project/*.yaml"), How::Is(|_, new| new.is_empty())),
        one(At::Exit, How::Text("exit 3", "exit 5")),
        one(At::Stderr, How::Text("K0010", "K0011")),
    ];
    let is = |story, place, base, new| settled(&all, (story, "sprag run", place), base, new);
    assert_eq!(is("run::task", "stdout", "held\n", "waits\n"), Some(vec![0]));
    assert_eq!(is("run::task", "stdout", "no\n  progress\n", "stuck\n"), Some(vec![1]));
    assert_eq!(is("run::task", "stdout", "held", "else"), None, "another difference");
    assert_eq!(is("run::task", "stdout", "a b", "a  b"), None, "white space alone is one, too");
    assert_eq!(is("hooks::a", "stdout", "held", "waits"), None, "another story");
    assert_eq!(is("run::task", "stderr", "held", "waits"), None, "another place");
    assert_eq!(is("run::task", "project/a.yaml", "x", ""), Some(vec![2]));
    assert_eq!(is("run::task", "exit", "exit 3", "exit 5"), Some(vec![3]));
    assert_eq!(is("run::task", "stderr", "error[K0010]", "error[K0011]"), Some(vec![4]));
    assert!(matches("a*b*", "axxb") && !matches("a*b", "axxc") && matches("*", ""));
}

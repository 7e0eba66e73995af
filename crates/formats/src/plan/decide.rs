//! Determines which checks of a plan the engine decides itself: §2.8 of opti-gsd.
//!
//! Every other check goes to an agent, whose answer remains a claim. The rules here err on that
//! side: a misread check could pass work that is not done.

use sprag_core::plan::CheckDecision;
use sprag_core::{Check, DocPath};

use super::names::{Named, Names};
use super::path;
use super::quoted::{Spans, spans};
use crate::words::words;

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Decided {
    pub(super) decision: CheckDecision,
    /// Whether it is of a kind that the engine decides, but too vague.
    pub(super) is_vague: bool,
}

/// Words that negate a sentence, or make it an alternative.
const TURNS: [&str; 16] = [
    "not", "no", "never", "without", "none", "neither", "nor", "nothing", "cannot", "isn't",
    "doesn't", "don't", "lacks", "or", "either", "unless",
];

/// Phrases for a missing file.
const ABSENT: [&str; 7] = [
    "does not exist",
    "doesn't exist",
    "no longer exists",
    "must not exist",
    "should not exist",
    "is deleted",
    "is removed",
];

/// Determines how a check is decided; `names` are the files of its task.
pub(super) fn decide(kind: &str, text: &str, cmd: Option<&str>, names: &Names<'_>) -> Decided {
    match (cmd, kind) {
        (Some(cmd), _) => command(cmd),
        (None, "file") => file(text, names),
        (None, "content") => content(text, names),
        (None, "") => claim("it has no type"),
        (None, kind) => claim(&format!("a check of type `{kind}` without a command")),
    }
}

fn claim(why: &str) -> Decided {
    Decided { decision: CheckDecision::Claim { why: why.to_owned() }, is_vague: false }
}

fn vague(why: &str) -> Decided {
    Decided { is_vague: true, ..claim(why) }
}

fn gate(check: Check) -> Decided {
    Decided { decision: CheckDecision::Gate(check), is_vague: false }
}

const SEVERAL: &str = "several of the task's files end so";

/// The longest command, in bytes; systems refuse much longer ones.
const COMMAND: usize = 32 << 10;

fn command(cmd: &str) -> Decided {
    match words(cmd) {
        _ if cmd.len() > COMMAND => claim("its command is too long"),
        Ok(argv) => gate(Check::Run { argv }),
        Err(bad) => claim(&format!("its command is not run: {bad}")),
    }
}

fn file(text: &str, names: &Names<'_>) -> Decided {
    let lower = text.to_lowercase();
    let absent = ABSENT.iter().find_map(|phrase| lower.find(phrase).map(|at| (at, phrase.len())));
    let rest = match absent {
        Some((at, length)) => format!("{} {}", &lower[..at], &lower[at + length..]),
        None => lower.clone(),
    };
    if turns(&rest) {
        return claim("it says more than that a file is there or not");
    }
    let exists = rest.split_whitespace().any(|word| matches!(bare(word), "exists" | "exist"));
    if absent.is_none() && !exists {
        return vague("it does not say `exists` or `does not exist`");
    }
    let subject = match named_file(text, names) {
        Ok(path) => path,
        Err(why) => return vague(why),
    };
    if absent.is_some() {
        return gate(Check::Absent { path: subject });
    }
    gate(Check::File { path: subject })
}

/// Returns the single path in a sentence about a file.
fn named_file(text: &str, names: &Names<'_>) -> Result<DocPath, &'static str> {
    let quoted = spans(text);
    let mut words: Vec<&str> =
        quoted.inside.iter().copied().filter(|word| path::is_like(word)).collect();
    if words.is_empty() {
        words = text.split_whitespace().map(bare).filter(|word| path::is_like(word)).collect();
    }
    words.dedup();
    match words.as_slice() {
        [one] => path::inside(one).map_err(|_| "its path may leave the project"),
        [] => match (text.split_whitespace().next().map(bare), names.only()) {
            (Some("File" | "file" | "Script" | "script"), Some(only)) => Ok(only.clone()),
            // `Makefile exists`: a name without a folder or extension.
            (Some(first), _) => path::inside(first)
                .ok()
                .filter(|first| text.split_whitespace().count() == 2 || names.has(first))
                .ok_or("it names no path"),
            (None, _) => Err("it names no path"),
        },
        _ => Err("it names several paths"),
    }
}

fn content(text: &str, names: &Names<'_>) -> Decided {
    let mut quoted = spans(text);
    let subject = match subject(text, &mut quoted, names) {
        Ok(subject) => subject,
        Err(why) => return vague(why),
    };
    if quoted.inside.is_empty() {
        return vague("it quotes no text to look for");
    }
    if turns(&quoted.outside.to_lowercase()) {
        return claim("it says more than that a text is there");
    }
    let has = |needle: &&str| (*needle).to_owned();
    match subject {
        Subject::Ending(ending) => Decided {
            decision: CheckDecision::Ending {
                ending,
                has: quoted.inside.iter().map(has).collect(),
            },
            is_vague: false,
        },
        Subject::File(path) => {
            let one = |has: &&str| Check::Content { path: path.clone(), has: (*has).to_owned() };
            let mut of: Vec<Check> = quoted.inside.iter().map(one).collect();
            gate(match of.pop() {
                Some(only) if of.is_empty() => only,
                last => Check::All { of: of.into_iter().chain(last).collect() },
            })
        }
    }
}

/// The file at the start of a sentence.
enum Subject {
    File(DocPath),
    /// Not a file of the task: searched for in the whole project by the end of its path.
    Ending(String),
}

/// Determines the file that a sentence is about. A quoted one is removed from the texts to find.
fn subject(text: &str, quoted: &mut Spans<'_>, names: &Names<'_>) -> Result<Subject, &'static str> {
    let text = text.trim_start();
    if text.starts_with(['"', '“', '`']) {
        let first = quoted.inside.first().copied().filter(|first| path::is_like(first));
        let Some(first) = first.filter(|_| quoted.inside.len() > 1) else {
            return Err("it does not begin with a file");
        };
        quoted.inside.remove(0);
        return named(first, names);
    }
    match names.find(text) {
        Named::One(path) => return Ok(Subject::File(path.clone())),
        Named::Several => return Err(SEVERAL),
        Named::None => {}
    }
    let mut leading = text.split_whitespace().map(bare);
    let first = leading.find(|word| !word.eq_ignore_ascii_case("the")).unwrap_or_default();
    let is_own = ["file", "script", "contains", "contain"].contains(&first.to_lowercase().as_str());
    let word = if is_own { leading.next().filter(|next| path::is_like(next)) } else { Some(first) };
    match (word, names.only()) {
        (Some(word), _) => named(word, names),
        (None, Some(only)) => Ok(Subject::File(only.clone())),
        (None, None) => Err("it does not say which of the task's files"),
    }
}

/// Returns the file that a word means: one of the task's, else one of the project's.
fn named(word: &str, names: &Names<'_>) -> Result<Subject, &'static str> {
    match names.find(word) {
        Named::One(path) => return Ok(Subject::File(path.clone())),
        Named::Several => return Err(SEVERAL),
        Named::None => {}
    }
    match path::inside(word) {
        Ok(path) if path::is_like(word) => Ok(Subject::Ending(path.as_str().to_owned())),
        Ok(_) => Err("it does not begin with a file"),
        Err(_) => Err("its path may leave the project"),
    }
}

fn turns(lower: &str) -> bool {
    lower.split_whitespace().any(|word| TURNS.contains(&bare(word)))
}

/// Returns a word without punctuation and quotes around it.
fn bare(word: &str) -> &str {
    let end = |c: char| matches!(c, ',' | ';' | ':' | '!' | '?' | ')' | '"' | '\'' | '`' | '”');
    let begin = |c: char| matches!(c, '(' | '"' | '\'' | '`' | '“');
    let word = word.trim_start_matches(begin).trim_end_matches(end);
    word.strip_suffix('.').unwrap_or(word)
}

#[cfg(test)]
mod tests;

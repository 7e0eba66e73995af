//! The verbs of sprag that are reserved for a person.

use sprag_formats::shell::ShellWord;

/// Verbs for a person, and those that hosts use on a person's behalf.
const VERBS: [&str; 6] = ["approve", "pause", "resume", "cancel", "hook", "rpc"];

/// Options for a person.
const OPTIONS: [&str; 3] = ["--waive", "--fix", "--force"];

/// Returns the verb among sprag's arguments: the first word that is not an option.
pub(super) fn verb(args: &[ShellWord]) -> Option<&ShellWord> {
    let mut args = args.iter();
    while let Some(word) = args.next() {
        if word.text == "-C" {
            args.next();
        } else if !word.text.starts_with('-') {
            return Some(word);
        }
    }
    None
}

/// Returns the command as a person would type it, if these arguments of sprag are reserved for a
/// person.
///
/// A verb that is only known when the command runs counts as reserved.
pub(super) fn said(args: &[ShellWord]) -> Option<String> {
    let verb = verb(args);
    let name = verb.map_or("", |word| word.text.as_str());
    if verb.is_some_and(|word| !word.known) || VERBS.contains(&name) {
        return Some(format!("sprag {name}"));
    }
    let is = |option: &str, word: &ShellWord| {
        word.text.strip_prefix(option).is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
    };
    let given = |option: &str| args.iter().any(|word| is(option, word));
    let option = OPTIONS.into_iter().find(|option| given(option));
    let option = option.or_else(|| (name == "init" && given("--undo")).then_some("--undo"))?;
    Some(format!("sprag {name} {option}").replace("  ", " "))
}

/// Returns whether these arguments, of a program whose name is only known when it runs, start with
/// a person's verb.
pub(super) fn might_be(args: &[ShellWord]) -> bool {
    verb(args).is_some_and(|word| VERBS.contains(&word.text.as_str()))
}

/// Returns the person's verb that a program's text seems to run: `sprag` followed by the verb, with
/// only quotes, commas and blanks between them.
pub(super) fn mentioned(code: &str) -> Option<String> {
    let part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    code.match_indices("sprag").find_map(|(at, name)| {
        let before = code[..at].chars().next_back();
        let rest = &code[at + name.len()..];
        let between = rest.find(|c: char| part(c) || c == '/')?;
        let word = rest[between..].split(|c: char| !part(c)).next()?;
        let separate = !before.is_some_and(part) && between > 0;
        (separate && VERBS.contains(&word)).then(|| format!("sprag {word}"))
    })
}

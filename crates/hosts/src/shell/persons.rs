//! The verbs of sprag that are a person's.

use sprag_formats::shell::Word;

/// Verbs that only a person may use, and those by which hosts speak for a person.
const VERBS: [&str; 6] = ["approve", "pause", "resume", "cancel", "hook", "rpc"];

/// Options that only a person may use.
const OPTIONS: [&str; 3] = ["--waive", "--fix", "--force"];

/// Returns the verb among the arguments of sprag: the first word that is no option.
pub(super) fn verb(args: &[Word]) -> Option<&Word> {
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

/// Returns what a person would say, if these arguments of sprag are a person's.
///
/// A verb that is only known when it runs might be.
pub(super) fn said(args: &[Word]) -> Option<String> {
    let verb = verb(args);
    let name = verb.map_or("", |word| word.text.as_str());
    if verb.is_some_and(|word| !word.known) || VERBS.contains(&name) {
        return Some(format!("sprag {name}"));
    }
    let is = |option: &str, word: &Word| {
        word.text.strip_prefix(option).is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
    };
    let given = |option: &str| args.iter().any(|word| is(option, word));
    let option = OPTIONS.into_iter().find(|option| given(option));
    let option = option.or_else(|| (name == "init" && given("--undo")).then_some("--undo"))?;
    Some(format!("sprag {name} {option}").replace("  ", " "))
}

/// Returns whether these arguments, of a program whose name is only known when it runs, begin with
/// a verb of a person.
pub(super) fn might_be(args: &[Word]) -> bool {
    verb(args).is_some_and(|word| VERBS.contains(&word.text.as_str()))
}

/// Returns the person's verb that a program's text seems to run: `sprag` and next to it the verb,
/// with nothing between but quotes, commas and blanks.
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

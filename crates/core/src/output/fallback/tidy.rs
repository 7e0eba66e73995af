//! Cleans what stands behind a mark, and tells names from other texts.

use super::super::names::{is_duration, without_duration};

/// Words that say that something failed, not what.
const GENERAL: &[&str] =
    &["test", "tests", "failing", "failed", "result", "error", "errors", "failure", "failures"];
/// Characters of a name; anything longer is a message.
const LONGEST: usize = 240;

/// Returns a name without numbering, durations and places.
pub(super) fn tidy(shown: &str) -> String {
    let mut words: Vec<&str> = shown.split_whitespace().collect();
    while words.len() > 1 && words.first().is_some_and(|word| is_lead(word)) {
        words.remove(0);
    }
    if words.len() > 1
        && matches!(words[0], "test" | "Test")
        && (words[1].contains("::") || has_file(words[1]))
    {
        words.remove(0);
    }
    without_duration(&mut words);
    while words.len() > 1 && words.last().is_some_and(|word| is_tail(word)) {
        words.pop();
    }
    without_duration(&mut words);
    if let Some(at) = words.iter().position(|word| *word == "should")
        && words[at..] == ["should", "panic"]
        && at > 1
    {
        words.truncate(at - 1);
    }
    let words: Vec<&str> = words.into_iter().map(without_place).collect();
    let whole = words.join(" ");
    let whole = whole.trim_end_matches([':', '.', ' ', ',']);
    qualified(whole)
}

/// `test_a(shop.Cart)` and `test_a (shop.Cart.test_a)` become `shop.Cart.test_a`.
fn qualified(whole: &str) -> String {
    // A subtest has its parameters in a second pair.
    let whole = match whole.match_indices(" (").nth(1) {
        Some((second, _)) if whole.ends_with(')') => &whole[..second],
        _ => whole,
    };
    let parts = whole.strip_suffix(')').and_then(|whole| whole.split_once('('));
    let Some((test, class)) = parts else { return whole.to_owned() };
    let is_word = |text: &str| {
        text.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '.' | '$'))
            && text.starts_with(|letter: char| letter.is_alphabetic())
    };
    let test = test.trim_end();
    if !is_word(test)
        || !is_word(class)
        || !class.contains('.') && test.len() + class.len() + 3 > whole.len() + 2
    {
        return whole.to_owned();
    }
    if class.ends_with(&format!(".{test}")) { class.to_owned() } else { format!("{class}.{test}") }
}

/// `[cart.rb:7]:`, `...`.
fn is_tail(word: &str) -> bool {
    let place =
        word.trim_end_matches(':').strip_prefix('[').and_then(|word| word.strip_suffix(']'));
    place.is_some_and(|place| without_place(place).len() < place.len())
        || !word.contains(char::is_alphanumeric) && word.is_ascii()
}

/// `[`, `0.010s]`, `(1/2)`, `3)`.
fn is_lead(word: &str) -> bool {
    let bare = word.trim_matches(['[', ']', '(', ')', ':', '#']);
    let is_number = bare.bytes().all(|byte| byte.is_ascii_digit() || byte == b'/');
    let is_time = bare.len() < word.len() && bare.contains('.') && bare.parse::<f64>().is_ok();
    bare.is_empty() || is_number && bare.len() < word.len() || is_time || is_duration(word)
}

/// `cart.spec.js:3:3` becomes `cart.spec.js`.
fn without_place(word: &str) -> &str {
    let bare = word.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == ':');
    if bare.len() < word.len() && word[bare.len()..].starts_with(':') && bare.contains('.') {
        bare
    } else {
        word
    }
}

/// Returns whether a text may be a name: no counts, no general word, no message.
pub(super) fn is_name(shown: &str) -> bool {
    let mut words = shown.split_whitespace();
    let first = words.next().unwrap_or_default();
    let general = |word: &str| {
        GENERAL.contains(
            &word.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase().as_str(),
        )
    };
    let is_number = first.bytes().all(|byte| byte.is_ascii_digit() || byte == b'%');
    let is_summary = is_number && shown.split_whitespace().any(general);
    let is_general = shown.split_whitespace().all(general);
    shown.len() > 1
        && !shown.starts_with(['(', '-', '='])
        && !shown.ends_with(" to run")
        && shown.len() < LONGEST
        && !is_summary
        && !is_general
        && shown.contains(char::is_alphabetic)
}

/// Returns whether a text is one path of a file.
pub(in super::super) fn is_file(shown: &str) -> bool {
    let shown = shown.trim();
    !shown.contains(char::is_whitespace) && has_file(shown) && !shown.contains("::")
}

/// Returns whether a text begins with a path of a file.
pub(super) fn has_file(shown: &str) -> bool {
    let first = shown.split_whitespace().next().unwrap_or_default();
    let (stem, ending) = first.rsplit_once('.').unwrap_or((first, ""));
    let is_ending = (1..=6).contains(&ending.len())
        && ending.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    is_ending && !stem.is_empty() && !first.contains(['(', '=', ','])
}

//! The identity of a failure: its name without what changes from run to run.

/// Returns a name without places in files, durations, numbering and the style of its separators.
///
/// Two runs that print the same failure give the same identity, also after lines were added above
/// the test.
pub(super) fn identity(shown: &str) -> String {
    let mut words: Vec<&str> = Vec::new();
    for word in shown.split([' ', '\t']).filter(|word| !word.is_empty()) {
        if !matches!(word, ">" | "›" | "»" | "::" | "#" | "-" | "...") {
            words.push(word);
        }
    }
    without_line(&mut words);
    without_duration(&mut words);
    if let [number, _, ..] = words[..]
        && is_numbering(number)
    {
        words.remove(0);
    }
    let plain: Vec<String> = words.iter().map(|word| plain(word)).collect();
    plain.join(" ").trim().to_owned()
}

/// Removes `(line 5)` at the end and `(seed 5)` wherever it is.
fn without_line(words: &mut Vec<&str>) {
    let is_number = |word: &str| {
        word.strip_suffix(')').is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit()))
    };
    while let Some(at) = words
        .windows(2)
        .position(|pair| matches!(pair[0], "(line" | "(seed" | "(seed:") && is_number(pair[1]))
    {
        words.drain(at..at + 2);
    }
}

/// Removes `5ms`, `(5 ms)` and `[0.2s]` at the end, unless nothing else is left.
pub(super) fn without_duration(words: &mut Vec<&str>) {
    while words.len() > 1 && words.last().is_some_and(|word| is_duration(word)) {
        words.pop();
    }
    if let [_, .., number, unit] = words[..]
        && number.starts_with(['(', '['])
        && unit.ends_with([')', ']'])
        && is_duration(&format!("{number}{unit}"))
    {
        words.truncate(words.len() - 2);
    }
}

/// `(5ms)`, `[0.2s]`, `5ms`.
pub(super) fn is_duration(word: &str) -> bool {
    let bare = word.trim_matches(['(', ')', '[', ']', '<', ',']);
    let number = bare.trim_end_matches(|letter: char| letter.is_alphabetic());
    let unit = &bare[number.len()..];
    matches!(unit, "s" | "ms" | "ns" | "µs" | "us" | "m" | "min" | "sec" | "seconds")
        && !number.is_empty()
        && number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

/// `1)`, `3/7`, `#4`.
fn is_numbering(word: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    word.strip_suffix(')').is_some_and(digits)
        || word.strip_prefix('#').is_some_and(digits)
        || word.split_once('/').is_some_and(|(one, all)| digits(one) && digits(all))
}

/// Returns a word without `./` before it and `:12:3` after it, with spaces for `::` and `#`.
fn plain(word: &str) -> String {
    let mut word = word.strip_prefix("./").unwrap_or(word);
    while let Some((before, number)) = word.rsplit_once(':') {
        if before.is_empty()
            || number.is_empty()
            || !number.bytes().all(|byte| byte.is_ascii_digit())
        {
            break;
        }
        word = before;
    }
    word.replace("::", " ").replace('#', " ")
}

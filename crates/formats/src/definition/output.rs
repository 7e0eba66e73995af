//! Tells the options of a command that only change what it prints from all others.

use std::borrow::Cow;

use sprag_core::runners::{OutputOptions, output_options};

use super::paths::file_name;

/// Words that may stand before a runner without a change of its options.
const BEFORE: [&str; 12] = [
    "-m", "bundle", "exec", "npx", "pdm", "pnpm", "poetry", "python", "python3", "run", "uv",
    "yarn",
];

/// Returns a command without the options that only change what it prints. A text that is more than
/// plain words stays as it is.
pub(super) fn without_output(line: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || " \t-_./:=@,+".contains(c);
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_before = |word: &&&str| BEFORE.contains(*word);
    let begin = words.iter().take_while(is_before).count();
    let name = words.get(begin).map(|word| file_name(word.trim_start_matches('@')));
    let Some(options) = name.and_then(output_options).filter(|_| line.chars().all(is_plain)) else {
        return Cow::Borrowed(line);
    };
    let mut kept: Vec<&str> = words[..=begin].to_vec();
    let mut rest = words[begin + 1..].iter();
    while let Some(word) = rest.next() {
        if options.valued.contains(word) {
            rest.next();
        } else if !is_output(word, options) {
            kept.push(word);
        }
    }
    // `cargo test -- --nocapture`
    if kept.last() == Some(&"--") {
        kept.pop();
    }
    Cow::Owned(kept.join(" "))
}

fn is_output(word: &str, options: &OutputOptions) -> bool {
    let name = word.split_once('=').map(|(name, _)| name);
    options.flags.contains(&word) || name.is_some_and(|name| options.valued.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_options_of_the_output_are_left_out() {
        for (line, expected) in [
            ("pytest -q -vv --tb=short tests", "pytest tests"),
            ("python3 -m pytest -s --durations 5", "python3 -m pytest"),
            ("@pytest -q", "@pytest"),
            ("cargo test --quiet -- --nocapture two", "cargo test -- two"),
            ("cargo test -- --show-output", "cargo test"),
            ("pytest -k ok -x", "pytest -k ok -x"),
            ("sh -v x.sh", "sh -v x.sh"),
            ("pytest -q || true", "pytest -q || true"),
            ("pytest -q $ARGS", "pytest -q $ARGS"),
            ("echo pytest -q", "echo pytest -q"),
            ("", ""),
        ] {
            assert_eq!(without_output(line), expected);
        }
    }
}

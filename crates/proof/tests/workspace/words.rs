//! Words that must not occur in the sources.

/// Written in two halves, so that this file does not match.
const BANNED: &[(&str, &str)] = &[
    (concat!("#[", "ignore"), "a test that is switched off is neither a pass nor a counted skip"),
    (concat!("todo", "!("), "no stubs"),
    (concat!("unimplemented", "!("), "no stubs"),
    (concat!("TO", "DO"), "finish it or write an issue"),
    (concat!("FIX", "ME"), "finish it or write an issue"),
];

#[test]
fn no_test_is_switched_off_and_nothing_is_left_for_later() {
    let mut found = Vec::new();
    for (path, text) in crate::sources() {
        for (number, line) in text.lines().enumerate() {
            for (word, why) in BANNED.iter().filter(|(word, _)| line.contains(word)) {
                found.push(format!("{}:{}: `{word}`: {why}", path.display(), number + 1));
            }
        }
    }
    assert_eq!(found, Vec::<String>::new());
}

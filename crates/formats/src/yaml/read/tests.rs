//! Tests the check of token positions with wrong positions, which the parser itself never reports.

use super::*;

const TEXT: &str = "é: 'x'\n---\n";
/// The front matter ends before the marker.
const REGION: Range<usize> = 0..8;

fn located(event: Event<'_>, bytes: Range<usize>, tag: Range<usize>) -> Result<(), Fault> {
    Reader::new(TEXT, REGION).located(event, bytes, tag)
}

fn lost(result: Result<(), Fault>) -> bool {
    result.is_err_and(|fault| fault.what == "a value could not be located")
}

#[test]
fn a_token_outside_the_text_is_refused() {
    for odd in [1..2, 0..1, 9..10, 7..9, 40..41] {
        assert!(lost(located(Event::StreamStart, odd.clone(), 0..0)), "{odd:?}");
        assert!(lost(located(Event::StreamStart, 0..0, odd.clone())), "{odd:?}");
    }
    assert_eq!(located(Event::StreamStart, 0..8, 2..8), Ok(()));
}

#[test]
fn a_scalar_that_begins_otherwise_is_refused() {
    let scalar = |text: &'static str, style, bytes| {
        located(Event::Scalar(text.into(), style, 0, None), bytes, 0..0)
    };
    for style in [ScalarStyle::Plain, ScalarStyle::SingleQuoted, ScalarStyle::DoubleQuoted] {
        assert!(lost(scalar("x", style, 0..2)), "{style:?}");
    }
    assert_eq!(scalar("é", ScalarStyle::Plain, 0..2), Ok(()));
    assert_eq!(scalar("", ScalarStyle::Plain, 3..3), Ok(()));
    assert_eq!(scalar("x", ScalarStyle::SingleQuoted, 4..7), Ok(()));
}

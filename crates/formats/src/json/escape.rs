/// Decodes the escape at the start of a text. Returns its code and its length in bytes, or `None`
/// if it is not a JSON escape. A surrogate pair is one code; half of one alone is a code that is no
/// character.
pub fn json_escape(text: &[u8]) -> Option<(u32, usize)> {
    let simple = match text.strip_prefix(b"\\")?.first()? {
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => return unit(text).map(|first| pair(first, text)),
        same @ (b'"' | b'\\' | b'/') => char::from(*same),
        _ => return None,
    };
    Some((simple.into(), 2))
}

fn pair(first: u32, text: &[u8]) -> (u32, usize) {
    match (first, unit(&text[6..])) {
        (0xd800..=0xdbff, Some(second @ 0xdc00..=0xdfff)) => {
            (0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00), 12)
        }
        (_, Some(_) | None) => (first, 6),
    }
}

/// Parses `\uXXXX`.
fn unit(text: &[u8]) -> Option<u32> {
    let digits = text.get(..6)?.strip_prefix(b"\\u")?;
    digits.iter().try_fold(0, |code, &digit| Some(code << 4 | char::from(digit).to_digit(16)?))
}

#[cfg(test)]
mod tests {
    use super::json_escape;

    #[test]
    fn escapes_are_read_with_their_length() {
        let read = |text: &str| json_escape(text.as_bytes());
        assert_eq!(read(r"\n and more"), Some((10, 2)));
        assert_eq!(read(r"\u00e9x"), Some((0xe9, 6)));
        assert_eq!(read(r"\ud83d\ude00"), Some((0x1_f600, 12)), "a pair is one");
        for half in [r"\ud83d", r"\ud83dx", r"\ud83d\u0041", r"\ude00\ud83d"] {
            let (code, length) = read(half).unwrap();
            assert!(char::from_u32(code).is_none() && length == 6, "{half}");
        }
        for wrong in ["", "n", "\\", r"\x", r"\u12", r"\u12g4", r"\u+123"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}

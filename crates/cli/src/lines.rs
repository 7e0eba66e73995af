//! Reads lines of untrusted input with bounded memory.

use std::io::{self, BufRead, Read as _};

/// A line without its line break.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum RawLine {
    Whole(Vec<u8>),
    /// It exceeded the limit and was discarded.
    TooLong,
}

/// Reads the next line; `None` at the end of the input. The last line may lack a line break.
pub(crate) fn next(input: &mut impl BufRead, most: usize) -> io::Result<Option<RawLine>> {
    let mut line = Vec::new();
    let room = u64::try_from(most).unwrap_or(u64::MAX).saturating_add(1);
    if input.by_ref().take(room).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
    } else if line.len() > most {
        skip(input)?;
        return Ok(Some(RawLine::TooLong));
    }
    if line.last() == Some(&b'\r') {
        line.pop();
    }
    Ok(Some(RawLine::Whole(line)))
}

/// Discards the rest of a line.
fn skip(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let found = match input.fill_buf() {
            Ok([]) => return Ok(()),
            Ok(piece) => piece.iter().position(|&byte| byte == b'\n').ok_or(piece.len()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        match found {
            Ok(end) => {
                input.consume(end + 1);
                return Ok(());
            }
            Err(all) => input.consume(all),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str, most: usize) -> Vec<RawLine> {
        // A small buffer, so that lines and chunks end at different places.
        let mut input = io::BufReader::with_capacity(3, text.as_bytes());
        std::iter::from_fn(|| next(&mut input, most).unwrap()).collect()
    }

    fn whole(text: &str) -> RawLine {
        RawLine::Whole(text.as_bytes().to_vec())
    }

    #[test]
    fn lines_end_with_a_line_break_of_any_kind_or_with_the_input() {
        assert_eq!(all("", 9), []);
        assert_eq!(all("\n", 9), [whole("")]);
        assert_eq!(all("ab\r\ncd", 9), [whole("ab"), whole("cd")]);
        assert_eq!(all("ab\n\ncd\n", 9), [whole("ab"), whole(""), whole("cd")]);
    }

    #[test]
    fn a_line_that_is_too_long_is_passed_over_and_the_next_one_is_read() {
        assert_eq!(all("abcd\n12345\nab\n", 4), [whole("abcd"), RawLine::TooLong, whole("ab")]);
        assert_eq!(all("12345678", 4), [RawLine::TooLong]);
        assert_eq!(all("12345678\nab", 4), [RawLine::TooLong, whole("ab")]);
    }
}

//! Compares two versions of a test.

use std::collections::BTreeMap;

use super::grown::has_grown;
use super::language::Language;
use super::name::{TestFile, kind};
use super::same::{has_same_lines, is_same};
use super::scan::scan;
use super::snapshot;
use crate::basis::Difference;

/// Larger texts are compared only as a whole.
pub const LARGEST: usize = 512 * 1024;

/// Compares a test with its earlier text.
///
/// A part of a source file, such as the tests in it, is compared under the name of the file. The
/// time is proportional to the size of the texts. Bytes that are not UTF-8 are compared as a whole.
pub fn compare(path: &str, was: &[u8], now: &[u8]) -> Difference {
    if was == now {
        return Difference::Blank;
    }
    let is_large = was.len().max(now.len()) > LARGEST;
    let (Ok(was), Ok(now), false) = (str::from_utf8(was), str::from_utf8(now), is_large) else {
        return Difference::Other;
    };
    if kind(path) == Some(TestFile::Data) {
        return if snapshot::has_grown(path, was, now) {
            Difference::Grew
        } else {
            Difference::Other
        };
    }
    let Some(language) = Language::of(path) else {
        // The name of other data does not show whether a blank line matters in it.
        let is_blank = kind(path).is_some() && has_same_lines(was, now);
        return if is_blank { Difference::Blank } else { Difference::Other };
    };
    let (was_read, now_read) = (scan(was, language), scan(now, language));
    if has_same_lines(was, now) || is_same(&was_read, &now_read, language, path) {
        Difference::Blank
    } else if has_grown(path, was, was_read, now_read, language) {
        Difference::Grew
    } else {
        Difference::Other
    }
}

/// The number of lines added to and removed from a text, wherever they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineCounts {
    pub came: usize,
    pub went: usize,
}

/// Counts added and removed lines, without blank ones.
pub fn lines(was: &[u8], now: &[u8]) -> LineCounts {
    let mut count: BTreeMap<&[u8], isize> = BTreeMap::new();
    for (text, sign) in [(was, -1), (now, 1)] {
        for line in text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii) {
            if !line.is_empty() {
                *count.entry(line).or_default() += sign;
            }
        }
    }
    let sum = |is: fn(isize) -> isize| {
        count.values().map(|times| usize::try_from(is(*times)).unwrap_or(0)).sum()
    };
    LineCounts { came: sum(|times| times), went: sum(|times| -times) }
}

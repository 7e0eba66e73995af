//! Finds the lines of a log: they differ from many others in numbers and ids only.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// A shape with this many lines is one of a log.
const MANY: u32 = 200;
/// The first lines of a shape stay.
const KEPT: u32 = 20;

/// Returns which lines repeat the shape of many before them.
pub(super) fn repeated(lines: &[String]) -> Vec<bool> {
    let shapes: Vec<u64> = lines.iter().map(|line| shape(line)).collect();
    let mut times: HashMap<u64, u32> = HashMap::new();
    for shape in &shapes {
        *times.entry(*shape).or_default() += 1;
    }
    times.retain(|_, times| *times >= MANY);
    let mut seen: HashMap<u64, u32> = HashMap::new();
    let mut is_repeated = |shape: &u64| {
        times.contains_key(shape) && {
            let before = seen.entry(*shape).or_default();
            *before += 1;
            *before > KEPT
        }
    };
    shapes.iter().map(&mut is_repeated).collect()
}

/// Hashes a line without its words that contain a digit.
fn shape(line: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    for word in line.split(|letter: char| !letter.is_ascii_alphanumeric()) {
        if word.bytes().any(|byte| byte.is_ascii_digit()) {
            0_u8.hash(&mut hasher);
        } else {
            word.hash(&mut hasher);
        }
    }
    hasher.finish()
}

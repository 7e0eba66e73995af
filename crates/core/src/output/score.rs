//! How much a line helps to find out why a check failed.

use super::cannot::{says_cannot, says_none};
use super::patterns::{Pattern, Text, line};

const EXPECTED: Pattern = line(
    "",
    r"(?i)\b(?:expected|actual|received|got|want|wanted|left|right|to equal|to be|but was|assert\w*|!==?|should)\b|^\s*[-+] ?\S|^E\s|==|!=",
);
const ERROR: Pattern = line(
    "",
    r"(?i)\b(?:\w*error|fatal|panic\w*|exception|\w*exception|failed|failure|cannot|can't|unable to|could not|undefined|unresolved|not found|no such|timed out|timeout|exceeded|segmentation fault|overflow\w*|sig[a-z]{3,4}|missing|invalid|denied|unexpected|crash\w*|abort\w*|declined|does not meet)\b",
);
const PLACE: Pattern =
    line("", r"[\w\]~]\.\w{1,6}(?::\d+|\(\d+|, line \d+| line \d+)|^In .* line \d+");
const WARNING: Pattern = line("arning", r"(?i)^\s*(?:\S+:\d+:?(?:\d+:)? )?warning\b");
const HINT: Pattern = line(
    "",
    r"^\s*(?:help|note|= help|= note|hint|i|tip|\?)\b[: ]|^\s*\^|^\s*\d* *\||^\s*[|^~ +-]+$|^\s*\d+ ?[|│]|^\s*(?:at|in) |^\s*\d+\|",
);
const POINTED: Pattern = line("", r"^\s*>\s*\d* ?[|│]?\s*\S|^E\s|^>");

/// Returns the score of a line in an excerpt; nothing below one is worth a place.
pub(super) fn score(text: &Text, at: usize) -> i32 {
    let has = |pattern: Pattern| text.at(at, pattern).is_some();
    if text.lines[at].trim().is_empty() {
        return 0;
    }
    let mut score = 1;
    for (pattern, weight) in
        [(EXPECTED, 4), (ERROR, 3), (PLACE, 3), (POINTED, 2), (HINT, -2), (WARNING, -3)]
    {
        if has(pattern) {
            score += weight;
        }
    }
    score
}

/// Returns the line that says best why nothing could run, or what went wrong, and its weight.
pub(super) fn telling(text: &Text, out: &[bool], cannot: bool) -> Option<(usize, i32)> {
    let weigh = |at: usize| {
        let has = |pattern: Pattern| text.at(at, pattern).is_some();
        let mut weight = 0;
        weight += if cannot && says_cannot(text, at) && !has(GENERAL) { 8 } else { 0 };
        weight += if says_none(text, at) { 3 } else { 0 };
        weight += if has(ERROR) { 4 } else { 0 };
        weight += if has(ERROR_START) { 4 } else { 0 };
        weight += i32::from(has(PLACE));
        weight -= if has(HINT) || has(WARNING) { 4 } else { 0 };
        weight -= if has(GENERAL) { 6 } else { 0 };
        weight
    };
    let lines = (0..text.lines.len()).filter(|at| !out[*at] && !text.lines[*at].trim().is_empty());
    let best =
        lines.map(|at| (weigh(at), at)).max_by_key(|(weight, at)| (*weight, usize::MAX - at));
    best.map(|(weight, at)| (at, weight))
}

const ERROR_START: Pattern = line(
    "",
    r"^(?:E:?\s+)?[│|]?\s*(?:[×✘✖] |\[?(?:ERROR|FATAL|error)\b[^a-z]|(?:\w+\.)*\w*(?:Error|Exception)(?: \[\w+\])?: |error|fatal|panic: |e: |PHP (?:Fatal|Parse) error)",
);
/// Lines that say that there was an error, and not which.
const GENERAL: Pattern = line(
    "",
    r"^(?:ERROR: )?[Uu]sage: |^\s*--> |^(?:\[ERROR\] ){1,2}Some problems|^FAILURE: Build failed|^Execution failed for task|^> Compilation error|failed to solve|did not complete successfully|COMPILATION ERROR|^Traceback |^BUILD FAIL|^FAIL(?:ED|URES?)?[! ]*$|^Error: ERR_PNPM|^(?:Error: )?No tests found$|exited because|^npm error code|^\[ERROR\]\s*$|^ImportError: Failed to import test|^Failure/Error|could not be loaded|^An error occurred|^Interrupted|Oops!|errors? during collection|^\[ERROR\] (?:The build could|\s*The project)|Failed to compile|^error: could not compile|^error: aborting|\[build failed\]|^error Command failed|^Found \d+ error|^\d+ errors?",
);

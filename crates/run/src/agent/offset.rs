//! Reads the local clock's offset from UTC, for hosts that report the end of a limit in local time.

use std::ffi::OsStr;
use std::time::Duration;

use sprag_hosts::Host;
use sprag_world::process::Tool;

use super::Job;

/// The time limit for `date`.
const LIMIT: Duration = Duration::from_secs(2);

/// Returns the offset if the host needs it, or `None` if it is unknown.
pub(super) fn minutes(host: Host, job: &Job) -> Option<i32> {
    if !host.has_local_times() {
        return None;
    }
    let words = [OsStr::new("+%z")];
    let environment = &job.person;
    let asked = Tool {
        program: "date",
        words: &words,
        folder: &job.folder,
        environment,
        input: &[],
        limit: LIMIT,
    };
    parse(std::str::from_utf8(&asked.ask().ok()?.out).ok()?.trim())
}

/// Parses an offset such as `+0530`.
fn parse(text: &str) -> Option<i32> {
    let (sign, digits) = match text.split_at_checked(1)? {
        ("+", digits) => (1, digits),
        ("-", digits) => (-1, digits),
        _ => return None,
    };
    let is_one = digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_digit());
    let number: i32 = is_one.then(|| digits.parse().ok())??;
    Some(sign * (number / 100 * 60 + number % 100))
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn offsets_are_read() {
        assert_eq!(["+0530", "-0330", "+0000"].map(parse), [Some(330), Some(-210), Some(0)]);
        assert_eq!(["", "0530", "+5:30", "+é00", "UTC"].map(parse), [None; 5]);
    }
}

//! Recognises a provider's limit in error texts, and reads when it ends.

use sprag_core::Time;

use super::Moment;

/// The phrases of a limit in errors, in lower case.
const WORDS: [&str; 8] = [
    "rate limit",
    "rate_limit",
    "usage limit",
    "usage_limit",
    "too many requests",
    "quota",
    "limit reached",
    "hit your",
];

/// The phrases before a duration.
const IN: [&str; 5] = ["try again in ", "retry in ", "retry after ", "resets in ", "reset after "];

/// The phrase before an hour on the person's clock.
const AT: &str = "try again at ";

/// Longer durations are not believed: providers count by the week.
const LONGEST_MILLIS: f64 = 32.0 * 86_400_000.0;

/// Returns a text as one line without control characters.
pub(crate) fn clean(text: &str) -> String {
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    text.chars().map(plain).collect::<String>().trim().to_owned()
}

/// Returns whether an error is about a limit.
pub(crate) fn is_limit(why: &str) -> bool {
    let why = why.to_lowercase();
    let mut numbers = why.split(|c: char| !c.is_ascii_digit());
    numbers.any(|number| number == "429") || WORDS.iter().any(|word| why.contains(word))
}

/// Reads from the text when a limit ends: a duration or a time of day.
pub(crate) fn until(why: &str, at: Moment) -> Option<Time> {
    let small = why.to_ascii_lowercase();
    let after = |mark: &&str| small.find(*mark).map(|found| &small[found + mark.len()..]);
    let lasts = IN.iter().find_map(after).and_then(millis);
    let lasts = lasts.map(|millis| at.now.plus_millis(millis));
    lasts.or_else(|| clock(after(&AT)?, at))
}

/// Splits the Unix time off the end of `usage limit reached|1763257326`, which no person can read.
pub(crate) fn dated(why: &str) -> (&str, Option<Time>) {
    let Some((said, seconds)) = why.rsplit_once('|') else { return (why, None) };
    let is_moment = seconds.len() == 10 && seconds.bytes().all(|byte| byte.is_ascii_digit());
    match seconds.parse::<i64>() {
        Ok(seconds) if is_moment => (said, Some(Time::from_millis(seconds * 1000))),
        Ok(_) | Err(_) => (why, None),
    }
}

/// Parses `20m0s`, `41.2s`, `3 days 4 hours` or a number of seconds.
fn millis(text: &str) -> Option<i64> {
    let (mut rest, mut all) = (text.trim_start(), None);
    loop {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        // The full stop of a sentence does not belong to the number.
        let Ok(number) = rest[..digits].trim_end_matches('.').parse::<f64>() else { break };
        let after = rest[digits..].trim_start();
        let word = after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len());
        match (unit(&after[..word]), all) {
            (Some(unit), _) => all = Some(number * unit + all.unwrap_or(0.0)),
            (None, None) => return believed(number * 1e3),
            (None, Some(_)) => break,
        }
        rest = after[word..].trim_start_matches([' ', ',']);
        rest = rest.strip_prefix("and ").unwrap_or(rest);
    }
    all.and_then(believed)
}

#[expect(clippy::cast_possible_truncation, reason = "it is below the longest")]
fn believed(millis: f64) -> Option<i64> {
    (millis < LONGEST_MILLIS).then_some(millis as i64)
}

fn unit(word: &str) -> Option<f64> {
    Some(match word {
        "ms" => 1.0,
        "s" | "sec" | "secs" | "second" | "seconds" => 1e3,
        "m" | "min" | "mins" | "minute" | "minutes" => 60e3,
        "h" | "hr" | "hrs" | "hour" | "hours" => 3_600e3,
        "d" | "day" | "days" => 86_400e3,
        _ => return None,
    })
}

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// Parses `6:41 pm` or `nov 16th, 2026 6:41 pm` on the person's clock. Returns the end of that
/// minute, because the text has no seconds. Without a date, it is the next time that the clock
/// shows this.
fn clock(text: &str, at: Moment) -> Option<Time> {
    let offset = i64::from(at.offset_minutes?) * 60_000;
    let mut words = text.split([' ', ',']).filter(|word| !word.is_empty());
    let mut first = words.next()?;
    let here = at.now.plus_millis(offset).to_string();
    let mut day = here.get(..10)?.to_owned();
    let month = MONTHS.iter().position(|month| first.starts_with(month));
    if let Some(month) = month {
        let digits = |word: &str| word.trim_matches(|c: char| !c.is_ascii_digit()).parse().ok();
        let (of_month, year): (u32, u32) = (digits(words.next()?)?, digits(words.next()?)?);
        day = format!("{year:04}-{:02}-{of_month:02}", month + 1);
        first = words.next()?;
    }
    let (hour, minute) = first.split_once(':')?;
    let (hour, minute): (u32, u32) = (hour.parse().ok()?, minute.parse().ok()?);
    let hour = match words.next()?.trim_end_matches('.') {
        "am" => hour % 12,
        "pm" => hour % 12 + 12,
        _ => return None,
    };
    let shown = Time::parse(&format!("{day}T{hour:02}:{minute:02}:00Z"))?.plus_millis(-offset);
    let ends = shown.plus_millis(60_000);
    let is_over = month.is_none() && ends <= at.now;
    Some(if is_over { ends.plus_millis(86_400_000) } else { ends })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(why: &str, offset_minutes: Option<i32>) -> Option<String> {
        let now = Time::parse("2026-11-15T17:41:25Z").unwrap();
        until(why, Moment { now, offset_minutes }).map(|time| time.to_string())
    }

    #[test]
    fn how_long_it_lasts_is_read() {
        for (why, expected) in [
            ("Please try again in 20m0s.", "18:01:25.000Z"),
            ("Please retry in 41.25s.", "17:42:06.250Z"),
            ("retry after 90", "17:42:55.000Z"),
            ("try again in 1 hour and 5 minutes.", "18:46:25.000Z"),
            ("Try again in 500ms", "17:41:25.500Z"),
        ] {
            assert_eq!(ends(why, None), Some(format!("2026-11-15T{expected}")), "{why}");
        }
        for why in ["", "try again later", "try again in a while", "retry in .s", "retry in 1e9s"] {
            assert!(ends(why, None).is_none_or(|time| time.starts_with("2026-11-15")), "{why}");
        }
        assert_eq!(ends("retry in 99999999999999999999s", None), None);
    }

    #[test]
    fn a_moment_in_seconds_is_read_and_taken_off() {
        let (said, until) = dated("Claude AI usage limit reached|1794764500");
        assert_eq!(said, "Claude AI usage limit reached");
        assert_eq!(until.unwrap().to_string(), "2026-11-15T17:41:40.000Z");
        for why in ["", "limit reached", "limit|", "limit|12", "limit|+179476450", "a|b"] {
            assert_eq!(dated(why), (why, None));
        }
    }

    #[test]
    fn an_hour_is_that_of_the_person_s_clock() {
        let why = "You’ve hit your usage limit, or try again at 6:41 PM.";
        assert_eq!(ends(why, Some(0)).as_deref(), Some("2026-11-15T18:42:00.000Z"));
        // In this same minute: it has not passed while the clock shows it.
        assert_eq!(ends(why, Some(60)).as_deref(), Some("2026-11-15T17:42:00.000Z"));
        assert_eq!(ends(why, Some(61)).as_deref(), Some("2026-11-16T17:41:00.000Z"));
        assert_eq!(ends(why, Some(-300)).as_deref(), Some("2026-11-15T23:42:00.000Z"));
        assert_eq!(ends(why, None), None);
        let why = "try again at Nov 20th, 2026 12:05 AM.";
        assert_eq!(ends(why, Some(90)).as_deref(), Some("2026-11-19T22:36:00.000Z"));
        for why in
            ["try again at Nov", "try again at 99:99 PM", "try again at Feb 31st, 2026 1:00 AM"]
        {
            assert_eq!(ends(why, Some(0)), None, "{why}");
        }
    }

    #[test]
    fn limits_are_told_from_failures() {
        for why in
            ["last status: 429 Too Many Requests", "exhausted your daily quota", "Rate limit"]
        {
            assert!(is_limit(why), "{why}");
        }
        for why in ["status 401 Unauthorized", "request 14290 failed", ""] {
            assert!(!is_limit(why), "{why}");
        }
    }
}

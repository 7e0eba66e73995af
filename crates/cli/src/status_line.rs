//! The line that a host shows below its prompt: the session's holds at a glance.

use sprag_core::SessionId;
use sprag_engine::engine::{Engine, EngineError};
use sprag_engine::session_line::{HoldingRun, SessionLine};

use crate::style::{Colour, Signs, StreamStyle};

/// Longer lines are cut: a host has other things to show.
const WIDTH: usize = 100;

/// Returns the line; empty if nothing is held.
pub(crate) fn of(engine: &Engine<'_>, session: &SessionId) -> Result<String, EngineError> {
    Ok(text(&engine.line(session)?))
}

/// `sprag · until: npm test · ✗ npm test, retry 2 of 3`
fn text(line: &SessionLine) -> String {
    let mut parts = vec!["sprag".to_owned()];
    match line {
        SessionLine::Off => parts.push("off".to_owned()),
        SessionLine::Free { until: None } => parts.push("free, set so by a person".to_owned()),
        SessionLine::Free { until: Some(until) } => parts.push(format!("free until {until}")),
        SessionLine::Held(held) => {
            // Waits come first, because the end of the line may be cut.
            let waits = held.iter().filter_map(|part| part.waits.as_ref());
            parts.extend(waits.map(|hold| format!("needs you: {hold}")));
            parts.extend(held.iter().map(shown));
        }
    }
    if parts.len() == 1 {
        return String::new();
    }
    let look = StreamStyle { colour: Colour::No, signs: Signs::Unicode };
    look.clip(&parts.join(" · "), WIDTH)
}

fn shown(part: &HoldingRun) -> String {
    let HoldingRun { at, failed, retry, .. } = part;
    let Some(failed) = failed else { return at.clone() };
    match retry {
        Some((used, max)) => format!("{at} · ✗ {failed}, retry {used} of {max}"),
        None => format!("{at} · ✗ {failed}"),
    }
}

#[cfg(test)]
mod tests {
    use sprag_core::Hold;

    use super::*;

    fn part(at: &str) -> HoldingRun {
        HoldingRun { at: at.to_owned(), failed: None, retry: None, waits: None }
    }

    #[test]
    fn it_says_what_holds_the_session_in_one_line() {
        let red = HoldingRun {
            failed: Some("npm test".to_owned()),
            retry: Some((2, 3)),
            ..part("guard: npm test")
        };
        let asks = HoldingRun {
            waits: Some(Hold::Asked { what: "may it ship?".to_owned() }),
            ..part("Feature > 🚢 ship [3/3]")
        };
        for (line, expected) in [
            (SessionLine::Held(vec![]), ""),
            (SessionLine::Off, "sprag · off"),
            (SessionLine::Free { until: None }, "sprag · free, set so by a person"),
            (SessionLine::Held(vec![part("guard: npm test")]), "sprag · guard: npm test"),
            (SessionLine::Held(vec![red]), "sprag · guard: npm test · ✗ npm test, retry 2 of 3"),
            (
                SessionLine::Held(vec![asks]),
                "sprag · needs you: asks: may it ship? · Feature > 🚢 ship [3/3]",
            ),
        ] {
            assert_eq!(text(&line), expected);
        }
    }

    #[test]
    fn a_long_one_is_cut_and_a_hostile_one_stays_one_line() {
        let line = text(&SessionLine::Held(vec![part(&"x".repeat(500))]));
        assert_eq!(line.chars().count(), WIDTH);
        assert_eq!(text(&SessionLine::Held(vec![part("a\n\u{1b}[2Jb")])).lines().count(), 1);
    }
}

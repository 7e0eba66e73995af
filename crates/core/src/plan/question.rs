//! Questions to a person in the original's words, and the parsing of answers.

use super::execute::{Waves, failed_task};
use super::{Definition, Mode, Position, Stage};
use crate::{Bound, Name, Run};

/// A question of the machine itself; a checkpoint is an agent's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Question {
    /// Whether a wave may begin.
    Wave(u32),
    /// Whether a task may be retried.
    Retry(String),
    /// Whether the gaps should be fixed.
    Fix,
    /// The result of a person's check.
    Human,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum GapAnswer {
    Yes,
    No,
    Issues(String),
}

impl GapAnswer {
    /// Parses an answer to `[Y/n]`: an empty one means yes.
    pub(super) fn parse(text: &str) -> Self {
        let text = text.trim();
        let word = text.to_ascii_lowercase();
        if let Some(issues) = strip(text, "issues found:") {
            return Self::Issues(issues.to_owned());
        }
        match word.as_str() {
            "" | "y" | "yes" | "verified" => Self::Yes,
            _ => Self::No,
        }
    }
}

fn strip<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let head = text.get(..prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then(|| text[prefix.len()..].trim())
}

/// Returns the machine's current question, if nothing else can continue.
pub(super) fn question(definition: &Definition, run: &Run<Position>) -> Option<Question> {
    let position = run.position();
    let asks = definition.settings.mode == Mode::Interactive;
    match definition.stage(position) {
        Stage::Done => None,
        Stage::Execute => {
            let waves = Waves::of(definition, position);
            let wave = waves.current?;
            if asks && position.agreed.is_none_or(|agreed| agreed < wave) {
                return Some(Question::Wave(wave));
            }
            let open = waves.open.is_empty() && asks && definition.settings.auto_loop;
            open.then(|| failed_task(definition, run)).flatten().map(Question::Retry)
        }
        Stage::Verify => {
            if position.human.is_some() {
                return Some(Question::Human);
            }
            let waits = position.gaps.iter().any(|fix| fix.said.is_none());
            let full = bound(run, &Definition::VERIFY).is_exhausted() && position.opened.is_none();
            let fix = waits && asks && definition.settings.auto_loop;
            (fix && !position.consent && !full).then_some(Question::Fix)
        }
    }
}

/// The answers that a question accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Yes or no, as the question's text states.
    Said,
    /// Yes or no, without mention in the question's text.
    Unsaid,
    /// Any answer.
    Free,
}

impl Choice {
    /// Returns the accepted answers to a plan's current question; an agent's question accepts any.
    pub fn of(definition: &Definition, run: &Run<Position>) -> Self {
        let own = question(definition, run).filter(|_| run.attempts().is_empty());
        own.map_or(Self::Free, |question| question.choice())
    }
}

impl Question {
    const fn choice(&self) -> Choice {
        match self {
            Self::Wave(_) => Choice::Unsaid,
            Self::Retry(_) | Self::Fix => Choice::Said,
            Self::Human => Choice::Free,
        }
    }

    /// Returns the question's text, verbatim from the original.
    pub(super) fn text(&self, definition: &Definition, run: &Run<Position>) -> String {
        let plan = &definition.plan;
        match self {
            Self::Wave(wave) => {
                let before = plan.tasks.iter().map(|task| task.wave).filter(|one| one < wave).max();
                match before {
                    Some(before) => {
                        format!("Wave {before} complete. Continue to Wave {wave}?")
                    }
                    None => format!(
                        "Ready to execute Phase {}: {} ({} tasks in {} waves). Proceed?",
                        plan.phase,
                        plan.title,
                        plan.tasks.len(),
                        plan.waves(),
                    ),
                }
            }
            Self::Retry(task) => {
                let counted = plan.task(task).map(|task| bound(run, &Definition::retries(task)));
                let (used, max) = counted.map_or((0, 0), |bound| (bound.used(), bound.max()));
                format!("Task {task} failed. Retry? ({used}/{max} attempts used) [Y/n]")
            }
            Self::Fix => {
                let count = run.position().gaps.len();
                let rounds = bound(run, &Definition::VERIFY);
                let (used, max) = (rounds.used(), rounds.max());
                format!(
                    "Verification found {count} gaps. Attempt automatic fix? ({used}/{max}) [Y/n]"
                )
            }
            Self::Human => {
                let list = run.position().human.as_deref().unwrap_or_default();
                let lines: Vec<_> = list.iter().map(|line| format!("- [ ] {line}")).collect();
                let asked = "\"Verified\" or \"Issues found: {description}\"";
                [lines, vec![asked.to_owned()]].concat().join("\n")
            }
        }
    }
}

/// Returns a bound of the run; a missing one allows nothing.
pub(super) fn bound(run: &Run<Position>, name: &Name) -> Bound {
    run.bounds().get(name).copied().unwrap_or(Bound::new(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_a_question_say_yes_or_no_where_its_choice_says_that_they_do() {
        let (definition, run) = crate::plan::tests::asking();
        let retry = Question::Retry("01".to_owned());
        for question in
            [Question::Wave(1), Question::Wave(2), retry, Question::Fix, Question::Human]
        {
            let text = question.text(&definition, &run);
            let is_said = question.choice() == Choice::Said;
            assert_eq!(text.ends_with("[Y/n]"), is_said, "{text}");
        }
        assert_eq!(Choice::of(&definition, &run), Choice::Unsaid, "the first wave");
    }
}

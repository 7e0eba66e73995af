//! Recognizes the original's questions of interactive mode: an agent that asks one waits for a
//! person and must not answer it itself.

use crate::code_fence::CodeFence;

/// The questions, each as the texts around its placeholders.
const QUESTIONS: [&[&str]; 6] = [
    &["Ready to execute Phase ", ": ", " (", " tasks in ", " waves). Proceed?"],
    &["Wave ", " complete. Continue to Wave ", "?"],
    &["Task ", " failed. Retry? (", "/", " attempts used) [Y/n]"],
    &["Verification found ", " gaps. Attempt automatic fix? (", "/", ") [Y/n]"],
    &["You're on ", " but milestone ", " exists. Switch to ", "? [Y/n]"],
    &["Push now? [Y/n]"],
];

/// Returns the question in an agent's last message. It must be a whole line outside of fences,
/// quotes and lists, with its placeholders filled in.
pub fn literal_question(message: &str) -> Option<&str> {
    let mut fence: Option<CodeFence> = None;
    let mut found = None;
    for line in message.lines() {
        match fence {
            Some(open) if open.is_closed_by(line) => fence = None,
            Some(_) => {}
            None => {
                fence = CodeFence::opened_by(line);
                let text = line.trim_end().trim_matches('*');
                let is_one = QUESTIONS.iter().any(|parts| fits(text, parts));
                found = if is_one { Some(text) } else { found };
            }
        }
    }
    found
}

fn fits(line: &str, parts: &[&str]) -> bool {
    let Some((first, more)) = parts.split_first() else { return false };
    let Some(mut rest) = line.strip_prefix(first) else { return false };
    for part in more {
        let Some((filled, after)) = rest.split_once(part) else { return false };
        if filled.is_empty() || filled.starts_with('{') {
            return false;
        }
        rest = after;
    }
    rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_literal_questions_are_known_by_their_words() {
        for line in [
            "Ready to execute Phase 1: Greeting (2 tasks in 2 waves). Proceed?",
            "Wave 1 complete. Continue to Wave 2?",
            "Task 01 failed. Retry? (0/3 attempts used) [Y/n]",
            "Verification found 2 gaps. Attempt automatic fix? (1/20) [Y/n]",
            "You're on main but milestone v1 exists. Switch to gsd/v1? [Y/n]",
            "Push now? [Y/n]",
        ] {
            assert_eq!(literal_question(&format!("I tried.\n\n**{line}**\n")), Some(line));
            for other in [
                format!("> {line}"),
                format!("- {line}"),
                format!("```\n{line}\n```"),
                format!("I asked: {line}"),
                format!("{line} I say yes."),
            ] {
                assert_eq!(literal_question(&other), None, "{other}");
            }
        }
    }

    #[test]
    fn any_other_question_is_not_for_a_person_to_answer_first() {
        for line in [
            "Shall I stop? [Y/n]",
            "Task {N} failed. Retry? ({retries}/{max_retries} attempts used) [Y/n]",
            "Task  failed. Retry? (0/3 attempts used) [Y/n]",
            "Continue?",
        ] {
            assert_eq!(literal_question(line), None, "{line}");
        }
    }
}

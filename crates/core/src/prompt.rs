//! Text for an agent or a person: foreign output made safe, short and readable.

use crate::basis::{InputKey, InputKeys};
use crate::fingerprint::without_ansi;
use crate::unit_states::retry;
use crate::{Facts, Glob, Machine, Receipt, Retry, Run, Time, Unit, quoted};

/// The texts of a unit that its agent sees.
///
/// The runner's prompt, the injected context, a refusal's instruction and the answer of `sprag
/// next` all use them.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Prompt {
    /// The literal first line of a refusal; may be empty.
    pub said: String,
    /// The instruction; without it a refusal has only its literal line.
    pub text: String,
    /// The last failure; filled in by the kernel.
    pub evidence: Option<Receipt>,
    /// The number of the next begin as a retry; filled in by the kernel.
    pub retry: Option<Retry>,
    /// Changed inputs that the agent was asked to restore; filled in by the kernel.
    pub sent_back: InputKeys,
}

impl Prompt {
    /// Creates a prompt with nothing but an instruction.
    pub fn of(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }
}

/// Returns the prompt of `unit`, always with its last failure.
pub fn prompt<M: Machine>(
    definition: &M::Definition,
    run: &Run<M::Position>,
    unit: &Unit,
    facts: &Facts,
) -> Prompt {
    let Prompt { said, text, .. } = M::prompt(definition, run, unit, facts);
    let evidence = run.failed.get(&unit.id).map(|red| red.receipt.clone());
    // A later failure takes precedence: its gates no longer pass.
    let sent_back = run.sent_back.get(&unit.id).filter(|_| evidence.is_none());
    let sent_back = sent_back.cloned().unwrap_or_default();
    Prompt { said, text, evidence, retry: retry(run, unit), sent_back }
}

/// Maximum number of inputs named to an agent that is sent back.
const NAMED: usize = 20;

/// Returns the message to an agent that changed inputs it is judged by.
pub fn sent_back(unit: &Unit, inputs: &InputKeys) -> String {
    let gates: Vec<String> = unit.gates.iter().map(|gate| format!("`{}`", gate.name)).collect();
    let passes = match gates.as_slice() {
        [] => "The checks pass".to_owned(),
        [one] => format!("{one} passes"),
        [..] => format!("{} pass", gates.join(", ")),
    };
    let mut names: Vec<String> = inputs.iter().take(NAMED).map(InputKey::in_words).collect();
    if inputs.len() > NAMED {
        names.push(format!("and {} more", inputs.len() - NAMED));
    }
    let first = inputs.iter().next().map_or("FILE", InputKey::path);
    let quoted = quoted(first);
    format!(
        "{passes}, but you changed files it is judged by: {}.\nIf the task needs this, say why in one \
         sentence and stop again. If not, restore them (`sprag diff {quoted}` shows the earlier text). \
         Leave anything you did not change. New tests are fine.",
        short(&names.join(", "), INSTRUCTION)
    )
}

/// Returns the notice about protected files; `None` if there are none.
pub fn protected<'g>(globs: impl IntoIterator<Item = &'g Glob>) -> Option<String> {
    let mut names: Vec<String> =
        globs.into_iter().map(|glob| format!("`{}`", glob.as_str())).collect();
    names.sort();
    names.dedup();
    let more = names.len().saturating_sub(NAMED);
    names.truncate(NAMED);
    names.extend((more > 0).then(|| format!("and {more} more")));
    let names = short(&names.join(", "), INSTRUCTION);
    let told = || format!("Protected, so do not edit: {names}. New files are fine.");
    (!names.is_empty()).then(told)
}

/// Maximum length of evidence in a message, in characters.
pub const EVIDENCE: usize = 900;
/// Maximum length of an instruction, in characters; a workflow's own may be a whole page.
pub const INSTRUCTION: usize = 1500;

/// Returns `text` as indented lines of at most `cap` characters in all; head and tail are kept.
///
/// Control characters and those that change the text direction are removed, so that output can
/// neither move the cursor nor hide its content.
pub fn evidence(text: &str, cap: usize) -> String {
    let clean: String = without_ansi(text)
        .chars()
        .map(|c| if c == '\t' { ' ' } else { c })
        .filter(|c| *c == '\n' || !(c.is_control() || turns(*c)))
        .collect();
    let lines = clean.lines().map(str::trim_end).filter(|line| !line.is_empty());
    let indented: Vec<_> = lines.map(|line| format!("  {line}")).collect();
    cut(&indented.join("\n"), cap)
}

/// Truncates `text` to at most `cap` characters.
pub fn short(text: &str, cap: usize) -> String {
    if text.chars().count() <= cap {
        return text.to_owned();
    }
    let first: String = text.chars().take(cap.saturating_sub(1)).collect();
    format!("{}…", first.trim_end())
}

/// Escapes `text` so that it cannot close the element around it.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}

/// Encloses a foreign text of at most `cap` characters in tags that it cannot close.
pub fn tagged(name: &str, text: &str, cap: usize) -> String {
    let text = short(text, cap).replace("</", "<\u{200b}/");
    format!("<{name}>\n{text}\n</{name}>")
}

/// Cuts the middle out of `text` so that at most `cap` characters remain.
pub(crate) fn cut(text: &str, cap: usize) -> String {
    const GAP: &str = "\n  …\n  ";
    let length = text.chars().count();
    if length <= cap {
        return text.to_owned();
    }
    let room = cap.saturating_sub(GAP.chars().count());
    // The end of a test's output matters most; the beginning names the test.
    let head = room / 3;
    let tail = room - head;
    let first: String = text.chars().take(head).collect();
    let last: String = text.chars().skip(length - tail).collect();
    // This also respects a cap smaller than the gap.
    let joined = format!("{}{GAP}{}", first.trim_end(), last.trim_start());
    joined.chars().take(cap).collect()
}

const fn turns(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Returns the line that names what failed: "Not finished: `npm test` exit 1 (41 s ago)".
pub fn headline(receipt: &Receipt, now: Time) -> String {
    let how = match receipt.exit {
        Some(code) => format!("exit {code}"),
        None if receipt.why.is_empty() => receipt.verdict.as_str().to_owned(),
        None => evidence(&receipt.why, 200).trim().replace('\n', " "),
    };
    format!("Not finished: `{}` {how} ({} ago)", receipt.gate, duration(now.since(receipt.at)))
}

fn duration(millis: i64) -> String {
    let seconds = millis.max(0) / 1000;
    match seconds {
        0..=119 => format!("{seconds} s"),
        120..=7199 => format!("{} min", seconds / 60),
        _ => format!("{} h", seconds / 3600),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_long_output_keeps_its_head_and_its_tail() {
        let text = format!("running quotes_commas\n{}\nexpected a got b", "x\n".repeat(4000));
        let shown = evidence(&text, EVIDENCE);
        assert!(shown.starts_with("  running quotes_commas\n"));
        assert!(shown.ends_with("\n  expected a got b"));
        assert!(shown.contains("\n  …\n  x\n"));
        assert!(shown.chars().count() <= EVIDENCE);
    }

    #[test]
    fn hostile_output_is_only_text() {
        let shown = evidence("\u{1b}[2J\u{1b}]0;x\u{7}a\u{202e}b\u{0}c\r\n\u{9b}31md\te", EVIDENCE);
        assert_eq!(shown, "  abc\n  d e");
    }

    #[test]
    fn ages_are_short() {
        let shown = [(-5, "0 s"), (41_900, "41 s"), (180_000, "3 min"), (9_000_000, "2 h")];
        for (millis, text) in shown {
            assert_eq!(duration(millis), text);
        }
    }

    proptest! {
        #[test]
        fn any_output_fits(text in "(?s).{0,200}", cap in 0usize..60) {
            let shown = evidence(&text, cap);
            prop_assert!(shown.chars().count() <= cap);
            prop_assert!(shown.chars().all(|c| c == '\n' || !c.is_control()));
        }
    }
}

//! The prompts of agents: a task, a gap, a verification, and the error of the previous attempt.

use std::fmt::Write as _;

use super::claims::{claims, goals, links};
use super::{Definition, Gap, Plan, Position, Task};
use crate::prompt::{escaped, evidence};
use crate::{Prompt, Retry};

/// Maximum length of an earlier failure in a retry's prompt, in characters.
const ERROR: usize = 4000;

/// The report format for the agent of a task.
const TASK_REPORT: &str = "<output>
Report with exactly one of these at the start of a line:
  TASK COMPLETE
  TASK FAILED: {reason}   (then `Blocker:` and `Suggested fix:` lines)
  CHECKPOINT: {decision needed}
and, for what you find beside the task, NEW ISSUE: [{severity}] {description}
</output>";

const RULES: &str = "<rules>
- Change only the listed files.
- Follow the skills that are named.
- Everything under <verify> must hold before you report; it is checked again.
- Do not widen the scope and do not refactor what is not part of the task.
</rules>";

pub(super) fn task(plan: &Plan, task: &Task, decision: Option<&String>) -> String {
    let mut text = String::from(
        "You are a focused implementation agent for opti-gsd. Complete ONLY this task.\n\n",
    );
    // Writing to a text cannot fail.
    let _ = write!(
        text,
        "<context>\n  <project>Phase {}: {}</project>\n</context>\n\n<task id=\"{}\" reqs=\"{}\">\n",
        escaped(&plan.phase),
        escaped(&plan.title),
        escaped(&task.id),
        escaped(&task.reqs.join(",")),
    );
    text.push_str("  <files>\n");
    for file in &task.files {
        let (action, path) = (file.action.as_str(), escaped(file.path.as_str()));
        let _ = writeln!(text, "    <file action=\"{action}\">{path}</file>");
    }
    let _ =
        writeln!(text, "  </files>\n  <action>\n{}\n  </action>", task.action.trim_matches('\n'));
    list(&mut text, "libraries", &task.libraries);
    text.push_str("  <verify>\n");
    for check in &task.checks {
        let (kind, shown) = (escaped(&check.kind), escaped(&check.text));
        let cmd =
            check.cmd.as_ref().map_or_else(String::new, |cmd| format!(" cmd=\"{}\"", escaped(cmd)));
        let _ = writeln!(text, "    <check type=\"{kind}\"{cmd}>{shown}</check>");
    }
    let _ = write!(text, "  </verify>\n  <done>{}</done>\n</task>\n\n", escaped(&task.done));
    list(&mut text, "skills", &task.skills);
    if let Some(decision) = decision {
        let _ = write!(text, "<decision>{}</decision>\n\n", escaped(decision));
    }
    let _ = write!(text, "{RULES}\n\n{TASK_REPORT}");
    text
}

fn list(text: &mut String, name: &str, items: &[String]) {
    if !items.is_empty() {
        let _ = writeln!(text, "  <{name}>{}</{name}>", escaped(&items.join(", ")));
    }
}

/// Returns the whole text of a plan's prompt, including the error of the previous attempt if there
/// is one.
pub fn whole(prompt: &Prompt) -> String {
    let (Some(receipt), Some(retry)) = (&prompt.evidence, prompt.retry) else {
        return prompt.text.clone();
    };
    let said = if receipt.tail.trim().is_empty() { &receipt.why } else { &receipt.tail };
    let error = match receipt.exit {
        Some(code) => format!("`{}` exit {code}\n{said}", receipt.gate),
        None => format!("`{}`: {}\n{}", receipt.gate, receipt.why, receipt.tail),
    };
    format!("{}\n\n{}", prompt.text, previous_attempt(&error, retry))
}

/// Describes the previous attempt for a retry; the agent's own lines about causes and fixes are
/// extracted from its report, and nothing is invented.
fn previous_attempt(error: &str, retry: Retry) -> String {
    let blocker = line_after(error, "Blocker:");
    let fix = line_after(error, "Suggested fix:");
    let own = |line: &&str| {
        !line.trim_start().starts_with("Blocker:")
            && !line.trim_start().starts_with("Suggested fix:")
    };
    let rest: Vec<_> = error.lines().filter(own).collect();
    let mut text = String::from("<previous_attempt>\n");
    let _ = writeln!(text, "  <error>{}</error>", capped(&rest.join("\n")));
    if let Some(blocker) = blocker {
        let _ = writeln!(text, "  <analysis>{}</analysis>", capped(blocker));
    }
    if let Some(fix) = fix {
        let _ = writeln!(text, "  <suggested_fix>{}</suggested_fix>", capped(fix));
    }
    let _ =
        write!(text, "  <attempt>{} of {}</attempt>\n</previous_attempt>", retry.number, retry.max);
    text
}

/// Truncates before escaping, so that no entity is cut in two.
fn capped(text: &str) -> String {
    escaped(evidence(text, ERROR).trim())
}

fn line_after<'a>(text: &'a str, label: &str) -> Option<&'a str> {
    text.lines().find_map(|line| line.trim_start().strip_prefix(label)).map(str::trim)
}

/// Returns the prompt for closing a gap.
pub(super) fn fix(gap: &Gap, number: u32, max: u32) -> String {
    let file = gap.touches().unwrap_or_default();
    format!(
        "{}: {}.\n\n<gap type=\"{}\" iteration=\"{number}/{max}\">\n  <file>{}</file>\n  \
         <description>{}</description>\n  <evidence>{}</evidence>\n</gap>\n\n<output>\n  \
         - GAP CLOSED: {{description of fix}}\n  - GAP FAILED: {{reason unable to fix}}\n</output>",
        "Close this gap and nothing else",
        gap.strategy(),
        escaped(&gap.kind),
        escaped(file),
        escaped(&gap.text),
        escaped(&gap.name()),
    )
}

/// Returns the prompt of the verifying agent.
pub(super) fn verification(definition: &Definition, position: &Position) -> String {
    let plan = &definition.plan;
    let mut text = format!(
        "Verify phase {}: {}. Look at the whole, not only at what was found before, and write \
         VERIFICATION.md beside the plan: `## Status: passed`, `gaps_found` or `human_needed`, and \
         under `## Gaps` one `<gap type=\"…\" file=\"…\">…</gap>` for everything that is missing.\n",
        escaped(&plan.phase),
        escaped(&plan.title),
    );
    if position.asked_again {
        text.push_str("The last report said that there are gaps and named none: name each one.\n");
    }
    section(&mut text, "Must be true", goals(plan));
    section(&mut text, "Must be connected", links(plan));
    section(
        &mut text,
        "Only you can check",
        claims(plan).map(|(id, check)| format!("{id}: {check}")),
    );
    text
}

fn section(text: &mut String, title: &str, lines: impl Iterator<Item = String>) {
    let mut lines = lines.peekable();
    if lines.peek().is_none() {
        return;
    }
    let _ = write!(text, "\n{title}:\n");
    for line in lines {
        let _ = writeln!(text, "- {}", evidence(&line, 300).trim().replace('\n', " "));
    }
}

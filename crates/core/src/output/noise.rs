//! Removes what programs around a runner add to its lines.

use std::collections::BTreeMap;

use super::patterns::{Pattern, Text, line};

/// docker numbers its steps.
const NUMBER: char = '#';
/// docker repeats the end of a failed step between two of these.
const RULE: &str = "------";
/// A prefix is one if this many lines have it.
const OFTEN: usize = 3;

/// `packages/api test: `, `@shop/api:test: `, `#8 1.234 `: the task that printed the line.
const PREFIXES: &[Pattern] = &[
    line(": ", r"^((?:@?[\w.-]+/)+[\w.-]+[ :#][\w.:-]*[a-z][\w.:-]*: ?)"),
    line(":", r"^([a-z@][\w.-]*:(?:test|lint|build|check|types|typecheck|unit)[\w:-]*: ?)"),
    line(" ", r"^(#\d+ )[\d.]+ "),
    line("[", r"^(\[(?:\d+|[a-z][\w:./@-]*)\] )"),
    line("| ", r"^([a-z][\w.-]* +\| )"),
];

/// Lines of wrappers: they say that something failed, not what.
const WRAPPERS: &[Pattern] = &[
    line("> ", r"^> (?:@?[\w./-]+@\d\S*|\S+) (?:test|lint|build|check|\w+:\w+|\S+)(?: \S+)?$"),
    line("> ", r"^> (?:test|lint|build|check|node|jest|vitest|mocha|tsc|eslint|npm|npx|sh) ?.*$"),
    line("$ ", r"^\$ \w"),
    line("test$ ", r"^\S+ \w+\$ "),
    line(
        "npm ",
        r"^npm (?:error|ERR!)(?: (?:code|path|errno|syscall|workspace|location|command|Lifecycle script|signal|cwd|A complete log|This is|Run |aliases:|\[|  +\S*-).*|\s*)$",
    ),
    line("A complete log", "A complete log of this run"),
    line("_logs/", r"^npm \w+\s+\S+_logs/"),
    line("ELIFECYCLE", "ELIFECYCLE"),
    line("ERR_PNPM_RECURSIVE", "ERR_PNPM_RECURSIVE"),
    line("pnpm recursive run", "pnpm recursive run"),
    line("Scope: ", r"^Scope: \d+ of \d+ workspace"),
    line("yarn run v", "^yarn run v"),
    line("warning package.json", "^warning package.json: "),
    line("error Command failed", "^error Command failed with exit code"),
    line("info Visit", "^info Visit https://yarnpkg"),
    line("Done in ", r"^(?:✨\s+)?Done in [\d.]+m?s\.?$"),
    line("ing directory", r"^g?make(?:\[\d+\])?: (?:Entering|Leaving) directory"),
    line("make", r"^g?make(?:\[\d+\])?: \*\*\* \[.*\] Error \d+"),
    line("Nothing to be done", r"^g?make(?:\[\d+\])?: Nothing to be done"),
    line("error: recipe", "^error: [Rr]ecipe .* failed"),
    line("rake aborted!", "^rake aborted!"),
    line("Command failed with", r"^Command failed with status"),
    line("Tasks: TOP", "^Tasks: TOP"),
    line("running task with", "running task with --trace"),
    line("nox > ", "^nox > "),
    line("commands[", r"^\S+: commands\[\d+\]>"),
    line(" pid=", r"^\S+: exit \d+ \(.*pid=\d+$"),
    line("setup[", r"^\s+\S+: (?:OK|FAIL) .*setup\["),
    line("evaluation failed", r"^\s+evaluation failed :\("),
    line("cache bypass", "cache bypass, force executing"),
    line("cache ", r"^cache (?:hit|miss), "),
    line(" • ", r"^\s+• (?:turbo|Packages in scope|Running|Remote)"),
    line("exited (", r"ERROR\s+command .* exited \(\d+\)$|run failed: command  exited"),
    line("Failed:", r"^Failed:\s+\S+#\S+$"),
    line("ached", r"^\s*Cached:\s+\d+ cached, \d+ total"),
    line("Tasks:", r"^\s*Tasks:\s+\d+ successful, \d+ total"),
];

/// Returns the lines without the prefixes of tasks and without the lines of wrappers.
pub(super) fn without_wrappers(lines: Vec<String>) -> Text {
    let text = Text::new(without_prefixes(lines));
    let mut drop = vec![false; text.lines.len()];
    for pattern in WRAPPERS {
        for (at, _) in text.matches(*pattern) {
            drop[at] = true;
        }
    }
    let kept = text.lines.iter().zip(&drop).filter(|(_, drop)| !**drop);
    let kept: Vec<String> = kept.map(|(line, _)| without_npm(line).to_owned()).collect();
    Text::new(kept)
}

/// npm marks every line of its own.
fn without_npm(line: &str) -> &str {
    let rest = line.strip_prefix("npm error ").or_else(|| line.strip_prefix("npm ERR! "));
    rest.map_or(line, |rest| rest.strip_prefix("enoent ").unwrap_or(rest))
}

fn without_prefixes(lines: Vec<String>) -> Vec<String> {
    let text = Text::new(lines);
    let prefixes = prefixes(&text);
    let bare = |line: &String| without_prefix(line, &prefixes).to_owned();
    if !prefixes.iter().any(|prefix| prefix.starts_with(NUMBER)) {
        return text.lines.iter().map(bare).collect();
    }
    let mut is_repeat = false;
    let lines = text.lines.iter().filter(|line| {
        is_repeat ^= *line == RULE;
        !is_repeat || line.starts_with(" > ")
    });
    lines.map(bare).map(|line| after_time(&line).to_owned()).collect()
}

/// Returns the prefixes that are there often, the longer ones first.
fn prefixes(text: &Text) -> Vec<String> {
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    for (_, found) in PREFIXES.iter().flat_map(|pattern| text.matches(*pattern)) {
        if let Some(prefix) = found.get(1) {
            *times.entry(prefix.as_str().to_owned()).or_default() += 1;
        }
    }
    let is_often = |(prefix, times): &(String, usize)| {
        (*times >= OFTEN || prefix.starts_with(NUMBER)) && !is_level(prefix)
    };
    times.into_iter().rev().filter(is_often).map(|(prefix, _)| prefix).collect()
}

fn without_prefix<'a>(line: &'a str, prefixes: &[String]) -> &'a str {
    let rest = |prefix: &String| {
        line.strip_prefix(prefix.as_str()).or_else(|| (line == prefix.trim_end()).then_some(""))
    };
    prefixes.iter().find_map(rest).unwrap_or(line)
}

/// `[error] ` says how bad a line is, not who printed it.
fn is_level(prefix: &str) -> bool {
    let word = prefix.trim_matches(['[', ']', ' ', ':']);
    matches!(word, "error" | "warn" | "warning" | "info" | "debug" | "success" | "fail" | "ok")
}

/// docker adds the time of each line: `#8 1.234 text`.
fn after_time(rest: &str) -> &str {
    let (time, text) = rest.split_once(' ').unwrap_or((rest, ""));
    if time.contains('.') && time.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        text
    } else {
        rest
    }
}

//! Lines that a runner prints on every run. They say nothing about this one, so an excerpt leaves
//! them out.

use super::patterns::{Pattern, Text, line};

const BANNERS: &[Pattern] = &[
    // Headings, rules, and the settings of the run.
    line("", r"^\s*[=\-_~.*#─━═⎯―|+]{8,}\s*$"),
    line("***", r"^\*{5,} Module "),
    line("test session starts", "^=+ test session starts"),
    line(" -- Python ", r"^(?:platform |\[gw\d+\] )\S+ -- Python "),
    line("rootdir: ", "^rootdir: "),
    line("plugins: ", "^plugins: "),
    line("cachedir: ", "^cachedir: "),
    line("USING RUNNER", "^USING RUNNER: "),
    line("host application.", "is a Catch .* host application."),
    line("Run with -?", "^Run with -?"),
    line("Run options:", "^(?:Run options: |# Running:)"),
    line("Running main()", r"^Running main\(\) from"),
    line("[-----", r"^\[-{10}\] "),
    line("[ RUN  ", r"^\[ RUN +\] "),
    line("Nextest run ID", "Nextest run ID"),
    line("running ", r"^\s*running \d+ tests?$"),
    line("Scanning for projects", "Scanning for projects"),
    line(
        "[INFO]",
        r"^\[INFO\] *(?:$|-|Total time|Finished at|Results:|skip non|Nothing to compile|Building|Running| T E S T S)",
    ),
    line("[ERROR]", r"^\[ERROR\]\s*$"),
    line("[Help 1]", r"^(?:\[ERROR\] )?\[Help 1\]"),
    line("[ERROR]", r"^\[ERROR\] (?:To see the full|Re-run Maven|For more information)"),
    line("Checking formatting...", "^Checking formatting"),
    line("Creating", r"^(?:Creating|Destroying|Cloning) test database"),
    line("Applying ", r"^\s+Applying \S+\.\.\."),
    line("changing into directory", "^Internal ctest changing into directory"),
    line("test v", r"^bun test v"),
    line("RUN ", r"^\s*RUN\s+v\d"),
    line("=== ", r"^=== (?:RUN|PAUSE|CONT|SKIP|Skipped|Failed)\b"),
    // The compiler's progress.
    line(
        " ",
        r"^\s+(?:Compiling|Checking|Finished|Running|Downloading|Downloaded|Updating|Locking|Blocking|Fresh|Starting|Doc-tests|Adding|Packaging|Building) \S",
    ),
    line("Some errors have detailed", "^Some errors have detailed explanations"),
    line(
        "For more information about",
        "^For more information about this error|^For more information about an error",
    ),
    line("For more information:", "^For more information:"),
    line("shellcheck.net/wiki", r"^\s+https://www.shellcheck.net/wiki"),
    line("RUST_BACKTRACE", r"RUST_BACKTRACE"),
    // Progress, and what passed.
    line(
        "%]",
        r"^[\S ]*[.FEsxX]\s+\[ *\d+%\]$|^\s*\[ *\d+%\]$|(?:FAILED|PASSED|SKIPPED)\s+\[ *\d+%\]$",
    ),
    line("", r"^[.FES*!xPNR]{4,}$"),
    line(
        "%",
        r"(?i)^\W*(?:downloading|fetching|installing|extracting|loading|progress|receiving|resolving)\b.* \d+ ?%",
    ),
    line("(compared using", r"^\s+\(compared using "),
    line("Pending: (", r"^Pending: \("),
    line("...", r"^test .* \.\.\. (?:ok|ignored.*)$"),
    line("... ok", r"\.\.\. (?:ok|skipped.*)$"),
    line("OK", r"^\[ +OK \]"),
    line("---", r"^\s*--- (?:PASS|SKIP)"),
    line("(pass)", r"^\((?:pass|skip|todo)\) "),
    line(" ", r"^\s*[✓✔✎»○∅↩ℹ↓] ?\S*"),
    line("PASS", r"^\s*PASS (?:\[|\./|\S+\.\w+)"),
    line("[no test files]", r"\[no test files\]"),
    line("...", r"\.{4,}(?:\(.*\))?(?:Passed|Skipped)$"),
    line("Passed", r"^\s*\d+/\d+ Test .*Passed"),
    // Closing lines that repeat on every run.
    line("Snapshots:", r"^Snapshots:\s"),
    line("Time:", r"^\s*Time:\s+[\d.:]"),
    line("Ran all test suites", "^Ran all test suites"),
    line("Start at ", r"^\s+Start at\s"),
    line("Duration ", r"^\s+Duration\s"),
    line("duration_ms", "duration_ms"),
    line("expect() calls", r"^\s+\d+ expect\(\) calls"),
    line("Finished in ", r"^Finished in "),
    line("Took ", r"^Took \d+min"),
    line("/s", r"[\d.]+ (?:runs|tests)/s"),
    line("wallclock", "wallclock"),
    line("Full log written", "^Full log written"),
    line("MALLOC_PERTURB_", "^>>> "),
    line("Skipped ", r"^Skipped \d+ files$"),
    line("Oh no!", "^Oh no!"),
    line("All done!", "^All done! "),
    line("Error Context:", r"^\s+Error Context: "),
    // What a failed process was started with.
    line("no-such-binary", r"^\S+/no-such-binary$"),
    line("/", r"^(?:Release|Debug|MinSizeRel|RelWithDebInfo|Deployment|Development)/\S+$"),
    line("    - --", r"^\s+- --\S+"),
];

/// Libraries and interpreters, whose frames do not show where the project is wrong.
const LIBRARIES: &[&str] = &[
    "node_modules/",
    "(node:",
    "at node:",
    "site-packages/",
    "dist-packages/",
    "/usr/lib/",
    "/usr/share/",
    "/usr/local/lib/",
    "/usr/local/go/",
    "/rustc/",
    "<frozen ",
    "<Jasmine>",
    "(<anonymous>)",
    "at async Promise",
    "\tat org.junit.",
    "\tat java.base/",
    "\tat org.gradle.",
    "\tat jdk.internal",
    "/gems/",
    "/vendor/",
    "lib/compiler/test_runner.zig",
    "lib/std/",
    "#0 {main}",
    "{main}",
    "_testmain.go",
    "   at System.",
    "   at Xunit.",
    "   at NUnit.",
];

/// Returns which lines an excerpt leaves out.
pub(super) fn left_out(text: &Text) -> Vec<bool> {
    let mut out = text.repeated.clone();
    for pattern in BANNERS {
        for (at, _) in text.matches(*pattern) {
            out[at] = true;
        }
    }
    if text.contains_any(LIBRARIES) {
        frames(&text.lines, &mut out);
    }
    captured(&text.lines, &mut out);
    out
}

/// Marks the frames of libraries, with the source lines that follow and the function before.
fn frames(lines: &[String], out: &mut [bool]) {
    for (at, line) in lines.iter().enumerate() {
        if !is_frame(line) {
            continue;
        }
        out[at] = true;
        let shown = line.trim_start();
        if at > 0 && (shown.starts_with("at /") || line.starts_with("\t/")) {
            out[at - 1] = true;
        }
        let deep = line.len() - shown.len();
        for (below, next) in lines.iter().enumerate().skip(at + 1).take(4) {
            let is_deeper = next.len() - next.trim_start().len() >= deep + 2;
            if next.trim().is_empty() || !is_deeper || next.contains("Error") || is_place(next) {
                break;
            }
            out[below] = true;
        }
    }
}

fn is_frame(line: &str) -> bool {
    let is_library = LIBRARIES.iter().any(|library| line.contains(library));
    let shown = line.trim_start();
    is_library
        && !shown.starts_with("E ")
        && (is_place(line) || line.contains('(') || shown.starts_with('#'))
        && !shown.contains("rror: ")
}

/// `at f (file:1:2)`, `File "x", line 1`, `file:1: in f`, `/path:1`.
fn is_place(line: &str) -> bool {
    let shown = line.trim_start();
    ["at ", "File \"", "/", "<frozen", "#", "❯ ", "› "].iter().any(|start| shown.starts_with(start))
}

/// Marks what a test printed, where the runner says which lines these are.
fn captured(lines: &[String], out: &mut [bool]) {
    let mut inside = false;
    for (at, line) in lines.iter().enumerate() {
        let is_begin = line.contains(" Captured ") && line.starts_with("---")
            || line.starts_with("stdout | ")
            || line.starts_with("stderr | ");
        if is_begin || line.trim_start().starts_with("console.") && line.len() < 20 {
            inside = true;
        } else if line.starts_with("====") || line.starts_with("____") || is_heading(line) {
            inside = false;
        }
        out[at] |= inside;
    }
}

/// The lines after which a runner reports again.
fn is_heading(line: &str) -> bool {
    let shown = line.trim_start();
    ["FAIL ", "PASS ", "❯ ", "✓ ", "× ", "● ", "⎯", "Test Suites"]
        .iter()
        .any(|start| shown.starts_with(start))
}

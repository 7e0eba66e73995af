//! Linters, type checkers, formatters that only check, and compilers.

use super::CountRule::{Is, Lines, Words};
use super::NamePlace::{Before, Under};
use super::{COMPILER, CountKind, FINDINGS, Hides, NameRule, Pattern, Row, line, name, placed};

const PATH: Pattern = line("", r"^(\S*[./]\S*|\S.*[\\/].*\.\w+)$");
const ARROW: Pattern = line("-->", r"^\s*--> (\S+?):\d+:\d+");

/// `file:line:column: CODE message`, as flake8, ruff and hadolint print it.
const CODED: NameRule =
    name(":", r"^(\S.*?):\d+(?::\d+)?:? ([A-Z]{1,6}\d{2,5})(?:/\S+)?\b(?::| )", "{1} {2}");

pub(super) const ROWS: &[Row] = &[
    Row {
        runner: "eslint",
        detect: &[
            line("✖ ", r"^✖ \d+ problems?"),
            line("problem", r"^\d+ problems?"),
            line("Oops! ", "^Oops! Something went wrong"),
        ],
        names: &[
            placed(
                Under(PATH),
                "Parsing error",
                r"^\s+\d+:\d+\s+error\s+Parsing error",
                "{in} parse",
            ),
            placed(
                Under(PATH),
                "  error  ",
                r"^\s+\d+:\d+\s+error\s+\S.*?\s{2,}(\S+)$",
                "{in} {1}",
            ),
        ],
        counts: &[Words(line("problem", r"\d+ problems? \(\d+ errors?, \d+ warnings?\)"))],
        cannot: &["Oops! Something went wrong"],
        ..FINDINGS
    },
    Row {
        runner: "stylelint",
        detect: &[line("  ✖  ", r"^\s+\d+:\d+\s+✖  ")],
        names: &[placed(Under(PATH), "✖", r"^\s+\d+:\d+\s+✖\s+.*?\s{2,}(\S+)$", "{in} {1}")],
        counts: &[Words(line("problem", r"\d+ problems? \(\d+ errors?, \d+ warnings?\)"))],
        ..FINDINGS
    },
    Row {
        runner: "yamllint",
        detect: &[line("  error  ", r"^\s+\d+:\d+\s+error\s+.*\(\S+\)$")],
        names: &[placed(Under(PATH), "error", r"^\s+\d+:\d+\s+error\s+.*\((\S+)\)$", "{in} {1}")],
        ..FINDINGS
    },
    Row {
        runner: "biome",
        detect: &[line("Checked ", r"^Checked \d+ files? in"), line("× Biome ", "× Biome exited")],
        names: &[
            placed(
                Before(line("×", r"^\s+×()")),
                "/",
                r"^(\S+?)(?::\d+:\d+)? (?:lint|assist)/(?:\w+/)?(\w+)\b",
                "{1} {2}",
            ),
            placed(
                Before(line("×", r"^\s+×()")),
                " ",
                r"^(\S+\.\w+)(?::\d+:\d+)? (format|parse|organizeImports)\b",
                "{1} {2}",
            ),
        ],
        counts: &[Words(line("Found ", r"^Found \d+ (?:errors?|warnings?)\."))],
        cannot: &["configuration resulted in errors"],
        ..FINDINGS
    },
    Row {
        runner: "oxlint",
        detect: &[line("Found ", r"^Found \d+ warnings? and \d+ errors?")],
        names: &[placed(
            Before(line("╭─[", r"╭─\[(\S+?):\d+:\d+\]")),
            "×",
            r"^\s*×\s+(?:[\w-]+\()?([\w/@-]+)\)?: ",
            "{in} {1}",
        )],
        counts: &[Words(line("Found ", r"^Found \d+ warnings? and \d+ errors?"))],
        ..FINDINGS
    },
    Row {
        runner: "prettier",
        detect: &[
            line("Checking formatting...", "^Checking formatting"),
            line("[warn]", r"^\[warn\] "),
        ],
        names: &[
            name("[warn] ", r"^\[warn\] (\S.*)$", "{1}"),
            name("[error] ", r"^\[error\] (\S.*?): \w*Error: ", "{1}"),
        ],
        not_names: &["Code style issues"],
        counts: &[Is(CountKind::Failed, line("issues found", r"issues found in (\d+) files"))],
        ..FINDINGS
    },
    Row {
        runner: "tsc",
        detect: &[line("error TS", r"error TS\d+: ")],
        names: &[
            name("error TS", r"^(\S.*?)\(\d+,\d+\): error (TS\d+):", "{1} {2}"),
            name("error TS", r"^(\S.*?):\d+:\d+ - error (TS\d+):", "{1} {2}"),
        ],
        counts: &[
            Words(line("Found ", r"^Found \d+ errors?")),
            Lines(CountKind::Errors, line("error TS", r"error TS\d+: ")),
        ],
        cannot: &["\nerror TS"],
        ..FINDINGS
    },
    Row {
        runner: "dotnet build",
        detect: &[line("): error ", r"\(\d+,\d+\): error [A-Z]+\d+: ")],
        names: &[name(
            "): error ",
            r"^\s*(\S.*?)\(\d+,\d+\): error ([A-SU-Z][A-Z]*\d+):",
            "{1} {2}",
        )],
        counts: &[Is(CountKind::Errors, line("Error(s)", r"^\s+(\d+) Error\(s\)"))],
        ..COMPILER
    },
    Row {
        runner: "mypy",
        detect: &[line(": error: ", r"^\S+\.pyi?(?::\d+)*: error: ")],
        names: &[name(
            ": error: ",
            r"^(\S.*?\.pyi?)(?::\d+)*: error: .*?(?:\s{2}\[([\w-]+)\])?$",
            "{1} {2}",
        )],
        counts: &[Words(line("Found ", r"^Found \d+ errors? in \d+ files?"))],
        cannot: &["Cannot read file", "Cannot find config"],
        hides: Hides::Runners(&["gcc"]),
        ..FINDINGS
    },
    Row {
        runner: "pyright",
        detect: &[
            line(" - error", r"^\s+\S+:\d+:\d+ - error"),
            line(" error", r"^\d+ errors?, \d+ warn"),
        ],
        names: &[name(
            " - error",
            r"^\s+(\S.*?):\d+:\d+ - error: .*?(?:\((report\w+)\))?$",
            "{1} {2}",
        )],
        counts: &[Words(line(" error", r"^\d+ errors?, \d+ warnings?"))],
        none: &["No source files found."],
        ..FINDINGS
    },
    Row {
        runner: "ruff",
        detect: &[
            line("Found ", r"^Found \d+ errors?\b"),
            line("would be reformatted", r"^\d+ files? would be reformatted"),
            line("-->", r"^\s*--> \S+\.pyi?:\d+:\d+"),
        ],
        names: &[
            CODED,
            placed(Before(ARROW), " ", r"^([A-Z]{1,6}\d{2,5}|invalid-syntax):? ", "{in} {1}"),
            placed(Before(ARROW), "unformatted", r"^unformatted: ", "{in}"),
            name("Would reformat", r"^Would reformat: (.+)$", "{1}"),
        ],
        counts: &[
            Words(line("Found ", r"^Found \d+ errors?(?:\.| \()")),
            Words(line("would be reformatted", r"^\d+ files? would be reformatted")),
        ],
        cannot: &["ruff failed"],
        ..FINDINGS
    },
    Row {
        runner: "black",
        detect: &[
            line("would ", r"^(?:\d+ files? )?would (?:be )?reformat"),
            line("cannot f", "^error: cannot"),
        ],
        names: &[
            name("would reformat ", r"^would reformat (\S.*)$", "{1}"),
            name("cannot format", r"^error: cannot format (\S+?):", "{1}"),
        ],
        counts: &[Words(line("would be reformatted", r"^\d+ files? would be reformatted"))],
        ..FINDINGS
    },
    Row {
        runner: "isort",
        detect: &[line("Imports are incorrectly", r"^ERROR: \S.* Imports are incorrectly")],
        names: &[name("Imports are", r"^ERROR: (\S.*?) Imports are incorrectly", "{1}")],
        ..FINDINGS
    },
    Row {
        runner: "pylint",
        detect: &[line(":", r"^\S+:\d+:\d+: [CRWEF]\d{4}: .* \([\w-]+\)$")],
        names: &[name("(", r"^(\S.*?):\d+:\d+: [CRWEF]\d{4}: .* \(([\w-]+)\)$", "{1} {2}")],
        hides: Hides::Runners(&["flake8"]),
        ..FINDINGS
    },
    Row {
        runner: "flake8",
        detect: &[line(":", r"^\S.*?:\d+(?::\d+)?:? [A-Z]{1,6}\d{2,5}(?:/\S+)?\b(?::| )")],
        names: &[CODED],
        hides: Hides::Runners(&["gcc"]),
        ..FINDINGS
    },
    Row {
        runner: "rubocop",
        detect: &[line("inspected,", r"^\d+ files? inspected, ")],
        names: &[name(": ", r"^(\S+?):\d+:\d+: [CWEFR]: (?:\[\w+\] )?([\w/]+):", "{1} {2}")],
        counts: &[Is(CountKind::Errors, line("inspected,", r"inspected, (\d+) offenses?"))],
        ..FINDINGS
    },
    Row {
        runner: "shellcheck",
        detect: &[line("In ", r"^In \S.* line \d+:$")],
        names: &[placed(
            Under(line("In ", r"^In (\S.*) line \d+:$")),
            "SC",
            r"\b(SC\d+) \(\w+\)",
            "{in} {1}",
        )],
        ..FINDINGS
    },
    Row {
        runner: "phpstan",
        detect: &[line("[ERROR] Found", r"\[ERROR\] Found \d+ errors?")],
        names: &[placed(
            Under(line("Line ", r"^\s+Line\s+(\S.*\.php)")),
            " ",
            r"^\s+\d+\s{2,}\S()",
            "{in}",
        )],
        counts: &[Words(line("[ERROR] Found", r"\[ERROR\] Found \d+ errors?"))],
        ..FINDINGS
    },
    Row {
        runner: "terraform",
        detect: &[
            line("Error: ", r"^[│╷ ]*Error: "),
            line(".tf line", r"on \S+\.tf(?:vars)? line \d+"),
        ],
        names: &[placed(
            Before(line(" line ", r"on (\S+) line \d+")),
            "Error: ",
            r"^[│ ]*Error: (.+)$",
            "{in} {1}",
        )],
        cannot: &["Could not load plugin", "Module not installed", "Missing required provider"],
        ..FINDINGS
    },
    Row {
        runner: "gcc",
        detect: &[
            line("error", r"^\S+?:\d+(?::\d+)?: (?:fatal )?error: "),
            line("undefined reference", "undefined reference to"),
            line(":", r"^(?:vet: )?\S+\.go:\d+:\d+: "),
            line("treated as errors", "treated as errors"),
        ],
        names: &[
            name(
                "error: ",
                r"^(\S.*?):\d+(?::\d+)?: (?:fatal )?error: .*?(?: \[([A-Za-z][\w.,-]+)\])?$",
                "{1} {2}",
            ),
            name(
                "undefined reference",
                r"^(?:\S+: \S+: )?(?:.*/)?(\S+?):\(\.\S+\): undefined ref",
                "{1}",
            ),
            name(".go:", r"^(?:vet: )?(\S+\.go):\d+:\d+: ", "{1}"),
        ],
        counts: &[Words(line(" error", r"^\d+ errors?$"))],
        ..COMPILER
    },
];

//! Texts of shells, interpreters and package managers that say that nothing could run, and texts
//! that say that there was nothing to run. They count for any runner.

use super::patterns::{Pattern, Text, line};

const CANNOT: &[Pattern] = &[
    // Shells.
    line("not found", r"(?:command |: \d+: \S+: |sh: .*)not found"),
    line(
        "No such file or directory",
        r"(?:^|: )(?:\S*sh|env|make|gmake|\S+): .*No such file or directory",
    ),
    line("ermission denied", r"[Pp]ermission denied"),
    line("cannot execute", "cannot execute"),
    line("yntax error", r"(?:line \d+|^\S+:\d+): (?:\w+Error: )?[Ss]yntax error"),
    line("unbound variable", "unbound variable"),
    line("is not recognized", "is not recognized as an internal or external command"),
    // Interpreters that could not load what they should run.
    line("Cannot find module", r"^(?:\[?\w*Error\S*: )?Cannot find (?:module|package) "),
    line("ERR_MODULE_NOT_FOUND", "ERR_MODULE_NOT_FOUND"),
    line("No module named", r"No module named"),
    line(
        "Error: ",
        r"^(?:E\s+)?(?:SyntaxError|IndentationError|ImportError|LoadError|ParseError|ModuleNotFoundError): ",
    ),
    line("cannot load such file", "cannot load such file"),
    line("Can't locate", r"^Can't locate \S+ in @INC"),
    line("Could not find or load main class", "Could not find or load main class"),
    line("compilation aborted", "compilation aborted"),
    line("Parse", r"Parse(?:Error| error):"),
    // Package managers and task runners.
    line("issing script", r"[Mm]issing script:"),
    line("Could not read package.json", "Could not read package.json"),
    line("package-lock.json", r"can only install with an existing package-lock"),
    line(
        "ERR_PNPM_",
        r"ERR_PNPM_(?:NO_SCRIPT|NO_IMPORTER|RECURSIVE_EXEC_NO_PACKAGE|NO_PKG_MANIFEST)",
    ),
    line("Command \"", r#"Command "\S+" not found"#),
    line("Couldn't find", r"Couldn['’]t find (?:a package.json|a script named|the binary)"),
    line("No rule to make target", "No rule to make target"),
    line("no known rule to make", "no known rule to make it"),
    line("No targets specified", "No targets specified and no makefile found"),
    line("does not contain recipe", "does not contain recipe"),
    line("No justfile", "No justfile found"),
    line("Don't know how to build", "Don't know how to build task"),
    line("Task ", r"^(?:task: )?Task '.*' (?:not found|does not exist)"),
    line("could not find `Cargo.toml`", "could not find `Cargo.toml`"),
    line("no such command", "no such (?:command|subcommand)"),
    line("--> Cargo.toml", r"^\s*--> \S*Cargo.toml:"),
    line("failed to parse manifest", "failed to parse manifest"),
    line("failed to load manifest", "failed to load manifest"),
    line("main module", "does not contain main module"),
    line("go.mod file not found", "go.mod file not found"),
    line("go: ", r"^go: (?:cannot find|no |module |updates)"),
    line("no required module", "no required module provides package"),
    line("Could not find a", r"Could not find a (?:file|project|MSBuild)"),
    line("MSB1", r"error MSB1\d+"),
    line("Could not find Package.swift", "Could not find Package.swift"),
    line("mix.exs", r"Could not find a Mix.Project"),
    line("task ", r"The task \S+ could not be found"),
    line("POM", r"there is no POM|Non-\w+ POM"),
    line("onfiguration resulted", "onfiguration resulted in errors"),
    line("Oops! ", "^Oops! Something went wrong"),
    // Wrong arguments, missing files, broken configurations.
    line("usage: ", r"^(?:ERROR: )?[Uu]sage: "),
    line("unrecognized", r"[Uu]nrecogni[sz]ed (?:arguments?|options?|command)"),
    line("nknown", r"(?i:unknown) (?:option|argument|flag|command|shorthand flag|subcommand)"),
    line("unexpected argument", r"^error: unexpected argument"),
    line(
        "does not exist",
        r"(?:[Ff]ile|path|directory|execute|\S+[/.]\S+) .*does not exist|does not exist[.:]?",
    ),
    line("Failed to change working directory", "Failed to change working directory"),
    line("Cannot open file", "Cannot open file"),
    line("Could not find '", r"Could not find '"),
    line(
        "onfiguration",
        r"(?i:(?:invalid|failed to load|error in|could not load|can't load|cannot find) (?:the )?(?:\w+ )?config)",
    ),
    line("ailed to load config", "ailed to load config"),
    line("Invalid config", r"Invalid [Cc]onfig"),
    line("No inputs were found", "No inputs were found in config"),
    line("Executable `", r"Executable `\S+` not found"),
    line("process.exit called", "process.exit called with"),
    line("Cannot connect to the Docker daemon", "Cannot connect to the Docker daemon"),
    line("failed to read dockerfile", "failed to read dockerfile"),
    line("ECONNREFUSED", r"^\s*(?:Error: )?connect ECONNREFUSED"),
    line("out of memory", r"(?i:out of memory)"),
    line("No space left", "No space left on device"),
    line("Cypress", r"Cypress (?:could not verify|failed to start|binary is missing)"),
    line("Executable doesn't exist", "Executable doesn't exist"),
    line("oad", r"(?:No |Unable to load |Could not load )plugin"),
    line("provider", r"Missing required provider|Inconsistent dependency lock file"),
    line("gem", r"Could not find gem|not found in any of the sources"),
];

const NONE: &[Pattern] = &[
    line(
        "o ",
        r"(?i:\bno (?:tests?|test files?|specs?|examples?|test cases|scenarios|matching tests|test suites|test modules) (?:found|ran|were found|were executed|executed|matched|match|to run|collected|were run)\b)",
    ),
    line(
        "0 ",
        r"(?i)(?:^\W*|\b(?:ran|running|executed|collected|found|total:) )0 (?:tests?|specs?|examples?|scenarios?|test cases|total)(?:[.,:;]| (?:in|ran|run|passed|executed|found|from|completed)|$)",
    ),
];

pub(super) fn cannot_run(text: &Text) -> bool {
    CANNOT.iter().any(|pattern| text.has_line(*pattern))
}

/// Returns whether one line says that nothing could run.
pub(super) fn says_cannot(text: &Text, at: usize) -> bool {
    CANNOT.iter().any(|pattern| text.at(at, *pattern).is_some())
}

/// Go's line for a package; if every line is one, nothing was tested.
const NO_FILES: Pattern = line("[no test files]", r"\[no test files\]$");

pub(super) fn no_tests(text: &Text) -> bool {
    let packages = text.matches(NO_FILES).len();
    packages > 0 && packages == text.lines.iter().filter(|line| !line.trim().is_empty()).count()
        || NONE.iter().any(|pattern| text.has_line(*pattern))
}

pub(super) fn says_none(text: &Text, at: usize) -> bool {
    NONE.iter().any(|pattern| text.at(at, *pattern).is_some())
}

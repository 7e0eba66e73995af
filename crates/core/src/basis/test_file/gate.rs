//! Decides which gates depend on tests. Commands that only inspect files or build them do not.

use crate::Check;
use crate::runners::is_checker;

/// Programs that only inspect files.
const LOOKS: [&str; 36] = [
    "[",
    "actionlint",
    "basename",
    "black",
    "cat",
    "cmp",
    "diff",
    "dirname",
    "du",
    "echo",
    "egrep",
    "eslint",
    "false",
    "fgrep",
    "file",
    "flake8",
    "gofmt",
    "golangci-lint",
    "grep",
    "head",
    "isort",
    "jq",
    "ls",
    "mypy",
    "prettier",
    "printf",
    "pyright",
    "rg",
    "rustfmt",
    "shellcheck",
    "stat",
    "tail",
    "test",
    "true",
    "tsc",
    "wc",
];
/// Programs that only inspect or build when their first argument is one of these.
const BUILDS: [(&str, &[&str]); 20] = [
    (
        "cargo",
        &["build", "check", "fmt", "clippy", "doc", "tree", "metadata", "deny", "audit", "b", "c"],
    ),
    ("go", &["build", "vet", "fmt", "mod", "list"]),
    ("ruff", &["check", "format"]),
    ("dotnet", &["build", "format"]),
    ("swift", &["build"]),
    ("mix", &["compile", "format", "credo", "dialyzer"]),
    ("mvn", &["compile", "validate"]),
    ("gradle", &["assemble", "compileJava", "compileKotlin", "classes"]),
    ("composer", &["validate", "audit"]),
    ("terraform", &["validate", "fmt"]),
    ("git", &["diff", "status", "log", "show", "ls-files", "rev-parse", "grep"]),
    ("node", &["--check", "-c"]),
    ("vite", &["build"]),
    ("next", &["build", "lint"]),
    ("astro", &["build", "check"]),
    ("nuxt", &["build", "typecheck"]),
    ("ng", &["build", "lint"]),
    ("deno", &["check", "fmt", "lint"]),
    ("php", &["-l"]),
    ("bash", &["-n"]),
];
/// Programs that run the command that follows.
const CARRIERS: [&str; 9] =
    ["env", "nice", "command", "exec", "npx", "bunx", "time", "uvx", "timeout"];

/// Returns whether a gate's pass may depend on its tests. Only then are tests part of its basis.
pub fn rests_on_tests(check: &Check) -> bool {
    check.commands().into_iter().any(|argv| {
        let words: Vec<&str> = argv.iter().map(String::as_str).collect();
        !only_looks(&words)
    })
}

pub fn only_looks(words: &[&str]) -> bool {
    let is_variable = |word: &&str| word.split_once('=').is_some_and(|(name, _)| is_name(name));
    let start = words.iter().position(|word| !is_variable(word)).unwrap_or(words.len());
    let Some((&program, rest)) = words[start..].split_first() else { return false };
    let Some(name) = bare(program) else { return false };
    match (name, rest) {
        ("sh" | "bash" | "dash" | "zsh", ["-c" | "-ec" | "-euc" | "-e", ..]) => {
            let line = rest.iter().skip_while(|word| word.starts_with('-')).copied();
            let line: Vec<&str> = line.collect();
            matches!(line[..], [line] if line_only_looks(line))
        }
        ("python" | "python3", ["-m", module, ..]) => {
            LOOKS.contains(module) || ["ruff", "compileall", "py_compile"].contains(module)
        }
        (name, _) if CARRIERS.contains(&name) => {
            let is_option = |word: &&&str| {
                word.starts_with('-') || word.starts_with(|first: char| first.is_ascii_digit())
            };
            let skipped = rest.iter().take_while(is_option).count();
            only_looks(&rest[skipped..])
        }
        (name, _) if LOOKS.contains(&name) || is_checker(name) => true,
        // `find` can run and delete.
        ("find", _) => {
            !rest.iter().any(|word| word.starts_with("-exec") || word.starts_with("-ok"))
        }
        (name, _) => builds(name, rest),
    }
}

fn builds(program: &str, words: &[&str]) -> bool {
    let Some((_, verbs)) = BUILDS.iter().find(|(known, _)| *known == program) else { return false };
    let is_said = |word: &&&str| verbs.contains(*word) || !word.starts_with(['-', '+']);
    let mut said = words.iter().filter(is_said);
    match program {
        // These take several goals.
        "mvn" | "gradle" => said.clone().next().is_some() && said.all(|word| verbs.contains(word)),
        _ => said.next().is_some_and(|first| verbs.contains(first)),
    }
}

/// Returns whether every command of a shell line only inspects or builds. Shell expansions are
/// rejected as unknown.
fn line_only_looks(line: &str) -> bool {
    let line = &line.replace("2>&1", "");
    if line.contains(['$', '`', '\n', '\\', '<', '(', '{']) {
        return false;
    }
    let Some(commands) = commands(line) else { return false };
    commands.iter().all(|words| {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let words = words.strip_prefix(&["!"]).unwrap_or(&words);
        matches!(words, ["cd" | "set", ..]) || only_looks(words)
    })
}

/// Splits a line into commands and words; `None` if a quote is not closed.
fn commands(line: &str) -> Option<Vec<Vec<String>>> {
    let (mut all, mut words, mut word) = (Vec::new(), Vec::new(), None::<String>);
    let mut quote = None;
    for letter in line.chars() {
        match (quote, letter) {
            (Some(open), _) if open == letter => quote = None,
            (None, '\'' | '"') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, ';' | '&' | '|' | ' ' | '\t') => {
                words.extend(word.take());
                if !letter.is_whitespace() && !words.is_empty() {
                    all.push(std::mem::take(&mut words));
                }
            }
            (Some(_) | None, _) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    if !words.is_empty() {
        all.push(words);
    }
    (quote.is_none() && !all.is_empty()).then_some(all)
}

/// Returns the name of a system program; a program of the project may do anything.
fn bare(program: &str) -> Option<&str> {
    match program.rsplit_once('/') {
        None => Some(program),
        Some(("/bin" | "/usr/bin" | "/usr/local/bin", name)) => Some(name),
        Some(_) => None,
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

//! Finds lines that could disable other tests, or change what those tests exercise.

use std::collections::BTreeSet;

use super::language::Language;
use super::lines::{TestLine, has_phrase, is_word};

/// Returns the phrases that no new line of a test may contain: they skip tests, run only some of
/// them, end the run early with success, or reach beyond their own test.
const fn phrases(language: Language) -> &'static [&'static str] {
    match language {
        Language::Python => PYTHON,
        Language::JavaScript => JAVASCRIPT,
        Language::Rust => RUST,
        Language::Go => GO,
        Language::Java | Language::Kotlin => JAVA,
        Language::CSharp => CSHARP,
        Language::Php => PHP,
        Language::Ruby => RUBY,
        Language::Shell => SHELL,
    }
}

const PYTHON: &[&str] = &[
    "pytest.skip",
    "xfail",
    "importorskip",
    "pytestmark",
    "skipTest",
    "SkipTest",
    "unittest.skip",
    "skipif",
    "skipIf",
    "skipUnless",
    "mark.skip",
    "@skip",
    "expectedFailure",
    "__test__",
    "collect_ignore",
    "collect_ignore_glob",
    "__unittest_skip__",
    "sys.exit",
    "os._exit",
    "os.abort",
    "os.kill",
    "os.execv",
    "SystemExit",
    "KeyboardInterrupt",
    "pytest.exit",
    "exit(",
    "quit(",
    "abort(",
    "_exit(",
    "atexit",
    "setattr",
    "delattr",
    "autouse",
    "usefixtures",
    "MonkeyPatch",
    "sys.modules",
    "sys.path",
    "sys.meta_path",
    "builtins",
    "__builtins__",
    "__import__",
    "importlib",
    "globals(",
    "global",
    "nonlocal",
    "eval(",
    "exec(",
    "gc.",
    "inspect.stack",
    "sys.settrace",
    "_getframe",
    "ctypes",
    "__class__",
    "__dict__",
    "__globals__",
    "__code__",
];
const JAVASCRIPT: &[&str] = &[
    ".only",
    ".skip",
    ".skipIf",
    ".runIf",
    ".todo",
    ".fails",
    ".failing",
    ".fixme",
    "xit",
    "fit",
    "xtest",
    "ftest",
    "xdescribe",
    "fdescribe",
    "xcontext",
    "fcontext",
    "xspecify",
    "fspecify",
    "pending(",
    "this.skip",
    "process.exit",
    "process.abort",
    "process.kill",
    "process.exitCode",
    "process.reallyExit",
    "process.on",
    "process.once",
    "Deno.exit",
    "jest.mock",
    "jest.doMock",
    "jest.unmock",
    "jest.spyOn",
    "jest.setMock",
    "jest.replaceProperty",
    "jest.retryTimes",
    "vi.mock",
    "vi.doMock",
    "vi.spyOn",
    "vi.stubGlobal",
    "mock.module",
    "mock.method",
    "spyOn",
    "sinon",
    "proxyquire",
    "rewire",
    "globalThis",
    "global",
    "window",
    "prototype",
    "__proto__",
    "setPrototypeOf",
    "defineProperty",
    "defineProperties",
    "Object.assign",
    "Reflect",
    "require.cache",
    "eval(",
    "Function(",
    "expect.extend",
    "addSnapshotSerializer",
    "assert.strict",
];
const RUST: &[&str] = &[
    "process::exit",
    "process::abort",
    "exit(",
    "abort(",
    "unsafe",
    "catch_unwind",
    "set_hook",
    "no_mangle",
    "export_name",
    "ctor",
    "global_asm",
];
const GO: &[&str] = &[
    ".Skip",
    ".SkipNow",
    ".Skipf",
    "os.Exit",
    "syscall.Exit",
    "runtime.Goexit",
    "syscall.Kill",
    "flag.Set",
    "unsafe",
];
const JAVA: &[&str] = &[
    "System.exit",
    "exitProcess",
    "Runtime.getRuntime",
    ".halt(",
    "Disabled",
    "DisabledIf",
    "EnabledIf",
    "Ignore",
    "assumeTrue",
    "assumeFalse",
    "assumeThat",
    "mockStatic",
    "mockkStatic",
    "mockkObject",
    "PowerMockito",
    "setAccessible",
    "ExitCode",
];
const CSHARP: &[&str] = &[
    "Environment.Exit",
    "Environment.FailFast",
    "Assert.Ignore",
    "Assert.Inconclusive",
    "Assert.Pass",
    "Skip",
    "Ignore",
    "Explicit",
    "Skip.If",
];
const PHP: &[&str] = &[
    "exit",
    "die",
    "markTestSkipped",
    "markTestIncomplete",
    "runkit_method_redefine",
    "eval(",
    "runkit_function_redefine",
    "set_error_handler",
    "set_exception_handler",
    "uopz_set_return",
    "register_shutdown_function",
    "pcntl_signal",
    "posix_kill",
];
const RUBY: &[&str] = &[
    "skip",
    "pending",
    "xit",
    "xdescribe",
    "xcontext",
    "xspecify",
    "xexample",
    "fit",
    "fdescribe",
    "fcontext",
    "fspecify",
    "focus",
    "filter",
    "omit",
    "exit",
    "exit!",
    "abort",
    "at_exit",
    "fork",
    "Process.kill",
    "class_eval",
    "instance_eval",
    "module_eval",
    "class_exec",
    "define_method",
    "define_singleton_method",
    "remove_method",
    "undef_method",
    "alias_method",
    "alias",
    "undef",
    "refine",
    "using",
    "const_set",
    "remove_const",
    "prepend",
    "eval",
    "binding",
    "ObjectSpace",
    "TracePoint",
    "BEGIN",
    "END",
];
const SHELL: &[&str] = &[
    "exit", "skip", "trap", "set", "return", "exec", "eval", "alias", "unset", "kill", "break",
    "continue", "source",
];

/// Phrases that no new comment may contain, because tools read them.
const COMMENTS: &[&str] = &[
    "go:build",
    "+build",
    "go:linkname",
    "ts-nocheck",
    "jest-environment",
    "vitest-environment",
    "coding:",
    "coding=",
    "encoding:",
    "frozen_string_literal",
    "type: ignore",
    "mypy:",
    "pytype:",
    "doctest:",
    "istanbul ignore",
    "c8 ignore",
    "v8 ignore",
    "pragma:",
    "rubocop:",
    "eslint-disable",
    "eslint-env",
    "@depends",
    "@requires",
    "@group",
    "@skip",
    "@runInSeparateProcess",
    "@backupGlobals",
    "nolint",
    "noinspection",
    "#nullable",
    "flake8:",
    "pylint:",
    "ruff:",
    "noqa",
    "shellcheck",
];

/// Parts of the old text that a new line may not affect.
#[derive(Debug, Default)]
pub(super) struct Old<'t> {
    /// The first string of each line, which includes the titles of tests.
    pub(super) titles: BTreeSet<&'t str>,
    /// Every name anywhere in the old text.
    pub(super) words: BTreeSet<&'t str>,
    /// The names that it imports.
    pub(super) imported: BTreeSet<&'t str>,
}

/// Returns the first string of a line without its quotes.
pub(super) fn first_string(raw: &str) -> Option<&str> {
    let start = raw.find(['\'', '"', '`'])?;
    let quote = raw[start..].chars().next()?;
    raw[start + 1..].split(quote).next()
}

/// Returns whether a new line may harm existing tests.
pub(super) fn is_harmful(line: &TestLine, language: Language, old: &Old<'_>) -> bool {
    // pytest undoes these at the end of the test.
    let code = line.code.replace("monkeypatch.setattr", "").replace("monkeypatch.delattr", "");
    has_odd_letters(&line.raw, language)
        || phrases(language).iter().any(|phrase| is_used(&code, phrase))
        || line.normal.len() > line.code.len() && COMMENTS.iter().any(|it| line.raw.contains(it))
        || assigned(&line.code).any(|name| old.imported.contains(name))
        || has_bare_patch(&line.code)
}

/// Returns whether code uses a phrase; a longer name that contains it does not count.
pub(super) fn is_used(code: &str, phrase: &str) -> bool {
    // Fast path: most lines contain none of the phrases.
    code.contains(phrase) && has_phrase(code, phrase)
}

/// Returns whether something is patched beyond the end of its own test.
pub(super) fn has_bare_patch(code: &str) -> bool {
    let patches = ["patch", "mock.patch", "patch.object", "patch.dict"];
    let is_scoped =
        code.starts_with("with ") || code.starts_with('@') || code.starts_with("async with ");
    let is_import = code.starts_with("from ") || code.starts_with("import ");
    !is_scoped && !is_import && patches.iter().any(|one| is_used(code, &format!("{one}(")))
}

/// Returns whether a line has characters that make it look different from how it is parsed.
fn has_odd_letters(raw: &str, language: Language) -> bool {
    let line = raw.strip_suffix('\r').unwrap_or(raw);
    let is_odd = |c: char| {
        c.is_control() && c != '\t'
            || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    line.chars().any(is_odd)
        || line.trim_end().ends_with('\\')
        || language == Language::Java && line.contains("\\u")
        || language == Language::Php && (line.contains("?>") || line.contains("<?"))
        || line.starts_with("#!")
        || line.starts_with("__END__")
}

/// Returns the names whose parts are assigned: `a` in `a.two = 2` and in `a["two"] = 2`.
pub(super) fn assigned(code: &str) -> impl Iterator<Item = &str> {
    code.match_indices('=').filter_map(move |(at, _)| {
        let is_other = code[at + 1..].starts_with(['=', '>', '~'])
            || code[..at].ends_with(['=', '!', '<', '>']);
        if is_other {
            return None;
        }
        let left = code[..at].trim_end_matches([' ', '+', '-', '*', '/', '|', '&', '?', ':', '%']);
        let is_part = |c: char| is_word(c) || ".[]\"'".contains(c);
        let path = &left[left.rfind(|c: char| !is_part(c)).map_or(0, |at| at + 1)..];
        let (name, rest) = path.split_at(path.find(|c: char| !is_word(c)).unwrap_or(path.len()));
        // In Go, Rust and others a plain imported name cannot be assigned.
        (!rest.is_empty() || code.starts_with(name)).then_some(name)
    })
}

/// Returns the names that JavaScript code assigns without declaring them.
pub(super) fn set_names(code: &str) -> impl Iterator<Item = &str> {
    code.match_indices('=').filter_map(move |(at, _)| {
        let is_other =
            code[at + 1..].starts_with(['=', '>']) || code[..at].ends_with(['=', '!', '<', '>']);
        let left = code[..at].trim_end_matches([' ', '+', '-', '*', '/', '|', '&', '?', '%']);
        let start = left.rfind(|c: char| !is_word(c)).map_or(0, |at| at + 1);
        let name = &left[start..];
        let before = left[..start].trim_end();
        let is_made = ["const", "let", "var", "type"].iter().any(|word| before.ends_with(word))
            || before.ends_with(['.', ',', '(', '{', '<', ':', ')', '?', '|']);
        (!is_other && !is_made && !name.is_empty()).then_some(name)
    })
}

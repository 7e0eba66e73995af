//! Checks whether a new file changes the result of tests that it does not contain.

use std::collections::BTreeSet;

use super::LARGEST;
use super::harm::{assigned, has_bare_patch, is_used};
use super::imports;
use super::language::Language;
use super::lines::TestLine;
use super::name::{extension, folders, is_test_code};
use super::scan::scan;

/// Returns the phrases by which a new file changes the result of tests in other files: they end the
/// whole run, select its tests, or replace what all tests share.
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
        // Each script is a process of its own.
        Language::Shell => &[],
    }
}

const PYTHON: &[&str] = &[
    "_exit(",
    "os.abort",
    "os.kill",
    "os.execl",
    "os.execv",
    "os.execve",
    "os.execvp",
    "pytest.exit",
    "pytest_plugins",
    "atexit",
    "setattr",
    "delattr",
    "MonkeyPatch",
    "sys.modules",
    "sys.meta_path",
    "builtins",
    "__builtins__",
    "eval(",
    "exec(",
    "gc.",
    "sys.settrace",
    "_getframe",
    "ctypes",
    "__globals__",
    "__code__",
];
const JAVASCRIPT: &[&str] = &[
    ".only",
    "fit",
    "ftest",
    "fdescribe",
    "fcontext",
    "fspecify",
    "process.exit",
    "process.abort",
    "process.kill",
    "process.exitCode",
    "process.reallyExit",
    "process.on",
    "process.once",
    "Deno.exit",
    "globalThis",
    "prototype",
    "__proto__",
    "setPrototypeOf",
    "defineProperty",
    "defineProperties",
    "require.cache",
    "eval(",
    "Function(",
];
const RUST: &[&str] = &[
    "process::exit",
    "process::abort",
    "libc::exit",
    "_exit(",
    "set_hook",
    "no_mangle",
    "export_name",
    "link_section",
    "ctor",
    "global_asm",
];
const GO: &[&str] = &[
    "TestMain",
    "func init(",
    "os.Exit",
    "syscall.Exit",
    "syscall.Kill",
    "runtime.Goexit",
    "flag.Set",
    "unsafe",
];
const JAVA: &[&str] =
    &["System.exit", "exitProcess", "Runtime.getRuntime", ".halt(", "setAccessible"];
const CSHARP: &[&str] = &["Environment.Exit", "Environment.FailFast", "ModuleInitializer"];
const PHP: &[&str] = &[
    "exit",
    "die",
    "eval(",
    "register_shutdown_function",
    "runkit_method_redefine",
    "runkit_function_redefine",
    "uopz_set_return",
    "pcntl_signal",
    "posix_kill",
];
const RUBY: &[&str] = &[
    "exit",
    "exit!",
    "abort",
    "at_exit",
    "Process.kill",
    "focus",
    "fit",
    "fdescribe",
    "fcontext",
    "fspecify",
    "class_eval",
    "module_eval",
    "class_exec",
    "remove_method",
    "undef_method",
    "alias_method",
    "prepend",
    "const_set",
    "remove_const",
    "ObjectSpace",
    "TracePoint",
    "BEGIN",
    "END",
];

/// The folder whose files replace modules of the same name in all tests, without being asked for.
const MOCKS: &str = "__mocks__";

/// Returns whether a new test file may change the result of tests in other files: it ends the run,
/// selects tests, or replaces what all of them use. A text that cannot be parsed counts; one in a
/// language without a reader does not.
pub fn reaches_other_tests(path: &str, text: &[u8]) -> bool {
    if !is_test_code(path) && extension(path) != "rs" {
        return false;
    }
    if folders(path).any(|folder| folder == MOCKS) {
        return true;
    }
    let Some(language) = Language::of(path) else { return false };
    let Some(text) = str::from_utf8(text).ok().filter(|text| text.len() <= LARGEST) else {
        return true;
    };
    let read = scan(text, language);
    let lines = read.lines;
    let imported = imports::all(&lines, language);
    !read.is_certain || lines.iter().any(|line| reaches_far(line, language, &imported))
}

/// Returns whether a line of a new file may change the result of tests in other files.
fn reaches_far(line: &TestLine, language: Language, imported: &BTreeSet<&str>) -> bool {
    // pytest undoes the first two; a variable of the environment only configures the code.
    let code = line.code.replace("monkeypatch.setattr", "").replace("monkeypatch.delattr", "");
    let code = code.replace("os.environ[", "environ[");
    phrases(language).iter().any(|phrase| is_used(&code, phrase))
        || assigned(&code).any(|name| imported.contains(name))
        || language == Language::Python && has_bare_patch(&line.code)
}

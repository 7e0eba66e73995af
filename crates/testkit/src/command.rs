use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::{Failpoints, TestEnv, text};

/// A program under test in its own environment: first the environment is set up, then the program
/// is run.
///
/// ```no_run
/// # use sprag_testkit::Test;
/// Test::of("sprag").file(".sprag/config.yaml", "v: 1\n").run(["--version"]).stdout("sprag 0.1.0\n").exit(0);
/// ```
#[derive(Debug)]
pub struct Test {
    pub env: TestEnv,
    program: PathBuf,
    folder: PathBuf,
    stdin: String,
}

impl Test {
    /// Makes an environment for `program`.
    #[must_use]
    pub fn of(program: impl Into<PathBuf>) -> Self {
        Self::within(program, TestEnv::new())
    }

    /// Runs `program` in an existing environment.
    #[must_use]
    pub fn within(program: impl Into<PathBuf>, env: TestEnv) -> Self {
        let folder = env.project();
        Self { env, program: program.into(), folder, stdin: String::new() }
    }

    /// Writes a file of the project.
    #[must_use]
    pub fn file(self, path: impl AsRef<Path>, content: impl AsRef<[u8]>) -> Self {
        self.env.write(path, content);
        self
    }

    /// Creates a folder of the project.
    #[must_use]
    pub fn folder(self, path: impl AsRef<Path>) -> Self {
        std::fs::create_dir_all(self.env.project().join(path)).unwrap();
        self
    }

    /// Runs git in the project.
    #[must_use]
    pub fn git(self, arguments: &[&str]) -> Self {
        self.env.git(arguments);
        self
    }

    /// Sets an environment variable.
    #[must_use]
    pub fn set(mut self, name: &str, value: &str) -> Self {
        self.env.set(name, value);
        self
    }

    /// Enables these failpoints for the program.
    #[must_use]
    pub fn failpoints(self, points: &Failpoints) -> Self {
        self.set(Failpoints::VARIABLE, &points.to_string())
    }

    /// Runs the program in this folder, relative to the project.
    #[must_use]
    pub fn at(mut self, folder: impl AsRef<Path>) -> Self {
        self.folder = self.env.project().join(folder);
        self
    }

    /// Sets the program's standard input.
    #[must_use]
    pub fn stdin(mut self, text: &str) -> Self {
        text.clone_into(&mut self.stdin);
        self
    }

    /// Runs the program to its end.
    pub fn run<A: AsRef<std::ffi::OsStr>>(self, arguments: impl IntoIterator<Item = A>) -> Ran {
        use std::io::Write as _;
        let mut command = self.env.command(&self.program);
        command.current_dir(&self.folder).args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let said = format!("{command:?}");
        let mut child = command.spawn().unwrap_or_else(|error| panic!("{said}: {error}"));
        // A program that ends without reading closes the pipe, which is fine.
        let _ = child.stdin.take().expect("a pipe").write_all(self.stdin.as_bytes());
        let done = child.wait_with_output().expect("an end");
        let output = Output {
            stdout: self.env.normal(&String::from_utf8_lossy(&done.stdout)),
            stderr: self.env.normal(&String::from_utf8_lossy(&done.stderr)),
            exit: done.status.code(),
        };
        Ran { test: self, output, stdout: String::new(), stderr: String::new() }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// Its standard output, with folders replaced by `[PROJECT]`, `[HOME]`, `[TOP]`.
    pub stdout: String,
    /// Its standard error, with the same replacements.
    pub stderr: String,
    /// Its exit code, or `None` if a signal ended it.
    pub exit: Option<i32>,
}

/// A finished run whose output is still to be checked. Output that is not stated must be empty.
#[derive(Debug)]
#[must_use = "end it with `.exit(code)` or `.output()`"]
pub struct Ran {
    test: Test,
    output: Output,
    stdout: String,
    stderr: String,
}

impl Ran {
    /// States the whole standard output; common indentation is removed.
    pub fn stdout(mut self, expected: &str) -> Self {
        self.stdout = text(expected);
        self
    }

    /// States the whole standard error; common indentation is removed.
    pub fn stderr(mut self, expected: &str) -> Self {
        self.stderr = text(expected);
        self
    }

    /// Compares the stated output and the exit code, and returns the environment for further runs.
    #[track_caller]
    pub fn exit(self, code: i32) -> Test {
        let expected = Output { stdout: self.stdout, stderr: self.stderr, exit: Some(code) };
        assert!(
            self.output == expected,
            "--- expected ---\n{}--- got ---\n{}",
            shown(&expected),
            shown(&self.output)
        );
        self.test
    }

    /// Returns the output unchecked, for a test that looks at a part of it.
    #[must_use]
    pub fn output(self) -> (Output, Test) {
        (self.output, self.test)
    }
}

/// Formats an output so that a missing line break and control characters are visible.
fn shown(output: &Output) -> String {
    let lines = |text: &str| {
        let mut shown = Vec::new();
        for line in text.split_inclusive('\n') {
            let (body, end) =
                line.strip_suffix('\n').map_or((line, " (no line break)"), |b| (b, ""));
            let visible: String = body
                .chars()
                .map(|c| if c.is_control() { c.escape_debug().to_string() } else { c.to_string() })
                .collect();
            shown.push(format!("    {visible}{end}\n"));
        }
        shown.concat()
    };
    format!(
        "exit {:?}\nstdout\n{}stderr\n{}",
        output.exit,
        lines(&output.stdout),
        lines(&output.stderr)
    )
}

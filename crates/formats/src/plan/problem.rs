//! The errors and warnings of a plan, named as in opti-gsd's samples.

use std::fmt;

use super::lines::TextLines;
use crate::place::Place;

/// The most problems listed; more would not be read.
const LISTED: usize = 10_000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub code: Code,
    /// The subject, as in the problem's name: `02`, `03->02`, `01:verify`; may be empty.
    pub about: String,
    pub place: Place,
    /// The message for people.
    pub text: String,
    /// How to fix it.
    pub help: Option<String>,
}

impl Problem {
    /// The code with its subject: `E_MISSING:01:verify`.
    pub fn name(&self) -> String {
        match self.about.as_str() {
            "" => self.code.as_str().to_owned(),
            about => format!("{}:{about}", self.code.as_str()),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}: {}", self.place.line, self.place.col, self.text)
    }
}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal),* $(,)?) => {
        /// The kinds of problems. A plan with an error is not run at all.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Code { $($(#[$doc])* $name),* }

        impl Code {
            /// Every kind, errors first.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text),* }
            }
        }
    };
}

codes! {
    /// The front matter is not YAML.
    FrontMatterYaml = "E_FRONTMATTER_YAML",
    /// The front matter is never closed.
    FrontMatterOpen = "E_FRONTMATTER_UNTERMINATED",
    /// A task has no id.
    NoId = "E_NO_ID",
    /// Two tasks have the same id.
    DupId = "E_DUP_ID",
    /// A wave is not a whole number from 0 up.
    BadWave = "E_BAD_WAVE",
    /// A task depends on a missing task.
    UnknownDep = "E_UNKNOWN_DEP",
    /// A task depends on itself.
    SelfDep = "E_SELF_DEP",
    /// Tasks depend on each other in a cycle.
    Cycle = "E_CYCLE",
    /// A task depends on one of a later wave.
    DepLaterWave = "E_DEP_LATER_WAVE",
    /// A task lacks a part.
    Missing = "E_MISSING",
    /// A file is neither created, modified nor deleted.
    BadFileAction = "E_BAD_FILE_ACTION",
    /// A task has no end: the plan was cut off.
    TaskUnclosed = "E_TASK_UNCLOSED",
    /// A path may leave the project.
    Path = "E_PATH",
    /// There are no tasks.
    Empty = "E_EMPTY",
    /// The file is longer than [`MAX_PLAN`](super::MAX_PLAN).
    TooLong = "E_TOO_LONG",
    /// The front matter counts a different number of waves.
    WaveCount = "W_WAVE_COUNT",
    /// The front matter counts a different number of tasks.
    TaskCount = "W_TASK_COUNT",
    /// A number between two waves has no tasks.
    WaveGap = "W_WAVE_GAP",
    /// A task has no wave.
    WaveDerived = "W_WAVE_DERIVED",
    /// A task depends on one of its own wave.
    DepSameWave = "W_DEP_SAME_WAVE",
    /// Two tasks of a wave touch the same file.
    FileOverlap = "W_FILE_OVERLAP",
    /// There is no front matter.
    NoFrontMatter = "W_NO_FRONTMATTER",
    /// The front matter lacks a required key.
    HeadKey = "W_FRONTMATTER_KEY",
    /// There are more tasks than one agent can keep in mind.
    TooManyTasks = "W_TOO_MANY_TASKS",
    /// A check of a file or its content is too vague to decide.
    Vague = "W_VAGUE",
    /// A closing tag is outside tasks: a task may have ended too early.
    StrayTag = "W_STRAY_TAG",
}

impl Code {
    /// Returns whether a plan with it is not run.
    pub fn is_error(self) -> bool {
        self.as_str().starts_with('E')
    }
}

/// Collects the problems of a plan while it is read.
#[derive(Debug)]
pub(super) struct Problems<'l, 't> {
    lines: &'l TextLines<'t>,
    found: Vec<Problem>,
}

impl<'l, 't> Problems<'l, 't> {
    pub(super) fn new(lines: &'l TextLines<'t>) -> Self {
        Self { lines, found: Vec::new() }
    }

    /// Adds a problem about a byte.
    pub(super) fn add(&mut self, code: Code, at: usize, about: &str, text: String) {
        self.add_with(code, at, about, text, None);
    }

    /// Adds a problem about a byte, with a hint how to fix it.
    pub(super) fn add_with(
        &mut self,
        code: Code,
        at: usize,
        about: &str,
        text: String,
        help: Option<&str>,
    ) {
        // The first error is always recorded, because a plan with an error must not run.
        if self.found.len() < LISTED || (code.is_error() && !self.has_errors()) {
            let (place, about) = (self.lines.place(at), about.to_owned());
            let help = help.map(str::to_owned);
            self.found.push(Problem { code, about, place, text, help });
        }
    }

    fn has_errors(&self) -> bool {
        self.found.iter().any(|problem| problem.code.is_error())
    }

    /// Returns the problems in the order of the file.
    pub(super) fn sorted(mut self) -> Vec<Problem> {
        self.found.sort_by_key(|problem| problem.place);
        self.found
    }
}

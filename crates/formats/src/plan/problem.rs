//! What is wrong with a plan, or only odd in it, under the names that opti-gsd's samples use.

use std::fmt;

use super::lines::Lines;
use crate::place::Place;

/// So many are listed; nobody reads more of one file.
const LISTED: usize = 10_000;

/// A problem of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Which kind.
    pub code: Code,
    /// What it is about, as it stands in its name: `02`, `03->02`, `01:verify`; may be empty.
    pub about: String,
    /// Where it is.
    pub place: Place,
    /// What it is, for people.
    pub text: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl Problem {
    /// Returns the code with what it is about: `E_MISSING:01:verify`.
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
        /// The kinds of problems; a plan with an error is not run at all.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Code { $($(#[$doc])* $name),* }

        impl Code {
            /// Every kind, errors first.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// Returns its name.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text),* }
            }
        }
    };
}

codes! {
    /// The head is no YAML.
    FrontMatterYaml = "E_FRONTMATTER_YAML",
    /// The head is never closed.
    FrontMatterOpen = "E_FRONTMATTER_UNTERMINATED",
    /// A task has no id.
    NoId = "E_NO_ID",
    /// Two tasks have one id.
    DupId = "E_DUP_ID",
    /// A wave is no whole number from 0 up.
    BadWave = "E_BAD_WAVE",
    /// A task depends on one that is not there.
    UnknownDep = "E_UNKNOWN_DEP",
    /// A task depends on itself.
    SelfDep = "E_SELF_DEP",
    /// Tasks depend on each other in a circle.
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
    /// The file is longer than any plan.
    TooLong = "E_TOO_LONG",
    /// The head counts other waves than there are.
    WaveCount = "W_WAVE_COUNT",
    /// The head counts other tasks than there are.
    TaskCount = "W_TASK_COUNT",
    /// A number between two waves has no tasks.
    WaveGap = "W_WAVE_GAP",
    /// A task says no wave.
    WaveDerived = "W_WAVE_DERIVED",
    /// A task depends on one of its own wave.
    DepSameWave = "W_DEP_SAME_WAVE",
    /// Two tasks of a wave touch one file.
    FileOverlap = "W_FILE_OVERLAP",
    /// There is no head.
    NoFrontMatter = "W_NO_FRONTMATTER",
    /// The head does not say what it must.
    HeadKey = "W_FRONTMATTER_KEY",
    /// There are more tasks than one agent keeps in mind.
    TooManyTasks = "W_TOO_MANY_TASKS",
    /// A check of a file or its content that nothing can decide.
    Vague = "W_VAGUE",
    /// Closing tags outside of any task: one may have ended too early.
    StrayTag = "W_STRAY_TAG",
}

impl Code {
    /// Returns whether a plan with it is not run.
    pub fn is_error(self) -> bool {
        self.as_str().starts_with('E')
    }
}

/// The problems of a plan while it is read.
#[derive(Debug)]
pub(super) struct Problems<'l, 't> {
    lines: &'l Lines<'t>,
    found: Vec<Problem>,
}

impl<'l, 't> Problems<'l, 't> {
    pub(super) fn new(lines: &'l Lines<'t>) -> Self {
        Self { lines, found: Vec::new() }
    }

    /// Adds a problem about a byte.
    pub(super) fn add(&mut self, code: Code, at: usize, about: &str, text: String) {
        self.add_with(code, at, about, text, None);
    }

    /// Adds a problem about a byte, with what to do.
    pub(super) fn add_with(
        &mut self,
        code: Code,
        at: usize,
        about: &str,
        text: String,
        help: Option<&str>,
    ) {
        // An error is always taken: a plan with one must not run.
        if self.found.len() < LISTED || (code.is_error() && !self.has_errors()) {
            let (place, about) = (self.lines.place(at), about.to_owned());
            let help = help.map(str::to_owned);
            self.found.push(Problem { code, about, place, text, help });
        }
    }

    fn has_errors(&self) -> bool {
        self.found.iter().any(|problem| problem.code.is_error())
    }

    /// Returns them in the order of the file.
    pub(super) fn sorted(mut self) -> Vec<Problem> {
        self.found.sort_by_key(|problem| problem.place);
        self.found
    }
}

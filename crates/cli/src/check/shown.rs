//! Turns problems into diagnostics, with paths that are short for the user.

use std::path::{Path, PathBuf};

use sprag_core::GateSpec;
use sprag_core::workflow::Phase;
use sprag_engine::validate::Pointed;
use sprag_formats::workflow::{Problem, Weight};

use crate::codes::Code;
use crate::diagnostic::{Diagnostic, Level, Location, Spot};

/// The bases of shortened paths.
#[derive(Clone, Debug)]
pub(super) struct PathBases {
    /// The project, or the working directory.
    pub(super) base: PathBuf,
    pub(super) home: Option<PathBuf>,
}

impl PathBases {
    /// Returns the diagnostic for a problem in a workflow.
    pub(super) fn complaint(&self, problem: &Problem) -> Diagnostic {
        let (level, code) = match problem.weight {
            Weight::Rejects | Weight::Also => (Level::Error, Code::Definition),
            Weight::Warns => (Level::Warning, Code::Ambiguous),
            Weight::Ignores => (Level::Warning, Code::Ignored),
            Weight::Notes => (Level::Warning, Code::UnknownKey),
        };
        let spot = problem.line.as_ref().map(|line| Spot {
            line: problem.place.line,
            column: problem.place.col,
            text: line.clone(),
        });
        Diagnostic {
            level,
            code,
            message: self.message(&problem.text),
            at: Some(Location { file: self.path(&problem.file), spot }),
            help: problem.help.clone(),
        }
    }

    /// Returns the diagnostic for a position in a file.
    pub(super) fn pointed(&self, level: Level, code: Code, file: &str, at: Pointed) -> Diagnostic {
        let spot = Spot { line: at.line, column: at.column, text: at.text };
        let place = Location { file: self.path(file), spot: Some(spot) };
        Diagnostic { level, code, message: at.why, at: Some(place), help: at.help }
    }

    /// Returns the warning that a workflow may end although one of its gates fails.
    pub(super) fn open_end(&self, file: &str, (last, gate): (&Phase, &GateSpec)) -> Diagnostic {
        let (last, gate) = (&last.id, &gate.gate.name);
        Diagnostic {
            level: Level::Warning,
            code: Code::Ambiguous,
            message: format!("`{last}` comes last and has no gate: `{gate}` may fail after it"),
            at: Some(Location { file: self.path(file), spot: None }),
            help: Some(format!("add to `{last}` the gates that must hold at the end")),
        }
    }

    /// Returns the error for a file that cannot be read.
    pub(super) fn unreadable(&self, code: Code, file: &str, why: &str) -> Diagnostic {
        let at = Some(Location { file: self.path(file), spot: None });
        let message = format!("it cannot be read: {why}");
        Diagnostic { level: Level::Error, code, message, at, help: None }
    }

    /// Returns a path relative to the base or to the home directory.
    pub(super) fn path(&self, path: &str) -> String {
        let below = |base: &Path| path.strip_prefix(base.to_str()?)?.strip_prefix('/');
        if let Some(below) = below(&self.base) {
            return below.to_owned();
        }
        let home = self.home.as_deref().and_then(below);
        home.map_or_else(|| path.to_owned(), |below| format!("~/{below}"))
    }

    /// Shortens the paths inside a message.
    fn message(&self, message: &str) -> String {
        let mut message = message.to_owned();
        for (base, short) in [(Some(self.base.as_path()), ""), (self.home.as_deref(), "~/")] {
            if let Some(base) = base.and_then(Path::to_str).filter(|base| base.len() > 1) {
                message = message.replace(&format!("{base}/"), short);
            }
        }
        message
    }
}

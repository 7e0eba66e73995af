//! Problems as complaints that people read, with paths as they know them.

use std::path::{Path, PathBuf};

use sprag_core::GateSpec;
use sprag_core::workflow::Phase;
use sprag_engine::strict::Pointed;
use sprag_formats::workflow::{Problem, Weight};

use crate::codes::Code;
use crate::diagnostic::{At, Diagnostic, Level, Spot};

/// What paths are shown from.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    /// The project, or the working directory.
    pub(super) base: PathBuf,
    /// The person's home directory.
    pub(super) home: Option<PathBuf>,
}

impl Shown {
    /// Complains of a problem with a workflow.
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
            at: Some(At { file: self.path(&problem.file), spot }),
            help: problem.help.clone(),
        }
    }

    /// Complains of a place in a file.
    pub(super) fn pointed(&self, level: Level, code: Code, file: &str, at: Pointed) -> Diagnostic {
        let spot = Spot { line: at.line, column: at.column, text: at.text };
        let place = At { file: self.path(file), spot: Some(spot) };
        Diagnostic { level, code, message: at.why, at: Some(place), help: at.help }
    }

    /// Warns that a workflow may end though a gate of it fails.
    pub(super) fn open_end(&self, file: &str, (last, gate): (&Phase, &GateSpec)) -> Diagnostic {
        let (last, gate) = (&last.id, &gate.gate.name);
        Diagnostic {
            level: Level::Warning,
            code: Code::Ambiguous,
            message: format!("`{last}` comes last and has no gate: `{gate}` may fail after it"),
            at: Some(At { file: self.path(file), spot: None }),
            help: Some(format!("add to `{last}` the gates that must hold at the end")),
        }
    }

    /// Complains of a whole file.
    pub(super) fn unreadable(&self, code: Code, file: &str, why: &str) -> Diagnostic {
        let at = Some(At { file: self.path(file), spot: None });
        let message = format!("it cannot be read: {why}");
        Diagnostic { level: Level::Error, code, message, at, help: None }
    }

    /// Returns a path as people know it.
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

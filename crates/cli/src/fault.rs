//! Errors that end a command, with the details for users and programs.

use std::io::ErrorKind;

use serde_json::{Value, json};
use sprag_core::Denied;
use sprag_core::inbox::{Refusal, WorkState};
use sprag_engine::engine::EngineError;
use sprag_engine::run_file::Unusable;
use sprag_store::StoreError;
use sprag_world::git::GitError;
use sprag_world::root::RootError;
use sprag_world::tree::TreeError;

use crate::codes::Code;
use crate::diagnostic::{Diagnostic, Level, Location};
use crate::exit::Exit;
use crate::style::{StreamStyle, WIDTH};

/// The commands to run next: safe for agents too, or for a person only.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub(crate) struct Next {
    pub(crate) safe: Vec<String>,
    pub(crate) human: Vec<String>,
}

/// A command's error; its kind is the exit code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) exit: Exit,
    pub(crate) diagnostic: Diagnostic,
    pub(crate) next: Next,
}

/// Why a command ends early.
#[derive(Debug)]
pub(crate) enum EarlyExit {
    /// The reader of standard output is gone, which is no error.
    Closed,
    Fault(Box<Fault>),
}

impl Fault {
    pub(crate) fn new(exit: Exit, code: Code, message: impl Into<String>) -> Self {
        let (level, message) = (Level::Error, message.into());
        let diagnostic = Diagnostic { level, code, message, at: None, help: None };
        Self { exit, diagnostic, next: Next::default() }
    }

    /// Names the file that the error is about.
    pub(crate) fn at(mut self, file: impl Into<String>) -> Self {
        self.diagnostic.at = Some(Location { file: file.into(), spot: None });
        self
    }

    /// Sets the one thing to do.
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.diagnostic.help = Some(help.into());
        self
    }

    /// Adds a command that anyone may run next.
    pub(crate) fn safe(mut self, command: &str) -> Self {
        self.next.safe.push(command.to_owned());
        self
    }

    /// Adds a command that a person may run next.
    pub(crate) fn human(mut self, command: &str) -> Self {
        self.next.human.push(command.to_owned());
        self
    }

    /// Returns the text for standard error.
    pub(crate) fn text(&self, look: StreamStyle) -> String {
        self.diagnostic.draw(look, WIDTH)
    }

    /// Returns the object for `--json`.
    pub(crate) fn json(&self) -> Value {
        json!({ "ok": false, "error": self.diagnostic.json(), "next": self.next })
    }
}

impl From<Fault> for EarlyExit {
    fn from(fault: Fault) -> Self {
        Self::Fault(Box::new(fault))
    }
}

impl From<RootError> for EarlyExit {
    fn from(error: RootError) -> Self {
        Fault::from(error).into()
    }
}

impl From<StoreError> for EarlyExit {
    fn from(error: StoreError) -> Self {
        Fault::from(error).into()
    }
}

impl From<RootError> for Fault {
    fn from(error: RootError) -> Self {
        match error {
            RootError::Home => Self::new(Exit::Usage, Code::Refused, error.to_string())
                .help("go to the project's folder first"),
            RootError::Named { path } => {
                let path = path.display();
                Self::new(Exit::NotFound, Code::BadRoot, format!("`{path}` is not a folder"))
                    .help("SPRAG_ROOT names it; correct it or unset it")
            }
            RootError::Unreadable { path, source } => {
                let message = format!("cannot tell whether this is a project: {source}");
                Self::new(Exit::Unreadable, Code::State, message)
                    .at(path.display().to_string())
                    .help("make the folder readable, or go elsewhere")
            }
            RootError::Git(GitError { path, why }) => Self::new(
                Exit::Unreadable,
                Code::State,
                format!("cannot tell where the state of this git worktree is: {why}"),
            )
            .at(path.display().to_string())
            .help("run `git worktree repair` in the main worktree"),
        }
    }
}

impl From<EngineError> for EarlyExit {
    fn from(error: EngineError) -> Self {
        Fault::from(error).into()
    }
}

impl From<EngineError> for Fault {
    fn from(error: EngineError) -> Self {
        let message = error.to_string();
        let of = |exit: Exit, code: Code| Self::new(exit, code, message.clone());
        match error {
            EngineError::Store(error) => error.into(),
            EngineError::Run(Unusable::Absent(_)) | EngineError::NotFound { .. } => {
                of(Exit::NotFound, Code::NoRun).help("`sprag` shows what there is").safe("sprag")
            }
            EngineError::Run(Unusable::Definition { ref path, .. }) if is_typed(path) => {
                invalid(&of)
            }
            EngineError::Run(_) | EngineError::Unreadable { .. } => {
                of(Exit::Unreadable, Code::Document).help("`sprag doctor` says more")
            }
            EngineError::Config(_) | EngineError::Invalid { .. } => invalid(&of),
            EngineError::Tree(TreeError::TooMany) => {
                let help = "`git init` and a .gitignore say which files count";
                of(Exit::Failed, Code::Files).help(help).human("git init")
            }
            EngineError::Tree(TreeError::Git { .. }) => of(Exit::Failed, Code::Files)
                .help("mend the git repository, then do the same again")
                .safe("sprag doctor"),
            EngineError::Tree(_) => of(Exit::Failed, Code::Files),
            EngineError::Gate(_) => of(Exit::Failed, Code::Gate),
            EngineError::NotWritten(_) | EngineError::Deed(_) => of(Exit::Failed, Code::NotWritten),
            EngineError::Several { names, .. } => {
                let message = format!("{message}: {}", names.join(", "));
                Self::new(Exit::Usage, Code::Usage, message).help("name one of them")
            }
            EngineError::Refused { help, .. } => of(Exit::Failed, Code::Refused).help(help),
            EngineError::Exhausted { .. } => {
                of(Exit::Limit, Code::Refused).help("`sprag agent ls` shows who works")
            }
            EngineError::Restless => {
                of(Exit::Conflict, Code::Busy).help("try again when no other process writes here")
            }
            EngineError::Denied(denied) => Self::denied(&denied, &message),
            EngineError::Inbox(refusal) => Self::refused(&refusal, &message),
            EngineError::Path(_) | EngineError::Id(_) | EngineError::Name(_) => {
                of(Exit::Failed, Code::Refused)
            }
        }
    }
}

/// Adds the hint for a wrong definition.
fn invalid(of: &impl Fn(Exit, Code) -> Fault) -> Fault {
    let fault = of(Exit::Invalid, Code::Document);
    fault.help("`sprag check` shows every place").safe("sprag check")
}

/// Returns whether a document was written by the user, and is not the state of sprag or of a loop.
fn is_typed(path: &str) -> bool {
    !path.starts_with(".sprag/") && !path.ends_with("STATE.md")
}

impl Fault {
    /// Returns the error for an inbox refusal.
    fn refused(refusal: &Refusal, message: &str) -> Self {
        let of = |exit: Exit, code: Code| Self::new(exit, code, message);
        match refusal {
            Refusal::Denied(denied) => Self::denied(denied, message),
            Refusal::Stale { .. } => {
                of(Exit::Stale, Code::Refused).help("stop working on it; it is not yours any more")
            }
            Refusal::NotYours { .. } => of(Exit::NeedsPerson, Code::PersonsOnly)
                .help("say who you are with --as, or ask a person"),
            // A unit that no local agent works on is reopened only by a person.
            Refusal::NotOpen { unit, status } if !WorkState::parse(status).is_done() => {
                let command = format!("sprag resume {unit}");
                of(Exit::Conflict, Code::Refused)
                    .help(format!("if no agent works on it, a person can open it: `{command}`"))
                    .safe("sprag agent ls")
                    .human(&command)
            }
            Refusal::NotOpen { .. }
            | Refusal::Taken { .. }
            | Refusal::CannotActivate { .. }
            | Refusal::CannotComplete { .. }
            | Refusal::NotNow { .. }
            | Refusal::Elsewhere { .. }
            | Refusal::Early { .. }
            | Refusal::KeyUsed { .. }
            | Refusal::Terminated { .. } => of(Exit::Conflict, Code::Refused)
                .help("`sprag agent ls` shows who has what")
                .safe("sprag agent ls"),
        }
    }

    /// Returns the error for a kernel refusal.
    fn denied(denied: &Denied, message: &str) -> Self {
        let of = |exit: Exit, code: Code| Self::new(exit, code, message);
        match denied {
            // A refused command must wait, whatever the hold waits for.
            Denied::Held(_) => of(Exit::NeedsPerson, Code::Refused)
                .help("`sprag` shows the next step")
                .safe("sprag"),
            Denied::Stale { .. } | Denied::Foreign { .. } => of(Exit::Stale, Code::Refused)
                .help("stop working on it; another session has it now"),
            Denied::Over => of(Exit::Failed, Code::Refused).help("start another one"),
            Denied::Refused { .. } | Denied::Needs(_) => of(Exit::Failed, Code::Refused),
            Denied::NotReady { .. }
            | Denied::Locked { .. }
            | Denied::Busy { .. }
            | Denied::Unchanged { .. }
            | Denied::Unweighed { .. }
            | Denied::Unclaimed { .. } => of(Exit::Conflict, Code::Refused),
        }
    }
}

/// Returns whether the only problem is a full disk or quota.
pub(crate) fn is_full(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded)
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Path(error) if is_full(&error.source) => {
                let message = format!("the disk is full: cannot {}", error.action);
                Self::new(Exit::Failed, Code::NotWritten, message)
                    .at(error.path.display().to_string())
                    .help("make room, then do the same again")
            }
            StoreError::Path(error) => {
                let message = format!("cannot {}: {}", error.action, error.source);
                Self::new(Exit::Unreadable, Code::State, message)
                    .at(error.path.display().to_string())
                    .help("`sprag doctor` says more")
                    .safe("sprag doctor")
            }
            StoreError::Unknown { path, why } => {
                Self::new(Exit::Unreadable, Code::Journal, format!("the journal is broken: {why}"))
                    .at(path.display().to_string())
                    .help("`sprag doctor --fix` sets it aside and begins a new one")
                    .human("sprag doctor --fix")
            }
            StoreError::Away { path, doc } => {
                let message = format!("`{doc}` is committed, and its worktree is away");
                Self::new(Exit::Conflict, Code::State, message)
                    .at(path.display().to_string())
                    .help("bring the worktree back, or give it up with `git worktree prune`")
            }
            StoreError::Busy { waited } => {
                let waited = waited.as_millis();
                let message = format!("another sprag command is writing here ({waited} ms)");
                Self::new(Exit::Conflict, Code::Busy, message).help("try again in a moment")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use sprag_store::PathError;

    use super::*;

    #[test]
    fn a_full_disk_is_no_unreadable_state() {
        let of = |kind: ErrorKind| {
            let (path, source) = ("/p/run.yaml".into(), kind.into());
            Fault::from(StoreError::Path(PathError { action: "write", path, source }))
        };
        let full = of(ErrorKind::StorageFull);
        assert_eq!((full.exit, full.diagnostic.code), (Exit::Failed, Code::NotWritten));
        assert_eq!(full.diagnostic.message, "the disk is full: cannot write");
        assert_eq!(of(ErrorKind::QuotaExceeded), full);
        assert_eq!(of(ErrorKind::PermissionDenied).exit, Exit::Unreadable);
    }
}

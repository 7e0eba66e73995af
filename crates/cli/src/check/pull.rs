//! Checks the files of a review loop: the metadata of its pull request, its prompts and its
//! configuration.

use std::path::Path;

use sprag_core::pr::{Metadata, Trouble, Trust, TurnAction, decide};
use sprag_engine::pr::PROMPTS;
use sprag_engine::validate::Pointed;
use sprag_formats::pr::{LoopConfig, MetadataFile, read_prompts};
use sprag_formats::{Fault, FaultKind, MAX_BYTES};

use super::findings::{Checked, FindingKind, Findings};
use super::reader::read_up_to;
use super::shown::PathBases;
use crate::codes::Code;
use crate::diagnostic::Level;

/// Returns whether a file is the configuration of a review loop, and not sprag's own.
pub(super) fn is_config(file: &Path) -> bool {
    file.ends_with("review-loop/config.yaml")
}

/// Checks the review loop of a project, if it has one.
pub(super) fn of_project(shown: &PathBases, root: &Path, findings: &mut Findings) {
    let files = [sprag_engine::pr::METADATA, PROMPTS, ".config/review-loop/config.yaml"];
    for file in files.map(|file| root.join(file)).iter().filter(|file| file.is_file()) {
        check(shown, file, findings);
    }
}

pub(super) fn check(shown: &PathBases, file: &Path, findings: &mut Findings) {
    let name = file.display().to_string();
    let text = match read_up_to(file, MAX_BYTES) {
        Ok(text) => text,
        Err(why) => {
            return findings.complaints.push(shown.unreadable(Code::Document, &name, &why));
        }
    };
    let say = |level: Level, fault: &Fault| {
        shown.pointed(level, Code::Document, &name, Pointed::new(&text, fault))
    };
    let read = if is_config(file) {
        LoopConfig::read(&text).map(|(_, notes)| {
            findings.complaints.extend(notes.iter().map(|note| say(Level::Warning, note)));
            "how a loop is begun".to_owned()
        })
    } else if file.ends_with(PROMPTS) {
        read_prompts(&text).map(|_| "what agents are told".to_owned())
    } else {
        metadata(&text)
    };
    match read {
        Ok(said) => {
            let kind = FindingKind::Beside { noun: "review loop", said };
            findings.checked.push(Checked { file: shown.path(&name), kind, parts: vec![] });
        }
        Err(fault) => findings.complaints.push(say(Level::Error, &fault)),
    }
}

/// Returns a summary of the metadata, or its first error.
fn metadata(text: &str) -> Result<String, Fault> {
    let file = MetadataFile::parse(text)?;
    let decision = decide(file.metadata(), Trust::Computed);
    let known = match file.metadata() {
        Metadata::Known(known) => known,
        Metadata::Missing | Metadata::Failed { .. } | Metadata::NoPr => {
            return Ok(decision.action.reason());
        }
    };
    let at = |path: &[&str], why: String| match file.document().optional(path) {
        Some(field) => field.fault(FaultKind::Type, why),
        None => file.document().top().fault(FaultKind::Type, why),
    };
    if let (None, Some(turn)) = (known.stored_turn(), &known.turn) {
        let why = format!(
            "`{}` is no turn: CI-PENDING, CI-REVIEW, REVIEW, RESPONSE",
            turn.escape_debug()
        );
        return Err(at(&["turn"], why));
    }
    if let TurnAction::Error(trouble @ Trouble::NoAgent { .. }) = &decision.action {
        return Err(at(&["reviewLoop"], trouble.to_string()));
    }
    Ok(format!("#{}: {}", known.pull.number, decision.action.reason()))
}

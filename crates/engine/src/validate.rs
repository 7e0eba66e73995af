//! Validates our documents: well-formed, and not of a later version.

use sprag_core::workflow::Definitions;
use sprag_formats::{Config, Document, Fault, FaultKind, StoredFile};

use crate::engine::kind::Kinds;

/// The newest format of `run.yaml` that this version understands.
const VERSION: u64 = 1;

/// An error with the line of text that it points at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pointed {
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
    /// The line's text, without its line break.
    pub text: String,
    /// The error.
    pub why: String,
    /// The way to fix it.
    pub help: Option<String>,
}

impl Pointed {
    /// Attaches the line of text to a fault.
    pub fn new(text: &str, fault: &Fault) -> Self {
        let found = text.split('\n').nth(fault.place.line.saturating_sub(1)).unwrap_or_default();
        let found = found.strip_suffix('\r').unwrap_or(found);
        Self {
            line: fault.place.line,
            column: fault.place.col,
            text: found.trim_start_matches('\u{feff}').to_owned(),
            why: fault.what.clone(),
            help: fault.advice(),
        }
    }
}

/// Validates a `run.yaml`, and its position in the recorded workflow.
pub fn run(
    kinds: Kinds,
    text: &str,
    recorded: &dyn Fn() -> Option<Definitions>,
) -> Result<(), Pointed> {
    let check = || -> Result<(), Box<Fault>> {
        let file = StoredFile::parse(text)?;
        file.document()?.top().entries()?;
        version(file.document()?)?;
        crate::run_file::check(kinds, file.plain(), recorded).map_err(|bad| file.fault(&bad).into())
    };
    check().map_err(|fault| Pointed::new(text, &fault))
}

/// Parses a `config.yaml`, in which every key is optional. Returns its warnings about unknown keys
/// too, or the first error.
pub fn config(text: &str) -> Result<(Config, Vec<Pointed>), Pointed> {
    let point = |fault| Pointed::new(text, fault);
    match Config::read(text, &sprag_hosts::names()) {
        Ok((config, notes)) => Ok((config, notes.iter().map(point).collect())),
        Err(errors) => match errors.first() {
            Some(first) => Err(point(first)),
            None => Ok((Config::default(), Vec::new())),
        },
    }
}

fn version(document: &Document<'_>) -> Result<(), Box<Fault>> {
    let Some(field) = document.optional(&["v"]) else { return Ok(()) };
    match field.as_u64()? {
        0..=VERSION => Ok(()),
        later => {
            let what = format!("version {later}, and this sprag knows {VERSION}");
            Err(field.fault(FaultKind::Limit, what).help("use a newer sprag here").into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(text: &str) -> Result<(), Pointed> {
        super::run(crate::kinds::KINDS, text, &|| None)
    }

    #[test]
    fn a_run_is_a_mapping_of_a_version_we_know() {
        let guard = format!(
            "id: r-1\nsource: guard\nstarted: 2026-03-05T10:00:00Z\nposition:\n  start: {}\n",
            "a".repeat(64)
        );
        assert_eq!(run(&format!("v: 1\n{guard}")), Ok(()));
        let other = guard.replace("guard", "milestone");
        for text in ["", "- a\n", "just text\n", "v: one\nid: r-1\n", "v: 1\n", &guard, &other] {
            assert!(run(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_later_version_is_pointed_at() {
        let fault = run("\u{feff}# ours\r\nv: 2\r\n").unwrap_err();
        assert_eq!((fault.line, fault.column, fault.text.as_str()), (2, 4, "v: 2"));
        assert_eq!(fault.why, "version 2, and this sprag knows 1");
    }

    #[test]
    fn broken_yaml_is_pointed_at() {
        let fault = run("v: 1\nguard: [\n").unwrap_err();
        assert!(fault.line >= 2, "{fault:?}");
        assert!(run("v: 1\nv: 1\n").is_err(), "a key twice");
    }

    #[test]
    fn an_empty_configuration_is_one_and_a_misspelt_key_is_noted() {
        let notes = |text: &str| config(text).unwrap().1;
        assert_eq!(notes(""), []);
        assert_eq!(notes("# nothing yet\n"), []);
        let found = notes("v: 1\ngaurd: {}\n");
        assert_eq!((found.len(), found[0].line, found[0].column), (1, 2, 1));
        assert_eq!(found[0].help.as_deref(), Some("did you mean `guard`?"));
        assert_eq!(notes("elsewhere: 1\n")[0].help, None);
        let found = notes("guard: {gats: []}\n");
        assert_eq!(found[0].help.as_deref(), Some("did you mean `gates`?"));
        let fault = config("off: 1\nguard: 2\n").unwrap_err();
        assert_eq!((fault.line, fault.column), (1, 6));
    }
}

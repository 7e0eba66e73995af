//! The project's own documents, which deep planning requires.

use sprag_core::gsd::{Research, Setup};

use super::section::section;
use crate::document::{Document, Format};

const PROJECT: [&str; 6] = [
    "What This Is",
    "Core Value",
    "Current State",
    "Architecture / Key Patterns",
    "Capability Contract",
    "Milestone Sequence",
];
const REQUIREMENTS: [&str; 6] =
    ["Active", "Validated", "Deferred", "Out of Scope", "Traceability", "Coverage Summary"];
const DIMENSIONS: [&str; 4] = ["STACK", "FEATURES", "ARCHITECTURE", "PITFALLS"];

/// The texts of the project's documents.
#[derive(Debug, Default)]
pub(super) struct Texts<'t> {
    pub(super) project: Option<&'t str>,
    pub(super) requirements: Option<&'t str>,
    /// The text of `runtime/research-decision.json`.
    pub(super) decision: Option<&'t str>,
    /// The names in `research/`.
    pub(super) research: Vec<String>,
    /// Whether `runtime/research-project-inflight` exists.
    pub(super) running: bool,
}

/// Determines which questions about the project are already answered.
pub(super) fn setup(texts: &Texts<'_>) -> Setup {
    let has = |text: Option<&str>, headings: &[&str], filled: bool| {
        text.is_some_and(|text| {
            let is_there = |heading: &&str| {
                section(text, heading, 2).is_some_and(|(_, inside)| !filled || !inside.is_empty())
            };
            headings.iter().all(is_there) && !text.contains("{{")
        })
    };
    Setup {
        project: has(texts.project, &PROJECT, true),
        requirements: has(texts.requirements, &REQUIREMENTS, false),
        research: research(texts),
    }
}

/// Determines the state of the research. Only a person's decision counts.
fn research(texts: &Texts<'_>) -> Research {
    let said = texts.decision.and_then(|text| Document::parse(Format::Json, text).ok());
    let is = |key: &str, values: &[&str]| {
        let field = said.as_ref().and_then(|said| said.get(&[key]));
        field.is_some_and(|field| field.as_str().is_ok_and(|text| values.contains(&text)))
    };
    let wanted = is("decision", &["research"]) && is("source", &["research-decision", "user"]);
    let has = |name: String| texts.research.contains(&name);
    let (mut there, mut failed) = (0, 0);
    for dimension in DIMENSIONS {
        there += usize::from(has(format!("{dimension}.md")));
        failed += usize::from(has(format!("{dimension}-BLOCKER.md")));
    }
    if !wanted {
        Research::Settled
    } else if has("PROJECT-RESEARCH-BLOCKER.md".to_owned()) || (failed == 4 && there == 0) {
        Research::Blocked
    } else if there + failed >= 4 {
        Research::Settled
    } else if texts.running {
        Research::Running
    } else {
        Research::Wanted
    }
}

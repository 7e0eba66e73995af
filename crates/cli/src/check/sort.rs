//! Which document of opti-gsd a file is: by its name, else by what it says.

use std::path::{Path, PathBuf};

use sprag_engine::init::foreign;
use sprag_formats::plan::roadmap;
use sprag_formats::{Document, Format};

use crate::call::LATER;

/// A document of opti-gsd.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    /// `plan.md`, `fix-plan.md`.
    Plan,
    /// `STATE.md`.
    State,
    /// `config.md`.
    Config,
    /// `VERIFICATION.md`.
    Verification,
    /// `ROADMAP.md`.
    Roadmap,
    /// `hooks/hooks.json`.
    Plugin,
    /// A file of `.opti-gsd`, where later versions keep their state.
    Later,
}

/// So many phases of a project are looked at.
const PHASES: usize = 1000;

impl Sort {
    /// Tells what a file is by its name.
    pub(super) fn by_name(file: &Path) -> Option<Self> {
        if file.ancestors().any(|above| above.file_name().is_some_and(|name| name == LATER)) {
            return file.extension().is_some_and(|ending| ending == "json").then_some(Self::Later);
        }
        match file.file_name()?.to_str()? {
            "plan.md" | "fix-plan.md" => Some(Self::Plan),
            "STATE.md" => Some(Self::State),
            "config.md" => Some(Self::Config),
            "VERIFICATION.md" => Some(Self::Verification),
            "ROADMAP.md" => Some(Self::Roadmap),
            "hooks.json" => Some(Self::Plugin),
            _ => None,
        }
    }

    /// Tells what a Markdown file is by what it says; one that says nothing of the kind is none.
    pub(super) fn by_text(text: &str) -> Option<Self> {
        let begins = |start: &str| text.lines().any(|line| line.trim_start().starts_with(start));
        if let Some(sort) =
            Document::parse(Format::FrontMatter, text).ok().and_then(|document| by_keys(&document))
        {
            return Some(sort);
        }
        if begins("<task ") {
            Some(Self::Plan)
        } else if begins("# Verification Report") || begins("## Status:") {
            Some(Self::Verification)
        } else {
            None
        }
    }
}

fn by_keys(document: &Document<'_>) -> Option<Sort> {
    let has = |path: &[&str]| document.get(path).is_some();
    let is_phase_of_workflow = has(&["id"]) && has(&["name"]);
    if is_phase_of_workflow {
        None
    } else if has(&["phase"]) && has(&["title"]) {
        Some(Sort::Plan)
    } else if has(&["loop", "active"]) || has(&["loop", "iteration"]) {
        Some(Sort::State)
    } else if has(&["mode"]) || has(&["loop", "auto_loop"]) || has(&["loop", "execute_max_retries"])
    {
        Some(Sort::Config)
    } else {
        None
    }
}

/// Returns the documents of opti-gsd in a project, in the order in which a person reads them.
pub(super) fn of_project(root: &Path) -> Vec<(PathBuf, Sort)> {
    let gsd = root.join(".gsd");
    let mut found: Vec<PathBuf> = Vec::new();
    if foreign::find(root).iter().any(|one| one.what.contains("opti-gsd")) {
        found.extend(["config.md", "STATE.md", "ROADMAP.md"].map(|name| gsd.join(name)));
        for phase in folders(&gsd.join("plans")) {
            let names = ["plan.md", "fix-plan.md", "VERIFICATION.md"];
            found.extend(names.map(|name| phase.join(name)));
        }
    }
    let later = root.join(LATER);
    found.extend(["state.json", "config.json"].map(|name| later.join(name)));
    for phase in folders(&later.join("plans")) {
        found.extend(["plan.json", "verification.json"].map(|name| phase.join(name)));
    }
    let there = found.into_iter().filter(|file| file.is_file());
    there.filter_map(|file| Some((file.clone(), Sort::by_name(&file)?))).collect()
}

/// Returns the phases of a project that have two folders, `phase-1` and `phase-01`, by the second.
pub(super) fn doubled(root: &Path) -> Vec<PathBuf> {
    let padded = |folder: &PathBuf| {
        let phase = folder.file_name()?.to_str()?.strip_prefix("phase-")?.to_owned();
        let [padded, _] = roadmap::folders(phase.trim_start_matches('0'));
        Some(padded)
    };
    let all = folders(&root.join(".gsd/plans"));
    let is_doubled = |at: &usize| {
        let own = padded(&all[*at]);
        own.is_some() && all[..*at].iter().any(|before| padded(before) == own)
    };
    (0..all.len()).filter(is_doubled).map(|at| all[at].clone()).collect()
}

/// Returns the folders in a folder, in the order of their names.
fn folders(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> =
        entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    found.sort();
    found.truncate(PHASES);
    found
}

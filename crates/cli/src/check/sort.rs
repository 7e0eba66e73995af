//! Determines which opti-gsd document a file is: by its name, else by its content.

use std::path::{Path, PathBuf};

use sprag_engine::init::foreign;
use sprag_formats::plan::{MAX_PLAN, roadmap};
use sprag_formats::{Document, Format};

use super::reader;
use crate::context::LATER;

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

/// The most phases of a project that are checked.
const PHASES: usize = 1000;

impl Sort {
    fn by_name(file: &Path) -> Option<Self> {
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

    /// Determines the kind of a file by its name and, if it is Markdown, by its content.
    pub(super) fn of(file: &Path) -> Option<Self> {
        let named = Self::by_name(file);
        if file.extension().is_none_or(|ending| ending != "md") {
            return named;
        }
        // A phase of a workflow may well be named `plan.md`.
        if file.parent().is_some_and(|folder| folder.join("workflow.yaml").exists()) {
            return None;
        }
        let text = reader::read_up_to(file, MAX_PLAN).unwrap_or_default();
        let document = Document::parse(Format::FrontMatter, &text).ok();
        let has = |path: &[&str]| document.as_ref().is_some_and(|one| one.get(path).is_some());
        if has(&["id"]) && has(&["name"]) {
            return None;
        }
        named.or_else(|| Self::by_keys(&has)).or_else(|| Self::by_lines(&text))
    }

    fn by_keys(has: &impl Fn(&[&str]) -> bool) -> Option<Self> {
        let sorts: [(Self, &[&[&str]]); 3] = [
            (Self::Plan, &[&["phase"], &["title"]]),
            (Self::State, &[&["loop", "active"]]),
            (Self::Config, &[&["mode"]]),
        ];
        let all =
            |(sort, keys): &(Self, &[&[&str]])| keys.iter().all(|key| has(key)).then_some(*sort);
        sorts.iter().find_map(all)
    }

    fn by_lines(text: &str) -> Option<Self> {
        let begins = |start: &str| text.lines().any(|line| line.trim_start().starts_with(start));
        if begins("<task ") {
            Some(Self::Plan)
        } else if begins("# Verification Report") || begins("## Status:") {
            Some(Self::Verification)
        } else {
            None
        }
    }
}

/// Returns the opti-gsd documents of a project in reading order.
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

/// Returns the second folder of each phase that has two, `phase-1` and `phase-01`.
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

/// Returns the subfolders of a folder, sorted by name.
fn folders(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> =
        entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    found.sort();
    found.truncate(PHASES);
    found
}

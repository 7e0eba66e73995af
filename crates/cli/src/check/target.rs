//! Interprets a path given to `sprag check`.

use std::path::{Path, PathBuf};

use sprag_engine::gsd;
use sprag_engine::pr::{METADATA, PROMPTS};
use sprag_store::Place;
use sprag_world::root::{self, RootSearch};

use super::pull;
use super::sort::Sort;
use crate::codes::Code;
use crate::context::{CommandContext, LATER};
use crate::exit::Exit;
use crate::fault::{EarlyExit, Fault};

/// Something to check.
#[derive(Clone, Debug)]
pub(super) enum CheckTarget {
    /// A project: its configuration and all its workflows.
    Project(Place),
    /// The milestone tree of a project.
    Tree(PathBuf),
    /// A folder of workflows.
    Tier(PathBuf),
    /// One workflow of a folder.
    Workflow {
        tier: PathBuf,
        key: String,
    },
    Phase(PathBuf),
    Config(PathBuf),
    /// The state of a pull request and its review loop.
    Pull(PathBuf),
    /// A document of opti-gsd.
    OptiGsd(PathBuf, Sort),
}

const KNOWN: &str = "give it a project, a workflow's folder, a workflow.yaml, a phase (.md), a config.yaml, a plan or the metadata.yaml of a pull request";

impl CheckTarget {
    /// Returns the current project. A folder with only the state of a later version is not a
    /// project, and gets its own message.
    pub(super) fn here(call: &CommandContext) -> Result<Self, EarlyExit> {
        match call.place()? {
            None if call.folder.join(LATER).is_dir() => Self::of(call, Path::new(".")),
            Some(_) | None => Ok(Self::Project(call.project_to_show()?.0)),
        }
    }

    pub(super) fn of(call: &CommandContext, path: &Path) -> Result<Self, EarlyExit> {
        let shown = path.display().to_string();
        let refuse = |message: String| {
            Fault::new(Exit::NotFound, Code::NoPath, message).at(shown.clone()).help(KNOWN)
        };
        let whole = std::fs::canonicalize(call.folder.join(path))
            .map_err(|error| refuse(format!("cannot be checked: {error}")))?;
        if let Some(root) = tree_around(&whole) {
            return Ok(Self::Tree(root));
        }
        let found = if whole.is_dir() { Self::of_folder(&whole)? } else { Self::of_file(&whole) };
        let found = found.ok_or_else(|| refuse("there is nothing that sprag checks".to_owned()))?;
        Ok(found)
    }

    fn of_file(file: &Path) -> Option<Self> {
        if let Some(sort) = Sort::of(file) {
            return Some(Self::OptiGsd(file.to_path_buf(), sort));
        }
        match file.file_name()?.to_str()? {
            "workflow.yaml" => Self::of_workflow(file.parent()?),
            "metadata.yaml" => Some(Self::Pull(file.to_path_buf())),
            "prompts.yaml" if file.ends_with(PROMPTS) => Some(Self::Pull(file.to_path_buf())),
            "config.yaml" if pull::is_config(file) => Some(Self::Pull(file.to_path_buf())),
            "config.yaml" => Some(Self::Config(file.to_path_buf())),
            _ if file.extension()? == "md" => Some(Self::Phase(file.to_path_buf())),
            _ => None,
        }
    }

    fn of_workflow(folder: &Path) -> Option<Self> {
        let key = folder.file_name()?.to_str()?.to_owned();
        Some(Self::Workflow { tier: folder.parent()?.to_path_buf(), key })
    }

    fn of_folder(folder: &Path) -> Result<Option<Self>, EarlyExit> {
        if folder.join("workflow.yaml").exists() {
            return Ok(Self::of_workflow(folder));
        }
        let states = [root::STATE, ".gsd", LATER];
        let inside = folder.file_name().is_some_and(|name| states.iter().any(|one| name == *one));
        let top = if inside { folder.parent().unwrap_or(folder) } else { folder };
        let marks = [root::STATE, gsd::FOLDER, ".pi/workflows", LATER, METADATA];
        if marks.iter().any(|mark| top.join(mark).exists()) {
            let start = RootSearch { folder: top, home: None, named: Some(top) };
            return Ok(root::find(start)?.map(Self::Project));
        }
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut below = entries.map(|entry| entry.path().join("workflow.yaml"));
        Ok(below.any(|file| file.exists()).then(|| Self::Tier(folder.to_path_buf())))
    }
}

/// Returns the project whose milestone tree contains a path: `.gsd` itself, or GSD's files in it.
fn tree_around(path: &Path) -> Option<PathBuf> {
    let top = path.ancestors().find(|above| above.ends_with(gsd::FOLDER))?;
    let below = path.strip_prefix(top).ok()?.components().next();
    let theirs = below.is_none_or(|name| {
        ["milestones", "PREFERENCES.md"].iter().any(|own| name.as_os_str() == *own)
    });
    let root = top.parent()?;
    (theirs && gsd::is_tree(root)).then(|| root.to_path_buf())
}

//! Loads workflow definitions from four `workflows` folders; a higher folder overrides a lower one
//! key by key.
//!
//! Only files that a definition names are read, so a host hook that needs one run's workflow
//! ([`load_one`]) opens only a handful of files.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use sprag_formats::Place;
use sprag_formats::workflow::{self, Loaded, Problem, Weight};

mod tier;

#[cfg(test)]
mod tests;

pub use tier::Tier;

/// The inputs of the search, as values so that tests can set them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Search<'a> {
    pub root: Option<&'a Path>,
    pub home: Option<&'a Path>,
    /// The value of `XDG_CONFIG_HOME`.
    pub config: Option<&'a OsStr>,
    /// The value of `PI_CODING_AGENT_DIR`.
    pub pi: Option<&'a OsStr>,
}

impl Search<'_> {
    /// Returns the possible `workflows` folders, lowest first: the person's for pi, the project's
    /// for pi, the person's for sprag, the project's for sprag.
    pub fn folders(&self) -> Vec<PathBuf> {
        let home = |below: &str| Some(self.home?.join(below));
        let pi = self.pi.map(|named| self.root.unwrap_or(Path::new("/")).join(named));
        let config = self.config.map(PathBuf::from).filter(|path| path.is_absolute());
        let project = |below: &str| Some(self.root?.join(below));
        let folders = [
            pi.or_else(|| home(".pi/agent")).map(|agent| agent.join("workflows")),
            project(".pi/workflows"),
            config.or_else(|| home(".config")).map(|config| config.join("sprag/workflows")),
            project(".sprag/workflows"),
        ];
        folders.into_iter().flatten().collect()
    }
}

/// Loads all workflows, on several threads.
pub fn load(search: &Search<'_>) -> Loaded {
    let (tiers, problems) = open(&search.folders());
    first(problems, load_shared(tiers))
}

fn load_shared(tiers: Vec<Tier>) -> Loaded {
    let mut shares: Vec<_> = tiers.into_iter().flat_map(Tier::shares).collect();
    let Some((last, others)) = shares.split_last_mut() else { return Loaded::default() };
    std::thread::scope(|scope| {
        let others: Vec<_> = others.iter_mut().map(|share| scope.spawn(|| share.read())).collect();
        let last = last.read();
        let joined = others.into_iter().map(|thread| match thread.join() {
            Ok(share) => share,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        workflow::load_shares(joined.chain([last]))
    })
}

/// Loads the workflow with this key and those that it refers to.
pub fn load_one(search: &Search<'_>, key: &str) -> Loaded {
    let (tiers, problems) = open(&search.folders());
    first(problems, workflow::load_one(&tiers, key))
}

/// Opens the existing folders, and reports those that cannot be opened.
pub fn open(folders: &[PathBuf]) -> (Vec<Tier>, Vec<Problem>) {
    let (mut tiers, mut problems) = (Vec::new(), Vec::new());
    for folder in folders {
        match Tier::open(folder) {
            Ok(tier) => tiers.extend(tier),
            Err(error) => problems.push(Problem {
                file: folder.display().to_string(),
                place: Place { line: 1, col: 1 },
                line: None,
                text: format!("cannot {} the workflows in it: {}", error.action, error.source),
                help: None,
                weight: Weight::Rejects,
            }),
        }
    }
    (tiers, problems)
}

fn first(mut problems: Vec<Problem>, mut loaded: Loaded) -> Loaded {
    problems.append(&mut loaded.problems);
    Loaded { problems, ..loaded }
}

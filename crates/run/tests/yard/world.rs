//! A repository with a user's work in it, and the yard of a run beside it.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::ffi::OsString;
use std::path::Path;

use sprag_core::{Hash, RunId, WorktreeName};
use sprag_engine::drive::set_up_asks;
use sprag_engine::gate::GateRunner;
use sprag_formats::{Checks, Config, WorktreeConfig};
use sprag_run::worktrees::{Commit, Merged, UnmergedWork, Worktree, Worktrees, WorktreesError};
use sprag_store::Place;
use sprag_testkit::TestEnv;
use sprag_world::root::{self, RootSearch};
use sprag_world::trust::{self, Belongs};

pub(crate) struct World {
    pub(crate) env: TestEnv,
    pub(crate) below: &'static str,
    pub(crate) config: WorktreeConfig,
    pub(crate) trusted: bool,
}

impl World {
    /// A project without git.
    pub(crate) fn bare() -> Self {
        let env = TestEnv::new();
        env.write(".sprag/config.yaml", "v: 1\n");
        env.write(".sprag/.gitignore", "/cache/\n");
        Self { env, below: "", config: WorktreeConfig::default(), trusted: true }
    }

    /// A project with one commit.
    pub(crate) fn new() -> Self {
        let world = Self::bare();
        world.env.git(&["init", "-q"]);
        world.env.write("a.txt", "one\ntwo\nthree\n");
        world.env.write("b.txt", "b\n");
        world.env.git(&["add", "."]);
        world.env.git(&["commit", "-qm", "first"]);
        world
    }

    pub(crate) fn configured(mut self, text: &str) -> Self {
        self.config = Config::read(text, &sprag_hosts::names()).unwrap().0.worktree;
        self
    }

    pub(crate) fn variables(&self) -> Vec<(OsString, OsString)> {
        let command = self.env.command("git");
        let of = |(name, value): (&std::ffi::OsStr, Option<&std::ffi::OsStr>)| {
            Some((name.to_owned(), value?.to_owned()))
        };
        command.get_envs().filter_map(of).collect()
    }

    pub(crate) fn place(&self) -> Place {
        let folder = self.env.project();
        let named = folder.join(self.below);
        let start = RootSearch { folder: &folder, home: None, named: Some(&named) };
        root::find(start).unwrap().unwrap()
    }

    pub(crate) fn open(&self) -> Result<Worktrees, WorktreesError> {
        let (place, variables) = (self.place(), self.variables());
        let kept = self.env.home().join("trust");
        if self.trusted && !self.config.setup.is_empty() {
            let digests = set_up_asks(&self.config).into_iter().map(|one| one.digest);
            trust::approve(&kept, &place, &digests.collect::<Vec<_>>()).unwrap();
        }
        let deed = Belongs::of(&place, Some(&kept)).deed().unwrap_or_default();
        let (place, environment, deed) = (&place, &variables[..], &deed);
        let bench = GateRunner { place, environment, deed, checks: Checks::Ask, stop: None };
        Worktrees::open(&bench, &RunId::parse("r-test").unwrap(), &self.config)
    }

    pub(crate) fn yard(&self) -> Worktrees {
        self.open().unwrap()
    }

    /// Runs git in a folder beside the project.
    pub(crate) fn git_at(&self, folder: &Path, words: &[&str]) -> String {
        let mut all = vec!["-C", folder.to_str().unwrap()];
        all.extend(words);
        self.env.git(&all).trim_end().to_owned()
    }

    /// Everything that belongs to the user: files, index, HEAD, foreign refs, stash.
    pub(crate) fn persons(&self) -> BTreeMap<String, Hash> {
        let project = self.env.project();
        let mut found = BTreeMap::new();
        let mut open = vec![project.clone()];
        while let Some(folder) = open.pop() {
            for entry in std::fs::read_dir(&folder).unwrap() {
                let path = entry.unwrap().path();
                let name = path.strip_prefix(&project).unwrap().display().to_string();
                let ours = [
                    ".sprag/cache",
                    ".git/objects",
                    ".git/worktrees",
                    ".git/logs/refs/heads/sprag",
                ];
                let is_ours = ours.contains(&name.as_str()) || name == ".git/refs/heads/sprag";
                if is_ours {
                    continue;
                }
                if path.is_symlink() {
                    let target = std::fs::read_link(&path).unwrap();
                    found.insert(name, Hash::of(target.as_os_str().as_encoded_bytes()));
                } else if path.is_dir() {
                    open.push(path);
                } else {
                    found.insert(name, Hash::of(std::fs::read(&path).unwrap()));
                }
            }
        }
        found
    }
}

pub(crate) fn id(text: &str) -> WorktreeName {
    WorktreeName::parse(text).unwrap()
}

/// Writes a file into a worktree, as an agent does.
pub(crate) fn write(tree: &Worktree, name: &str, text: &str) {
    let path = tree.root().join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

pub(crate) fn read(folder: &Path, name: &str) -> Option<String> {
    std::fs::read_to_string(folder.join(name)).ok()
}

pub(crate) fn commit(yard: &Worktrees, tree: &Worktree) -> Commit {
    match yard.commit(tree, "work\n").unwrap() {
        UnmergedWork::UpTo(commit) => commit,
        UnmergedWork::Nothing => panic!("there is nothing"),
    }
}

pub(crate) fn merge(yard: &Worktrees, tree: &Worktree) -> Merged {
    yard.merge_then(tree, |_| Ok::<_, Infallible>(true), Ok).unwrap()
}

/// Writes one file as an agent, commits and merges it.
pub(crate) fn work(yard: &Worktrees, name: &str, file: &str, text: &str) -> Worktree {
    let tree = yard.take(&id(name)).unwrap();
    write(&tree, file, text);
    commit(yard, &tree);
    assert!(matches!(merge(yard, &tree), Merged::Kept(_)));
    tree
}

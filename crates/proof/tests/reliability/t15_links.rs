//! T15: links, pipes and folders at the paths of sprag's files: nothing outside is read or written,
//! and no process blocks forever.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicBool, Ordering};

use sprag_testkit::folder::{self, Entry};
use sprag_testkit::skip;

use crate::project::{COMMIT_DOCS, Project};

const SECRET: &str = "the canary's secret";

/// The paths that an attacker might replace.
const PLACES: &[&str] = &[
    "a.md",
    "notes",
    "notes/b.md",
    ".sprag",
    ".sprag/lock",
    ".sprag/.gitignore",
    ".sprag/journal",
    ".sprag/journal/head",
    ".sprag/journal/00000000000000000001.jsonl",
    ".sprag/journal/blobs",
];

/// A folder outside the project that must not change.
struct Canary {
    folder: PathBuf,
    before: std::collections::BTreeMap<String, Entry>,
}

impl Canary {
    fn new(project: &Project) -> Self {
        let folder = project.scratch().join("outside");
        std::fs::create_dir(&folder).unwrap();
        for name in ["file", "b.md", "a.md", "head", "lock", "00000000000000000001.jsonl"] {
            std::fs::write(folder.join(name), SECRET).unwrap();
        }
        let before = folder::entries(&folder).unwrap();
        Self { folder, before }
    }

    fn assert_untouched(&self, what: &str, output: &Output) {
        assert_eq!(folder::entries(&self.folder).unwrap(), self.before, "{what}");
        let said = [&output.stdout[..], &output.stderr].concat();
        assert!(!String::from_utf8_lossy(&said).contains(SECRET), "{what} was read");
        assert_ne!(output.status.code(), Some(124), "{what}: it hangs");
        assert_ne!(output.status.code(), Some(101), "{what}: it panics");
    }
}

/// Runs `commit-docs`, for at most twenty seconds.
fn run(root: &Path, words: &[&str]) -> Output {
    let mut command = Command::new("timeout");
    command.args(["-k", "1", "20", COMMIT_DOCS]).arg(root).args(words).output().unwrap()
}

fn attack(what: &str, place: &str, replace: impl Fn(&Path, &Canary)) {
    let project = Project::with_documents();
    let large = "x".repeat(70 << 10);
    project.commit(&[&format!("notes/c.md={large}")]);
    let canary = Canary::new(&project);
    let (path, what) = (project.path(place), format!("{place} as {what}"));
    std::fs::rename(&path, project.scratch().join("moved")).unwrap();
    replace(&path, &canary);
    let words = [&format!("notes/c.md={large}y")[..], "a.md=new\n", "notes/b.md+=new\n"];
    canary.assert_untouched(&what, &run(&project.root, &["read", "a.md", "notes/b.md"]));
    canary.assert_untouched(&what, &run(&project.root, &words));
    canary.assert_untouched(&what, &run(&project.root, &["notes/b.md!", "a.md!"]));
    canary.assert_untouched(&what, &run(&project.root, &["notes/b.md=again"]));
}

#[test]
fn links_to_files_and_folders_are_not_followed() {
    for place in PLACES {
        attack("a link to a file", place, |path, canary| {
            symlink(canary.folder.join("file"), path).unwrap();
        });
        attack("a link to a folder", place, |path, canary| symlink(&canary.folder, path).unwrap());
        attack("a link to nothing", place, |path, canary| {
            symlink(canary.folder.join("new"), path).unwrap();
        });
    }
}

#[test]
fn pipes_and_folders_are_not_waited_for() {
    for place in PLACES {
        attack("a pipe", place, |path, _| {
            assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
        });
        attack("a folder", place, |path, _| std::fs::create_dir(path).unwrap());
    }
}

/// Exchanges a folder and a link to the canary as fast as possible until `stop` is set; returns the
/// number of exchanges.
fn swap(place: &Path, link: &Path, stop: &AtomicBool) -> u32 {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    let mut swaps = 0;
    while !stop.load(Ordering::Relaxed) {
        renameat_with(CWD, place, CWD, link, RenameFlags::EXCHANGE).unwrap();
        swaps += 1;
    }
    swaps
}

#[test]
fn a_link_swapped_in_while_we_work_is_not_followed() {
    let count = if skip::is_long() { 500 } else { 60 };
    for place in ["notes", "notes/b.md", ".sprag", ".sprag/journal"] {
        let project = Project::with_documents();
        let canary = Canary::new(&project);
        let link = project.scratch().join("link");
        let target = if project.path(place).is_dir() { "." } else { "b.md" };
        symlink(canary.folder.join(target), &link).unwrap();
        let (stop, path) = (AtomicBool::new(false), project.path(place));
        std::thread::scope(|scope| {
            let swapper = scope.spawn(|| swap(&path, &link, &stop));
            let mut written = 0;
            for number in 0..count {
                let word = format!("notes/b.md={number}\n");
                let output = run(&project.root, &[&word, "a.md=x\n"]);
                written += usize::from(output.status.success());
                canary.assert_untouched(place, &output);
                canary.assert_untouched(place, &run(&project.root, &["read", "notes/b.md"]));
            }
            stop.store(true, Ordering::Relaxed);
            let swaps = swapper.join().unwrap();
            println!("{place}: {swaps} swaps, {written} of {count} commits got through");
            assert!(swaps > 100, "{place}: hardly a race");
        });
    }
}

//! T6: a full disk, by space and by number of files: the old state stays, reads work, nothing is
//! left behind, and work continues when there is space again.
//!
//! The small disk is a tmpfs in its own mount namespace, reached through the process that holds the
//! namespace; the mount is invisible to other processes.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use sprag_proof::exit::{self, Says};
use sprag_testkit::{folder, skip};
use tempfile::TempDir;

use crate::project::{commit_docs, store, try_commit};
use crate::scenario::EDITS;
use crate::verify::{Expect, Told, nothing_is_left};

/// A mounted tmpfs; it disappears with its keeper.
struct Disk {
    keeper: Child,
    root: PathBuf,
    _folder: TempDir,
}

impl Disk {
    /// Mounts a small disk, or returns why it cannot.
    fn mount(options: &str) -> Result<Self, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let script = "mount -t tmpfs -o \"$1\" none \"$2\" && echo ready && read -r _";
        for unshare in [&["-m"][..], &["-r", "-m"]] {
            let mut keeper = Command::new("unshare")
                .args(unshare)
                .args(["sh", "-c", script, "sh", options])
                .arg(folder.path())
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()
                .map_err(|error| error.to_string())?;
            let mut line = String::new();
            let said = keeper.stdout.take().map(BufReader::new);
            said.and_then(|mut said| said.read_line(&mut line).ok());
            let inside = folder.path().strip_prefix("/").map_err(|error| error.to_string())?;
            let root = Path::new("/proc").join(keeper.id().to_string()).join("root").join(inside);
            if line == "ready\n" && root.is_dir() {
                return Ok(Self { keeper, root, _folder: folder });
            }
            let _ = keeper.kill();
            let _ = keeper.wait();
        }
        Err("no right to mount a tmpfs in a namespace".to_owned())
    }

    /// Fills the disk until `pages` pages are free.
    fn fill(&self, pages: u64) {
        let free = rustix::fs::statvfs(&self.root).unwrap();
        let bytes = free.f_bavail.saturating_sub(pages) * free.f_frsize;
        std::fs::write(self.ballast(), vec![0; usize::try_from(bytes).unwrap()]).unwrap();
    }

    /// Creates files until only `names` more can be created.
    fn fill_names(&self, names: u64) {
        std::fs::create_dir(self.ballast()).unwrap();
        for number in names..rustix::fs::statvfs(&self.root).unwrap().f_ffree {
            std::fs::File::create(self.ballast().join(number.to_string())).unwrap();
        }
    }

    fn ballast(&self) -> PathBuf {
        self.root.join("ballast")
    }

    fn free(&self) {
        let gone = std::fs::remove_file(self.ballast());
        gone.or_else(|_| std::fs::remove_dir_all(self.ballast())).unwrap();
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = self.keeper.kill();
        let _ = self.keeper.wait();
    }
}

/// Commits three documents on a disk that `fill` made full, and again when there is space.
fn commit_on_full(options: &str, journal: bool, fill: impl Fn(&Disk)) -> Option<Says> {
    let disk = match Disk::mount(options) {
        Ok(disk) => disk,
        Err(why) => {
            skip::skip("T6 full disk", &why);
            return None;
        }
    };
    if journal {
        try_commit(&store(&disk.root), &["a.md=one\n", "notes/b.md=two\n", "notes/c.md=three\n"])
            .unwrap();
    } else {
        std::fs::create_dir(disk.root.join("notes")).unwrap();
    }
    let scratch = tempfile::tempdir().unwrap();
    let after = scratch.path().join("after");
    folder::copy(&disk.root, &after).unwrap();
    let run = |root: &Path| {
        let words = commit_docs(root, EDITS[2]);
        Command::new(&words[0]).args(&words[1..]).output().unwrap()
    };
    assert!(run(&after).status.success());
    let before = scratch.path().join("before");
    folder::copy(&disk.root, &before).unwrap();
    let expect = Expect::of(&before, &after);
    fill(&disk);
    let output = run(&disk.root);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let says = u8::try_from(output.status.code().unwrap()).ok().and_then(exit::says).unwrap();
    let told = match says {
        Says::Happened => Told::Happened,
        Says::Never => Told::Never,
    };
    // Reads work on the full disk, and the failed commit left no temporary files behind.
    crate::verify::view(&disk.root).unwrap();
    if says == Says::Never {
        assert!(
            said.contains("/a.md") || said.contains("/.sprag") || said.contains("/notes"),
            "{said}"
        );
        let ballast = |name: &str| name.starts_with("ballast");
        let left = folder::entries(&disk.root).unwrap().into_keys().filter(|name| !ballast(name));
        assert!(left.into_iter().all(|name| !name.contains("sprag-tmp")), "{said}");
    }
    disk.free();
    assert_eq!(expect.check(&disk.root, told), Ok(()), "{options}: {said}");
    assert_eq!(nothing_is_left(&disk.root), Ok(()));
    Some(says)
}

#[test]
fn a_disk_without_room() {
    for journal in [true, false] {
        let mut outcomes = Vec::new();
        for pages in 0..10 {
            match commit_on_full("size=256k,nr_inodes=100", journal, |disk| disk.fill(pages)) {
                Some(says) => outcomes.push(says),
                None => return,
            }
        }
        assert_eq!(outcomes[0], Says::Never, "{outcomes:?}");
        assert_eq!(outcomes.last(), Some(&Says::Happened), "{outcomes:?}");
    }
}

#[test]
fn a_disk_without_room_for_names() {
    for journal in [true, false] {
        let mut outcomes = Vec::new();
        for names in 0..10 {
            match commit_on_full("size=256k,nr_inodes=40", journal, |disk| disk.fill_names(names)) {
                Some(says) => outcomes.push(says),
                None => return,
            }
        }
        assert_eq!(outcomes[0], Says::Never, "{outcomes:?}");
        assert_eq!(outcomes.last(), Some(&Says::Happened), "{outcomes:?}");
    }
}

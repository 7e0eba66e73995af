//! T1 and T2 inside a single write: the system cuts it off after each number of bytes.
//!
//! A limit on the size of files acts like a full disk or a kill at the wrong moment: the write is
//! cut short, and the next one kills the process or, if that signal is ignored, fails.

use std::path::Path;
use std::process::{Command, Output};

use sprag_proof::exit::{self, Says};
use sprag_testkit::{folder, skip};

use crate::project::{Project, commit_docs};
use crate::scenario::{self, EDITS};
use crate::verify::{Expect, Told};

/// Whether a process survives a write beyond the limit.
#[derive(Clone, Copy)]
enum Beyond {
    Dies,
    Fails,
}

fn limited(bytes: u64, beyond: Beyond, root: &Path) -> Output {
    let script = match beyond {
        Beyond::Dies => "exec \"$@\"",
        Beyond::Fails => "trap '' XFSZ; exec \"$@\"",
    };
    Command::new("prlimit")
        .args([format!("--fsize={bytes}"), "--core=0".to_owned()])
        .args(["sh", "-c", script, "sh"])
        .args(commit_docs(root, EDITS[2]))
        .output()
        .unwrap()
}

fn told(output: &Output, beyond: Beyond) -> Result<Told, String> {
    let ok = output.stdout.starts_with(b"ok ");
    let said = String::from_utf8_lossy(&output.stderr);
    match (beyond, output.status.code()) {
        (_, Some(0)) if ok => Ok(Told::Happened),
        (Beyond::Dies, None) if !ok => Ok(Told::Nothing),
        (Beyond::Fails, Some(code)) => {
            let code = u8::try_from(code).map_err(|error| error.to_string())?;
            match exit::says(code) {
                Some(Says::Happened) => Ok(Told::Happened),
                Some(Says::Never) if said.contains('/') && !ok => Ok(Told::Never),
                Some(Says::Never) | None => Err(format!("exit {code}: {said}")),
            }
        }
        (Beyond::Dies | Beyond::Fails, _) => Err(format!("{}: {said}", output.status)),
    }
}

fn cut_every_write(prepare: fn() -> Project) {
    if Command::new("prlimit").arg("--version").output().is_err() {
        return skip::skip("torn writes", "prlimit is missing");
    }
    let project = prepare();
    let after = project.scratch().join("after");
    folder::copy(&project.root, &after).unwrap();
    assert!(limited(1 << 30, Beyond::Dies, &after).status.success());
    let expect = Expect::of(&project.root, &after);
    let length = |root: &Path| -> u64 {
        crate::project::segments(root).last().map_or(0, |path| path.metadata().unwrap().len())
    };
    let (from, to) = (length(&project.root), length(&after));
    assert!(to > from + 100, "the line went to another segment");
    let step = if skip::is_long() { 1 } else { 37 };
    let mut cut = 0;
    for bytes in (from..=to).step_by(step) {
        for beyond in [Beyond::Dies, Beyond::Fails] {
            let copy = tempfile::tempdir_in(project.scratch()).unwrap();
            folder::copy(&project.root, copy.path()).unwrap();
            let output = limited(bytes, beyond, copy.path());
            cut += usize::from(!output.status.success());
            let verdict = told(&output, beyond).and_then(|told| expect.check(copy.path(), told));
            assert_eq!(verdict, Ok(()), "with files limited to {bytes} bytes (prlimit --fsize)");
        }
    }
    assert!(cut > 5, "only {cut} writes were cut");
}

#[test]
fn a_line_cut_at_any_byte_never_happened() {
    cut_every_write(scenario::existing);
}

#[test]
fn a_checkpoint_cut_at_any_byte_never_happened() {
    cut_every_write(scenario::checkpoint);
}

//! The targets of the output, and its style there.

use std::fs::{self, OpenOptions, Permissions};
use std::os::unix::fs::PermissionsExt as _;

use sprag_testkit::Test;

use crate::support::{RUN, SPRAG, project, sprag};

const EVERY: [&[&str]; 6] =
    [&[], &["--json"], &["doctor"], &["man"], &["completions", "zsh"], &["--help"]];

#[test]
fn a_closed_pipe_is_not_an_error() {
    let test = project();
    for words in EVERY {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let done = test.env.command(SPRAG).args(words).stdout(writer).output().unwrap();
        assert_eq!((done.status.code(), done.stderr.len()), (Some(0), 0), "{words:?}");
    }
}

#[test]
fn a_full_disk_is_an_error_that_says_so() {
    let test = project();
    for words in EVERY {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let done = test.env.command(SPRAG).args(words).stdout(full).output().unwrap();
        assert_eq!(done.status.code(), Some(1), "{words:?}");
        let said = String::from_utf8(done.stderr).unwrap();
        let expected =
            "error[K0003]: cannot write the output: No space left on device (os error 28)\n";
        assert_eq!(said, expected, "{words:?}");
    }
}

/// A state with a problem in every section, so that everything is drawn.
fn rich() -> Test {
    project()
        .file(".sprag/runs/r-7k2m/run.yaml", RUN)
        .file(".sprag/runs/größe/run.yaml", RUN)
        .file(".sprag/trace", "2026-03-05T10:30:00.000Z claude é\n")
}

#[test]
fn colour_comes_when_forced_and_goes_when_unwanted() {
    let coloured = |test: Test, words: &[&str]| {
        let (said, _) = test.run(words).output();
        said.stdout.contains("\u{1b}[")
    };
    assert!(!coloured(rich(), &[]), "not a terminal");
    assert!(coloured(rich().set("CLICOLOR_FORCE", "1"), &[]));
    assert!(coloured(rich().set("CLICOLOR_FORCE", "1"), &["doctor"]));
    assert!(!coloured(rich().set("CLICOLOR_FORCE", "1").set("NO_COLOR", "1"), &[]));
    assert!(!coloured(rich().set("CLICOLOR_FORCE", "1"), &["--plain"]));
    assert!(!coloured(rich().set("CLICOLOR_FORCE", "1"), &["--json"]));
    assert!(!coloured(rich().set("CLICOLOR_FORCE", "0"), &[]));
}

#[test]
fn without_colour_the_text_is_the_same() {
    let (coloured, _) = rich().set("CLICOLOR_FORCE", "1").run([""; 0]).output();
    let (bare, _) = rich().run([""; 0]).output();
    let mut stripped = coloured.stdout;
    for number in ["0", "1", "2", "31", "32", "33"] {
        stripped = stripped.replace(&format!("\u{1b}[{number}m"), "");
    }
    assert_eq!(stripped, bare.stdout);
}

#[test]
fn plain_is_ascii_to_the_last_byte() {
    for words in [&["--plain"][..], &["doctor", "--plain"], &["log", "é", "--plain"]] {
        let (said, _) = rich().run(words).output();
        let all = said.stdout + &said.stderr;
        assert!(!all.is_empty() && all.is_ascii(), "{all}");
    }
}

#[test]
fn no_line_is_wider_than_a_terminal() {
    let long = format!(".sprag/runs/{}/run.yaml", "x".repeat(200));
    for words in [&[][..], &["--plain"], &["doctor"]] {
        let (said, _) = rich().file(&long, "").run(words).output();
        for line in said.stdout.lines().filter(|line| !line.contains(SPRAG)) {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
}

/// Runs as an unprivileged user; a test that runs as root switches its user for this.
fn unprivileged(test: &Test, words: &[&str]) -> (Option<i32>, String) {
    fs::set_permissions(test.env.top(), Permissions::from_mode(0o755)).unwrap();
    let ours = test.env.top().join("sprag");
    fs::copy(SPRAG, &ours).unwrap();
    let who = test.env.command("id").arg("-u").output().unwrap();
    let mut command = if who.stdout == b"0\n" {
        // Only their owner may read a user's approvals.
        let agreed = test.env.home().join(".local/state/sprag/trust.json");
        std::os::unix::fs::chown(agreed, Some(65534), Some(65534)).unwrap();
        let mut command = test.env.command("setpriv");
        command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(&ours);
        command
    } else {
        test.env.command(&ours)
    };
    let done = command.args(words).output().unwrap();
    let said = String::from_utf8(done.stdout).unwrap() + &String::from_utf8(done.stderr).unwrap();
    (done.status.code(), test.env.normal(&said))
}

fn mode(test: &Test, path: &str, mode: u32) {
    fs::set_permissions(test.env.project().join(path), Permissions::from_mode(mode)).unwrap();
}

#[test]
fn a_state_that_may_not_be_read_is_unknown() {
    let test = project().file(".sprag/runs/r-7k2m/run.yaml", RUN);
    mode(&test, ".sprag/runs", 0o000);
    let (exit, said) = unprivileged(&test, &["--plain"]);
    assert!(said.contains("x .sprag/runs\n    Permission denied"), "{said}");
    assert_eq!(exit, Some(9));
}

#[test]
fn a_state_that_may_not_be_written_is_said_with_its_path() {
    let test = project().file(".sprag/journal/00000000000000000001.jsonl", "{}\n{}\n");
    mode(&test, ".sprag", 0o555);
    let (exit, said) = unprivileged(&test, &["doctor", "--fix", "--yes"]);
    assert_eq!(exit, Some(1), "{said}");
    let complaint = "error[K0105]: cannot open: Permission denied (os error 13)\n  ──▶ ";
    assert!(said.contains(complaint), "{said}");
    assert!(said.contains("[PROJECT]/.sprag/lock"), "{said}");
    let (exit, said) = unprivileged(&test, &["doctor", "--plain"]);
    let lines = " x the state cannot be written\n   [PROJECT]/.sprag\n   \
                 [PROJECT]/.sprag/journal\n   fix: let your user write there, then sprag doctor\n";
    assert!(said.contains(lines), "{said}");
    assert_eq!(exit, Some(9), "its journal cannot be read either");
    // Reading requires no right to write.
    let (exit, _) = unprivileged(&test, &["hook", "claude", "Stop"]);
    assert_eq!(exit, Some(0));
}

#[test]
fn a_working_directory_that_is_gone_is_said() {
    let test = sprag().folder("gone");
    let script = format!("cd gone && rmdir ../gone && exec {SPRAG} --plain");
    let done = test.env.command("sh").args(["-c", &script]).output().unwrap();
    assert_eq!(done.status.code(), Some(4));
    let script = format!("mkdir gone && cd gone && rmdir ../gone && exec {SPRAG} hook claude");
    let done = test.env.command("sh").args(["-c", &script]).output().unwrap();
    assert_eq!((done.status.code(), done.stderr.len()), (Some(0), 0));
}

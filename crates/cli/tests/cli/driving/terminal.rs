//! `sprag run` on a terminal (of `script`, from util-linux): the live block, its keys, questions.

use std::io::Write as _;
use std::process::{Child, Stdio};

use super::World;
use super::face::hear;

const TASK: [&str; 4] = ["run", "Make it good", "--until", "sh test.sh"];

impl World {
    /// Starts sprag on a terminal; what is written to it is typed there.
    pub(super) fn on_terminal(&self, words: &[&str]) -> Child {
        let inner = self.command(words);
        let quoted = |word: &std::ffi::OsStr| format!("'{}'", word.to_str().unwrap());
        let words: Vec<String> =
            std::iter::once(inner.get_program()).chain(inner.get_args()).map(quoted).collect();
        let line = format!("stty cols 80 rows 24; exec {}", words.join(" "));
        let mut command = self.env.command("script");
        command.env("TERM", "xterm").env("SHELL", "/bin/sh");
        command.args(["-qefc", &line, "/dev/null"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        command.spawn().unwrap()
    }
}

/// Returns everything that is still said.
pub(super) fn rest(from: &mut impl std::io::Read) -> String {
    let mut rest = Vec::new();
    from.read_to_end(&mut rest).unwrap();
    String::from_utf8_lossy(&rest).into_owned()
}

#[test]
fn the_block_is_drawn_below_what_happened_and_taken_away_at_the_end() {
    let world = World::new(
        "printf 'Edit src/a.rs \\033[2J\\n'; until [ -f ../go ]; do sleep 0.01; done; \
         echo good > code.txt; echo done",
    );
    let mut child = world.on_terminal(&TASK);
    let mut out = child.stdout.take().unwrap();
    let heard = hear(&mut out, "Edit src/a.rs");
    assert!(heard.contains("first try"), "{heard}");
    let mut typed = child.stdin.take().unwrap();
    typed.write_all(b"t").unwrap();
    let heard = heard + &hear(&mut out, "Status");
    world.env.write("../go", "");
    let rest = rest(&mut out);
    assert_eq!(child.wait().unwrap().code(), Some(0), "{rest}");
    let whole = heard + &rest;
    assert!(whole.contains("t status · p pause") && whole.contains("\u{1b}[J"), "{whole}");
    assert!(!whole.contains("\u{1b}[2J"), "an agent moves nothing: {whole}");
    let (_, end) = whole.rsplit_once("t status · p pause").unwrap();
    let (cleared, _) = end.split_once("Summary").unwrap();
    // The cursor goes up to where the block began, and in the end all below is taken away; what
    // has happened meanwhile may be written in its place between the two.
    let up = (1..9).filter_map(|rows| cleared.find(&format!("\u{1b}[{rows}A"))).min();
    let gone = cleared.rfind("\u{1b}[J");
    assert!(up.is_some() && up < gone, "the block is gone: {}", end.escape_debug());
}

#[test]
fn the_key_p_pauses_as_a_signal_does() {
    let world = World::new("echo here; until [ -f ../go ]; do sleep 0.01; done");
    let mut child = world.on_terminal(&TASK);
    let mut out = child.stdout.take().unwrap();
    hear(&mut out, "here");
    let mut typed = child.stdin.take().unwrap();
    typed.write_all(b"p").unwrap();
    let rest = rest(&mut out);
    assert_eq!(child.wait().unwrap().code(), Some(3), "{rest}");
    assert!(rest.contains("sprag resume r-"), "{rest}");
    world.nobody_is_left();
}

//! Writers with deliberate mistakes that sprag promises not to make: the tests must detect them.
//!
//! `broken in-place ROOT DOC=TEXT…` truncates and rewrites each document; `broken ack-first ROOT
//! DOC=TEXT…` prints `ok` before it writes; `broken unsynced ROOT DOC=TEXT…` prints `ok` before the
//! data is on disk; `broken error-after ROOT DOC=TEXT…` reports failure for a change that is
//! visible to all; `broken register ROOT DOC PROCESS COUNT SEED` swaps without a lock.
#![expect(clippy::disallowed_methods, reason = "mistakes on purpose")]

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use sprag_proof::exit;
use sprag_proof::register::{Register, Swap, play, text_of, value_of};
use sprag_testkit::linear::Value;
use sprag_testkit::seed::Seed;

struct Unlocked {
    path: PathBuf,
}

impl Register for Unlocked {
    fn read(&mut self) -> io::Result<Value> {
        let text = match fs::read_to_string(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            other => Some(other?),
        };
        value_of(text.as_deref()).ok_or_else(|| io::Error::other("torn"))
    }

    fn swap(&mut self, from: Value, to: Value) -> io::Result<Swap> {
        let value = self.read()?;
        if value != from {
            return Ok(Swap::Saw(value));
        }
        replace(&self.path, &text_of(to))?;
        Ok(Swap::Done)
    }
}

/// Replaces a file by a rename, which is right, but without a sync, which is wrong.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let temporary = path.with_extension(format!("tmp{}", std::process::id()));
    fs::write(&temporary, text)?;
    fs::rename(&temporary, path)
}

fn ok() -> io::Result<()> {
    let mut out = io::stdout();
    out.write_all(b"ok 1\n")?;
    out.flush()
}

fn edit(mode: &str, root: &Path, words: &[String]) -> io::Result<()> {
    if mode == "ack-first" {
        ok()?;
    }
    for word in words {
        let (doc, text) = word.split_once('=').ok_or_else(|| io::Error::other("DOC=TEXT"))?;
        let path = root.join(doc);
        match mode {
            "in-place" => fs::write(&path, text)?,
            _ => replace(&path, text)?,
        }
    }
    match mode {
        "unsynced" => {
            ok()?;
            File::open(root)?.sync_all()
        }
        "ack-first" => Ok(()),
        "error-after" => {
            // The rename is done, so an error here does not mean that nothing happened.
            File::open(root)?.sync_all()?;
            ok()
        }
        _ => ok(),
    }
}

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match &words[..] {
        [mode, root, doc, process, count, seed] if mode == "register" => {
            let mut register = Unlocked { path: Path::new(root).join(doc) };
            let mut seed = Seed::new(seed.parse()?);
            play(&mut register, process.parse()?, count.parse()?, &mut seed, &mut io::stdout())?;
        }
        [mode, root, edits @ ..] => edit(mode, Path::new(root), edits)?,
        _ => return Err("usage: broken MODE ROOT …".into()),
    }
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "broken: {error}");
            ExitCode::from(exit::REFUSED)
        }
    }
}

//! Plays a story twice and compares the plays.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use sprag_testkit::skip::skip;

use crate::compare::{Play, compared};
use crate::player::{Player, Twins};

/// Names the binary of the recorded commit.
const BASE: &str = "SPRAG_TWIN_BASE";

/// Names the binary under test.
const NEW: &str = "SPRAG_BIN";

/// If set, every play is written to a file, even if both are equal.
const KEEP: &str = "SPRAG_TWIN_KEEP";

/// Plays a story with both binaries and fails on a difference that is not intended.
pub(crate) fn twin<S: Fn(&mut Player)>(story: S) {
    let name = name::<S>();
    let Some((base, new)) = binary(BASE).zip(binary(NEW)) else {
        return skip(&format!("twin {name}"), "no base binary; use ./scripts/twins");
    };
    let twins = Twins { base, new };
    let scratch = tempfile::TempDir::with_prefix("sprag-twin-").unwrap();
    let top = scratch.path().canonicalize().unwrap().join("world");
    let mut one = Player::new(&top, &twins, true);
    if let Err(why) = play(&story, &mut one) {
        let path = whole(&name, "base", &Play::of(&one));
        panic!("{name} cannot be played by the base: {why}\nwhole: {}", path.display());
    }
    std::fs::remove_dir_all(&top).unwrap();
    let mut other = Player::new(&top, &twins, false);
    // If the new binary hangs or fails, the earlier differences show the cause.
    let ended = play(&story, &mut other);
    let (one, other) = (Play::of(&one), Play::of(&other));
    let differs = compared(&name, &one, &other);
    let is_equal = differs.is_none() && ended.is_ok();
    if is_equal && std::env::var_os(KEEP).is_none() {
        return;
    }
    let texts = [("base", &one), ("new", &other)].map(|(whose, play)| whole(&name, whose, play));
    if is_equal {
        return;
    }
    panic!(
        "{name} differs from the base\n{}{}whole: diff {} {}",
        differs.unwrap_or_default(),
        ended.err().map_or(String::new(), |why| format!("the new one did not end: {why}\n")),
        texts[0].display(),
        texts[1].display()
    );
}

/// Plays a story, or returns why it did not end.
fn play<S: Fn(&mut Player)>(story: &S, by: &mut Player) -> Result<(), String> {
    let played = catch_unwind(AssertUnwindSafe(|| {
        story(by);
        by.nobody_is_left();
    }));
    played.map_err(|why| {
        by.end_everybody();
        let text = why.downcast_ref::<String>().cloned();
        text.or_else(|| why.downcast_ref::<&str>().map(|&text| text.to_owned())).unwrap_or_default()
    })
}

/// Writes a play to a file beside the tests' binaries.
fn whole(name: &str, whose: &str, play: &Play<'_>) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("twins");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(format!("{}.{whose}", name.replace("::", ".")));
    std::fs::write(&path, play.whole()).unwrap();
    path
}

fn binary(variable: &str) -> Option<PathBuf> {
    let path = std::env::var_os(variable).map(PathBuf::from)?;
    assert!(path.is_file(), "{variable} names no file: {}", path.display());
    Some(path)
}

/// Returns the path of the test that contains a story: a closure is named after its function.
fn name<S>() -> String {
    let whole = std::any::type_name::<S>().trim_end_matches("::{{closure}}");
    whole.split_once("::").map_or(whole, |(_, path)| path).to_owned()
}

//! Edits every sample, as it is and with bytes changed at random from a seed.

use std::path::Path;

use sprag_conformance::Outcome;
use sprag_core::apply;
use sprag_core::pr::{Metadata, Prompts, PullRecord, ReviewTurn, answer};
use sprag_formats::pr::{MetadataFile, edit_prompts, read_prompts};
use sprag_formats::{Document, Edit, Format};

const NOW: &str = "2026-11-15T12:00:00Z";
/// How many mutations are made of one sample.
const MUTATIONS: u32 = 60;

/// Edits a sample and reports errors.
pub(super) fn hold(name: &str, text: &str) -> Outcome {
    let checked = match name {
        "prompts.yaml" => prompts(text),
        name if text_of_markdown(name) => front_matter(text),
        _ => metadata(text).and_then(|()| mutated(text)),
    };
    checked.map_or_else(Outcome::Failed, |()| Outcome::Passed)
}

fn text_of_markdown(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|ending| ending == "md")
}

/// Asserts that a value is as expected.
fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: &T, expected: &T) -> Result<(), String> {
    if found == expected {
        return Ok(());
    }
    Err(format!("{what}\n  expected {expected:?}\n  found    {found:?}"))
}

/// Returns a text without the lines of these keys; a line with a whole map is removed completely.
fn without(text: &str, keys: &[&str]) -> Vec<String> {
    let names = |line: &&str| !keys.iter().any(|key| line.contains(&format!("{key}:")));
    text.split_inclusive('\n').filter(names).map(|line| line.trim_end().to_owned()).collect()
}

fn metadata(text: &str) -> Result<(), String> {
    let file = MetadataFile::parse(text).map_err(|fault| fault.to_string())?;
    let Metadata::Known(before) = file.metadata() else { return Ok(()) };
    same("nothing changed", &file.edit(before, NOW).map_err(|bad| bad.to_string())?, &vec![])?;
    for (key, after) in wishes(before) {
        let splices = file.edit(&after, NOW).map_err(|bad| format!("{key}: {bad}"))?;
        let edited = apply(text, &splices).map_err(|bad| bad.to_string())?;
        let now = MetadataFile::parse(&edited).map_err(|bad| format!("{key}: {bad}\n{edited}"))?;
        same(key, &now.metadata().known(), &Some(&after))?;
        let keys = [key, "updatedAt"];
        same(key, &without(&edited, &keys), &without(text, &keys))?;
    }
    Ok(())
}

/// Returns the intended edits, each with its key.
fn wishes(before: &PullRecord) -> Vec<(&'static str, PullRecord)> {
    let mut wishes = vec![
        (
            "turn",
            PullRecord { turn: Some(ReviewTurn::CiPending.as_str().to_owned()), ..before.clone() },
        ),
        ("approved", PullRecord { approved: !before.approved, ..before.clone() }),
    ];
    if let Some(review_loop) = &before.review_loop {
        let with = |change: &dyn Fn(&mut sprag_core::pr::LoopSection)| {
            let mut after = review_loop.clone();
            change(&mut after);
            PullRecord { review_loop: Some(after), ..before.clone() }
        };
        wishes.push(("pausedAt", with(&|one| one.paused_at = Some(NOW.to_owned()))));
        wishes.push(("active", with(&|one| one.active = !one.active)));
        wishes.push(("round", with(&|one| one.round += 1)));
    }
    wishes
}

/// Changes bytes: texts that are still readable are decided and edited without damage.
fn mutated(text: &str) -> Result<(), String> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % u64::try_from(below.max(1)).unwrap_or(1)).unwrap_or(0)
    };
    for _ in 0..MUTATIONS {
        let mut bytes = text.as_bytes().to_vec();
        for _ in 0..=random(3) {
            let at = random(bytes.len());
            match random(3) {
                0 => bytes[at] = b" :-#\"'|{}[]\n0aT~"[random(16)],
                1 => drop(bytes.remove(at)),
                _ => {
                    let line = text.lines().nth(random(text.lines().count())).unwrap_or_default();
                    bytes.extend_from_slice(format!("{line}\n").as_bytes());
                }
            }
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let Ok(file) = MetadataFile::parse(&text) else { continue };
        let _ = answer(file.metadata());
        let Metadata::Known(before) = file.metadata() else { continue };
        for (key, after) in wishes(before) {
            // An edit may be refused, but a successful one must be the intended one.
            let Ok(splices) = file.edit(&after, NOW) else { continue };
            let edited = apply(&text, &splices).map_err(|bad| bad.to_string())?;
            let now = MetadataFile::parse(&edited).map_err(|bad| format!("{key}: {bad}"))?;
            same(key, &now.metadata().known(), &Some(&after))?;
        }
    }
    Ok(())
}

fn prompts(text: &str) -> Result<(), String> {
    let before = read_prompts(text).map_err(|bad| bad.to_string())?;
    same("nothing changed", &edit_prompts(text, &before).map_err(|bad| bad.to_string())?, &vec![])?;
    let given = Prompts { developer: Some("Be quick.".to_owned()), ..Prompts::default() };
    let splices = edit_prompts(text, &given).map_err(|bad| bad.to_string())?;
    let edited = apply(text, &splices).map_err(|bad| bad.to_string())?;
    let after = read_prompts(&edited).map_err(|bad| bad.to_string())?;
    same("developer", &after, &Prompts { developer: given.developer, ..before })
}

fn front_matter(text: &str) -> Result<(), String> {
    let document = Document::parse(Format::FrontMatter, text).map_err(|bad| bad.to_string())?;
    let splices = document.edit(&[Edit::set(["iteration"], 4)]).map_err(|bad| bad.to_string())?;
    let edited = apply(text, &splices).map_err(|bad| bad.to_string())?;
    same("iteration", &without(&edited, &["iteration"]), &without(text, &["iteration"]))
}

//! The samples of opti-gsd: one folder per kind, `name.md` or `name.txt` beside `name.expect.json`.
//!
//! Every field of an expectation is compared with sprag's answer. An unknown field fails the case,
//! unless it only explains: `kind`, `note`.

mod compare;
mod mutate;
mod stop;

use std::path::Path;

use sprag_conformance::{Outcome, Tally, as_text, entries, field, read};
use sprag_core::Plain;
use sprag_core::plan::Report;
use sprag_formats::plan::{self, answer, config, verification};

use crate::files;
use compare::{Ours, compare};

/// Runs every sample of every folder.
pub(crate) fn decide(folder: &Path, tally: &mut Tally) -> Result<(), String> {
    let listing =
        std::fs::read_dir(folder).map_err(|bad| format!("{}: {bad}", folder.display()))?;
    let mut texts = Vec::new();
    for entry in listing.filter_map(Result::ok).filter(|entry| entry.path().is_dir()) {
        let group = entry.file_name().to_string_lossy().into_owned();
        for (path, expect) in files(&entry.path())? {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let Some(stem) = name.strip_suffix(".expect.json") else { continue };
            let text = sample(&entry.path(), stem);
            let outcome = match read(&expect) {
                Ok(wanted) => outcome(&wanted, &expect, text.as_deref()),
                Err(why) => Outcome::Failed(why),
            };
            tally.add(&group, &format!("{group}/{stem}"), outcome);
            texts.extend(text);
        }
    }
    mutate::all(&texts, tally);
    Ok(())
}

/// Returns a sample's text; a state may be missing on purpose.
fn sample(folder: &Path, stem: &str) -> Option<String> {
    let read = |ending: &str| std::fs::read(folder.join(format!("{stem}.{ending}"))).ok();
    let bytes = read("md").or_else(|| read("txt"))?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn outcome(expect: &Plain, file: &str, text: Option<&str>) -> Outcome {
    let kind = as_text(field(expect, "kind")).unwrap_or_default();
    let said = text.unwrap_or_default();
    let ours = match (kind, text) {
        ("stop", _) => match stop::answer(expect, &hook_input(file), text) {
            Ok(answer) => Ours::of(answer),
            Err(why) => return Outcome::Failed(why),
        },
        (_, None) => return Outcome::Failed("the sample has no text".to_owned()),
        ("plan", Some(_)) => {
            let read = plan::read(said);
            Ours { plain: answer::plan(&read), plan: read.plan }
        }
        ("config", Some(_)) => match config::read(said) {
            Ok((settings, warnings)) => Ours::of(answer::config(&settings, &warnings)),
            Err(fault) => return Outcome::Failed(fault.to_string()),
        },
        ("verification", Some(_)) => Ours::of(answer::verification(&verification::read(said))),
        ("report", Some(_)) => Ours::of(answer::report(&Report::read(said))),
        (_, Some(_)) => return Outcome::NotServed,
    };
    let mut wrong: Vec<String> =
        entries(expect).iter().filter_map(|(key, wanted)| compare(key, wanted, &ours)).collect();
    if *field(expect, "warn") == Plain::Null && *field(&ours.plain, "warn") != Plain::Null {
        wrong.push("a person was told something".to_owned());
    }
    if wrong.is_empty() { Outcome::Passed } else { Outcome::Failed(wrong.join("\n  ")) }
}

/// Returns the host's payload as JSON.
fn hook_input(file: &str) -> String {
    let expect: serde_json::Value = serde_json::from_str(file).unwrap_or_default();
    expect["hook_input"].to_string()
}

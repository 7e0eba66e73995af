//! Loads the recorded folders.

use std::collections::BTreeMap;

use sprag_conformance::{as_text, entries, field, is_true};
use sprag_core::Plain;
use sprag_core::workflow::graph::dangling;
use sprag_core::workflow::{Definition, Definitions, OrderEntry, Phase, Show, Tools};
use sprag_formats::workflow::{Loaded, PathEntry, Tier, Weight, load, read};

use super::difference::{Difference, Lens};

/// The placeholder for the folder in which a case was recorded.
const ROOT: &str = "/ROOT";

/// The files of a case, by the names in the cases.
pub(super) type Files = BTreeMap<String, PathEntry>;

/// Reads `files` and `links`.
pub(super) fn files(input: &Plain) -> Files {
    let text = |(path, text): &(String, Plain)| {
        (path.clone(), PathEntry::Text(as_text(text).unwrap_or_default().to_owned()))
    };
    let link = |(path, target): &(String, Plain)| {
        let target = as_text(target).unwrap_or_default();
        let tier = path.split('/').next().unwrap_or_default();
        let inside = target.strip_prefix(&format!("{tier}/"));
        let found = inside.map_or(PathEntry::LinkOut, |below| PathEntry::LinkTo(below.to_owned()));
        (path.clone(), found)
    };
    let files = entries(field(input, "files")).iter().map(text);
    files.chain(entries(field(input, "links")).iter().map(link)).collect()
}

fn tier(files: &Files, name: &str, path: &str) -> Tier {
    let below = |(path, found): (&String, &PathEntry)| {
        Some((path.strip_prefix(&format!("{name}/"))?.to_owned(), found.clone()))
    };
    Tier { path: format!("{ROOT}/{path}"), files: files.iter().filter_map(below).collect() }
}

pub(super) fn global(files: &Files) -> Tier {
    tier(files, "global", "agent/workflows")
}

pub(super) fn both(files: &Files, lens: &Lens) -> Loaded {
    tiers(&[global(files), tier(files, "project", "cwd/.pi/workflows")], lens)
}

/// Loads tiers. The original removes dangling references once, sprag until none is left.
pub(super) fn tiers(tiers: &[Tier], lens: &Lens) -> Loaded {
    let loaded = load(tiers);
    if !lens.is_theirs() {
        return loaded;
    }
    let mut once = read(tiers);
    once.drop_cycles();
    once.drop_dangling();
    once.warn_duplicates();
    let mut fixed = once.definitions.clone();
    while let Some(reference) = dangling(&fixed).first() {
        fixed.remove(&reference.key);
    }
    let theirs = once.definitions;
    let definitions = lens.fix(Difference::Cascade, loaded.definitions.clone(), &fixed, theirs);
    Loaded { definitions, problems: once.problems, ..loaded }
}

/// Answers `load`.
pub(super) fn answer(input: &Plain, lens: &Lens) -> Plain {
    let files = files(input);
    let loaded = if is_true(field(input, "noCwd")) {
        tiers(&[global(&files)], lens)
    } else {
        both(&files, lens)
    };
    let counts = |weight: Weight| matches!(weight, Weight::Rejects | Weight::Warns);
    let warnings = loaded.problems.iter().filter(|problem| counts(problem.weight));
    let said = |text: &str| {
        Plain::from(format!("[pi-workflows] {}", text.replace(&format!("{ROOT}/"), "<ROOT>/")))
    };
    Plain::map([
        ("out", listing(&loaded.definitions)),
        ("warnings", Plain::List(warnings.map(|problem| said(&problem.text)).collect())),
    ])
}

fn listing(definitions: &Definitions) -> Plain {
    Plain::List(definitions.iter().map(|(key, known)| definition(key, known)).collect())
}

fn put(fields: &mut Vec<(String, Plain)>, key: &str, value: Option<Plain>) {
    fields.extend(value.map(|value| (key.to_owned(), value)));
}

fn definition(key: &str, known: &Definition) -> Plain {
    let text = |text: &Option<String>| text.as_ref().map(|text| text.clone().into());
    let mut fields = Vec::new();
    put(&mut fields, "key", Some(key.into()));
    put(&mut fields, "name", Some(known.name.clone().into()));
    put(&mut fields, "commandName", Some(known.command.clone().into()));
    put(&mut fields, "initialMessage", Some(known.initial_message.clone().into()));
    put(&mut fields, "phases", Some(Plain::List(known.phases.iter().map(entry).collect())));
    let internal = known.show == Show::Workflows;
    put(&mut fields, "show", internal.then(|| "workflows".into()));
    put(&mut fields, "loopable", known.loopable.map(Plain::Bool));
    put(&mut fields, "sessionNamePrefix", text(&known.session_prefix));
    let length = known.session_length.map(|length| length.to_string());
    let length = length.map(|text| text.parse().map_or(text.into(), Plain::Int));
    put(&mut fields, "sessionNameMaxLength", length);
    put(&mut fields, "roleInstruction", text(&known.texts.role));
    put(&mut fields, "advanceReminder", text(&known.texts.advance));
    put(&mut fields, "blockReasonTemplate", text(&known.texts.block));
    put(&mut fields, "completionMessage", text(&known.texts.complete));
    put(&mut fields, "notDoneReminder", text(&known.texts.not_done));
    Plain::Map(fields)
}

fn entry(entry: &OrderEntry) -> Plain {
    match entry {
        OrderEntry::Workflow(key) => {
            Plain::map([("subworkflow", key.as_str().into()), ("resolved", Plain::Bool(true))])
        }
        OrderEntry::Phase(known) => phase(known),
    }
}

fn phase(known: &Phase) -> Plain {
    let list =
        |list: &[String]| Plain::List(list.iter().map(|text| text.as_str().into()).collect());
    let mut fields = Vec::new();
    put(&mut fields, "id", Some(known.id.clone().into()));
    put(&mut fields, "name", Some(known.name.clone().into()));
    put(&mut fields, "emoji", Some(known.emoji.clone().into()));
    put(&mut fields, "instructions", Some(known.instructions.clone().into()));
    let tools = known.tools.as_ref().map(|tools| match tools {
        Tools::Without(names) => Plain::map([("blacklist", list(names))]),
        Tools::Only(names) => Plain::map([("whitelist", list(names))]),
    });
    put(&mut fields, "tools", tools);
    put(&mut fields, "availableProfiles", known.profiles.as_deref().map(list));
    Plain::Map(fields)
}
